// A session that waits: over all interleavings of inserters, of a waiter and of a clock, it does not sleep until it is
// woken while there is something to read, or will be without a transaction that wakes it. The interleavings are
// sequentially consistent, as the operations on the words are.
#include "catch.hpp"
#include "interleavings.hpp"
#include "machine.hpp"

#include <luuid/detail/horizon.hpp>
#include <luuid/detail/waiter.hpp>

#include <vector>

using namespace luuid::detail;

namespace {

constexpr std::uint64_t start = 1'000'000;

struct Model {
    static constexpr std::uint64_t database = 1, other_database = 2;
    using Place = Flight<ExploredWord, 4, 2, 1>;

    explicit Model(std::size_t place_count) : places(place_count), prepared(1) {}

    ExploredWord clock{start};
    ExploredWord ended;  // a bit for each transaction that is visible to snapshots that are taken now
    Horizon<ExploredWord> horizon{start};
    Latest<ExploredWord> latest;
    std::vector<Place> places;
    std::vector<Place> prepared;
    ExploredWord waiters;
    ExploredWord woken;

    // What the actors found.
    std::array<std::uint64_t, 4> first_id{}, last_id{};  // by transaction; 0 where it stores none
    WaiterStep step{};
    std::uint64_t woken_before = 0;

    std::optional<std::uint64_t> ask() {
        const std::uint64_t snapshot = ended;
        return horizon.ask(
            database, 0, [this] { return std::uint64_t{clock}; },
            [snapshot](std::uint64_t transaction) { return (snapshot >> transaction & 1) != 0; }, places, prepared);
    }

    std::uint64_t begin(std::size_t place, std::uint64_t its_database = database) {
        places[place].enter(its_database);
        return horizon.begin(places[place], [this] { return std::uint64_t{clock}; });
    }

    void wake() {
        if (waiters != 0)
            woken.fetch_add(1);
    }

    // Stores an id, and one so far ahead of the clock.
    std::uint64_t store(std::size_t place, std::size_t transaction, std::uint64_t ahead) {
        first_id[transaction] = last_id[transaction] = 0;
        const std::uint64_t first = begin(place);
        first_id[transaction] = first;
        last_id[transaction] = first + ahead;
        return first + ahead;
    }

    void commit(std::size_t place, std::size_t transaction, std::uint64_t ahead = 0) {
        const std::uint64_t last = store(place, transaction, ahead);
        ended.fetch_add(std::uint64_t{1} << transaction);
        latest.raise_to(last);
        places[place].end_visible(transaction);
        wake();
    }

    // A session of another database wakes nobody here.
    void commit_elsewhere(std::size_t place, std::size_t transaction) {
        begin(place, other_database);
        ended.fetch_add(std::uint64_t{1} << transaction);
        places[place].end_visible(transaction);
    }

    void roll_back(std::size_t place) {
        places[place].end();
        wake();
    }

    // A transaction that is prepared, and resolved by a session that does nothing for waiters.
    void commit_prepared(std::size_t place, std::size_t transaction) {
        latest.raise_to(store(place, transaction, 0));
        places[place].move_to(prepared[0], transaction);
        wake();
        ended.fetch_add(std::uint64_t{1} << transaction);
    }

    void wait(std::uint64_t from) {
        waiters.fetch_add(1);
        woken_before = woken;
        step = next_step(
            from, latest, [this] { return std::uint64_t{clock}; }, [this] { return ask(); },
            [this](std::uint64_t millisecond) {
                return std::ranges::any_of(places,
                                           [&](const Place& place) { return place.holds_back(database, millisecond); });
            });
    }

    struct Outcomes {
        std::size_t states = 0, asleep = 0, woken = 0, resting = 0, returned = 0;
    };

    Outcomes explore(std::vector<Interleavings::Actor> actors, std::uint64_t from = start) {
        Outcomes outcomes;
        outcomes.states = Interleavings::explore(std::move(actors), [&] {
            if (step.kind == WaiterStep::Kind::return_horizon) {
                ++outcomes.returned;
                REQUIRE_LAW(step.milliseconds > from, step.milliseconds, from);
                return;
            }
            if (step.kind == WaiterStep::Kind::sleep) {
                ++outcomes.resting;
                REQUIRE_LAW(step.milliseconds > 0 && step.milliseconds <= waiter_pace, step.milliseconds);
                return;
            }
            if (woken != woken_before) {
                ++outcomes.woken;
                return;
            }
            ++outcomes.asleep;
            // Of those that hold horizons back, the waiter is woken by the ones that are not prepared.
            std::uint64_t held_from = std::numeric_limits<std::uint64_t>::max();
            for (const Place& place : places)
                if (place.holds_back(database, held_from))
                    held_from = std::min(held_from, place.first());
            for (const auto* ids : {&first_id, &last_id})
                for (const std::uint64_t each : *ids)
                    if (each != 0)
                        REQUIRE_LAW(each < from || each >= held_from, each, from, held_from);
        });
        return outcomes;
    }
};

}  // namespace

TEST_CASE("a commit and a waiter, while the clock goes on", "[waiter][interleavings]") {
    const std::uint64_t ahead = GENERATE(0, 50, 500);
    Model model(1);
    const auto outcomes = model.explore({
        [&] { model.commit(0, 1, ahead); },
        [&] { model.wait(start); },
        [&] { model.clock = start + 1; },
    });
    CHECK(outcomes.states > 100);
    CHECK(outcomes.woken > 0);
    CHECK(outcomes.resting > 0);
}

TEST_CASE("two commits of one session, the first ahead of the second", "[waiter][interleavings]") {
    Model model(1);
    const auto outcomes = model.explore({
                                            [&] {
                                                model.commit(0, 1, 5);
                                                model.commit(0, 2);
                                            },
                                            [&] { model.wait(start + 3); },
                                            [&] { model.clock = start + 1; },
                                        },
                                        start + 3);
    CHECK(outcomes.states > 100);
    CHECK(outcomes.woken > 0);
}

TEST_CASE("a transaction that holds a commit back, and rolls back", "[waiter][interleavings]") {
    Model model(2);
    const auto outcomes = model.explore({
        [&] { model.commit(0, 1); },
        [&] {
            model.begin(1);
            model.roll_back(1);
        },
        [&] { model.wait(start); },
        [&] { model.clock = start + 5; },
    });
    CHECK(outcomes.states > 100);
    CHECK(outcomes.woken > 0);
    CHECK(outcomes.returned > 0);
}

TEST_CASE("a transaction stays open after one with ids ahead of the clock", "[waiter][interleavings]") {
    Model model(2);
    const auto outcomes = model.explore({
        [&] { model.commit(0, 1, 500); },
        [&] { model.begin(1); },
        [&] { model.wait(start); },
        [&] { model.clock = start + 5; },
    });
    CHECK(outcomes.states > 100);
    CHECK(outcomes.asleep > 0);
    CHECK(outcomes.resting > 0);
}

TEST_CASE("a session of another database takes the place of one that committed", "[waiter][interleavings]") {
    Model model(1);
    const auto outcomes = model.explore({
        [&] {
            model.commit(0, 1);
            model.commit_elsewhere(0, 2);
        },
        [&] { model.wait(start); },
        [&] { model.clock = start + 1; },
    });
    CHECK(outcomes.states > 100);
    CHECK(outcomes.returned > 0);
    CHECK(outcomes.woken > 0);
}

TEST_CASE("a prepared transaction is resolved by a session that wakes nobody", "[waiter][interleavings]") {
    Model model(2);
    const auto outcomes = model.explore({
                                            [&] { model.commit_prepared(0, 1); },
                                            [&] { model.commit(1, 2); },
                                            [&] { model.wait(start - 1); },
                                        },
                                        start - 1);
    CHECK(outcomes.states > 1'000);
    CHECK(outcomes.resting > 0);
    CHECK(outcomes.woken > 0);
}

TEST_CASE("the next step of a waiter", "[waiter]") {
    using enum WaiterStep::Kind;
    std::optional<std::uint64_t> horizon;
    std::uint64_t now = start;
    bool is_held = false;
    const auto step = [&](std::optional<std::uint64_t> from, std::uint64_t latest) {
        const WaiterStep step = next_step(
            from, latest, [&] { return now; }, [&] { return horizon; }, [&](std::uint64_t) { return is_held; });
        return std::pair(step.kind, step.milliseconds);
    };
    const auto expect = [](WaiterStep::Kind kind, std::uint64_t milliseconds) { return std::pair(kind, milliseconds); };

    // Where the horizon is not known, it looks for it now and then, and not busily.
    CHECK(step(start, start) == expect(sleep, 10));
    CHECK(step(std::nullopt, start) == expect(sleep, 10));
    // It does not look for it where there is nothing to read.
    CHECK(step(start, start - 1) == expect(sleep_until_woken, 0));

    horizon = now;
    CHECK(step(std::nullopt, 0) == expect(return_horizon, start));
    CHECK(step(start - 9, start - 9) == expect(return_horizon, start));
    // Ids of this millisecond, and ids ahead of the clock.
    CHECK(step(start, start) == expect(sleep, 1));
    CHECK(step(start - 9, start) == expect(sleep, 1));
    CHECK(step(start - 9, start + 500) == expect(sleep, 91));
    CHECK(step(start - 100, start + 500) == expect(return_horizon, start));
    CHECK(step(start + 20, start + 500) == expect(sleep, 21));

    // What can be read before the transaction that holds it back, and then nothing until that has ended.
    now = start + 50;
    CHECK(step(start - 9, start + 40) == expect(return_horizon, start));
    CHECK(step(start, start + 40) == expect(sleep, 10));
    is_held = true;
    CHECK(step(start, start + 40) == expect(sleep_until_woken, 0));
}

TEST_CASE("a transaction's ids go up to what any of its processes has reached, and the next one's do not", "[waiter]") {
    Flight<> flight;
    flight.begin(start);
    flight.reach(start + 4);
    flight.reach(start + 2);
    CHECK(flight.last() == start + 4);
    flight.end_visible(1);
    CHECK(flight.last() == 0);
    Latest<> latest;
    latest.raise_to(start + 4);
    latest.raise_to(start + 2);
    CHECK(latest == start + 4);
}
