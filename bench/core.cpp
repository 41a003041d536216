// Measures each operation of src/luuid without a server, beside the least that the operation can cost.
#include <luuid/boundary.hpp>
#include <luuid/detail/application.hpp>
#include <luuid/detail/locality_generator.hpp>
#include <luuid/detail/random_pool.hpp>
#include <luuid/detail/rfc_generator.hpp>
#include <luuid/detail/sort_keys.hpp>
#include <luuid/detail/system.hpp>
#include <luuid/seal.hpp>
#include <luuid/uniqid.hpp>

#include <benchmark/benchmark.h>

#include <cstring>
#include <random>
#include <vector>

using namespace luuid;
using namespace luuid::detail;

namespace {

constexpr Identity somebody{12'618, 0xd537a50};

// Ids as a bulk load makes them, in either mode.
std::vector<Id> loaded(CounterMode mode) {
    LocalityGenerator generator(0xdecade);
    std::vector<Id> ids;
    for (std::uint64_t number = 0; number < 4096; ++number) {
        const std::uint64_t now = 1'795'262'400'000 + number / 1024;
        ids.push_back(generator.next(mode, LocalityVersion::vb, somebody, now));
    }
    return ids;
}

std::vector<Id> loaded_v7() {
    std::mt19937_64 random(1);
    V7Timeline generator;
    std::vector<Id> ids;
    for (std::uint64_t number = 0; number < 4096; ++number)
        ids.push_back(generator.next(TickTime(Ticks(17'952'624'000'000'000 + 10 * number)), random()));
    return ids;
}

// Calls back with one id after another, and with its neighbour.
template <class Use>
void over_ids(benchmark::State& state, const std::vector<Id>& ids, Use use) {
    std::size_t at = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(use(ids[at], ids[at + 1]));
        at = (at + 1) % (ids.size() - 1);
    }
}

// Text

void text_copy(benchmark::State& state) {
    char from[text_size] = {};
    char to[text_size];
    for (auto _ : state) {
        benchmark::DoNotOptimize(from);
        std::memcpy(to, from, text_size);
        benchmark::DoNotOptimize(to);
    }
}
BENCHMARK(text_copy)->Name("text/floor: copy 36 characters");

void text_parse(benchmark::State& state) {
    std::string_view text("20be0ffc-314a-bd53-7a50-013a65ca76d2");
    for (auto _ : state) {
        benchmark::DoNotOptimize(text);
        benchmark::DoNotOptimize(parse(text));
    }
}
BENCHMARK(text_parse)->Name("text/parse");

void text_format(benchmark::State& state) {
    Id id = *parse("20be0ffc-314a-bd53-7a50-013a65ca76d2");
    char text[text_size];
    for (auto _ : state) {
        benchmark::DoNotOptimize(id);
        format(id, text);
        benchmark::DoNotOptimize(text);
    }
}
BENCHMARK(text_format)->Name("text/format");

// Generation

void clock_read(benchmark::State& state) {
    for (auto _ : state)
        benchmark::DoNotOptimize(System::milliseconds());
}
BENCHMARK(clock_read)->Name("generate/floor: read the clock");

template <CounterMode mode, LocalityVersion version>
void generate(benchmark::State& state) {
    LocalityGenerator generator(0xdecade);
    for (auto _ : state)
        benchmark::DoNotOptimize(generator.next(mode, version, somebody, System::milliseconds()));
}
BENCHMARK(generate<CounterMode::variable, LocalityVersion::vb>)->Name("generate/variable");
BENCHMARK(generate<CounterMode::sequential, LocalityVersion::vb>)->Name("generate/sequential");
BENCHMARK(generate<CounterMode::variable, LocalityVersion::v8>)->Name("generate/variable, version 8");

// With random bits drawn in advance, as in a process.
void generate_v7(benchmark::State& state) {
    V7Timeline generator;
    RandomPool random;
    for (auto _ : state)
        benchmark::DoNotOptimize(generator.next(System::ticks(), random.next(Application::fill_random)));
}
BENCHMARK(generate_v7)->Name("generate/version 7");

void generate_in_shard(benchmark::State& state) {
    LocalityGenerator generator(0xdecade);
    for (auto _ : state)
        benchmark::DoNotOptimize(
            generator.next_within(shard_range({3, 8}), LocalityVersion::vb, somebody, System::milliseconds()));
}
BENCHMARK(generate_in_shard)->Name("generate/in a shard");

// Order

void order_bytes(benchmark::State& state) {
    over_ids(state, loaded(CounterMode::variable), [](const Id& a, const Id& b) { return compare_bytes(a, b) < 0; });
}
BENCHMARK(order_bytes)->Name("order/floor: compare bytes");

void order_compare(benchmark::State& state, const std::vector<Id>& ids) {
    over_ids(state, ids, [](const Id& a, const Id& b) { return compare(a, b) < 0; });
}
BENCHMARK_CAPTURE(order_compare, variable, loaded(CounterMode::variable))->Name("order/compare, variable");
BENCHMARK_CAPTURE(order_compare, sequential, loaded(CounterMode::sequential))->Name("order/compare, sequential");
BENCHMARK_CAPTURE(order_compare, v7, loaded_v7())->Name("order/compare, version 7");

// Of a range that begins and ends with a time.
void order_compare_bounds(benchmark::State& state, const std::vector<Id>& ids) {
    Id first = floor_of(*time_of(ids[1000])), last = ceiling_of(*time_of(ids[3000]));
    benchmark::DoNotOptimize(first);
    benchmark::DoNotOptimize(last);
    over_ids(state, ids, [=](const Id& id, const Id&) { return compare(id, first) >= 0 && compare(id, last) <= 0; });
}
BENCHMARK_CAPTURE(order_compare_bounds, variable, loaded(CounterMode::variable))
    ->Name("order/compare two bounds, variable");
BENCHMARK_CAPTURE(order_compare_bounds, v7, loaded_v7())->Name("order/compare two bounds, version 7");

void order_compare_any(benchmark::State& state) {
    std::mt19937_64 random(1);
    std::vector<Id> ids(4096);
    for (Id& id : ids)
        id = {random(), random()};
    over_ids(state, ids, [](const Id& a, const Id& b) { return compare(a, b) < 0; });
}
BENCHMARK(order_compare_any)->Name("order/compare, random bits");

void order_abbreviate(benchmark::State& state) {
    over_ids(state, loaded(CounterMode::variable), [](const Id& id, const Id&) { return abbreviate(id); });
}
BENCHMARK(order_abbreviate)->Name("order/abbreviate");

void order_sort_key(benchmark::State& state, const std::vector<Id>& ids) {
    SortKeys keys;
    over_ids(state, ids, [&keys](const Id& id, const Id&) { return keys.key_of(id); });
}
BENCHMARK_CAPTURE(order_sort_key, variable, loaded(CounterMode::variable))->Name("order/key of a sort, variable");
BENCHMARK_CAPTURE(order_sort_key, v7, loaded_v7())->Name("order/key of a sort, version 7");

// Fields

void fields_ticks(benchmark::State& state) {
    over_ids(state, loaded(CounterMode::variable),
             [](const Id& id, const Id&) { return time_of(id).value_or(TickTime{}).time_since_epoch().count(); });
}
BENCHMARK(fields_ticks)->Name("fields/time");

void fields_shard(benchmark::State& state) {
    Shards shards = 64;
    benchmark::DoNotOptimize(shards);
    over_ids(state, loaded(CounterMode::variable), [=](const Id& id, const Id&) { return shard_of(id, shards); });
}
BENCHMARK(fields_shard)->Name("fields/shard");

void fields_from_uniqid(benchmark::State& state) {
    std::string_view key(
        "5"
        "1a2b"
        "514f3c2a"
        "7a125");
    for (auto _ : state) {
        benchmark::DoNotOptimize(key);
        benchmark::DoNotOptimize(id_from_uniqid(*parse_uniqid(key)));
    }
}
BENCHMARK(fields_from_uniqid)->Name("fields/id from a short key");

void fields_to_uniqid(benchmark::State& state) {
    char key[uniqid_size_max];
    over_ids(state, loaded(CounterMode::variable),
             [&key](const Id& id, const Id&) { return format_uniqid(*uniqid_from_id(id), 10, key); });
}
BENCHMARK(fields_to_uniqid)->Name("fields/short key from an id");

// Sealed ids

void seal_v7(benchmark::State& state) {
    SealKey key{0x0123'4567'89ab'cdef, 0xfedc'ba98'7654'3210};
    benchmark::DoNotOptimize(key);
    over_ids(state, loaded_v7(), [=](const Id& id, const Id&) { return seal(id, key)->msb; });
}
BENCHMARK(seal_v7)->Name("seal/seal");

}  // namespace

BENCHMARK_MAIN();
