// A backend as the environment of its generator.
#pragma once

#include "../settings.hpp"
#include "server.hpp"

#include <luuid/detail/basic_generator.hpp>
#include <luuid/detail/system.hpp>

#include <utility>

namespace luuid::pg {

// From the server's strong source, as gen_random_uuid of uuid.c draws them.
void fill_random(void* buffer, std::size_t size);
std::uint32_t random_bits();

class Backend : public detail::System {
public:
    struct Nothing {};

    // A backend has one thread.
    static Nothing lock() noexcept { return {}; }
    static GeneratorSettings settings() noexcept { return generator_settings(); }
    static void fill_random(void* buffer, std::size_t size) { pg::fill_random(buffer, size); }

    // Belongs to the process that made it: a fork or a parallel worker starts over.
    static detail::Process& process() {
        if (unlikely(process_.number != static_cast<std::uint32_t>(MyProcPid)))
            start_over();
        return process_;
    }

    // Where luuid is preloaded, each transaction is told of once. Elsewhere nobody asks, and once a process will do.
    static detail::Process& present() {
        if (unlikely(in_flight_ != static_cast<std::uint32_t>(MyProcPid)))
            begin_flight();
        return process_;
    }
    // True where this process itself made ids in the transaction.
    static bool end_flight() noexcept { return std::exchange(in_flight_, 0) == static_cast<std::uint32_t>(MyProcPid); }
    static std::uint64_t announce_step(std::uint64_t now);

    // May end in an error, as all waiting.
    static bool wait_if_ahead(std::uint64_t lead) {
        if (unlikely(lead > 0))
            show_ahead(lead);
        return unlikely(lead >= setting_values.max_ahead) && wait_for_clock(lead - setting_values.max_ahead + 1);
    }

    // The cluster's, where luuid is preloaded.
    static detail::HardwareAddress hardware_address() noexcept;
    static std::uint32_t random_node();

    static std::optional<detail::MachineIdentity> identity() noexcept;

private:
    static void start_over();
    static void begin_flight();
    static void show_ahead(std::uint64_t milliseconds) noexcept;
    static bool wait_for_clock(std::uint64_t milliseconds);
    static void end_lease(int, Datum) noexcept;

    static detail::Process process_;
    static std::uint32_t in_flight_;  // the process, while its transaction makes ids
};

using BackendGenerator = detail::BasicGenerator<Backend>;

// That of this process.
extern BackendGenerator generator;

}  // namespace luuid::pg
