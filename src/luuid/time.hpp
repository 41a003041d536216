// Times, in std::chrono's words: what it takes for a loss of precision, or for another unit, does not compile.
#pragma once

#include <luuid/detail/language.hpp>

#include <chrono>
#include <cstdint>
#include <ratio>

namespace luuid {

// 100 ns, in which versions 1 and 6 of RFC 9562 count: the finest that an id tells.
using Ticks = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;
using TickTime = std::chrono::sys_time<Ticks>;

// What ids and times are compared at, as timestamptz has it.
using Time = std::chrono::sys_time<std::chrono::microseconds>;

}  // namespace luuid
