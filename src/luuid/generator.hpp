// Generation of ids in an application, by the system's clock.
#pragma once

#include <luuid/detail/application.hpp>

namespace luuid {

// Generates ids as the SQL functions of the same names do. Threads may share a generator or have one each: all
// generators of a process share time and counters, so their ids differ. A forked child starts over by itself.
class Generator : public detail::BasicGenerator<detail::Application> {
public:
    explicit Generator(GeneratorSettings settings = {}) noexcept : BasicGenerator(detail::Application(settings)) {}
};

}  // namespace luuid
