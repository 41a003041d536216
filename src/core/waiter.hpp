// A waiter, which sleeps until its database has ids that it has not read: when it returns a horizon, and how long it
// sleeps until then. src/pg/horizon/README has the proof.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace luuid::detail {

// What a waiter does next: it returns a horizon, sleeps until an inserter of its database wakes it, or sleeps for some
// milliseconds.
struct WaiterStep {
    enum class Kind { return_horizon, sleep_until_woken, sleep } kind;
    std::uint64_t milliseconds;  // the horizon's, or how many to sleep

    bool operator==(const WaiterStep&) const = default;
};

// A waiter sleeps until the clock has passed ids that are ahead of it by less than this. While other ids are ahead, it
// returns no more often than this.
constexpr std::uint64_t waiter_pace = 100;

// How often a waiter looks for the end of a prepared transaction, which does not wake it.
constexpr std::uint64_t waiter_interval = 10;

// The next step of a waiter that has read up to `from`, or nothing. It is among those that a wake-up reaches already.
// `latest_ids` is the latest millisecond of the ids that its database's transactions committed or prepared, and
// `latest` is what the waiter loaded from there. It loads that again only while `latest` is before `from`: once there
// is something to read, later commits do not put the return off. `find_horizon()` takes a snapshot and returns its
// horizon, if that is known. `is_held(millisecond)` tells whether an inserter that will wake the waiter keeps the
// horizon from passing a millisecond.
template <class Word, class Clock, class FindHorizon, class IsHeld>
WaiterStep next_step(std::optional<std::uint64_t> from, std::uint64_t& latest, const Word& latest_ids, Clock&& clock,
                     FindHorizon&& find_horizon, IsHeld&& is_held) {
    using enum WaiterStep::Kind;
    if (from && latest < *from)
        latest = latest_ids;
    if (from && latest < *from)
        return {sleep_until_woken, 0};
    // Read before the horizon is computed: a horizon before it is one that an inserter holds back.
    const std::uint64_t now = clock();
    const std::optional<std::uint64_t> horizon = find_horizon();
    if (!horizon)
        return {sleep, waiter_interval};
    if (!from || *horizon > latest)
        return {return_horizon, *horizon};
    if (*horizon > *from) {
        if (*horizon < now)
            return {return_horizon, *horizon};
        if (latest - *horizon < waiter_pace)
            return {sleep, latest + 1 - *horizon};
        if (*horizon - *from >= waiter_pace)
            return {return_horizon, *horizon};
        return {sleep, *from + waiter_pace - *horizon};
    }
    if (*from >= now)
        return {sleep, *from + 1 - now};
    return is_held(*from) ? WaiterStep{sleep_until_woken, 0} : WaiterStep{sleep, waiter_interval};
}

}  // namespace luuid::detail
