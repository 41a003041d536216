// The horizon: over all interleavings of two transactions that make ids, of whoever asks, and of a clock that goes
// back, no id comes up before a horizon, for no snapshot that does not see it.
#include "catch.hpp"
#include "interleavings.hpp"
#include "machine.hpp"

#include <luuid/detail/horizon.hpp>
#include <luuid/luuid.hpp>

#include <vector>

using namespace luuid;
using namespace luuid::detail;

namespace {

constexpr std::uint64_t start = 1'000'000;

// A cluster of two backends that remember next to nothing, and a place for a prepared transaction.
struct Model {
    static constexpr std::size_t remembered = 2;
    using Place = Flight<ExploredWord, remembered>;

    explicit Model(std::size_t place_count) : places(place_count) {}

    ExploredWord clock{start};
    ExploredWord ended;  // a bit for each transaction that is visible to snapshots that are taken now
    Horizon<ExploredWord> horizon;
    std::vector<Place> places;

    // What the actors found.
    std::array<std::uint64_t, 8> first_id{};  // by transaction; 0 where it makes none
    std::uint64_t snapshot = 0;
    std::optional<std::uint64_t> answer;

    // As a generator does, whose later ids are not before the first.
    void make_ids(std::size_t place, std::size_t transaction) {
        const auto now = [this] { return std::uint64_t{clock}; };
        const std::uint64_t from = horizon.begin(places[place], now);
        first_id[transaction] = std::max(now(), from);
    }

    void become_visible(std::size_t transaction) { ended.fetch_add(std::uint64_t{1} << transaction); }

    void commit(std::size_t place, std::size_t transaction) {
        make_ids(place, transaction);
        become_visible(transaction);
        places[place].end_visible(transaction);
    }

    void ask() {
        snapshot = ended;
        answer = horizon.ask(
            places, [this] { return std::uint64_t{clock}; },
            [this](std::uint64_t transaction) { return (snapshot >> transaction & 1) != 0; });
    }

    // How often a horizon was found, and how often none.
    struct Outcomes {
        std::size_t states = 0, known = 0, unknown = 0;
    };

    // No id below the horizon is of a transaction that the snapshot does not see.
    Outcomes explore(std::vector<Interleavings::Actor> actors) {
        Outcomes outcomes;
        outcomes.states = Interleavings::explore(std::move(actors), [&] {
            ++(answer ? outcomes.known : outcomes.unknown);
            for (std::size_t transaction = 1; answer && transaction < first_id.size(); ++transaction)
                if (first_id[transaction] != 0 && (snapshot >> transaction & 1) == 0)
                    REQUIRE_LAW(first_id[transaction] >= *answer, transaction, first_id[transaction], *answer,
                                snapshot);
        });
        return outcomes;
    }
};

}  // namespace

TEST_CASE("two transactions and one who asks, while the clock goes back", "[horizon]") {
    Model model(2);
    const auto outcomes = model.explore({
        [&] { model.commit(0, 1); },
        [&] { model.commit(1, 2); },
        [&] { model.ask(); },
        [&] { model.clock = start - 5; },
    });
    CHECK(outcomes.states > 10'000);
    CHECK(outcomes.known > 100);
    CHECK(outcomes.unknown == 0);
}

TEST_CASE("the clock goes on and back around one transaction", "[horizon]") {
    Model model(1);
    const auto outcomes = model.explore({
        [&] { model.commit(0, 1); },
        [&] { model.ask(); },
        [&] {
            model.clock = start + 7;
            model.clock = start - 5;
            model.clock = start + 1;
        },
    });
    CHECK(outcomes.states > 10'000);
    CHECK(outcomes.known > 100);
    CHECK(outcomes.unknown == 0);
}

TEST_CASE("where more have ended since the snapshot than are remembered, there is no answer", "[horizon]") {
    Model model(1);
    const auto outcomes = model.explore({
        [&] {
            model.commit(0, 1);
            model.commit(0, 2);
            model.commit(0, 3);
        },
        [&] { model.ask(); },
        [&] { model.clock = start + 1; },
    });
    CHECK(outcomes.states > 10'000);
    CHECK(outcomes.known > 100);
    CHECK(outcomes.unknown > 100);
}

TEST_CASE("prepared transactions, one after the other at one place", "[horizon]") {
    const bool is_second_earlier = GENERATE(false, true);
    Model model(3);
    const auto outcomes = model.explore({
        [&] {
            if (is_second_earlier)
                model.make_ids(1, 2);
            model.make_ids(0, 1);
            model.places[0].move_to(model.places[2], 1);
            model.become_visible(1);
            if (!is_second_earlier)
                model.make_ids(1, 2);
            model.places[1].move_to(model.places[2], 2);
            model.become_visible(2);
        },
        [&] { model.ask(); },
        [&] { model.clock = start + 1; },
    });
    CHECK(outcomes.states > 10'000);
    CHECK(outcomes.known > 100);
}

TEST_CASE("a parallel worker makes ids before its leader does, or after", "[horizon]") {
    Model model(1);
    const auto outcomes = model.explore({
        [&] { model.make_ids(0, 1); },
        [&] { model.make_ids(0, 2); },
        [&] { model.ask(); },
        [&] { model.clock = start - 5; },
    });
    CHECK(outcomes.states > 10'000);
    CHECK(outcomes.known > 100);
    CHECK(outcomes.unknown == 0);
}
