// Generation in all its forms, for a backend and an application alike.
#pragma once

#include <luuid/detail/locality_generator.hpp>
#include <luuid/detail/placement.hpp>
#include <luuid/detail/random_pool.hpp>
#include <luuid/detail/rfc_generator.hpp>
#include <luuid/detail/uniqid_generator.hpp>

namespace luuid::detail::inline LUUID_FORM {

// State shared by the generators of one process, since it has one process id.
struct Process {
    std::uint32_t number = 0;  // differs in each forked process; 0 before the first
    std::uint16_t pid = 0;     // as in its ids
    LocalityGenerator locality{0};
    V1Timeline v1{0, 0};
    V7Timeline v7;
    UniqidTimeline uniqid;
    RandomPool random;

    // From now on, its ids have this millisecond or a later one.
    void go_on_from(std::uint64_t millisecond) noexcept {
        locality.go_on_from(millisecond);
        v1.go_on_from(TickTime(std::chrono::milliseconds(millisecond)));
        v7.go_on_from(millisecond);
    }

    // The latest time of its ids and keys, except those generated for a given time.
    TickTime last() const noexcept {
        const TickTime locality_last{std::chrono::milliseconds(locality.millisecond())};
        return std::max({locality_last, v1.last(), v7.last(), uniqid.last()});
    }
};

// A generator with its own settings and node. Its environment has
//
//   settings()               the settings in effect now
//   lock()                   the lock to hold while a Process is used
//   process()                this process, initialized
//   present()                the same, for a call that generates ids of the present: a backend becomes an inserter
//   announce_step(now)       announces a clock step back to `now`; returns the millisecond to continue from
//   wait_if_ahead(lead)      waits for the clock if ids may not be this many milliseconds ahead of it; true if it did
//   milliseconds(), ticks()  readings of the clock, not before 1970
//   fill_random(buffer, size)
//   hardware_address(), random_node(), identity()
//                            as find_node requires
//
// Until the clock steps back by more than 10 s, no two generators of a process generate the same id, except for given
// times.
template <class Environment>
class BasicGenerator {
    // A generator's functions throw nothing if its environment's do not. (A backend's ereport() leaves by longjmp.)
    static constexpr bool is_infallible = noexcept(std::declval<Environment&>().present());

public:
    constexpr explicit BasicGenerator(Environment environment = {}) noexcept : environment_(environment) {}

    // A new locality UUID. It is greater than all that next() generated in this process since the clock last stepped
    // back by more than 10 s.
    Id next() noexcept(is_infallible) { return next(environment_.settings().mode); }

    // next() in this mode, whatever the setting is.
    Id next(CounterMode mode) noexcept(is_infallible) {
        Call call(*this, Ids::of_the_present);
        return call.locality().next(mode, call.version(), call.identity(), milliseconds_for(call.locality()));
    }

    // A new locality UUID of a given time, for back-filling; nothing before 1970 or past 48 bits of milliseconds.
    template <class Duration>
    std::optional<Id> next_at(std::chrono::sys_time<Duration> time) noexcept(is_infallible) {
        const auto millisecond = millisecond_of(std::chrono::floor<std::chrono::microseconds>(time));
        if (!millisecond)
            return std::nullopt;
        Call call(*this, Ids::others);
        return call.locality().next_at(*millisecond, call.mode(), call.version(), call.identity(),
                                       environment_.milliseconds());
    }

    // A new locality UUID on a shard.
    Id next_in_shard(Shard shard) noexcept(is_infallible) { return next_within(shard_range(shard)); }

    // A new locality UUID that has its first bits in common with the neighbour.
    Id next_near(const Id& neighbour, PrefixBits bits = 16) noexcept(is_infallible) {
        return next_within(neighbour_range(neighbour, bits));
    }

    // A new version-1 id, greater than every one that next_v1() generated in this process before.
    Id next_v1() noexcept(is_infallible) {
        Call call(*this, Ids::of_the_present);
        return call.process().v1.next(ticks_for(call.process().v1));
    }

    // A new version-7 id, greater than every one that next_v7() generated in this process before.
    Id next_v7() noexcept(is_infallible) {
        Call call(*this, Ids::of_the_present);
        const std::uint64_t random = call.process().random.next(Environment::fill_random);
        return call.process().v7.next(environment_.ticks(), random);
    }

    // A version-1 id of a given time, for back-filling: differs from every other version-1 id of this process, and is
    // greater than its earlier ones of that time; nothing outside 1582 to 5236.
    template <class Duration>
    std::optional<Id> next_v1_at(std::chrono::sys_time<Duration> time) noexcept(is_infallible) {
        return Call(*this, Ids::others).process().v1.next_at(std::chrono::floor<std::chrono::microseconds>(time));
    }

    // A version-7 id of a given time, as next_v1_at; nothing before 1970 or past 48 bits of milliseconds.
    template <class Duration>
    std::optional<Id> next_v7_at(std::chrono::sys_time<Duration> time) noexcept(is_infallible) {
        Call call(*this, Ids::others);
        return call.process().v7.next_at(std::chrono::floor<std::chrono::microseconds>(time),
                                         [&] { return call.process().random.next(Environment::fill_random); });
    }

    // A new short key, with a later microsecond than every one that next_uniqid() generated in this process before;
    // nothing from 2106 on.
    std::optional<Uniqid> next_uniqid() noexcept(is_infallible) {
        Call call(*this, Ids::others);
        const std::uint64_t random = call.process().random.next(Environment::fill_random);
        return call.process().uniqid.next(ticks_for(call.process().uniqid), random);
    }

    // The process field of its locality UUIDs.
    std::uint16_t pid() noexcept(is_infallible) { return Call(*this, Ids::others).process().pid; }

    // The node of its locality UUIDs, and where that comes from.
    ResolvedNode node() noexcept(is_infallible) { return Call(*this, Ids::others).node(); }

    // How often the clock stepped back by more than 10 s, and the order of ids followed it.
    std::uint64_t clock_steps_back() noexcept(is_infallible) {
        return Call(*this, Ids::others).locality().steps_followed();
    }

    // How far the latest id or key of this process is ahead of the clock.
    Ticks ahead() noexcept(is_infallible) {
        Call call(*this, Ids::others);
        return std::max(call.process().last() - environment_.ticks(), Ticks(0));
    }

private:
    // Whether a call generates ids of the present, which the horizon has to know.
    enum class Ids { of_the_present, others };

    // The process and the settings, during one call of a public function.
    class Call {
    public:
        // Inlined, since calling it would cost time for each id.
        [[gnu::always_inline]] Call(BasicGenerator& generator, Ids ids) noexcept(is_infallible)
            : lock_(generator.environment_.lock()),
              settings_(generator.environment_.settings()),
              process_(ids == Ids::of_the_present ? generator.environment_.present()
                                                  : generator.environment_.process()),
              generator_(generator) {}

        Process& process() const noexcept { return process_; }
        LocalityGenerator& locality() const noexcept { return process_.locality; }
        CounterMode mode() const noexcept { return settings_.mode; }
        LocalityVersion version() const noexcept { return settings_.version; }
        Identity identity() const noexcept(is_infallible) { return {process_.pid, node().bits}; }

        // Looked up on first use, since that takes longer than generating an id, and not every id contains it.
        [[gnu::always_inline]] const ResolvedNode& node() const noexcept(is_infallible) {
            if (generator_.of_process_ != process_.number || !(generator_.of_setting_ == settings_.node)) [[unlikely]]
                generator_.find_node(process_.number, settings_.node);
            return generator_.node_;
        }

    private:
        [[maybe_unused]] const decltype(std::declval<Environment&>().lock()) lock_;
        const GeneratorSettings settings_;
        Process& process_;
        BasicGenerator& generator_;
    };

    Id next_within(BlockRange range) noexcept(is_infallible) {
        Call call(*this, Ids::of_the_present);
        return call.locality().next_within(range, call.version(), call.identity(), milliseconds_for(call.locality()));
    }

    // The clock reading for the next locality UUID.
    std::uint64_t milliseconds_for(LocalityGenerator& locality) noexcept(is_infallible) {
        const std::uint64_t now = environment_.milliseconds();
        if (now < locality.millisecond()) [[unlikely]]
            return milliseconds_behind(locality, now);
        return now;
    }

    // Follows or waits for a clock that is behind the last id, because it stepped back or because ids run ahead of it.
    [[gnu::noinline]] std::uint64_t milliseconds_behind(LocalityGenerator& locality,
                                                        std::uint64_t now) noexcept(is_infallible) {
        for (;;) {
            if (locality.is_step(now))
                locality.follow(environment_.announce_step(now));
            else if (!environment_.wait_if_ahead(locality.lead(now)))
                return now;
            now = environment_.milliseconds();
        }
    }

    // The clock reading for the next id of a timeline in ticks.
    template <class TickTimeline>
    TickTime ticks_for(const TickTimeline& timeline) noexcept(is_infallible) {
        TickTime now = environment_.ticks();
        while (environment_.wait_if_ahead(timeline.lead(now)))
            now = environment_.ticks();
        return now;
    }

    [[gnu::cold, gnu::noinline]] void find_node(std::uint32_t process, NodeSetting setting) noexcept(is_infallible) {
        node_ = detail::find_node(setting, environment_);
        of_process_ = process;
        of_setting_ = setting;
    }

    Environment environment_;
    // The node for this process and setting.
    ResolvedNode node_{};
    std::uint32_t of_process_ = 0;
    NodeSetting of_setting_;
};

}  // namespace luuid::detail::inline LUUID_FORM
