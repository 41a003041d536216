// An application as the environment of its generators: the state its threads share, and how a fork resets it.
#pragma once

#include <luuid/detail/basic_generator.hpp>
#include <luuid/detail/system.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>

#include <pthread.h>
#include <unistd.h>

namespace luuid::detail::inline LUUID_FORM {

// The state that all generators of a process share. Constant-initialized, so that no thread waits for another one to
// construct it.
struct Shared {
    std::atomic<bool> follows_forks = false;
    std::uint32_t number = 1;  // of this process: a forked child has the next one
    std::mutex mutex;          // protects `process`
    Process process;           // has another number until it begins
};

// Default visibility, so that all shared objects whose symbols are resolved together share one state, even if they are
// compiled with hidden visibility. An object that is loaded with RTLD_LOCAL may have a state of its own.
[[gnu::visibility("default")]] inline constinit Shared shared;

class Application : public System {
public:
    explicit Application(GeneratorSettings settings) noexcept : settings_(settings) {}

    GeneratorSettings settings() const noexcept { return settings_; }

    // Follows forks before it takes the lock for the first time: without start_over(), a child would wait for a thread
    // of its parent. Two threads may both register it, since to start over twice does no harm.
    static std::unique_lock<std::mutex> lock() noexcept {
        if (!shared.follows_forks) [[unlikely]]
            shared.follows_forks = pthread_atfork(nullptr, nullptr, start_over) == 0;
        return std::unique_lock(shared.mutex);
    }

    static Process& process() noexcept {
        if (shared.process.number != shared.number) [[unlikely]]
            begin();
        return shared.process;
    }
    static Process& present() noexcept { return process(); }
    static constexpr std::uint64_t announce_step(std::uint64_t now) noexcept { return now; }
    static constexpr bool wait_if_ahead(std::uint64_t) noexcept { return false; }

    // Random bytes from the kernel. Without them ids would repeat those of others, so it aborts if the kernel has none.
    static void fill_random(void* buffer, std::size_t size) noexcept {
        constexpr std::size_t size_max = 256;  // that getentropy accepts
        auto* const bytes = static_cast<unsigned char*>(buffer);
        for (std::size_t at = 0; at < size; at += size_max)
            if (getentropy(bytes + at, std::min(size - at, size_max)) != 0)
                std::abort();
    }

    static std::uint32_t random_node() noexcept { return random_bits() & node_max; }

    static std::optional<MachineIdentity> identity() noexcept { return machine_identity(); }

private:
    static std::uint32_t random_bits() noexcept {
        std::uint32_t bits = 0;
        fill_random(&bits, sizeof bits);
        return bits;
    }

    [[gnu::cold, gnu::noinline]] static void begin() noexcept {
        const auto pid = static_cast<std::uint32_t>(getpid());
        const V1Timeline v1(process_node(pid, random_bits()), random_bits());
        shared.process = {
            shared.number, static_cast<std::uint16_t>(pid), LocalityGenerator(random_bits()), v1, {}, {}, {}};
    }

    // Runs in a forked child, which has only this thread. Another thread may have held the mutex: replace it.
    static void start_over() noexcept {
        new (&shared.mutex) std::mutex;
        ++shared.number;
    }

    GeneratorSettings settings_;
};

}  // namespace luuid::detail::inline LUUID_FORM
