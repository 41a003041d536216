// Short keys: every bit comes back, and what is no key is refused for the right reason.
#include "catch.hpp"
#include "laws.hpp"
#include "samples.hpp"

#include <luuid/uniqid.hpp>

#include <cstdio>
#include <string>

using namespace luuid;
using namespace luuid::detail;

namespace {

// For any four numbers in hexadecimal: that these are small enough for 18 digits is more than every compiler sees.
constexpr std::size_t text_room = 4 * 8 + 1;

// As PHP writes it: sprintf("%08x%05x", $seconds, $microseconds), behind what the scheme puts in front.
std::string php_key(std::uint32_t shards, std::uint32_t random, std::uint32_t seconds, std::uint32_t microseconds) {
    char text[text_room];
    std::snprintf(text, sizeof text, "%x%04x%08x%05x", microseconds % shards, random, seconds, microseconds);
    return text;
}

}  // namespace

TEST_CASE("a key comes back from its id digit for digit, for every count of shards", "[uniqid]") {
    samples::Random random(1);
    for (int i = 0; i < 200'000; ++i) {
        const auto shards = static_cast<std::uint32_t>(1 + random.below(16));
        const bool edge = random.below(10) == 0;
        const auto seconds = edge ? (i % 2 ? 0xffff'ffffu : 0u) : static_cast<std::uint32_t>(random.bits());
        const auto microseconds = edge ? (i % 3 ? 999'999u : 0u) : static_cast<std::uint32_t>(random.below(1'000'000));
        const std::string key =
            php_key(shards, static_cast<std::uint32_t>(random.below(65'536)), seconds, microseconds);
        const ParsedUniqid parsed = parse_uniqid(key);
        REQUIRE_LAW(parsed.fault == UniqidFault::none, key);
        const Id id = id_from_uniqid(parsed.key);
        REQUIRE_LAW(layout_of(id) == Layout::v1, key, id);
        REQUIRE_LAW(*ticks(id) == (std::int64_t{seconds} * 1'000'000 + microseconds) * 10, key, id);
        const auto back = uniqid_from_id(id);
        REQUIRE_LAW(back.has_value(), key, id);
        REQUIRE_LAW(laws::formatted(*back, *UniqidShards::of(shards)) == key, key, id);
    }
}

TEST_CASE("a key without its shard, and uniqid() alone, have the rest in common", "[uniqid]") {
    const std::string key = php_key(10, 0xabcd, 0x4b340366, 0x5fea1);
    const Id id = id_from_uniqid(parse_uniqid(key).key);
    CHECK(id_from_uniqid(parse_uniqid(key.substr(1)).key) == id);
    const Id bare = id_from_uniqid(parse_uniqid(key.substr(5)).key);
    CHECK(bare == Id{id.msb, id.lsb - 0xabcd});
}

TEST_CASE("what is no key is refused for its reason", "[uniqid]") {
    const std::string key = php_key(10, 0xabcd, 0x4b340366, 0x5fea1);
    const auto fault = [](const std::string& text) { return parse_uniqid(text).fault; };
    for (std::size_t length = 0; length < 25; ++length)
        if (length != 13 && length != 17 && length != 18)
            CHECK(fault((key + key).substr(0, length)) == UniqidFault::length);
    for (std::size_t at = 0; at < key.size(); ++at)
        for (const char bad : {'g', 'G', ' ', '-', '/', ':', '@', '`', '\0', '\xff', '\x80'}) {
            std::string text = key;
            text[at] = bad;
            REQUIRE(fault(text) == UniqidFault::digit);
            REQUIRE(parse_uniqid(text).stop == at);
        }
    CHECK(fault("4b340366f423f") == UniqidFault::none);
    CHECK(fault("4b340366f4240") == UniqidFault::microseconds);
}

TEST_CASE("a shard digit is right for some count of shards, or refused", "[uniqid]") {
    samples::Random random(2);
    for (int i = 0; i < 100'000; ++i) {
        const auto microseconds = static_cast<std::uint32_t>(random.below(1'000'000));
        const auto digit = static_cast<std::uint32_t>(random.below(16));
        bool right = false;
        for (std::uint32_t shards = 1; shards <= 16; ++shards)
            right = right || microseconds % shards == digit;
        char text[text_room];
        std::snprintf(text, sizeof text, "%x%04x%08x%05x", digit, 7u, 99u, microseconds);
        REQUIRE((parse_uniqid(text).fault == UniqidFault::none) == right);
    }
}

TEST_CASE("an id outside 32 bits of seconds, or without a time, has no key", "[uniqid]") {
    constexpr std::int64_t last_second = std::int64_t{0xffff'ffff} * 10'000'000;
    for (const Layout layout : samples::timed_layouts) {
        const auto key_at = [&](std::int64_t instant) { return uniqid_from_id(samples::id_at(layout, instant, {})); };
        CHECK(key_at(0).has_value());
        CHECK(key_at(last_second).has_value());
        CHECK_FALSE(key_at(last_second + 10'000'000).has_value());
    }
    CHECK_FALSE(uniqid_from_id(samples::id_at(Layout::v1, -1, {})).has_value());
    CHECK_FALSE(uniqid_from_id(nil_id).has_value());
    CHECK_FALSE(uniqid_from_id({~std::uint64_t{0}, ~std::uint64_t{0}}).has_value());
}
