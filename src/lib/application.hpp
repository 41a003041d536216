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

// What the generators of a process share, so that their ids differ though their process id is one. There is one for all
// shared objects too, whatever visibility they are built with.
class __attribute__((visibility("default"))) Process {
public:
    static Process& instance() noexcept {
        static Process process;
        return process;
    }

    SharedCounters counters{random_bits()};
    // How many forks lie between the process that began and this one.
    unsigned forks = 0;

private:
    Process() noexcept { pthread_atfork(nullptr, nullptr, start_over); }

    // In the child, which has this one thread.
    static void start_over() noexcept {
        Process& process = instance();
        new (&process.counters) SharedCounters{random_bits()};
        ++process.forks;
    }
};

}  // namespace detail

// What a generator makes; the defaults are those of SQL's settings luuid.mode, luuid.version and luuid.node.
struct GeneratorSettings {
    CounterMode mode = CounterMode::variable;
    Layout version = Layout::vb;  // or v8
    NodeSetting node = {};
};

// Makes ids as the SQL functions of like names do. Any number of threads may use one generator, and any number of
// generators may live in a process: their ids differ. A forked child starts over by itself; it must not use a generator
// that another thread was using at the moment of the fork.
class Generator {
public:
    explicit Generator(GeneratorSettings settings = {}) noexcept : settings_(settings) {}

    // A new locality UUID, greater than every one that this generator made by next() before.
    Id next() noexcept {
        const Turn turn(*this);
        return locality_.next(settings_.mode, settings_.version, identity_, clock_milliseconds());
    }

    // A new locality UUID of a time, for back-filling; nothing before 1970 and past 48 bits of milliseconds.
    std::optional<Id> next_at(Time time) noexcept {
        const auto millisecond = std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
        if (millisecond < 0 || static_cast<std::uint64_t>(millisecond) > millisecond_max)
            return std::nullopt;
        const Turn turn(*this);
        return locality_.next_at(static_cast<std::uint64_t>(millisecond), settings_.mode, settings_.version, identity_,
                                 clock_milliseconds());
    }

    // A new locality UUID on a shard, 0 .. shards-1.
    Id next_in_shard(std::uint32_t shard, std::uint32_t shards) noexcept {
        return next_within(shard_range(shard, shards));
    }

    // A new locality UUID whose first bits (0 .. 32) are the neighbour's.
    Id next_near(const Id& neighbour, unsigned prefix_bits = 16) noexcept {
        return next_within(neighbour_range(neighbour, prefix_bits));
    }

    // A new id of version 1, greater than every one that this generator made by next_v1() before.
    Id next_v1() noexcept {
        const Turn turn(*this);
        return v1_.next(clock_ticks());
    }

    // A new id of version 7, greater than every one that this generator made by next_v7() before.
    Id next_v7() noexcept {
        const Turn turn(*this);
        return v7_.next(clock_ticks(), random_.next());
    }

    // What locality UUIDs show of the machine, and where that came from.
    ResolvedNode node() noexcept {
        const Turn turn(*this);
        return node_;
    }

    // How often the clock stepped back by more than 10 s, and the order with it.
    std::uint64_t clock_steps_back() noexcept {
        const Turn turn(*this);
        return locality_.steps_followed();
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

    // One thread's use of the generator, which is ready to generate.
    struct Turn {
        explicit Turn(Generator& generator) noexcept : lock(generator.mutex_) {
            detail::Process& process = detail::Process::instance();
            if (!generator.has_started_ || generator.forks_ != process.forks)
                generator.start_over(process);
        }

        const std::lock_guard<std::mutex> lock;
    };

    Id next_within(BlockRange range) noexcept {
        const Turn turn(*this);
        return locality_.next_within(range, settings_.version, identity_, clock_milliseconds());
    }

    void start_over(detail::Process& process) noexcept {
        const auto pid = static_cast<std::uint32_t>(getpid());
        const auto random_node = [] { return detail::random_bits() & node_max; };
        node_ = find_node(settings_.node, random_node, [&] { return ResolvedNode{random_node(), NodeSource::random}; });
        identity_ = {static_cast<std::uint16_t>(pid), node_.bits};
        locality_ = LocalityGenerator{SharedDraws{&process.counters}};
        v1_ = V1Timeline{process_node(pid, detail::random_bits()), detail::random_bits()};
        v7_ = {};
        random_ = {};
        forks_ = process.forks;
        has_started_ = true;
    }

    const GeneratorSettings settings_;
    std::mutex mutex_;
    bool has_started_ = false;
    unsigned forks_ = 0;
    ResolvedNode node_;
    Identity identity_;
    LocalityGenerator<SharedDraws> locality_{SharedDraws{nullptr}};
    V1Timeline v1_{0, 0};
    V7Timeline v7_;
    RandomPool<detail::fill_random> random_;
};

}  // namespace luuid
