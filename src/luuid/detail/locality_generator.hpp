// Generation of locality UUIDs: the next id as a function of the generator's state, its identity and the clock.
#pragma once

#include <luuid/detail/counters.hpp>
#include <luuid/detail/leases.hpp>
#include <luuid/detail/millisecond.hpp>
#include <luuid/detail/timeline.hpp>
#include <luuid/settings.hpp>

namespace luuid::detail::inline LUUID_FORM {

// One generator. Between two clock steps that it follows, it never generates an id twice, except for given times
// (next_at). Times are milliseconds since 1970; `now` is the clock's reading.
class LocalityGenerator {
public:
    using Lease = Leases<>::Lease;

    // The variable counter continues after this step. No id has a millisecond before `now`. The generator records in
    // the lease each millisecond that it uses.
    constexpr explicit LocalityGenerator(std::uint32_t step, std::uint64_t now = 0,
                                         std::optional<Lease> lease = std::nullopt) noexcept
        : counters_(step), timeline_(now), lease_(lease) {
        enter(now, now);
    }

    // An id greater than every earlier one in order, unless it followed a clock step in between.
    constexpr Id next(CounterMode mode, LocalityVersion version, Identity identity, std::uint64_t now) noexcept {
        const std::uint32_t block = draw(mode, now);
        enter_present(now);
        return in_order(block, version, identity, now);
    }

    // An id in a range of blocks. In a range without a whole lane (placement.hpp), ids are in order as by next().
    constexpr Id next_within(BlockRange range, LocalityVersion version, Identity identity, std::uint64_t now) noexcept {
        enter_present(now);
        const LaneRange lanes = lanes_in(range);
        if (lanes.count == 0)
            return in_order(block_in_narrow(range, counters_.next_step()), version, identity, now);
        for (;;) {
            const std::uint64_t draw = counters_.next_step();
            const std::uint32_t block = block_in_lanes(lanes, draw);
            if (millisecond_.is_reserved(block))
                continue;
            if (millisecond_.give_in_lanes(draw))
                return locality_id(version, block, identity, millisecond_.number());
            enter(millisecond_.number() + 1, now);
        }
    }

    // An id of a given time, for back-filling. It advances the counters, but is not in order.
    constexpr Id next_at(std::uint64_t millisecond, CounterMode mode, LocalityVersion version, Identity identity,
                         std::uint64_t now) noexcept {
        return locality_id(version, draw(mode, now), identity, millisecond);
    }

    // From now on, its ids in order have this millisecond or a later one.
    constexpr void go_on_from(std::uint64_t millisecond) noexcept { enter_present(millisecond); }

    // True if this reading of the clock is a step back to follow.
    constexpr bool is_step(std::uint64_t now) const noexcept { return timeline_.is_step(now); }

    // Follows such a step back to this millisecond.
    constexpr void follow(std::uint64_t millisecond) noexcept {
        timeline_.follow(millisecond);
        enter(millisecond, millisecond);
    }

    // The millisecond of its last id in order, or the later one that it has entered.
    constexpr std::uint64_t millisecond() const noexcept { return millisecond_.number(); }

    // How many milliseconds its ids are ahead of the clock. A step back for which it waits adds nothing.
    constexpr std::uint64_t lead(std::uint64_t now) const noexcept {
        const std::uint64_t reading = std::max(timeline_.reading(), now);
        return std::max(millisecond(), reading) - reading;
    }

    // The lease of its process field, if it has one.
    constexpr std::optional<Lease>& lease() noexcept { return lease_; }

    // How often it followed a clock step back.
    constexpr std::uint64_t steps_followed() const noexcept { return timeline_.steps_followed(); }

private:
    constexpr std::uint32_t draw(CounterMode mode, std::uint64_t now) noexcept {
        return mode == CounterMode::variable ? counters_.next_variable() : counters_.next_sequential(now);
    }

    constexpr Id in_order(std::uint32_t block, LocalityVersion version, Identity identity, std::uint64_t now) noexcept {
        while (!millisecond_.give_in_order(version, block))
            enter(millisecond_.number() + 1, now);
        return locality_id(version, block, identity, millisecond_.number());
    }

    // Enters the clock's millisecond, or stays in the current one if that is later.
    constexpr void enter_present(std::uint64_t now) noexcept {
        if (timeline_.starts_over(now) || timeline_.reading() > millisecond_.number())
            enter(timeline_.reading(), now);
    }

    // Runs once per millisecond. Not inlined, since saving its registers would cost time for each id.
    [[gnu::noinline]] constexpr void enter(std::uint64_t millisecond, std::uint64_t now) noexcept {
        if (lease_)
            lease_->use(millisecond);
        millisecond_ = Millisecond(millisecond, counters_.step(), counters_.sequential(now));
    }

    Counters counters_;
    Timeline timeline_;
    Millisecond millisecond_;
    std::optional<Lease> lease_;
};

}  // namespace luuid::detail::inline LUUID_FORM
