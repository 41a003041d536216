// Shards: equal ranges of the first 32 bits, cut the same way by both functions.
#include "catch.hpp"
#include "samples.hpp"

#include "shard.hpp"

using namespace luuid;

namespace {

// Every count where the division behaves differently: powers of two, their neighbours, the ends, and odd ones.
std::vector<std::uint32_t> shard_counts() {
    std::vector<std::uint32_t> counts = {1, 2, 3, 10, 1000, 46'341, 0x7fff'ffff};
    for (unsigned bit = 2; bit < 31; ++bit)
        for (const int distance : {-1, 0, 1})
            counts.push_back((std::uint32_t{1} << bit) + static_cast<std::uint32_t>(distance));
    return counts;
}

}  // namespace

TEST_CASE("an id lies on the shard between whose floors it is", "[shard]") {
    samples::Random random(1);
    for (const std::uint32_t shards : shard_counts())
        for (int i = 0; i < 2000; ++i) {
            const Id id = samples::any_id(random);
            const std::uint32_t shard = shard_of(id, shards);
            REQUIRE_LAW(shard < shards, id, shards);
            REQUIRE_LAW(id >= shard_floor(shard, shards), id, shards);
            REQUIRE_LAW(shard + 1 == shards || id < shard_floor(shard + 1, shards), id, shards);
        }
}

TEST_CASE("a floor is the first id of its shard", "[shard]") {
    samples::Random random(2);
    for (const std::uint32_t shards : shard_counts())
        for (int i = 0; i < 2000; ++i) {
            const auto shard = static_cast<std::uint32_t>(i == 0 ? shards - 1 : random.below(shards));
            const Id floor = shard_floor(shard, shards);
            REQUIRE_LAW(shard_of(floor, shards) == shard, shard, shards);
            if (shard > 0) {
                const Id before{floor.msb - 1, ~std::uint64_t{0}};
                REQUIRE_LAW(shard_of(before, shards) == shard - 1, shard, shards);
            }
        }
}

TEST_CASE("shards are equal to within one prefix", "[shard]") {
    for (const std::uint32_t shards : shard_counts()) {
        const std::uint64_t least = (std::uint64_t{1} << 32) / shards;
        for (std::uint32_t shard = 0; shard < shards && shard < 5000; ++shard) {
            const std::uint64_t size = shard_begin(shard + 1, shards) - shard_begin(shard, shards);
            REQUIRE_LAW(size == least || size == least + 1, shard, shards);
        }
        CHECK(shard_begin(shards, shards) == std::uint64_t{1} << 32);
    }
}
