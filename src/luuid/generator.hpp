// Generation of ids in an application, by the system's clock.
#pragma once

#include <luuid/detail/application.hpp>

namespace luuid::inline LUUID_FORM {

// Generates ids as SQL does: next() as luuid_generate(), next_v7() as luuid_generate_v7(). Threads may share a
// generator or have one each, since all generators of a process share time and counters. A forked child starts over.
class Generator : public detail::BasicGenerator<detail::Application> {
public:
    explicit Generator(GeneratorSettings settings = {}) noexcept : BasicGenerator(detail::Application(settings)) {}
};

}  // namespace luuid::inline LUUID_FORM
