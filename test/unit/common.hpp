// What the tests share, which the Makefile compiles once and includes in each of them.
#include "catch.hpp"
#include "laws.hpp"
#include "machine.hpp"
#include "samples.hpp"

#include <luuid/detail/rfc_generator.hpp>
#include <luuid/luuid.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <vector>

using namespace luuid;
using namespace luuid::detail;
using namespace laws;
using samples::id_of;
