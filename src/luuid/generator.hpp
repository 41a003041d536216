// New ids for an application: by the system's clock, as this process, on this machine.
#pragma once

#include <luuid/detail/application.hpp>

namespace luuid {

// Makes ids as the SQL functions of like names do. Threads may use one generator, or have one each: generators of one
// process share time and counters, so that their ids differ. A forked child starts over by itself.
class Generator : public detail::BasicGenerator<detail::Application> {
public:
    explicit Generator(GeneratorSettings settings = {}) noexcept : BasicGenerator(detail::Application(settings)) {}
};

}  // namespace luuid
