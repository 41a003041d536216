// Shards: equal ranges of the first 32 bits, the same for both functions.

namespace {

// Numbers of shards for which the division behaves differently: powers of two, their neighbours, the ends, and odd
// ones.
std::vector<std::uint32_t> shard_counts() {
    std::vector<std::uint32_t> counts = {1, 2, 3, 10, 1000, 46'341, 0x7fff'ffff};
    for (unsigned bit = 2; bit < 31; ++bit)
        for (const int distance : {-1, 0, 1})
            counts.push_back((std::uint32_t{1} << bit) + static_cast<std::uint32_t>(distance));
    return counts;
}

}  // namespace

TEST_CASE("an id lies on the shard whose floors enclose it", "[shard]") {
    samples::Random random(1);
    for (const std::uint32_t shards : shard_counts())
        for (int i = 0; i < 2000; ++i) {
            const Id id = samples::any_id(random);
            const Shards count = *Shards::of(shards);
            const std::uint32_t number = shard_of(id, count);
            const auto shard = Shard::of(number, count);
            REQUIRE_LAW(shard.has_value(), id, shards);
            REQUIRE_LAW(compare_bytes(id, shard_floor(*shard)) >= 0, id, shards);
            const auto next = Shard::of(number + 1, count);
            REQUIRE_LAW(next.has_value() == (number + 1 < shards), id, shards);
            REQUIRE_LAW(!next || compare_bytes(id, shard_floor(*next)) < 0, id, shards);
        }
}

TEST_CASE("a floor is the first id of its shard", "[shard]") {
    samples::Random random(2);
    for (const std::uint32_t shards : shard_counts())
        for (int i = 0; i < 2000; ++i) {
            const auto shard = static_cast<std::uint32_t>(i == 0 ? shards - 1 : random.below(shards));
            const Shards count = *Shards::of(shards);
            const Id floor = shard_floor(*Shard::of(shard, count));
            REQUIRE_LAW(shard_of(floor, count) == shard, shard, shards);
            if (shard > 0) {
                const Id before{floor.msb - 1, ~std::uint64_t{0}};
                REQUIRE_LAW(shard_of(before, count) == shard - 1, shard, shards);
            }
        }
}

TEST_CASE("shards differ by at most one prefix", "[shard]") {
    for (const std::uint32_t shards : shard_counts()) {
        const std::uint64_t least = (std::uint64_t{1} << 32) / shards;
        for (std::uint32_t shard = 0; shard < shards && shard < 5000; ++shard) {
            const Shard each = *Shard::of(shard, *Shards::of(shards));
            REQUIRE_LAW(each.end() - each.begin() == least || each.end() - each.begin() == least + 1, shard, shards);
        }
        CHECK(Shard::of(shards - 1, *Shards::of(shards))->end() == std::uint64_t{1} << 32);
    }
}

TEST_CASE("shards out of range are rejected", "[shard]") {
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t greatest = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t count : {least, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1} << 31, greatest})
        CHECK_FALSE(Shards::of(count).has_value());
    for (const std::int64_t number : {least, std::int64_t{-1}, std::int64_t{4}, std::int64_t{1} << 32, greatest})
        CHECK_FALSE(Shard::of(number, 4).has_value());
    CHECK(Shard::of(3, 4).has_value());
    for (const std::int64_t bits : {least, std::int64_t{-1}, std::int64_t{33}, greatest})
        CHECK_FALSE(PrefixBits::of(bits).has_value());
    CHECK((PrefixBits::of(0).has_value() && PrefixBits::of(32).has_value()));
}
