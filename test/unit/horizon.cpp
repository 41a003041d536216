// The horizon: over all interleavings of two inserters that generate ids or store those of elsewhere, of a reader, and
// of a clock that goes back, no inserter that the reader's snapshot does not see has an id below the horizon.
#include "interleavings.hpp"

#include <core/horizon.hpp>

namespace {

constexpr std::uint64_t start = 1'000'000;

constexpr std::uint64_t database = 1, other_database = 2;

constexpr auto is_sent = [](std::uint64_t) { return true; };

// A cluster whose slots remember next to nothing. The last of them is a prepared transaction's. The interleavings are
// sequentially consistent, as the operations on the words are.
struct Model {
    using Slot = luuid::detail::Slot<ExploredWord, 2, 1, 1>;

    // Of so many backends, where horizons up to the floor were returned.
    explicit Model(std::size_t backends, std::uint64_t floor = 0) : horizon(floor), slots(backends + 1) {}

    ExploredWord clock{start};
    ExploredWord ended;  // a bit for each transaction that is visible to snapshots that are taken now
    ExploredWord sent;   // a bit for each that was prepared, and has sent its invalidation messages
    Horizon<ExploredWord> horizon;
    std::vector<Slot> slots;

    // What the actors found.
    std::array<std::uint64_t, 8> first_id{};  // by transaction; 0 where it generates none
    std::array<bool, 8> is_refused{};
    std::uint64_t steps_before = 0;
    std::uint64_t snapshot = 0;
    std::optional<std::uint64_t> answer;

    // As a generator does, whose later ids are not before the first.
    void generate(std::size_t slot, std::size_t transaction, std::uint64_t its_database = database) {
        const auto now = [this] { return std::uint64_t{clock}; };
        const std::uint64_t from = horizon.begin(slots[slot], its_database, now);
        const std::uint64_t first = std::max(now(), from);
        if (its_database == database)
            first_id[transaction] = first;
    }

    void become_visible(std::size_t transaction) { ended.fetch_add(std::uint64_t{1} << transaction); }

    void commit(std::size_t slot, std::size_t transaction, std::uint64_t its_database = database) {
        generate(slot, transaction, its_database);
        become_visible(transaction);
        slots[slot].commit(transaction);
    }

    void prepare_and_commit(std::size_t slot, std::size_t transaction) {
        slots[slot].move_to(slots.back(), transaction);
        become_visible(transaction);
        sent.fetch_add(std::uint64_t{1} << transaction);
    }

    void forget() {
        first_id.fill(0);
        is_refused.fill(false);
    }

    // Stores an id that was generated elsewhere, if it is accepted.
    void store(std::size_t slot, std::size_t transaction, std::uint64_t id) {
        is_refused[transaction] = !horizon.accept(slots[slot], database, id);
        first_id[transaction] = is_refused[transaction] ? 0 : id;
    }

    void store_and_end(std::size_t slot, std::size_t transaction, std::uint64_t id) {
        store(slot, transaction, id);
        end_stored(slot, transaction);
    }

    void end_stored(std::size_t slot, std::size_t transaction) {
        if (first_id[transaction] == 0)
            return slots[slot].clear();
        become_visible(transaction);
        slots[slot].commit(transaction);
    }

    template <class IsVisible>
    std::optional<std::uint64_t> find_horizon(std::uint64_t lag, IsVisible&& is_visible) {
        const std::uint64_t raised = horizon.raise_behind(lag, [this] { return std::uint64_t{clock}; });
        const auto has_sent = [this](std::uint64_t transaction) { return (sent >> transaction & 1) != 0; };
        return horizon.lower(raised, database, is_visible, has_sent, slots);
    }

    void read(std::uint64_t lag = 0) {
        steps_before = horizon.steps_followed();
        snapshot = ended;
        answer = find_horizon(lag, [this](std::uint64_t transaction) { return (snapshot >> transaction & 1) != 0; });
    }

    // How often the reader found a horizon, how often none, and how often one that the clock stepped back from too far.
    struct Outcomes {
        std::size_t states = 0, known = 0, unknown = 0, followed = 0, accepted = 0, refused = 0;
    };

    // No id below the horizon is of a transaction that the snapshot does not see, unless the clock stepped back too
    // far since.
    // The actors are a clock that goes through these times, inserters, and a reader with a lag.
    template <class... Actors>
    Outcomes explore(std::vector<std::uint64_t> times, std::uint64_t lag, Actors... inserters) {
        std::vector<Interleavings::Actor> actors{inserters...};
        actors.push_back([this, lag] { read(lag); });
        if (!times.empty())
            actors.push_back([this, &times] {
                for (const std::uint64_t time : times)
                    clock = time;
            });
        Outcomes outcomes;
        outcomes.states = Interleavings::explore(std::move(actors), [&] {
            ++(answer ? outcomes.known : outcomes.unknown);
            if (horizon.steps_followed() != steps_before) {
                ++outcomes.followed;
                return;
            }
            ++(std::count(is_refused.begin(), is_refused.end(), true) != 0 ? outcomes.refused : outcomes.accepted);
            for (std::size_t transaction = 1; answer && transaction < first_id.size(); ++transaction)
                if (first_id[transaction] != 0 && (snapshot >> transaction & 1) == 0)
                    REQUIRE_LAW(first_id[transaction] >= *answer, transaction, first_id[transaction], *answer,
                                snapshot);
        });
        CHECK(outcomes.states > 500);
        CHECK(outcomes.known > 10);
        return outcomes;
    }
};

// A backend whose generator goes by the model's clock, and which generates ids in one transaction after the other.
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
            if (!backend->is_inserter)
                process().go_on_from(begin());
            return process();
        }
        std::uint64_t begin() const {
            backend->is_inserter = true;
            return backend->model.horizon.begin(backend->model.slots[0], database, [this] { return milliseconds(); });
        }
        std::uint64_t announce_step(std::uint64_t) const { return begin(); }
        static bool wait_if_ahead(std::uint64_t) { return false; }
    };

    explicit Backend(Model& model) : model(model) { model.forget(); }

    void generate(std::size_t transaction, Layout layout = Layout::vb) {
        const Id id = layout == Layout::v1   ? generator.next_v1()
                      : layout == Layout::v7 ? generator.next_v7()
                                             : generator.next();
        const auto time = std::chrono::floor<std::chrono::milliseconds>(time_of(id)->time_since_epoch());
        const auto generated = static_cast<std::uint64_t>(time.count());
        std::uint64_t& first = model.first_id[transaction];
        first = first == 0 ? generated : std::min(first, generated);
        if (!model.horizon.accept(model.slots[0], database, generated))
            model.is_refused[transaction] = true;
    }

    void commit(std::size_t transaction) {
        model.become_visible(transaction);
        model.slots[0].commit(transaction);
        is_inserter = false;
    }

    Model& model;
    bool is_inserter = false;
    Process process{1, 0, LocalityGenerator(0, start), V1Timeline(0, 0), {}, {}, {}};
    BasicGenerator<Environment> generator{{this}};
};

}  // namespace

TEST_CASE("two inserters and a reader, while the clock goes back", "[horizon][interleavings]") {
    Model model(2);
    const auto outcomes = model.explore(
        {start - 5}, 0, [&] { model.commit(0, 1); }, [&] { model.commit(1, 2); });
    CHECK(outcomes.unknown == 0);
}

TEST_CASE("the clock goes on and back around one inserter", "[horizon][interleavings]") {
    Model model(1);
    const auto outcomes = model.explore({start + 7, start - 5, start + 1}, 0, [&] { model.commit(0, 1); });
    CHECK(outcomes.unknown == 0);
}

TEST_CASE("if more have ended since the snapshot than any ring has, there is no horizon", "[horizon][interleavings]") {
    Model model(1);
    const auto outcomes = model.explore({start + 1}, 0, [&] {
        model.commit(0, 1);
        model.commit(0, 2);
        model.commit(0, 3);
    });
    CHECK(outcomes.unknown > 100);
}

TEST_CASE("of those that have left the first ring, the next one has blocks", "[horizon][interleavings]") {
    luuid::detail::Slot<ExploredWord, 4, 2, 2> slot;
    std::optional<std::uint64_t> answer;
    std::size_t known = 0;
    const auto states = Interleavings::explore(
        {
            [&] {
                for (std::uint64_t transaction = 1; transaction <= 7; ++transaction) {
                    slot.begin(start + transaction, database);
                    slot.commit(transaction);
                }
            },
            [&] {
                std::uint64_t horizon = start + 100;
                const bool is_known = slot.lower(
                    horizon, database, [](std::uint64_t transaction) { return transaction <= 2; }, is_sent);
                answer = is_known ? std::optional(horizon) : std::nullopt;
            },
        },
        [&] {
            known += answer.has_value();
            // What had ended after the snapshot before the reader scanned, or nothing had.
            REQUIRE_LAW(!answer || *answer <= start + 3 || *answer == start + 100, *answer);
        });
    CHECK(states > 100);
    CHECK(known > 100);
}

TEST_CASE("a waiter takes no inserter for one of the database that the slot had before", "[horizon][interleavings]") {
    luuid::detail::Slot<ExploredWord, 4, 2, 2> slot;
    bool is_held = false;
    const auto states =
        Interleavings::explore({
                                   [&] {
                                       slot.begin(start, database);
                                       slot.clear();
                                       slot.begin(start + 1, other_database);
                                   },
                                   [&] { is_held = slot.first() == start + 1 && slot.holds_back(start + 1, database); },
                               },
                               [&] { REQUIRE_LAW(!is_held, is_held); });
    CHECK(states > 20);
}

TEST_CASE("a reader with an old snapshot gets a horizon near its time", "[horizon]") {
    luuid::detail::Slot<> slot;
    const std::uint64_t ended = GENERATE(1, 63, 64, 1'000, 100'000, 1'000'000);
    for (std::uint64_t transaction = 1; transaction <= 2 * ended; ++transaction) {
        slot.begin(start + transaction, database);
        slot.commit(transaction);
    }
    std::uint64_t horizon = start + 3 * ended;
    const auto is_visible = [ended](std::uint64_t transaction) { return transaction <= ended; };
    REQUIRE(slot.lower(horizon, database, is_visible, is_sent));
    CHECK(horizon <= start + ended + 1);
    CHECK(horizon + ended >= start + ended);
}

TEST_CASE("prepared transactions, one after the other in one slot", "[horizon][interleavings]") {
    const bool is_second_earlier = GENERATE(false, true);
    Model model(2);
    model.explore({start + 1}, 0, [&] {
        if (is_second_earlier)
            model.generate(1, 2);
        model.generate(0, 1);
        model.prepare_and_commit(0, 1);
        if (!is_second_earlier)
            model.generate(1, 2);
        model.prepare_and_commit(1, 2);
    });
}

TEST_CASE("the clock steps back further from a generator's ids than from the horizon", "[horizon][interleavings]") {
    Model model(1);
    const auto outcomes = model.explore({start + 5'000, start - 1'000, start - 6'000}, 0, [&] {
        Backend backend(model);
        backend.generate(1);
        backend.commit(1);
        backend.generate(2);
        backend.commit(2);
    });
    CHECK(outcomes.followed > 0);
    CHECK(outcomes.refused == 0);
}

TEST_CASE("the clock steps back amid a transaction, and its generator follows", "[horizon][interleavings]") {
    const Layout first = GENERATE(Layout::vb, Layout::v1, Layout::v7);
    const Layout last = GENERATE(Layout::vb, Layout::v1, Layout::v7);
    Model model(1);
    const auto outcomes = model.explore({start + 8'000, start - 3'000, start + 9'000}, 0, [&] {
        Backend backend(model);
        backend.generate(1, first);
        backend.generate(1);
        backend.generate(1, last);
        backend.commit(1);
    });
    CHECK(outcomes.followed > 0);
    CHECK(outcomes.refused == 0);
}

TEST_CASE("the clock steps back beyond the horizon while an inserter begins", "[horizon][interleavings]") {
    Model model(1, start);
    const auto outcomes = model.explore({start - 2'000, start - 13'000, start - 1'000}, 0, [&] {
        Backend backend(model);
        backend.generate(1);
        backend.commit(1);
    });
    CHECK(outcomes.followed > 0);
    CHECK(outcomes.refused == 0);
}

TEST_CASE("two readers that find the clock too far back count each of its steps once", "[horizon][interleavings]") {
    Model model(1, start);
    std::uint64_t answers[2];
    const auto read = [&] { return *model.find_horizon(0, [](std::uint64_t) { return true; }); };
    std::size_t both = 0;
    Interleavings::explore({
                               [&] { answers[0] = read(); },
                               [&] { answers[1] = read(); },
                               [&] {
                                   model.clock = start - 20'000;
                                   model.clock = start - 40'000;
                               },
                           },
                           [&] {
                               // Each that is not of the first reading of the clock.
                               std::set<std::uint64_t> later{answers[0], answers[1]};
                               later.erase(start);
                               both += later.size() == 2;
                               REQUIRE_LAW(model.horizon.steps_followed() == later.size(), answers[0], answers[1]);
                           });
    CHECK(both > 0);
}

// A reader while two inserters, each of another database, have the same slot one after the other: `insert(first,
// second)`, of their databases.
template <class Insert>
Model::Outcomes explore_two_databases(Model& model, Insert&& insert) {
    const std::uint64_t first = GENERATE(database, other_database);
    return model.explore({start + 1}, 0, [&] { insert(first, first == database ? other_database : database); });
}

TEST_CASE("sessions of two databases, one after the other in one slot", "[horizon][interleavings]") {
    Model model(1);
    const auto outcomes = explore_two_databases(model, [&](std::uint64_t first, std::uint64_t second) {
        model.commit(0, 1, first);
        model.generate(0, 2, second);
    });
    CHECK(outcomes.unknown == 0);
}

TEST_CASE("prepared transactions of two databases, one after the other in one slot", "[horizon][interleavings]") {
    Model model(2);
    explore_two_databases(model, [&](std::uint64_t first, std::uint64_t second) {
        for (const std::size_t transaction : {1, 2}) {
            model.generate(transaction - 1, transaction, transaction == 1 ? first : second);
            model.prepare_and_commit(transaction - 1, transaction);
        }
    });
}

TEST_CASE("an inserter of another database holds nothing back", "[horizon]") {
    Model model(1);
    const std::uint64_t its_database = GENERATE(database, other_database);
    model.generate(0, 1, its_database);
    model.clock = start + 9;
    model.read();
    CHECK(model.answer == (its_database == database ? start : start + 9));
}

TEST_CASE("an inserter of which nothing is known leaves its database no horizon until it has ended", "[horizon]") {
    Model model(1);
    model.slots.back().receive(1, database, Model::Slot::unknown);
    model.read();
    CHECK_FALSE(model.answer);
    const std::uint64_t before = model.ended;
    model.become_visible(1);
    model.read();
    CHECK_FALSE(model.answer);  // its messages are not sent
    model.sent.fetch_add(2);
    model.read();
    CHECK(model.answer == start);
    model.slots.back().receive(2, other_database, Model::Slot::unknown);
    model.read();
    CHECK(model.answer == start);
    model.ended = before;  // a snapshot from before the first was resolved
    model.read();
    CHECK_FALSE(model.answer);
}

TEST_CASE("an id from elsewhere is accepted, or a horizon after it was returned", "[horizon][interleavings]") {
    const std::uint64_t lag = GENERATE(0, 2, 4);
    Model model(2);
    const auto outcomes = model.explore(
        {start + 1}, lag, [&] { model.store_and_end(0, 1, start - 3); }, [&] { model.commit(1, 2); });
    CHECK(outcomes.accepted > 0);
    CHECK((outcomes.refused > 0) == (lag < 4));
}

TEST_CASE("of two readers, the one with the lesser lag decides what is accepted", "[horizon][interleavings]") {
    const auto [lag, other] = GENERATE(std::pair(0, 5), std::pair(5, 0), std::pair(5, 4));
    Model model(1);
    const auto find = [&, other = other] { model.find_horizon(other, [](std::uint64_t) { return true; }); };
    const auto outcomes = model.explore(
        {}, static_cast<std::uint64_t>(lag), [&] { model.store_and_end(0, 1, start - 3); }, find);
    CHECK(outcomes.accepted > 0);
    CHECK((outcomes.refused > 0) == (other < 3 || lag < 3));
}

TEST_CASE("a transaction generates an id, and stores earlier ones from elsewhere", "[horizon][interleavings]") {
    Model model(1);
    std::size_t again_refused = 0;
    const auto outcomes = model.explore({start + 1, start - 2}, 1, [&] {
        model.forget();
        model.generate(0, 1);
        const std::uint64_t generated = model.first_id[1];
        model.store(0, 1, start - 1);
        if (model.is_refused[1])
            model.first_id[1] = generated;
        // Whatever was returned meanwhile.
        again_refused += !model.horizon.accept(model.slots[0], database, model.first_id[1]);
        model.end_stored(0, 1);
    });
    CHECK(outcomes.accepted > 0);
    CHECK(outcomes.refused > 0);
    CHECK(again_refused == 0);
}

TEST_CASE("what one inserter may store, the next of its session may not", "[horizon][interleavings]") {
    Model model(1);
    const auto outcomes = model.explore({start + 5}, 0, [&] {
        model.forget();
        model.commit(0, 1);
        model.store_and_end(0, 2, start + 1);
    });
    CHECK(outcomes.accepted > 0);
    CHECK(outcomes.refused > 0);
}

TEST_CASE("an id from elsewhere is stored by a leader whose worker generates, and prepared",
          "[horizon][interleavings]") {
    Model model(1);
    const auto outcomes = model.explore(
        {}, 2,
        [&] {
            model.store(0, 1, start - 3);
            model.prepare_and_commit(0, 1);
        },
        [&] { model.generate(0, 2); });
    CHECK(outcomes.accepted > 0);
    CHECK(outcomes.refused > 0);
}

TEST_CASE("the clock steps back while ids from elsewhere are stored", "[horizon][interleavings]") {
    Model model(1, start);
    const auto outcomes = model.explore({start - 2'000, start - 13'000}, 0, [&] {
        model.store_and_end(0, 1, start - 13'001);
        model.store_and_end(0, 2, start - 1);
    });
    CHECK(outcomes.followed > 0);
    CHECK(outcomes.refused > 0);
}

TEST_CASE("what is read beside the first millisecond is of the same inserter", "[horizon][interleavings]") {
    Model model(1);
    Model::Slot& slot = model.slots[0];
    ExploredWord pid{1}, role{1};
    std::pair<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> found;
    const auto states = Interleavings::explore(
        {
            [&] {
                slot.begin(start, database);
                slot.clear();
                pid = 2;
                role = 2;
                slot.begin(start + 1, database);
            },
            [&] { found = slot.read_with([&] { return std::pair(std::uint64_t{pid}, std::uint64_t{role}); }); },
        },
        [&] {
            const auto& [first, inserter] = found;
            if (first != Model::Slot::none) {
                REQUIRE_LAW(inserter.first == first - start + 1, inserter.first, first);
                REQUIRE_LAW(inserter.second == inserter.first, inserter.second, first);
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

TEST_CASE("a horizon passes a prepared transaction once its messages are sent", "[horizon][interleavings]") {
    Model model(1);
    model.generate(0, 1);
    model.slots[0].move_to(model.slots[1], 1);
    model.clock = start + 1;
    std::uint64_t heard = 0;
    std::size_t passed = 0, held_back = 0;
    const auto states = Interleavings::explore({
                                                   [&] {
                                                       model.become_visible(1);
                                                       model.sent.fetch_add(2);
                                                   },
                                                   [&] {
                                                       model.read();
                                                       model.read();
                                                       heard = model.sent;
                                                   },
                                               },
                                               [&] {
                                                   ++(*model.answer > start ? passed : held_back);
                                                   REQUIRE_LAW(*model.answer <= start || heard == 2, *model.answer,
                                                               model.snapshot, heard);
                                               });
    CHECK(states > 20);
    CHECK(passed > 0);
    CHECK(held_back > 0);
}
