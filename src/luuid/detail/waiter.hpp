// A session that waits for new ids of its database: when it returns a horizon, and what it sleeps for until then.
// src/pg/horizon/README has the proof.
#pragma once

#include <luuid/detail/flight.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>

namespace luuid::detail {

// The latest millisecond of the ids that a database's transactions have committed or prepared. `Word` is an atomic
// number.
template <class Word = std::atomic<std::uint64_t>>
class Latest {
public:
    void raise_to(std::uint64_t millisecond) noexcept {
        std::uint64_t latest = word_;
        while (latest < millisecond && !word_.compare_exchange_strong(latest, millisecond))
            ;
    }

    operator std::uint64_t() const noexcept { return word_; }

private:
    Word word_{0};
};

// What a waiter does next: it returns a horizon, sleeps until a transaction of its database wakes it, or sleeps for
// some milliseconds.
struct WaiterStep {
    enum class Kind { return_horizon, sleep_until_woken, sleep } kind;
    std::uint64_t milliseconds;  // the horizon's, or how many to sleep
};

// While ids are ahead of the clock, a waiter returns no more often than this.
constexpr std::uint64_t waiter_pace = 100;

// How often a waiter looks for the end of a transaction that does not wake it, since it is prepared.
constexpr std::uint64_t waiter_interval = 10;

// The next step of a waiter that has read up to `from`, or nothing; it is among those to be woken already. `ask()`
// takes a snapshot and returns the horizon for it, if that is known. `is_held(millisecond)` tells whether a transaction
// that will wake the waiter keeps horizons from passing a millisecond.
template <class Latest, class Clock, class Ask, class IsHeld>
WaiterStep next_step(std::optional<std::uint64_t> from, const Latest& latest_ids, Clock&& clock, Ask&& ask,
                     IsHeld&& is_held) {
    using enum WaiterStep::Kind;
    // Before the snapshot, which therefore sees what has raised it, unless that is prepared.
    const std::uint64_t latest = latest_ids;
    if (from && latest < *from)
        return {sleep_until_woken, 0};
    // Before the horizon, which is earlier only if a transaction holds it back.
    const std::uint64_t now = clock();
    const std::optional<std::uint64_t> horizon = ask();
    if (!horizon)
        return {sleep, waiter_interval};
    if (!from || *horizon > latest)
        return {return_horizon, *horizon};
    if (*horizon > *from) {
        if (*horizon < now || *horizon - *from >= waiter_pace)
            return {return_horizon, *horizon};
        return {sleep, std::min(latest + 1, *from + waiter_pace) - *horizon};
    }
    if (*from >= now)
        return {sleep, *from + 1 - now};
    return is_held(*from) ? WaiterStep{sleep_until_woken, 0} : WaiterStep{sleep, waiter_interval};
}

}  // namespace luuid::detail
