// Readers that wait: over all interleavings of writers, of one who begins to wait and of a clock, nobody sleeps on
// while there is something to be found.
#include "catch.hpp"
#include "interleavings.hpp"
#include "machine.hpp"

#include <luuid/detail/arrivals.hpp>
#include <luuid/detail/horizon.hpp>

#include <vector>

using namespace luuid::detail;

namespace {

constexpr std::uint64_t start = 1'000'000;

// Writers' places, and a waiter as luuid_wait() is one: it joins those who are woken, and looks for something then.
struct Model {
    static constexpr std::uint64_t database = 1;
    using Place = Flight<ExploredWord, 4>;

    explicit Model(std::size_t place_count) : places(place_count), arrivals(place_count) {}

    ExploredWord clock{start};
    ExploredWord ended;  // a bit for each transaction that is visible to snapshots that are taken now
    Horizon<ExploredWord> horizon{start};
    std::vector<Place> places;
    std::vector<Arrivals<ExploredWord>> arrivals;
    ExploredWord waiters;
    ExploredWord woken;

    // What the actors found.
    std::array<std::uint64_t, 4> first_id{}, last_id{};  // by transaction; 0 where it stores none
    enum class Look { nothing, held_back, early, something } found = Look::nothing;
    std::uint64_t woken_before = 0;
    std::uint64_t answer = 0;

    std::optional<std::uint64_t> ask() {
        const std::uint64_t snapshot = ended;
        return horizon.ask(
            database, 0, [this] { return std::uint64_t{clock}; },
            [snapshot](std::uint64_t transaction) { return (snapshot >> transaction & 1) != 0; }, places);
    }

    std::uint64_t begin(std::size_t place, std::uint64_t its_database = database) {
        places[place].enter(its_database);
        return horizon.begin(places[place], [this] { return std::uint64_t{clock}; });
    }

    void wake() {
        if (waiters != 0)
            woken.fetch_add(1);
    }

    // With an id, and one so far ahead of the clock.
    void commit(std::size_t place, std::size_t transaction, std::uint64_t ahead = 0,
                std::uint64_t its_database = database) {
        first_id[transaction] = last_id[transaction] = 0;
        const std::uint64_t first = begin(place, its_database);
        if (its_database == database) {
            first_id[transaction] = first;
            last_id[transaction] = first + ahead;
        }
        ended.fetch_add(std::uint64_t{1} << transaction);
        arrivals[place].show(its_database, first, first + ahead);
        places[place].end_visible(transaction);
        // Whoever waits for another database is not woken.
        if (its_database == database)
            wake();
    }

    void roll_back(std::size_t place) {
        places[place].end();
        wake();
    }

    std::optional<std::uint64_t> due(std::uint64_t from, std::uint64_t now) const {
        std::optional<std::uint64_t> due;
        for (const auto& each : arrivals) {
            const auto here = each.due(database, from, now);
            if (here && (!due || *here < *due))
                due = here;
        }
        return due;
    }

    void wait(std::uint64_t from) {
        waiters.fetch_add(1);
        woken_before = woken;
        answer = from;
        auto until = due(from, clock);
        found = Look::nothing;
        if (!until)
            return;
        const auto asked = ask();
        const auto has_passed = [&] { return asked && *asked > *until; };
        if (!has_passed() && is_held_back(*until)) {
            until = due(from, Arrivals<>::end_of_time);
            found = Look::held_back;
            if (is_held_back(*until))
                return;
        }
        found = has_passed() ? Look::something : Look::early;
        answer = has_passed() ? *asked : from;
    }

    bool is_held_back(std::uint64_t millisecond) const {
        return std::any_of(places.begin(), places.end(),
                           [&](const Place& place) { return place.holds_back(database, millisecond); });
    }

    struct Outcomes {
        std::size_t states = 0, asleep = 0, woken = 0, awake = 0, returned = 0;
    };

    // Where the waiter sleeps and nobody woke it, there is nothing to be found up to any horizon of later.
    Outcomes explore(std::vector<Interleavings::Actor> actors, std::uint64_t from = start) {
        Outcomes outcomes;
        outcomes.states = Interleavings::explore(std::move(actors), [&] {
            if (found == Look::something) {
                ++outcomes.returned;
                REQUIRE_LAW(answer > from, answer, from);
                return;
            }
            if (found == Look::early) {
                ++outcomes.awake;
                return;
            }
            if (woken != woken_before) {
                ++outcomes.woken;
                return;
            }
            ++outcomes.asleep;
            // Those who are in flight wake the waiter as they end.
            std::uint64_t settled = start + 1'000;
            for (const Place& place : places)
                if (const std::uint64_t first = place.first(); first != Place::none)
                    settled = std::min(settled, first);
            for (const auto* ids : {&first_id, &last_id})
                for (const std::uint64_t each : *ids)
                    if (each != 0)
                        REQUIRE_LAW(each < from || each >= settled, each, from, settled);
        });
        return outcomes;
    }
};

}  // namespace

TEST_CASE("a commit and one who begins to wait, while the clock goes on", "[arrivals][interleavings]") {
    const std::uint64_t ahead = GENERATE(0, 50, 500);
    Model model(1);
    const auto outcomes = model.explore({
        [&] { model.commit(0, 1, ahead); },
        [&] { model.wait(start); },
        [&] { model.clock = start + 1; },
    });
    CHECK(outcomes.states > 100);
    CHECK(outcomes.woken > 0);
    CHECK(outcomes.awake > 0);
}

TEST_CASE("two commits of one session, the first ahead of the second", "[arrivals][interleavings]") {
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

TEST_CASE("a transaction that holds a commit back, and rolls back", "[arrivals][interleavings]") {
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

TEST_CASE("a transaction stays open after one with ids ahead of the clock", "[arrivals][interleavings]") {
    Model model(2);
    const auto outcomes = model.explore({
        [&] { model.commit(0, 1, 500); },
        [&] { model.begin(1); },
        [&] { model.wait(start); },
        [&] { model.clock = start + 5; },
    });
    CHECK(outcomes.states > 100);
    CHECK(outcomes.asleep > 0);
    CHECK(outcomes.returned > 0);
}

TEST_CASE("a session of another database takes the place of one that committed", "[arrivals][interleavings]") {
    Model model(1);
    const auto outcomes = model.explore({
        [&] {
            model.commit(0, 1);
            model.commit(0, 2, 0, 2);
        },
        [&] { model.wait(start); },
        [&] { model.clock = start + 1; },
    });
    CHECK(outcomes.states > 100);
    CHECK(outcomes.returned > 0);
    CHECK(outcomes.woken > 0);
}

TEST_CASE("what helpers made counts once, and what is ahead of the clock comes up a bit at a time", "[arrivals]") {
    Arrivals<> arrivals;
    arrivals.help(start + 4);
    arrivals.help(start + 2);
    CHECK(arrivals.end_help() == start + 4);
    CHECK(arrivals.end_help() == 0);
    CHECK_FALSE(arrivals.due(1, start, start));
    arrivals.show(1, start, start + 4'000);
    CHECK(arrivals.due(1, start, start + 4'000) == start);
    CHECK(arrivals.due(1, start, start) == start + 100);
    CHECK(arrivals.due(1, start + 3'950, start) == start + 4'000);
    CHECK_FALSE(arrivals.due(1, start + 4'001, start));
    CHECK_FALSE(arrivals.due(2, start, start));
    arrivals.show(2, start + 1, start + 1);
    CHECK(arrivals.due(1, start + 4'000, start + 4'000) == start + 4'000);
    arrivals.show_all(start + 5'000);
    CHECK(arrivals.due(3, start + 5'000, start + 5'000) == start + 5'000);
}
