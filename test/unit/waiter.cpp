// A waiter: over all interleavings of inserters, of a waiter and of a clock, it does not sleep until it is woken while
// there is something to read, or will be without an inserter that wakes it. The interleavings are sequentially
// consistent, as the operations on the words are.
#include "interleavings.hpp"

#include <core/horizon.hpp>
#include <core/waiter.hpp>

namespace {

constexpr std::uint64_t start = 1'000'000;

struct Model {
    static constexpr std::uint64_t database = 1, other_database = 2;

    ExploredWord clock{start};
    ExploredWord ended;  // a bit for each transaction that is visible to snapshots that are taken now
    Horizon<ExploredWord> horizon{start};
    ExploredWord latest;
    std::array<luuid::detail::Slot<ExploredWord, 4, 2, 1>, 3> slots;  // of two backends and a prepared transaction
    ExploredWord waiters;
    ExploredWord woken;

    // What the actors found.
    std::array<std::uint64_t, 4> first_id{}, last_id{};  // by transaction; 0 where it stores none
    std::uint64_t from = start;
    WaiterStep step{};
    std::uint64_t woken_before = 0;

    std::uint64_t now() const { return clock; }

    std::uint64_t begin(std::size_t slot, std::uint64_t its_database = database) {
        return horizon.begin(slots[slot], its_database, [this] { return now(); });
    }

    void become_visible(std::size_t transaction) { ended.fetch_add(std::uint64_t{1} << transaction); }

    void wake() {
        if (waiters != 0)
            woken.fetch_add(1);
    }

    // Stores an id, and one so far ahead of the clock.
    std::uint64_t store(std::size_t slot, std::size_t transaction, std::uint64_t ahead) {
        first_id[transaction] = last_id[transaction] = 0;
        const std::uint64_t first = begin(slot);
        first_id[transaction] = first;
        return last_id[transaction] = first + ahead;
    }

    void commit(std::size_t slot, std::size_t transaction, std::uint64_t ahead = 0) {
        const std::uint64_t last = store(slot, transaction, ahead);
        become_visible(transaction);
        raise(latest, last);
        slots[slot].commit(transaction);
        wake();
    }

    // A session of another database wakes no waiter here.
    void commit_elsewhere(std::size_t slot, std::size_t transaction) {
        begin(slot, other_database);
        become_visible(transaction);
        slots[slot].commit(transaction);
    }

    void roll_back(std::size_t slot) {
        begin(slot);
        slots[slot].clear();
        wake();
    }

    // A transaction that is prepared, and resolved by a session that does nothing for waiters.
    void commit_prepared(std::size_t slot, std::size_t transaction) {
        raise(latest, store(slot, transaction, 0));
        slots[slot].move_to(slots[2], transaction);
        wake();
        become_visible(transaction);
    }

    std::optional<std::uint64_t> find_horizon() {
        const std::uint64_t snapshot = ended;
        const std::uint64_t raised = horizon.raise_behind(0, [this] { return now(); });
        const auto is_visible = [=](std::uint64_t transaction) { return (snapshot >> transaction & 1) != 0; };
        const auto is_sent = [](std::uint64_t) { return true; };
        return horizon.lower(raised, database, is_visible, is_sent, slots);
    }

    bool is_held(std::uint64_t millisecond) const {
        return slots[0].holds_back(millisecond, database) || slots[1].holds_back(millisecond, database);
    }

    void wait() {
        std::uint64_t found = latest;
        waiters.fetch_add(1);
        woken_before = woken;
        step = next_step(
            from, found, latest, [this] { return now(); }, [this] { return find_horizon(); },
            [this](std::uint64_t millisecond) { return is_held(millisecond); });
    }

    struct Outcomes {
        std::size_t asleep = 0, woken = 0, resting = 0, returned = 0;
    };

    // Of some actors, and a waiter, while the clock goes on by so many milliseconds.
    template <class... Actors>
    Outcomes explore(std::uint64_t milliseconds, Actors... others) {
        std::vector<Interleavings::Actor> actors{others...};
        actors.push_back([this] { wait(); });
        if (milliseconds > 0)
            actors.push_back([this, milliseconds] { clock = start + milliseconds; });
        Outcomes outcomes;
        const std::size_t states = Interleavings::explore(std::move(actors), [&] { check(outcomes); });
        CHECK(states > 100);
        return outcomes;
    }

    void check(Outcomes& outcomes) {
        if (step.kind == WaiterStep::Kind::return_horizon) {
            ++outcomes.returned;
            REQUIRE_LAW(step.milliseconds > from, step.milliseconds, from);
        } else if (step.kind == WaiterStep::Kind::sleep) {
            ++outcomes.resting;
            REQUIRE_LAW(step.milliseconds > 0 && step.milliseconds <= waiter_pace, step.milliseconds);
        } else if (woken != woken_before) {
            ++outcomes.woken;
        } else {
            // Of those that hold horizons back, the waiter is woken by the ones that are not prepared.
            ++outcomes.asleep;
            for (const auto* ids : {&first_id, &last_id})
                for (const std::uint64_t id : *ids)
                    REQUIRE_LAW(id < from || is_held(id), id, from);
        }
    }
};

}  // namespace

TEST_CASE("a commit and a waiter", "[waiter][interleavings]") {
    const std::uint64_t ahead = GENERATE(0, 50, 500);
    Model model;
    const auto outcomes = model.explore(1, [&] { model.commit(0, 1, ahead); });
    CHECK(outcomes.woken > 0);
    CHECK(outcomes.resting > 0);
}

TEST_CASE("two commits of one session, the first ahead of the second", "[waiter][interleavings]") {
    Model model;
    model.from = start + 3;
    const auto outcomes = model.explore(1, [&] {
        model.commit(0, 1, 5);
        model.commit(0, 2);
    });
    CHECK(outcomes.woken > 0);
}

TEST_CASE("a transaction that holds a commit back, and rolls back", "[waiter][interleavings]") {
    Model model;
    const auto outcomes = model.explore(
        5, [&] { model.commit(0, 1); }, [&] { model.roll_back(1); });
    CHECK(outcomes.woken > 0);
    CHECK(outcomes.returned > 0);
}

TEST_CASE("a transaction stays open after one with ids ahead of the clock", "[waiter][interleavings]") {
    Model model;
    const auto outcomes = model.explore(
        5, [&] { model.commit(0, 1, 500); }, [&] { model.begin(1); });
    CHECK(outcomes.asleep > 0);
    CHECK(outcomes.resting > 0);
}

TEST_CASE("a session of another database takes the slot of one that committed", "[waiter][interleavings]") {
    Model model;
    const auto outcomes = model.explore(1, [&] {
        model.commit(0, 1);
        model.commit_elsewhere(0, 2);
    });
    CHECK(outcomes.returned > 0);
    CHECK(outcomes.woken > 0);
}

TEST_CASE("a prepared transaction is resolved by a session that wakes no waiter", "[waiter][interleavings]") {
    Model model;
    model.from = start - 1;
    const auto outcomes = model.explore(
        0, [&] { model.commit_prepared(0, 1); }, [&] { model.commit(1, 2); });
    CHECK(outcomes.resting > 0);
    CHECK(outcomes.woken > 0);
}

TEST_CASE("the next step of a waiter", "[waiter]") {
    using enum WaiterStep::Kind;
    std::optional<std::uint64_t> horizon;
    std::uint64_t now = start;
    bool is_held = false;
    std::uint64_t found = 0;
    const auto look_again = [&](std::optional<std::uint64_t> from, std::uint64_t latest) {
        return next_step(
            from, found, latest, [&] { return now; }, [&] { return horizon; }, [&](std::uint64_t) { return is_held; });
    };
    const auto step = [&](std::optional<std::uint64_t> from, std::uint64_t latest) {
        found = 0;
        return look_again(from, latest);
    };

    // Where the horizon is not known, it looks for it now and then, and not busily.
    CHECK(step(start, start) == WaiterStep{sleep, 10});
    CHECK(step(std::nullopt, start) == WaiterStep{sleep, 10});
    // It does not look for it where there is nothing to read.
    CHECK(step(start, start - 1) == WaiterStep{sleep_until_woken, 0});

    horizon = now;
    CHECK(step(std::nullopt, 0) == WaiterStep{return_horizon, start});
    CHECK(step(start - 9, start - 9) == WaiterStep{return_horizon, start});
    // Ids of this millisecond, and ids ahead of the clock.
    CHECK(step(start, start) == WaiterStep{sleep, 1});
    CHECK(step(start - 9, start) == WaiterStep{sleep, 1});
    CHECK(step(1, start) == WaiterStep{sleep, 1});
    CHECK(step(1, start + 99) == WaiterStep{sleep, 100});
    CHECK(step(start - 9, start + 100) == WaiterStep{sleep, 91});
    CHECK(step(start - 99, start + 100) == WaiterStep{sleep, 1});
    CHECK(step(start - 100, start + 100) == WaiterStep{return_horizon, start});
    CHECK(step(1, start + 100) == WaiterStep{return_horizon, start});
    CHECK(step(start + 20, start + 500) == WaiterStep{sleep, 21});

    // What is committed while it sleeps does not put its return off.
    CHECK(step(start, start) == WaiterStep{sleep, 1});
    horizon = now = start + 1;
    CHECK(look_again(start, start + 1) == WaiterStep{return_horizon, start + 1});
    horizon = start;

    // What can be read before the transaction that holds it back, and then nothing until that has ended.
    now = start + 50;
    CHECK(step(start - 9, start + 40) == WaiterStep{return_horizon, start});
    CHECK(step(start, start + 40) == WaiterStep{sleep, 10});
    is_held = true;
    CHECK(step(start, start + 40) == WaiterStep{sleep_until_woken, 0});
}

TEST_CASE("an inserter's ids go up to what any of its processes has reached, and the next one's do not", "[waiter]") {
    luuid::detail::Slot<> slot;
    slot.begin(start, 1);
    slot.raise_last(start + 4);
    slot.raise_last(start + 2);
    CHECK(slot.last() == start + 4);
    slot.commit(1);
    CHECK(slot.last() == 0);
}
