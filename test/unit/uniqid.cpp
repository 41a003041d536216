// Short keys: every bit round-trips, and an invalid key is rejected for the right reason.

namespace {

std::string formatted(const Uniqid& key, UniqidShards shards) {
    std::string text(uniqid_size_max, '?');
    return std::string(format_uniqid(key, shards, std::span<char, uniqid_size_max>(text)));
}

// Any text as a key. True if it is one.
bool imports_and_exports(const std::string& text) {
    ParseError error;
    const auto parsed = parse_uniqid(Exactly(text), error);
    const std::string_view fault = reference::uniqid_fault(text);
    REQUIRE_LAW(parsed.has_value() == fault.empty(), escaped(text));
    REQUIRE_LAW(fault.empty() || error.what == fault, escaped(text));
    if (fault.ends_with("digit")) {
        const auto is_wrong = [&text](std::size_t at) {
            const bool is_decimal = text[at] >= '0' && text[at] <= '9';
            return at + 17 < text.size() ? !is_decimal : !reference::is_digit(text[at]);
        };
        std::size_t stop = 0;
        while (!is_wrong(stop))
            ++stop;
        REQUIRE_LAW(error.at == stop, escaped(text), error.at);
    }
    if (!parsed)
        return false;

    const Id id = id_from_uniqid(*parsed);
    const std::string all = std::string(text.size() == 13 ? "0000" : "") + text;
    std::string unsharded = all.substr(all.size() - 17);
    for (char& digit : unsharded)
        digit = static_cast<char>(std::tolower(static_cast<unsigned char>(digit)));
    REQUIRE_LAW(reference::version(id) == 1 && reference::variant_is_10(id), escaped(text), id);
    REQUIRE_LAW(
        reference::microseconds(id) == static_cast<std::int64_t>(reference::number(unsharded.substr(4, 8)) * 1'000'000 +
                                                                 reference::number(unsharded.substr(12))),
        escaped(text), id);
    const auto back = uniqid_from_id(id);
    REQUIRE_LAW(back.has_value(), escaped(text), id);
    for (const std::uint32_t shards : {1, 2, 10, 11, 100, 101, 999, 1000}) {
        const std::string key = formatted(*back, *UniqidShards::of(shards));
        REQUIRE_LAW(key == std::to_string(reference::number(unsharded.substr(12)) % shards) + unsharded, escaped(text),
                    key);
        REQUIRE_LAW(id_from_uniqid(*parse_uniqid(key)) == id, escaped(text), key);
    }
    return true;
}

// Any id.
void exports_and_imports(const Id& id) {
    const auto key = uniqid_from_id(id);
    const auto microseconds = reference::microseconds(id);
    REQUIRE_LAW(key.has_value() == (microseconds && *microseconds >= 0 && *microseconds / 1'000'000 <= 0xffff'ffff),
                id);
    if (!key)
        return;
    const std::string text = formatted(*key, 10);
    REQUIRE_LAW(parse_uniqid(text).has_value(), id, text);
    REQUIRE_LAW(reference::microseconds(id_from_uniqid(*parse_uniqid(text))) == microseconds, id, text);
    REQUIRE_LAW(uniqid_from_id(id_from_uniqid(*key))->random == key->random, id, text);
}

// Sized for any four hexadecimal numbers, since not every compiler sees that these fit 18 digits.
constexpr std::size_t text_room = 4 * 8 + 1;

// As in PHP: sprintf("%08x%05x", $seconds, $microseconds), after what the scheme prepends.
std::string php_key(std::uint32_t shards, std::uint32_t random, std::uint32_t seconds, std::uint32_t microseconds) {
    char text[text_room];
    std::snprintf(text, sizeof text, "%u%04x%08x%05x", microseconds % shards, random, seconds, microseconds);
    return text;
}

}  // namespace

TEST_CASE("a key round-trips through its id, for every number of shards", "[uniqid]") {
    samples::Random random(1);
    for (int i = 0; i < 50'000; ++i) {
        const auto shards = static_cast<std::uint32_t>(1 + random.below(random.below(2) == 0 ? 16 : 1000));
        const bool edge = random.below(10) == 0;
        const auto seconds = edge ? (i % 2 ? 0xffff'ffffu : 0u) : static_cast<std::uint32_t>(random.bits());
        const auto microseconds = edge ? (i % 3 ? 999'999u : 0u) : static_cast<std::uint32_t>(random.below(1'000'000));
        const std::string key =
            php_key(shards, static_cast<std::uint32_t>(random.below(65'536)), seconds, microseconds);
        REQUIRE_LAW(imports_and_exports(key), key);
        REQUIRE_LAW(formatted(*uniqid_from_id(id_from_uniqid(*parse_uniqid(key))), *UniqidShards::of(shards)) == key,
                    key);
    }
}

TEST_CASE("a key without its shard, and uniqid() alone, give the same remaining fields", "[uniqid]") {
    const std::string key = php_key(10, 0xabcd, 0x4b340366, 0x5fea1);
    const Id id = id_from_uniqid(*parse_uniqid(key));
    CHECK(id_from_uniqid(*parse_uniqid(key.substr(1))) == id);
    const Id bare = id_from_uniqid(*parse_uniqid(key.substr(5)));
    CHECK(bare == Id{id.msb, id.lsb - 0xabcd});
}

TEST_CASE("a key of the PHP class for twelve shards: the shard is decimal", "[uniqid]") {
    // 0xaf7e6 is 718 822, and 718 822 modulo 12 is 10.
    const auto key = parse_uniqid("10aa286b01eea5af7e6");
    REQUIRE(key.has_value());
    CHECK(key->random == 0xaa28);
    CHECK(key->seconds == 0x6b01eea5);
    CHECK(key->microseconds == 718'822);
    CHECK(uniqid_shard(*key, 12) == 10);
    CHECK(formatted(*key, 12) == "10aa286b01eea5af7e6");
    CHECK(formatted(*key, 1000) == "822aa286b01eea5af7e6");
    CHECK_FALSE(imports_and_exports("aaa286b01eea5af7e6"));
}

TEST_CASE("invalid keys are rejected with their reason", "[uniqid]") {
    const std::string longest = php_key(1000, 0xabcd, 0x4b340366, 0x5fea1);  // shard 865
    for (std::size_t length = 0; length < 45; ++length)
        imports_and_exports((longest + longest + longest).substr(0, length));
    for (std::size_t at = 0; at < longest.size(); ++at)
        for (int c = 0; c < 256; ++c) {
            std::string text = longest;
            text[at] = static_cast<char>(c);
            imports_and_exports(text);
        }
    CHECK(imports_and_exports("4b340366f423f"));
    CHECK_FALSE(imports_and_exports("4b340366f4240"));
    // Not as PHP writes it.
    CHECK_FALSE(imports_and_exports("05abcd4b3403665fea1"));
    CHECK_FALSE(imports_and_exports("005abcd4b3403665fea1"));
}

TEST_CASE("a shard must fit some number of shards", "[uniqid]") {
    samples::Random random(2);
    for (int i = 0; i < 20'000; ++i)
        imports_and_exports(std::to_string(random.below(random.below(2) == 0 ? 16 : 1000)) +
                            php_key(1, 7, 99, static_cast<std::uint32_t>(random.below(1'000'000))).substr(1));
}

TEST_CASE("new keys have increasing microseconds, follow a moving clock, and end with their seconds", "[uniqid]") {
    samples::Random random(3);
    UniqidTimeline timeline;
    std::int64_t now = 1'795'262'400'000'000, latest = 0;
    for (int i = 0; i < 1'000'000; ++i) {
        now += random.below(1000) == 0 ? static_cast<std::int64_t>(random.below(2'000'000)) - 1'000'000
                                       : static_cast<std::int64_t>(random.below(3));
        const std::uint64_t bits = random.bits();
        const auto key = timeline.next(at_microsecond(now), bits);
        REQUIRE_LAW(key.has_value(), now);
        const std::int64_t made = std::int64_t{key->seconds} * 1'000'000 + key->microseconds;
        REQUIRE_LAW(made > latest && (made == now || now <= latest), made, now, latest);
        REQUIRE_LAW(key->random == (bits & 0xffff), bits);
        latest = made;
    }
    UniqidTimeline last;
    CHECK(last.next(at_microsecond(4'294'967'295'999'998), 0).has_value());
    CHECK(last.next(at_microsecond(0), 0).has_value());
    CHECK_FALSE(last.next(at_microsecond(0), 0).has_value());
}

TEST_CASE("an id outside 32 bits of seconds, or without a time, has no key", "[uniqid]") {
    for (const Id& id : samples::hostile_ids())
        exports_and_imports(id);
    for (const Layout layout : samples::timed_layouts)
        for (const std::int64_t second : {0LL, 0xffff'ffffLL, 0x1'0000'0000LL})
            exports_and_imports(samples::id_at(layout, second * 10'000'000, {}));
}
