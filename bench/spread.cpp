// Measures how evenly ids spread over shards, as the fullest shard over the mean: for luuid's counter, for other rules
// that would cost as much, and for random ids.
#include <luuid/detail/locality_generator.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

using namespace luuid;
using namespace luuid::detail;

namespace {

using Random = std::mt19937_64;

constexpr std::uint32_t golden_step = 0x9e3779b9;  // 2^32 over the golden ratio, made odd

constexpr std::uint32_t reverse_bits(std::uint32_t value) noexcept {
    value = (value & 0x55555555) << 1 | (value >> 1 & 0x55555555);
    value = (value & 0x33333333) << 2 | (value >> 2 & 0x33333333);
    return reverse_nibbles(value);
}

constexpr std::uint32_t as_it_is(std::uint32_t value) noexcept { return value; }

// Generators that each count on their own: a step number is written as the digits of step × factor.
template <std::uint32_t factor, std::uint32_t (*digits)(std::uint32_t)>
class Counted {
public:
    Counted(std::size_t generators, Random& random) {
        for (std::size_t each = 0; each < generators; ++each)
            counters_.emplace_back(static_cast<std::uint32_t>(random()));
    }

    std::uint32_t operator()(std::size_t generator, Random&) {
        return digits(static_cast<std::uint32_t>(counters_[generator].next_step()) * factor);
    }

protected:
    std::vector<Counters> counters_;
};

// The counter as it is, but started where the process id says, so that neighbours start far from each other.
class StartedByPid : public Counted<variable_step, reverse_nibbles> {
public:
    StartedByPid(std::size_t generators, Random& random) : Counted(0, random) {
        auto pid = static_cast<std::uint32_t>(random() >> 40);
        for (std::size_t each = 0; each < generators; ++each)
            counters_.emplace_back(reverse_nibbles(pid++ * golden_step) * step_inverse);
    }
};

// The counter as it is, started as preload starts it: one generator after the other on one walk.
class StartedOnAWalk : public Counted<variable_step, reverse_nibbles> {
public:
    StartedOnAWalk(std::size_t generators, Random& random) : Counted(0, random) {
        auto step = static_cast<std::uint32_t>(random());
        for (std::size_t each = 0; each < generators; ++each)
            counters_.emplace_back(step += start_stride);
    }
};

// Ids that share their first bits with another, by the bits that they do not share; ten a millisecond. The other one
// lies anywhere, or where the sequential counter is, which they keep clear of.
template <unsigned bits, bool is_beside_sequential = false>
class Placed {
public:
    Placed(std::size_t generators, Random& random) : neighbour_{random(), 0} {
        for (std::size_t each = 0; each < generators; ++each)
            generators_.emplace_back(static_cast<std::uint32_t>(random()));
        if (is_beside_sequential)
            neighbour_.msb = std::uint64_t{window_seed(window_of(now_)) + 1000} << 32;
    }

    std::uint32_t operator()(std::size_t generator, Random& random) {
        now_ += random() % 10 == 0;
        return prefix(generators_[generator].next_within(neighbour_range(neighbour_, *PrefixBits::of(bits)),
                                                         LocalityVersion::vb, {}, now_))
               << bits;
    }

private:
    std::uint64_t now_ = 1'795'262'400'000;  // 2026-11-21 12:00:00 UTC, where a window begins
    Id neighbour_;
    std::vector<LocalityGenerator> generators_;
};

struct RandomIds {
    RandomIds(std::size_t, Random&) {}
    std::uint32_t operator()(std::size_t, Random& random) { return static_cast<std::uint32_t>(random() >> 32); }
};

constexpr std::array<std::uint32_t, 4> shard_counts = {8, 64, 256, 1024};
using Fullest = std::array<double, shard_counts.size()>;

// Ids in random turns, each by one of the generators; the fullest shard over the mean, for each count of shards.
template <class Source>
Fullest run(std::size_t generators, std::size_t ids, std::uint64_t seed) {
    Random random(seed);
    Source source(generators, random);
    std::array<std::uint32_t, shard_counts.back()> filled{};
    for (std::size_t each = 0; each < ids; ++each) {
        const std::uint64_t turn = random() >> 32;
        const std::uint32_t block = source(static_cast<std::size_t>(turn * generators >> 32), random);
        ++filled[std::uint64_t{block} * filled.size() >> 32];
    }
    Fullest fullest{};
    for (std::size_t each = 0; each < shard_counts.size(); ++each) {
        const std::size_t width = filled.size() / shard_counts[each];
        std::uint32_t most = 0;
        for (std::size_t begin = 0; begin < filled.size(); begin += width) {
            std::uint32_t sum = 0;
            for (std::size_t at = begin; at < begin + width; ++at)
                sum += filled[at];
            most = std::max(most, sum);
        }
        fullest[each] = static_cast<double>(most) * shard_counts[each] / static_cast<double>(ids);
    }
    return fullest;
}

struct Rule {
    const char* name;
    Fullest (*run)(std::size_t generators, std::size_t ids, std::uint64_t seed);
};

constexpr Rule rules[] = {
    {"luuid", run<Counted<variable_step, reverse_nibbles>>},
    {"v4", run<RandomIds>},
    {"luuid, preloaded", run<StartedOnAWalk>},
    {"luuid, in a shard of 8", run<Placed<3>>},
    {"luuid, near 16 bits", run<Placed<16>>},
    {"luuid, near 16 bits, beside sequential ids", run<Placed<16, true>>},
    {"luuid, bits reversed", run<Counted<variable_step, reverse_bits>>},
    {"luuid, start by pid", run<StartedByPid>},
    {"golden step, nibbles reversed", run<Counted<golden_step, reverse_nibbles>>},
    {"golden step, as it is", run<Counted<golden_step, as_it_is>>},
    {"step 1, bits reversed", run<Counted<1, reverse_bits>>},
};

struct Size {
    std::size_t ids;
    std::size_t seeds;
};

constexpr Size full_sizes[] = {{1'000, 1001}, {10'000, 1001}, {100'000, 201}, {1'000'000, 51}, {10'000'000, 11}};
constexpr Size quick_sizes[] = {{1'000, 101}, {10'000, 101}, {100'000, 21}, {1'000'000, 5}};

void report(Size size) {
    for (const std::size_t generators : {1, 20, 100, 1000})
        for (const Rule& rule : rules) {
            std::array<std::vector<double>, shard_counts.size()> found;
            for (std::size_t seed = 0; seed < size.seeds; ++seed) {
                const Fullest fullest = rule.run(generators, size.ids, seed);
                for (std::size_t each = 0; each < fullest.size(); ++each)
                    found[each].push_back(fullest[each]);
            }
            for (std::size_t each = 0; each < found.size(); ++each) {
                auto& ratios = found[each];
                std::sort(ratios.begin(), ratios.end());
                std::printf("%zu\t%zu\t%u\t%s\t%.4f\t%.4f\t%zu\n", size.ids, generators, shard_counts[each], rule.name,
                            ratios[ratios.size() / 2], ratios.back(), ratios.size());
            }
        }
}

}  // namespace

int main(int argc, char** argv) {
    const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
    std::puts("ids\tgenerators\tshards\trule\tmedian\tworst\tseeds");
    if (quick)
        for (const Size size : quick_sizes)
            report(size);
    else
        for (const Size size : full_sizes)
            report(size);
}
