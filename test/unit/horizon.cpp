// The horizon: over all interleavings of two transactions that make ids or store those of elsewhere, of whoever asks,
// and of a clock that goes back, no id comes up before a horizon, for no snapshot that does not see it.
#include "catch.hpp"
#include "interleavings.hpp"
#include "machine.hpp"

#include <luuid/detail/basic_generator.hpp>
#include <luuid/detail/horizon.hpp>
#include <luuid/luuid.hpp>

#include <vector>

using namespace luuid;
using namespace luuid::detail;

namespace {

constexpr std::uint64_t start = 1'000'000;

// A cluster of two backends that remember next to nothing, and a place for a prepared transaction. The interleavings
// are sequentially consistent, as the operations on the words are.
struct Model {
    using Place = Flight<ExploredWord, 2, 1, 1>;

    // Where horizons up to the floor were handed out.
    explicit Model(std::size_t place_count, std::uint64_t floor = 0)
        : horizon(floor), places(place_count), prepared(1) {}

    ExploredWord clock{start};
    ExploredWord owner{1};  // of a place that sessions take one after the other
    ExploredWord ended;     // a bit for each transaction that is visible to snapshots that are taken now
    Horizon<ExploredWord> horizon;
    std::vector<Place> places;
    std::vector<Place> prepared;
    static constexpr std::uint64_t database = 1;

    // What the actors found.
    std::array<std::uint64_t, 8> first_id{};  // by transaction; 0 where it makes none
    std::array<bool, 8> is_refused{};
    std::uint64_t steps_before = 0;
    std::uint64_t snapshot = 0;
    std::optional<std::uint64_t> answer;

    // As a generator does, whose later ids are not before the first.
    void make_ids(std::size_t place, std::size_t transaction, std::uint64_t its_database = database) {
        places[place].enter(its_database);
        const auto now = [this] { return std::uint64_t{clock}; };
        const std::uint64_t from = horizon.begin(places[place], now);
        const std::uint64_t first = std::max(now(), from);
        if (its_database == database)
            first_id[transaction] = first;
    }

    void become_visible(std::size_t transaction) { ended.fetch_add(std::uint64_t{1} << transaction); }

    void commit(std::size_t place, std::size_t transaction, std::uint64_t its_database = database) {
        make_ids(place, transaction, its_database);
        become_visible(transaction);
        places[place].end_visible(transaction);
    }

    void forget() {
        first_id.fill(0);
        is_refused.fill(false);
    }

    // Stores an id that was made elsewhere, if it is admitted.
    void store(std::size_t place, std::size_t transaction, std::uint64_t id) {
        first_id[transaction] = 0;
        places[place].enter(database);
        is_refused[transaction] = !horizon.admit(places[place], id);
        if (!is_refused[transaction])
            first_id[transaction] = id;
    }

    void end_stored(std::size_t place, std::size_t transaction) {
        if (first_id[transaction] == 0)
            return places[place].end();
        become_visible(transaction);
        places[place].end_visible(transaction);
    }

    void ask(std::uint64_t lag = 0) {
        steps_before = horizon.steps_followed();
        snapshot = ended;
        answer = horizon.ask(
            database, lag, [this] { return std::uint64_t{clock}; },
            [this](std::uint64_t transaction) { return (snapshot >> transaction & 1) != 0; }, places, prepared);
    }

    // How often a horizon was found, how often none, and how often one that the clock stepped back from too far.
    struct Outcomes {
        std::size_t states = 0, known = 0, unknown = 0, followed = 0, admitted = 0, refused = 0;
    };

    // No id below the horizon is of a transaction that the snapshot does not see, unless the clock stepped back too
    // far since.
    Outcomes explore(std::vector<Interleavings::Actor> actors) {
        Outcomes outcomes;
        outcomes.states = Interleavings::explore(std::move(actors), [&] {
            ++(answer ? outcomes.known : outcomes.unknown);
            if (horizon.steps_followed() != steps_before) {
                ++outcomes.followed;
                return;
            }
            ++(std::count(is_refused.begin(), is_refused.end(), true) != 0 ? outcomes.refused : outcomes.admitted);
            for (std::size_t transaction = 1; answer && transaction < first_id.size(); ++transaction)
                if (first_id[transaction] != 0 && (snapshot >> transaction & 1) == 0)
                    REQUIRE_LAW(first_id[transaction] >= *answer, transaction, first_id[transaction], *answer,
                                snapshot);
        });
        return outcomes;
    }
};

// A backend whose generator goes by the model's clock, and which makes ids in one transaction after the other.
struct Backend {
    struct Environment {
        Backend* backend;

        struct Nothing {};
        static Nothing lock() { return {}; }
        static GeneratorSettings settings() { return {}; }
        static void fill_random(void*, std::size_t) {}
        static HardwareAddress hardware_address() { return 0; }
        static std::uint32_t random_node() { return 0; }
        static std::optional<MachineIdentity> identity() { return std::nullopt; }

        std::uint64_t milliseconds() const { return backend->model.clock; }
        TickTime ticks() const { return TickTime(std::chrono::milliseconds(milliseconds())); }
        Process& process() const { return backend->process; }
        Process& present() const {
            if (!backend->in_flight)
                process().go_on_from(begin_flight());
            return process();
        }
        std::uint64_t begin_flight() const {
            backend->in_flight = true;
            return backend->model.horizon.begin(backend->model.places[backend->place],
                                                [this] { return milliseconds(); });
        }
        std::uint64_t announce_step(std::uint64_t) const { return begin_flight(); }
        static bool wait_if_ahead(std::uint64_t) { return false; }
    };

    void make_id(std::size_t transaction, Layout layout = Layout::vb) {
        const Id id = layout == Layout::v1   ? generator.next_v1()
                      : layout == Layout::v7 ? generator.next_v7()
                                             : generator.next();
        const auto time = std::chrono::floor<std::chrono::milliseconds>(time_of(id)->time_since_epoch());
        const auto made = static_cast<std::uint64_t>(time.count());
        std::uint64_t& first = model.first_id[transaction];
        first = first == 0 ? made : std::min(first, made);
        if (!model.horizon.admit(model.places[place], made))
            model.is_refused[transaction] = true;
    }

    void commit(std::size_t transaction) {
        model.become_visible(transaction);
        model.places[place].end_visible(transaction);
        in_flight = false;
    }

    Model& model;
    std::size_t place;
    bool in_flight = false;
    Process process{1, 0, LocalityGenerator(0, start), V1Timeline(0, 0), {}, {}, {}};
    BasicGenerator<Environment> generator{{this}};
};

}  // namespace

TEST_CASE("two transactions and one who asks, while the clock goes back", "[horizon][interleavings]") {
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

TEST_CASE("the clock goes on and back around one transaction", "[horizon][interleavings]") {
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

TEST_CASE("where more have ended since the snapshot than any ring has, there is no answer",
          "[horizon][interleavings]") {
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

TEST_CASE("of those that have left the first ring, the next one knows blocks", "[horizon][interleavings]") {
    using Small = Flight<ExploredWord, 4, 2, 2>;
    Small place;
    std::optional<std::uint64_t> answer;
    std::size_t known = 0;
    const auto states =
        Interleavings::explore({
                                   [&] {
                                       for (std::uint64_t transaction = 1; transaction <= 7; ++transaction) {
                                           place.begin(start + transaction);
                                           place.end_visible(transaction);
                                       }
                                   },
                                   [&] {
                                       std::uint64_t horizon = start + 100;
                                       const bool is_known = place.lower(
                                           horizon, 0, [](std::uint64_t transaction) { return transaction <= 2; });
                                       answer = is_known ? std::optional(horizon) : std::nullopt;
                                   },
                               },
                               [&] {
                                   known += answer.has_value();
                                   // What had ended after the snapshot when it was asked by, or none of that had.
                                   REQUIRE_LAW(!answer || *answer <= start + 3 || *answer == start + 100, *answer);
                               });
    CHECK(states > 100);
    CHECK(known > 100);
}

TEST_CASE("a snapshot that is asked by late gets a horizon near its time", "[horizon]") {
    Flight<> place;
    const std::uint64_t ended = GENERATE(1, 63, 64, 1'000, 100'000, 1'000'000);
    for (std::uint64_t transaction = 1; transaction <= 2 * ended; ++transaction) {
        place.begin(start + transaction);
        place.end_visible(transaction);
    }
    std::uint64_t horizon = start + 3 * ended;
    REQUIRE(place.lower(horizon, 0, [ended](std::uint64_t transaction) { return transaction <= ended; }));
    CHECK(horizon <= start + ended + 1);
    CHECK(horizon + ended >= start + ended);
}

TEST_CASE("prepared transactions, one after the other at one place", "[horizon][interleavings]") {
    const bool is_second_earlier = GENERATE(false, true);
    Model model(2);
    const auto outcomes = model.explore({
        [&] {
            if (is_second_earlier)
                model.make_ids(1, 2);
            model.make_ids(0, 1);
            model.places[0].move_to(model.prepared[0], 1);
            model.become_visible(1);
            if (!is_second_earlier)
                model.make_ids(1, 2);
            model.places[1].move_to(model.prepared[0], 2);
            model.become_visible(2);
        },
        [&] { model.ask(); },
        [&] { model.clock = start + 1; },
    });
    CHECK(outcomes.states > 10'000);
    CHECK(outcomes.known > 100);
}

TEST_CASE("a parallel worker makes ids before its leader does, or after", "[horizon][interleavings]") {
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

TEST_CASE("the clock steps back further from a generator's ids than from the horizon", "[horizon][interleavings]") {
    Model model(1);
    const auto outcomes = model.explore({
        [&] {
            model.forget();
            Backend backend{model, 0};
            backend.make_id(1);
            backend.commit(1);
            backend.make_id(2);
            backend.commit(2);
        },
        [&] { model.ask(); },
        [&] {
            model.clock = start + 5'000;
            model.clock = start - 1'000;
            model.clock = start - 6'000;
        },
    });
    CHECK(outcomes.states > 10'000);
    CHECK(outcomes.known > 100);
    CHECK(outcomes.followed > 0);
    CHECK(outcomes.refused == 0);
}

TEST_CASE("the clock steps back amid a transaction, and its generator follows", "[horizon][interleavings]") {
    const Layout first = GENERATE(Layout::vb, Layout::v1, Layout::v7);
    const Layout last = GENERATE(Layout::vb, Layout::v1, Layout::v7);
    Model model(1);
    const auto outcomes = model.explore({
        [&] {
            model.forget();
            Backend backend{model, 0};
            backend.make_id(1, first);
            backend.make_id(1);
            backend.make_id(1, last);
            backend.commit(1);
        },
        [&] { model.ask(); },
        [&] {
            model.clock = start + 8'000;
            model.clock = start - 3'000;
            model.clock = start + 9'000;
        },
    });
    CHECK(outcomes.states > 10'000);
    CHECK(outcomes.known > 100);
    CHECK(outcomes.followed > 0);
    CHECK(outcomes.refused == 0);
}

TEST_CASE("the clock steps back beyond the horizon while a transaction begins", "[horizon][interleavings]") {
    Model model(1, start);
    const auto outcomes = model.explore({
        [&] {
            model.forget();
            Backend backend{model, 0};
            backend.make_id(1);
            backend.commit(1);
        },
        [&] { model.ask(); },
        [&] {
            model.clock = start - 2'000;
            model.clock = start - 13'000;
            model.clock = start - 1'000;
        },
    });
    CHECK(outcomes.states > 1'000);
    CHECK(outcomes.known > 100);
    CHECK(outcomes.followed > 0);
    CHECK(outcomes.refused == 0);
}

TEST_CASE("two who find the clock too far back count each of its steps once", "[horizon][interleavings]") {
    Model model(1, start);
    std::uint64_t answers[2];
    const auto ask = [&] {
        return *model.horizon.ask(
            Model::database, 0, [&] { return std::uint64_t{model.clock}; }, [](std::uint64_t) { return true; },
            model.places);
    };
    std::size_t both = 0;
    Interleavings::explore({
                               [&] { answers[0] = ask(); },
                               [&] { answers[1] = ask(); },
                               [&] {
                                   model.clock = start - 20'000;
                                   model.clock = start - 40'000;
                               },
                           },
                           [&] {
                               // Each that was answered other than by the first reading.
                               std::set<std::uint64_t> later{answers[0], answers[1]};
                               later.erase(start);
                               both += later.size() == 2;
                               REQUIRE_LAW(model.horizon.steps_followed() == later.size(), answers[0], answers[1]);
                           });
    CHECK(both > 0);
}

// One who asks while two transactions, each of another database, have the same place one after the other:
// `take_turns(first, second)`, of their databases.
template <class TakeTurns>
Model::Outcomes explore_two_databases(Model& model, TakeTurns&& take_turns) {
    const std::uint64_t first = GENERATE(Model::database, 2);
    const auto outcomes = model.explore({
        [&] { take_turns(first, first == 2 ? Model::database : 2); },
        [&] { model.ask(); },
        [&] { model.clock = start + 1; },
    });
    CHECK(outcomes.states > 1'000);
    CHECK(outcomes.known > 100);
    return outcomes;
}

TEST_CASE("sessions of two databases, one after the other at one place", "[horizon][interleavings]") {
    Model model(1);
    const auto outcomes = explore_two_databases(model, [&](std::uint64_t first, std::uint64_t second) {
        model.commit(0, 1, first);
        model.make_ids(0, 2, second);
    });
    CHECK(outcomes.unknown == 0);
}

TEST_CASE("prepared transactions of two databases, one after the other at one place", "[horizon][interleavings]") {
    Model model(2);
    explore_two_databases(model, [&](std::uint64_t first, std::uint64_t second) {
        for (const std::size_t transaction : {1, 2}) {
            const std::size_t place = transaction - 1;
            model.make_ids(place, transaction, transaction == 1 ? first : second);
            model.places[place].move_to(model.prepared[0], transaction);
            model.become_visible(transaction);
        }
    });
}

TEST_CASE("a transaction of another database holds nothing back, and one of none does", "[horizon]") {
    Model model(1);
    const std::uint64_t database = GENERATE(0, 1, 2);
    model.make_ids(0, 1, database);
    model.clock = start + 9;
    model.ask();
    CHECK(model.answer == (database == 2 ? start + 9 : start));
}

TEST_CASE("one of which nothing is known leaves no horizon to its database until it is seen", "[horizon]") {
    Model model(1);
    model.prepared[0].receive(1, Model::database, Model::Place::unknown);
    model.ask();
    CHECK_FALSE(model.answer);
    const std::uint64_t before = model.ended;
    model.become_visible(1);
    model.ask();
    CHECK(model.answer == start);
    model.prepared[0].receive(2, Model::database + 1, Model::Place::unknown);
    model.ask();
    CHECK(model.answer == start);
    model.ended = before;  // a snapshot from before the first was resolved
    model.ask();
    CHECK_FALSE(model.answer);
}

TEST_CASE("an id from elsewhere is admitted, or a horizon after it was handed out", "[horizon][interleavings]") {
    const std::uint64_t lag = GENERATE(0, 2, 4);
    Model model(2);
    const auto outcomes = model.explore({
        [&] {
            model.store(0, 1, start - 3);
            model.end_stored(0, 1);
        },
        [&] { model.commit(1, 2); },
        [&] { model.ask(lag); },
        [&] { model.clock = start + 1; },
    });
    CHECK(outcomes.states > 1'000);
    CHECK(outcomes.known > 100);
    CHECK(outcomes.admitted > 0);
    CHECK((outcomes.refused > 0) == (lag < 4));
}

TEST_CASE("of two who ask, the one with the lesser lag decides what is admitted", "[horizon][interleavings]") {
    const auto [lag, other] = GENERATE(std::pair(0, 5), std::pair(5, 0), std::pair(5, 4));
    Model model(1);
    const auto outcomes = model.explore({
        [&] {
            model.store(0, 1, start - 3);
            model.end_stored(0, 1);
        },
        [&, lag = lag] { model.ask(lag); },
        [&, other = other] {
            model.horizon.ask(
                Model::database, other, [&] { return std::uint64_t{model.clock}; }, [](std::uint64_t) { return true; },
                model.places);
        },
    });
    CHECK(outcomes.states > 500);
    CHECK(outcomes.admitted > 0);
    CHECK((outcomes.refused > 0) == (other < 3 || lag < 3));
}

TEST_CASE("a transaction generates an id, and stores earlier ones from elsewhere", "[horizon][interleavings]") {
    Model model(1);
    std::size_t again_refused = 0;
    const auto outcomes = model.explore({
        [&] {
            model.forget();
            model.make_ids(0, 1);
            const std::uint64_t made = model.first_id[1];
            model.store(0, 1, start - 1);
            if (model.is_refused[1])
                model.first_id[1] = made;
            // Whatever was handed out meanwhile.
            again_refused += !model.horizon.admit(model.places[0], model.first_id[1]);
            model.end_stored(0, 1);
        },
        [&] { model.ask(1); },
        [&] {
            model.clock = start + 1;
            model.clock = start - 2;
        },
    });
    CHECK(outcomes.states > 1'000);
    CHECK(outcomes.known > 100);
    CHECK(outcomes.admitted > 0);
    CHECK(outcomes.refused > 0);
    CHECK(again_refused == 0);
}

TEST_CASE("what one transaction may store, the next of its session may not", "[horizon][interleavings]") {
    Model model(1);
    const auto outcomes = model.explore({
        [&] {
            model.forget();
            model.commit(0, 1);
            model.store(0, 2, start + 1);
            model.end_stored(0, 2);
        },
        [&] { model.ask(); },
        [&] { model.clock = start + 5; },
    });
    CHECK(outcomes.states > 500);
    CHECK(outcomes.admitted > 0);
    CHECK(outcomes.refused > 0);
}

TEST_CASE("an id from elsewhere is stored by a leader whose worker generates, and prepared",
          "[horizon][interleavings]") {
    Model model(1);
    const auto outcomes = model.explore({
        [&] {
            model.store(0, 1, start - 3);
            model.places[0].move_to(model.prepared[0], 1);
            model.become_visible(1);
        },
        [&] { model.make_ids(0, 2); },
        [&] { model.ask(2); },
    });
    CHECK(outcomes.states > 1'000);
    CHECK(outcomes.admitted > 0);
    CHECK(outcomes.refused > 0);
}

TEST_CASE("the clock steps back while ids from elsewhere are stored", "[horizon][interleavings]") {
    Model model(1, start);
    const auto outcomes = model.explore({
        [&] {
            model.store(0, 1, start - 13'001);
            model.end_stored(0, 1);
            model.store(0, 2, start - 1);
            model.end_stored(0, 2);
        },
        [&] { model.ask(); },
        [&] {
            model.clock = start - 2'000;
            model.clock = start - 13'000;
        },
    });
    CHECK(outcomes.states > 500);
    CHECK(outcomes.followed > 0);
    CHECK(outcomes.refused > 0);
}

TEST_CASE("one who looked before showing its id would lose a row", "[horizon][interleavings]") {
    Model model(1);
    std::size_t lost = 0;
    Interleavings::explore({
                               [&] {
                                   if (model.horizon.floor() <= start - 3)
                                       model.places[0].begin(start - 3);
                               },
                               [&] { model.ask(); },
                           },
                           [&] { lost += model.places[0].first() != 0 && *model.answer > start - 3; });
    CHECK(lost > 0);
}

TEST_CASE("who is looked at is the one whose ids are looked at", "[horizon][interleavings]") {
    Model model(1);
    std::uint64_t first = 0;
    std::uint64_t owner = 0;
    std::uint64_t role = 0;
    ExploredWord role_of_owner{1};
    const auto states =
        Interleavings::explore({
                                   [&] {
                                       model.places[0].begin(start);
                                       model.places[0].end();
                                       model.owner = 2;
                                       role_of_owner = 2;
                                       model.places[0].begin(start + 1);
                                   },
                                   [&] {
                                       const auto [millisecond, found] = model.places[0].look_at([&] {
                                           return std::pair<std::uint64_t, std::uint64_t>(model.owner, role_of_owner);
                                       });
                                       first = millisecond;
                                       owner = found.first;
                                       role = found.second;
                                   },
                               },
                               [&] {
                                   if (first != Model::Place::none) {
                                       REQUIRE_LAW(owner == first - start + 1, owner, first);
                                       REQUIRE_LAW(role == owner, role, owner);
                                   }
                               });
    CHECK(states > 100);
}

TEST_CASE("the full number of a transaction is the last that ends like that", "[horizon]") {
    constexpr std::uint64_t epoch = std::uint64_t{1} << 32;
    STATIC_REQUIRE(full_number(7, 8) == 7);
    STATIC_REQUIRE(full_number(7, epoch + 8) == epoch + 7);
    STATIC_REQUIRE(full_number(7, epoch + 7) == 7);
    STATIC_REQUIRE(full_number(0xffff'ffff, epoch + 7) == epoch - 1);
    STATIC_REQUIRE(full_number(0xffff'ffff, epoch) == epoch - 1);
}

TEST_CASE("a transaction of long ago is not taken for one that is yet to come", "[horizon]") {
    constexpr std::uint64_t half = std::uint64_t{1} << 31;
    STATIC_REQUIRE(can_be_in_progress(7, 8));
    STATIC_REQUIRE(can_be_in_progress(7, half + 6));
    STATIC_REQUIRE_FALSE(can_be_in_progress(7, half + 7));
    STATIC_REQUIRE_FALSE(can_be_in_progress(7, 2 * half + 8));
}
