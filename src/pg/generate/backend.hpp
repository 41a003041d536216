// A backend as the environment of its generator.
#pragma once

#include "../random.hpp"
#include "../settings.hpp"

#include <luuid/detail/basic_generator.hpp>
#include <luuid/detail/system.hpp>

namespace luuid::pg {

class Backend : public detail::System {
public:
    struct Nothing {};

    // A backend has one thread.
    static Nothing lock() noexcept { return {}; }
    static GeneratorSettings settings() noexcept {
        return {static_cast<CounterMode>(setting_values.mode), static_cast<LocalityVersion>(setting_values.version),
                setting_values.node};
    }
    static void fill_random(void* buffer, std::size_t size) { pg::fill_random(buffer, size); }

    // Belongs to the process that started it: a fork or a parallel worker starts over.
    static detail::Process& process() {
        if (unlikely(process_.number != static_cast<std::uint32_t>(MyProcPid)))
            start_over();
        return process_;
    }

    // process() for ids of the present. With preload, the first call in a transaction makes that an inserter.
    static detail::Process& present() {
        if (unlikely(inserting_ != static_cast<std::uint32_t>(MyProcPid)))
            begin_inserting();
        return process_;
    }
    static std::uint64_t announce_step(std::uint64_t now);

    // May raise an error, since a session that waits can be canceled.
    static bool wait_if_ahead(std::uint64_t lead) { return unlikely(lead > 0) && wait_if_too_far_ahead(lead); }

    // The cluster's, where luuid is preloaded.
    static detail::HardwareAddress hardware_address() noexcept;
    static std::uint32_t random_node();

    static std::optional<detail::MachineIdentity> identity() noexcept;

    // Has every backend record the end of its transactions; from _PG_init, while the server loads its preload
    // libraries.
    static void watch_transactions();

private:
    static void start_over();
    static void begin_inserting();
    static void end_inserting(XactEvent event);
    static std::uint64_t last_generated() noexcept;
    static bool wait_if_too_far_ahead(std::uint64_t lead);

    static detail::Process process_;
    static std::uint32_t inserting_;  // the process id, once its transaction is an inserter
};

using BackendGenerator = detail::BasicGenerator<Backend>;

// Generates all ids of this process.
extern BackendGenerator generator;

}  // namespace luuid::pg
