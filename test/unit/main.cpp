// Catch2 2 itself and its main function, for machines that there is no library of it for.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
