// What most tests include, which the Makefile compiles once for all of them.
#include "catch.hpp"
#include "laws.hpp"
#include "samples.hpp"

#include <map>
#include <set>
