// Base 32: errors and their positions, with TypeID's examples, round trips, and the sort order of bytes. vectors.cpp
// has its digits.

namespace {

std::string written(const Id& id) {
    std::string text(base32_size, '?');
    format_base32(id, std::span<char, base32_size>(text));
    return text;
}

static_assert(parse_base32("7zzzzzzzzzzzzzzzzzzzzzzzzz") == Id{~std::uint64_t{0}, ~std::uint64_t{0}});

}  // namespace

TEST_CASE("invalid base 32 is rejected with its reason and position", "[base32]") {
    const std::string digit = "a digit or a letter other than \"u\"";
    const auto [text, expected, at] = GENERATE_COPY(table<const char*, std::string, std::size_t>({
        // TypeID's invalid examples.
        {"1234567890123456789012345", digit, 25},
        {"123456789012345678901234567", "the end", 26},
        {"1234567890123456789012345 ", digit, 25},
        {"123456789-123456789-123456", digit, 26},
        {"ooooooiiiiiiuuuuuuulllllll", digit, 12},
        {"8zzzzzzzzzzzzzzzzzzzzzzzzz", "a digit from 0 to 7", 0},
        // Others.
        {"", digit, 0},
        {"-", digit, 1},
        {"-8zzzzzzzzzzzzzzzzzzzzzzzzz", "a digit from 0 to 7", 1},
        {"0123456789abcdefghjkmnpqrs ", "the end", 26},
        {"0123456789abcdefghjkmnpqr\xc3", digit, 25},
    }));
    CAPTURE(text);
    ParseError error;
    CHECK_FALSE(parse_base32(text, error));
    CHECK(error.what == expected);
    CHECK(error.at == at);
}

TEST_CASE("Crockford's rules: either case, look-alikes, hyphens", "[base32]") {
    // TypeID rejects these three, but people type them.
    CHECK(parse_base32("0123456789ABCDEFGHJKMNPQRS") == id_of("0110c853-1d09-52d8-d73e-1194e95b5f19"));
    CHECK(parse_base32("i23456789ol23456789oi23456") == parse_base32("12345678901234567890123456"));
    CHECK(parse_base32("123456789-0123456789-0123456") == parse_base32("12345678901234567890123456"));
    CHECK(parse_base32("-I23456789OL23456789OI23456-") == parse_base32("12345678901234567890123456"));
}

TEST_CASE("ids round-trip through base 32, which sorts as their bytes do", "[base32]") {
    samples::Random random(1);
    std::vector<Id> ids = samples::hostile_ids();
    for (int i = 0; i < 100'000; ++i)
        ids.push_back(samples::any_id(random));
    std::string before;
    std::sort(ids.begin(), ids.end(), Bytewise());
    for (const Id& id : ids) {
        const std::string text = written(id);
        REQUIRE_LAW(parse_base32(text) == id, id, text);
        REQUIRE_LAW(before <= text, id, before, text);
        before = text;
    }
}

TEST_CASE("a ULID becomes a version-7 id with its millisecond and all random bits but six", "[base32]") {
    // The example of the ULID specification's library, at 1 469 918 176 385 ms.
    const Id example = id_from_ulid(*parse_base32("01ARYZ6S41TSV4RRFFQ69G5FAV"));
    CHECK(example == id_of("01563df3-6481-7676-8c61-efb99302bd5b"));
    CHECK((time_of(example) == TickTime(std::chrono::milliseconds(1'469'918'176'385))));

    samples::Random random(3);
    for (int i = 0; i < 100'000; ++i) {
        const Id ulid = samples::any_id(random), id = id_from_ulid(ulid);
        REQUIRE_LAW(layout_of(id) == Layout::v7, ulid, id);
        REQUIRE_LAW(id.msb >> 16 == ulid.msb >> 16, ulid, id);
        REQUIRE_LAW(((id.msb ^ ulid.msb) & 0xfff) == 0 && (id.lsb ^ ulid.lsb) << 2 == 0, ulid, id);
    }
}

TEST_CASE("a mutated text is parsed as written, or rejected", "[base32]") {
    samples::Random random(2);
    int accepted = 0;
    for (int i = 0; i < 200'000; ++i) {
        std::string text = written(samples::any_id(random));
        for (auto changes = random.below(3); changes > 0; --changes)
            samples::mutate(text, random);
        ParseError error;
        const auto parsed = parse_base32(Exactly(text), error);
        const auto digits = reference::base32_digits(text);
        REQUIRE_LAW(parsed.has_value() == digits.has_value(), escaped(text));
        if (digits) {
            ++accepted;
            REQUIRE_LAW(written(*parsed) == *digits, escaped(text));
        } else {
            REQUIRE_LAW(error.at <= text.size(), escaped(text));
        }
    }
    CHECK(accepted > 60'000);
}
