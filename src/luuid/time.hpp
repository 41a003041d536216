// Times as std::chrono types, so that a loss of precision or a wrong unit does not compile.
#pragma once

#include <luuid/detail/language.hpp>

#include <chrono>
#include <cstdint>
#include <ratio>

namespace luuid {

// 100 ns, the unit of RFC 9562 versions 1 and 6 and the finest that an id has.
using Ticks = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;
using TickTime = std::chrono::sys_time<Ticks>;

// The precision at which ids and times are compared: timestamptz's.
using Time = std::chrono::sys_time<std::chrono::microseconds>;

}  // namespace luuid
