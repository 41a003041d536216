// Leases of the process field: one holder at a time, and none in a millisecond that another one used, however two of
// them interleave and however many there are.
#include "catch.hpp"
#include "machine.hpp"
#include "samples.hpp"

#include <luuid/detail/leases.hpp>

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

using namespace luuid;
using namespace luuid::detail;

namespace {

// Lets one of two threads do one operation at a time, in an order that is written down: the first choices as they are
// given, and then the first thread as long as it has something to do.
class Schedule {
public:
    explicit Schedule(std::vector<int> choices) : choices_(std::move(choices)) {}

    // Runs both to their ends. Returns the choices that were made.
    std::vector<int> run(const std::function<void(int)>& script) {
        std::thread threads[2];
        for (int who : {0, 1})
            threads[who] = std::thread([this, who, &script] {
                mine = this;
                self = who;
                script(who);
                const std::lock_guard lock(mutex_);
                waits_[who] = false;
                is_over_[who] = true;
                changed_.notify_all();
            });
        for (std::size_t at = 0;; ++at) {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [this] { return (waits_[0] || is_over_[0]) && (waits_[1] || is_over_[1]); });
            if (is_over_[0] && is_over_[1])
                break;
            const int wanted = at < choices_.size() ? choices_[at] : 0;
            const int chosen = is_over_[wanted] ? 1 - wanted : wanted;
            if (at < choices_.size())
                choices_[at] = chosen;
            else
                choices_.push_back(chosen);
            has_choice_.push_back(!is_over_[0] && !is_over_[1]);
            waits_[chosen] = false;
            changed_.notify_all();
        }
        for (std::thread& each : threads)
            each.join();
        return choices_;
    }

    // The next order that was not tried yet: the last turn that could have been the other's is. Empty at the end.
    std::vector<int> next() const {
        for (std::size_t at = choices_.size(); at-- > 0;)
            if (has_choice_[at] && choices_[at] == 0) {
                std::vector<int> other(choices_.begin(), choices_.begin() + static_cast<std::ptrdiff_t>(at));
                other.push_back(1);
                return other;
            }
        return {};
    }

    // Called by a thread of a schedule before each of its operations.
    static void wait_for_turn() {
        if (mine == nullptr)
            return;
        std::unique_lock lock(mine->mutex_);
        mine->waits_[self] = true;
        mine->changed_.notify_all();
        mine->changed_.wait(lock, [] { return !mine->waits_[self]; });
    }

private:
    static inline thread_local Schedule* mine = nullptr;
    static inline thread_local int self = 0;

    std::mutex mutex_;
    std::condition_variable changed_;
    bool waits_[2] = {};
    bool is_over_[2] = {};
    std::vector<int> choices_;
    std::vector<bool> has_choice_;
};

// An atomic number whose every operation is a turn of the schedule.
class ScheduledWord {
public:
    operator std::uint64_t() const {
        Schedule::wait_for_turn();
        return value_;
    }

    void operator=(std::uint64_t value) {
        Schedule::wait_for_turn();
        value_ = value;
    }

    bool compare_exchange_strong(std::uint64_t& expected, std::uint64_t desired) {
        Schedule::wait_for_turn();
        return value_.compare_exchange_strong(expected, desired);
    }

private:
    std::atomic<std::uint64_t> value_ = 0;
};

}  // namespace

TEST_CASE("the wanted value, or else the next below that is free", "[leases]") {
    const auto leases = std::make_unique<Leases<>>();
    CHECK(leases->take(1, noon)->value == 1);
    CHECK(leases->take(1, noon)->value == 0);
    CHECK(leases->take(1, noon)->value == 0xffff);
    CHECK(leases->take(2, noon)->value == 2);
    leases->give_back({0, 0}, noon);
    CHECK(leases->take(1, noon)->value == 0xfffe);  // of 0 an id of this millisecond may be there
    CHECK(leases->take(1, noon + 1)->value == 0);
}

TEST_CASE("what ran ahead of the clock is left alone until the clock is there", "[leases]") {
    const auto leases = std::make_unique<Leases<>>();
    LocalityGenerator generator(7, noon);
    CHECK(leases->take(5, noon)->value == 5);
    for (int i = 0; i < 1000; ++i)
        generator.next_within(neighbour_range(nil_id, 32), LocalityVersion::vb, {5, 0}, noon);
    leases->give_back({5, 0}, generator.last_millisecond());
    CHECK(leases->take(5, noon + 999)->value == 4);
    CHECK(leases->take(5, noon + 1000)->value == 5);
}

TEST_CASE("a lease without an id leaves its value as it was", "[leases]") {
    const auto leases = std::make_unique<Leases<>>();
    leases->give_back(leases->take(5, noon).value(), noon);
    const LocalityGenerator idle(7, noon + 5000);
    leases->give_back(leases->take(5, noon + 5000).value(), idle.last_millisecond());
    CHECK(leases->take(5, noon)->value == 4);  // the clock stepped back by less than is waited for
}

TEST_CASE("a clock that stepped back over all there is leaves one holder to a value", "[leases]") {
    const auto leases = std::make_unique<Leases<>>();
    for (std::uint32_t value = 0; value < 0x1'0000; ++value)
        leases->give_back({static_cast<std::uint16_t>(value), 0}, noon);
    for (std::uint16_t value : {7, 6, 5, 4})
        CHECK(leases->take(7, noon - 3'600'000)->value == value);
}

TEST_CASE("where all are held there is none", "[leases]") {
    const auto leases = std::make_unique<Leases<>>();
    for (std::uint32_t value = 0; value < 0x1'0000; ++value)
        leases->take(static_cast<std::uint16_t>(value), noon);
    CHECK_FALSE(leases->take(7, noon + 1).has_value());
    leases->give_back({8, 0}, noon);
    CHECK(leases->take(7, noon + 1)->value == 8);
}

TEST_CASE("two leases, however they interleave, never use one value in one millisecond", "[leases]") {
    int orders = 0;
    std::vector<int> choices;
    do {
        const auto leases = std::make_unique<Leases<ScheduledWord>>();
        std::atomic<std::uint64_t> clock = noon;  // moves on by itself now and then
        std::mutex mutex;
        std::set<std::pair<std::uint16_t, std::uint64_t>> used;
        std::set<std::uint16_t> holders;
        bool is_broken = false;
        const auto script = [&](int who) {
            for (int session = 0; session < 2 - who; ++session) {  // one after the other, beside one
                const std::uint64_t now = clock;
                const Lease lease = leases->take(9, now).value();
                const std::uint16_t value = lease.value;
                {
                    const std::lock_guard lock(mutex);
                    is_broken |= !holders.insert(value).second;
                    for (std::uint64_t millisecond = now; millisecond <= now + 1; ++millisecond)  // it runs ahead
                        is_broken |= !used.insert({value, millisecond}).second;
                }
                leases->give_back(lease, now + 1);
                {
                    const std::lock_guard lock(mutex);
                    holders.erase(value);
                }
                clock += static_cast<std::uint64_t>(who + session);
            }
        };
        Schedule schedule(choices);
        schedule.run(script);
        REQUIRE_LAW(!is_broken, orders);
        choices = schedule.next();
        ++orders;
    } while (!choices.empty());
    CHECK(orders > 80);
}

TEST_CASE("64 generators of one process id make no id twice, though they come and go", "[leases]") {
    constexpr int generators = 64, sessions = 20;
    const auto leases = std::make_unique<Leases<>>();
    std::atomic<std::uint64_t> clock = noon;
    std::vector<std::vector<Id>> made(4);
    std::vector<std::thread> running;
    // Each thread goes round among its share of them, so that all of them live at the same time.
    for (std::size_t thread = 0; thread < made.size(); ++thread)
        running.emplace_back([&, thread] {
            struct Backend {
                Lease lease;
                LocalityGenerator generator;
            };
            const auto begin = [&] {
                const std::uint64_t now = clock;
                return Backend{leases->take(12'345, now).value(), LocalityGenerator(0xdecade, now)};
            };
            samples::Random random(thread);
            std::vector<Backend> backends;
            for (std::size_t i = 0; i < generators / made.size(); ++i)
                backends.push_back(begin());
            for (int session = 0; session < sessions; ++session)
                for (Backend& each : backends) {
                    const Identity who{each.lease.value, 0xd537a50};
                    for (std::uint64_t i = random.below(2000); i > 0; --i) {
                        clock += random.below(1000) == 0;
                        const std::uint64_t what = random.below(40);
                        const Id neighbour{random.below(3) << 48, 0};
                        made[thread].push_back(
                            what == 0 ? each.generator.next_within(neighbour_range(neighbour, 32), LocalityVersion::vb,
                                                                   who, clock)
                            : what < 10 ? each.generator.next_within(neighbour_range(neighbour, 16),
                                                                     LocalityVersion::vb, who, clock)
                            : what < 25
                                ? each.generator.next(CounterMode::variable, LocalityVersion::vb, who, clock)
                                : each.generator.next(CounterMode::sequential, LocalityVersion::vb, who, clock));
                    }
                    if (random.below(3) == 0) {
                        leases->give_back(each.lease, each.generator.last_millisecond());
                        each = begin();
                    }
                }
        });
    for (std::thread& each : running)
        each.join();
    std::vector<Id> all;
    for (const auto& ids : made)
        all.insert(all.end(), ids.begin(), ids.end());
    std::sort(all.begin(), all.end(), Bytewise());
    CHECK(all.size() > 1'000'000);
    CHECK(std::adjacent_find(all.begin(), all.end()) == all.end());
}
