// The text form: what is accepted and refused, and where, against uuid.c's rules written a second time.
#include "catch.hpp"
#include "java.hpp"
#include "laws.hpp"
#include "samples.hpp"

#include "text.hpp"

// As a failed CHECK shows it.
template <>
struct Catch::StringMaker<luuid::TextFault> {
    static std::string convert(luuid::TextFault fault) {
        constexpr const char* names[] = {"none", "digit_expected", "brace_expected", "end_expected"};
        return names[static_cast<std::size_t>(fault)];
    }
};

using namespace luuid;
using namespace laws;

namespace {

ParsedText parse_exactly(const std::string& text) { return parse(Exactly(text)); }

constexpr Id example{0x20be0ffc314abd53, 0x7a50013a65ca76d2};
static_assert(parse("20be0ffc-314a-bd53-7a50-013a65ca76d2").id == example);
static_assert(parse("").fault == TextFault::digit_expected && parse("").stop == 0);
static_assert(is_canonical("20be0ffc-314a-bd53-7a50-013a65ca76d2"));

}  // namespace

TEST_CASE("the published example reads and writes", "[text]") {
    CHECK(parse("20be0ffc-314a-bd53-7a50-013a65ca76d2").id == example);
    CHECK(formatted(example) == "20be0ffc-314a-bd53-7a50-013a65ca76d2");
}

TEST_CASE("the Java implementation's ids read and write", "[text]") {
    for (const JavaId& java : java_ids()) {
        CHECK(parse(java.text).id == java.id());
        CHECK(formatted(java.id()) == java.text);
    }
}

TEST_CASE("every form of PostgreSQL's manual is accepted", "[text]") {
    const Id id{0xa0eebc999c0b4ef8, 0xbb6d6bb9bd380a11};
    const std::string text =
        GENERATE("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11",
                 "{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}", "a0eebc999c0b4ef8bb6d6bb9bd380a11",
                 "a0ee-bc99-9c0b-4ef8-bb6d-6bb9-bd38-0a11", "{a0eebc99-9c0b4ef8-bb6d6bb9-bd380a11}");
    const ParsedText parsed = parse_exactly(text);
    CHECK(parsed.id == id);
    CHECK(parsed.fault == TextFault::none);
    CHECK(parsed.stop == text.size());
}

TEST_CASE("what is refused, why and where", "[text]") {
    struct Refusal {
        std::string text;
        TextFault fault;
        std::size_t stop;
    };
    const std::string canonical = "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11";
    const Refusal refusal = GENERATE_COPY(values<Refusal>({
        {"", TextFault::digit_expected, 0},
        {"{", TextFault::digit_expected, 1},
        {"{}", TextFault::digit_expected, 1},
        {"-" + canonical, TextFault::digit_expected, 0},
        {" " + canonical, TextFault::digit_expected, 0},
        {"0x" + canonical, TextFault::digit_expected, 1},
        {"a0eebc99--9c0b-4ef8-bb6d-6bb9bd380a11", TextFault::digit_expected, 9},
        {"a0-eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", TextFault::digit_expected, 2},
        {"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1", TextFault::digit_expected, 35},
        {"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1g", TextFault::digit_expected, 35},
        {"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1}", TextFault::digit_expected, 35},
        {"\xc3\xa4" + canonical, TextFault::digit_expected, 0},
        {std::string("a0ee\0bc99", 9), TextFault::digit_expected, 4},
        {"{" + canonical, TextFault::brace_expected, 37},
        {"{" + canonical + "-}", TextFault::brace_expected, 37},
        {"{" + canonical + "0}", TextFault::brace_expected, 37},
        {canonical + "}", TextFault::end_expected, 36},
        {canonical + "-", TextFault::end_expected, 36},
        {canonical + " ", TextFault::end_expected, 36},
        {canonical + "0", TextFault::end_expected, 36},
        {canonical + std::string(1, '\0'), TextFault::end_expected, 36},
        {"{" + canonical + "}}", TextFault::end_expected, 38},
    }));
    CAPTURE(escaped(refusal.text));
    const ParsedText parsed = parse_exactly(refusal.text);
    CHECK(parsed.fault == refusal.fault);
    CHECK(parsed.stop == refusal.stop);
    CHECK_FALSE(reference::parse(refusal.text));
}

TEST_CASE("each of 256 characters is a digit, or is not", "[text]") {
    for (int c = 0; c < 256; ++c) {
        const std::string text = std::string(1, static_cast<char>(c));
        const int expected = reference::is_digit(text[0]) ? std::stoi(text, nullptr, 16) : -1;
        CHECK(digit_value(text[0]) == expected);
        CHECK(parse_exactly(text + std::string(31, '0')).stop == (expected >= 0 ? 32U : text[0] == '{' ? 32U : 0U));
    }
}

TEST_CASE("every form of every id reads back", "[text]") {
    samples::Random random(1);
    for (int i = 0; i < 100'000; ++i) {
        const Id id = samples::any_id(random);
        const std::string text = samples::some_form(id, random);
        const ParsedText parsed = parse_exactly(text);
        REQUIRE_LAW(parsed.id == id, escaped(text));
        REQUIRE_LAW(parsed.fault == TextFault::none && parsed.stop == text.size(), escaped(text));
        REQUIRE_LAW(parse(formatted(id)).id == id, id);
        REQUIRE_LAW(is_canonical(formatted(id)), id);
    }
}

TEST_CASE("mutated texts fare as in uuid.c, and stop where no continuation helps", "[text]") {
    samples::Random random(2);
    int accepted = 0;
    constexpr int rounds = 300'000;
    for (int i = 0; i < rounds; ++i) {
        std::string text = samples::some_form(samples::any_id(random), random);
        for (std::uint64_t left = 1 + random.below(3); left > 0; --left)
            samples::mutate(text, random);

        accepted += parses_as_uuid_does(text);
    }
    // Neither branch above may go untested.
    CHECK(accepted > rounds / 50);
    CHECK(accepted < rounds / 2);
}

TEST_CASE("only 36 characters, 8-4-4-4-12, are canonical", "[text]") {
    samples::Random random(3);
    int canonical = 0;
    for (int i = 0; i < 300'000; ++i) {
        std::string text = random.below(2) == 0 ? formatted(samples::any_id(random))
                                                : samples::some_form(samples::any_id(random), random);
        if (random.below(2) == 0)
            samples::mutate(text, random);
        canonical += is_canonical_where_it_says(text);
    }
    CHECK(canonical > 50'000);
    CHECK(is_canonical("A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"));
    CHECK_FALSE(is_canonical("a0ee-bc99-9c0b-4ef8-bb6d6bb9bd380a11"));
}
