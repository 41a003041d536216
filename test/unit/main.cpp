// Catch2 2 and its main function, for machines without its library.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
