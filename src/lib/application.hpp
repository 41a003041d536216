// Generation for an application: by the system's clock, as this process, on this machine.
#pragma once

#include "generator.hpp"
#include "node.hpp"
#include "random_pool.hpp"
#include "rfc_generator.hpp"
#include "standard.hpp"

#include <chrono>
#include <cstdlib>
#include <mutex>
#include <new>

#include <pthread.h>
#include <unistd.h>

namespace luuid {

namespace detail {

// From the kernel. Ids made without would repeat those of others, so that there is no going on where it has none.
inline void fill_random(void* buffer, std::size_t size) noexcept {
    constexpr std::size_t size_max = 256;  // of a call of getentropy
    auto* at = static_cast<unsigned char*>(buffer);
    for (std::size_t left = size; left > 0;) {
        const std::size_t part = std::min(left, size_max);
        if (getentropy(at, part) != 0)
            std::abort();
        at += part;
        left -= part;
    }
}

inline std::uint32_t random_bits() noexcept {
    std::uint32_t bits = 0;
    fill_random(&bits, sizeof bits);
    return bits;
}

// What the generators of a process share, since their process id is one. There is one for all shared objects that look
// symbols up together, whatever visibility they are built with; what is loaded RTLD_LOCAL may have one of its own.
class __attribute__((visibility("default"))) Process {
public:
    static Process& instance() noexcept {
        static Process process;
        return process;
    }

    std::mutex mutex;  // of all that follows
    const std::uint32_t pid = static_cast<std::uint32_t>(getpid());
    LocalityGenerator locality{random_bits()};
    V1Timeline v1{process_node(pid, random_bits()), random_bits()};
    V7Timeline v7;
    RandomPool<fill_random> random;
    // How many forks lie between the process that began and this one.
    const unsigned forks = 0;

private:
    Process() noexcept { pthread_atfork(nullptr, nullptr, start_over); }

    explicit Process(unsigned after_forks) noexcept : forks(after_forks) {}

    // In the child, which has this one thread. Another may have held the mutex at the moment of the fork.
    static void start_over() noexcept {
        Process& process = instance();
        const unsigned forks = process.forks + 1;  // read before what takes its place
        new (&process) Process(forks);
    }
};

}  // namespace detail

// What a generator makes; the defaults are those of SQL's settings luuid.mode, luuid.version and luuid.node.
struct GeneratorSettings {
    CounterMode mode = CounterMode::variable;
    Layout version = Layout::vb;  // or v8
    NodeSetting node = {};
};

// Makes ids as the SQL functions of like names do, from what all generators of the process share: their ids differ.
// Threads may use one generator, or have one each. A forked child starts over by itself.
class Generator {
public:
    explicit Generator(GeneratorSettings settings = {}) noexcept : settings_(settings) {}

    // A new locality UUID, greater than every one that next() made in this process before.
    Id next() noexcept {
        const Turn turn(*this);
        return turn.process.locality.next(settings_.mode, settings_.version, turn.identity(), clock_milliseconds());
    }

    // A new locality UUID of a time, for back-filling; nothing before 1970 and past 48 bits of milliseconds.
    std::optional<Id> next_at(Time time) noexcept {
        const auto millisecond = std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
        if (millisecond < 0 || static_cast<std::uint64_t>(millisecond) > millisecond_max)
            return std::nullopt;
        const Turn turn(*this);
        return turn.process.locality.next_at(static_cast<std::uint64_t>(millisecond), settings_.mode, settings_.version,
                                             turn.identity(), clock_milliseconds());
    }

    // A new locality UUID on a shard, 0 .. shards-1.
    Id next_in_shard(std::uint32_t shard, std::uint32_t shards) noexcept {
        return next_within(shard_range(shard, shards));
    }

    // A new locality UUID whose first bits (0 .. 32) are the neighbour's.
    Id next_near(const Id& neighbour, unsigned prefix_bits = 16) noexcept {
        return next_within(neighbour_range(neighbour, prefix_bits));
    }

    // A new id of version 1, greater than every one that next_v1() made in this process before.
    Id next_v1() noexcept {
        const Turn turn(*this);
        return turn.process.v1.next(clock_ticks());
    }

    // A new id of version 7, greater than every one that next_v7() made in this process before.
    Id next_v7() noexcept {
        const Turn turn(*this);
        return turn.process.v7.next(clock_ticks(), turn.process.random.next());
    }

    // What locality UUIDs show of the machine, and where that came from.
    ResolvedNode node() noexcept {
        const Turn turn(*this);
        return *node_;
    }

    // How often the clock stepped back by more than 10 s, and the order with it.
    std::uint64_t clock_steps_back() noexcept {
        const Turn turn(*this);
        return turn.process.locality.steps_followed();
    }

private:
    static Ticks clock_ticks() noexcept {
        using TickDuration = std::chrono::duration<Ticks, std::ratio<1, 10'000'000>>;
        const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
        return std::max<Ticks>(std::chrono::floor<TickDuration>(since_1970).count(), 0);  // never before 1970
    }

    static std::uint64_t clock_milliseconds() noexcept {
        return static_cast<std::uint64_t>(clock_ticks() / ticks_per_millisecond);
    }

    // One thread's use of what the process shares, by a generator that knows its node there.
    struct Turn {
        explicit Turn(Generator& own) noexcept
            : process(detail::Process::instance()), lock(process.mutex), generator(own) {
            if (!generator.node_ || generator.forks_ != process.forks)
                generator.start_over(process);
        }

        Identity identity() const noexcept { return {static_cast<std::uint16_t>(process.pid), generator.node_->bits}; }

        detail::Process& process;
        const std::lock_guard<std::mutex> lock;
        Generator& generator;
    };

    Id next_within(BlockRange range) noexcept {
        const Turn turn(*this);
        return turn.process.locality.next_within(range, settings_.version, turn.identity(), clock_milliseconds());
    }

    void start_over(const detail::Process& process) noexcept {
        const auto random_node = [] { return detail::random_bits() & node_max; };
        node_ = find_node(settings_.node, random_node, [&] { return ResolvedNode{random_node(), NodeSource::random}; });
        forks_ = process.forks;
    }

    const GeneratorSettings settings_;
    std::optional<ResolvedNode> node_;  // as the process found it that has this many forks behind it
    unsigned forks_ = 0;
};

}  // namespace luuid
