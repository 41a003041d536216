// Times as text: the RFC's own examples, errors and their positions, and a second parser of the form.
#include "../../src/cli/rfc3339.hpp"

#include <regex>

using namespace cli;

namespace {

// RFC 3339 a second time, by a regular expression and the standard library's calendar, whose range, unlike the C
// library's, suffices on every machine: microseconds since 1970, or INT64_MAX / 2 past the last year that they hold,
// and its like before 1970; nothing for an invalid time.
std::optional<std::int64_t> time_of_text(const std::string& text) {
    static const std::regex form(
        "(?:([0-9]{4})|([+-][0-9]{6}))-([0-9]{2})-([0-9]{2})"
        "(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\\.([0-9]+))?)?(?:[Zz]|([+-])([0-9]{2})(?::([0-9]{2}))?))?");
    std::smatch found;
    if (!std::regex_match(text, found, form))
        return std::nullopt;
    const auto number = [&](int group) { return found[group].matched ? std::stoi(found[group].str()) : 0; };

    const int year = number(1) + number(2);
    if (year < -294276 || year > 294276 || number(5) > 23 || number(6) > 59 || number(7) > 60 || number(10) > 23 ||
        number(11) > 59)
        return std::nullopt;
    const int cycles = (year + 294'400) / 400 - 736;  // of 400 years
    const std::chrono::year_month_day date(std::chrono::year(year - 400 * cycles),
                                           std::chrono::month(static_cast<unsigned>(number(3))),
                                           std::chrono::day(static_cast<unsigned>(number(4))));
    if (!date.ok())
        return std::nullopt;

    if (year < -290'000 || year > 294'000)
        return year < 0 ? -INT64_MAX / 2 : INT64_MAX / 2;
    const std::int64_t day = std::chrono::seconds(std::chrono::sys_days(date).time_since_epoch()).count() +
                             cycles * std::int64_t{146'097} * 86'400;
    const std::int64_t offset = (found[9] == "-" ? -1 : 1) * (number(10) * 3600 + number(11) * 60);
    const std::string fraction = (found[8].str() + "000000").substr(0, 6);
    return (day + number(5) * 3600 + number(6) * 60 + number(7) - offset) * 1'000'000 + std::stoi(fraction);
}

// A text is valid if and only if the reference accepts it, and gives the same time; an invalid one stops within it or
// at its end. True if it is valid.
bool parses_as_a_time(const std::string& text) {
    const ParsedTime parsed = parse_time(Exactly(text));
    const auto expected = time_of_text(text);
    REQUIRE_LAW((parsed.fault == TimeFault::none) == expected.has_value(), escaped(text));
    if (expected == INT64_MAX / 2 || expected == -INT64_MAX / 2)
        REQUIRE_LAW((parsed.time > at_microsecond(*expected)) == (*expected > 0), escaped(text));
    else if (expected)
        REQUIRE_LAW(parsed.time == at_microsecond(*expected), escaped(text), parsed.time.time_since_epoch().count(),
                    *expected);
    REQUIRE_LAW(parsed.stop <= text.size(), escaped(text), parsed.stop);
    return expected.has_value();
}

// A time round-trips through text, to the microsecond.
void formats_and_parses(std::int64_t instant) {
    const std::string written = format_time(at_tick(instant));
    const std::int64_t below = ((instant % 10) + 10) % 10;
    REQUIRE_LAW(time_of_text(written) == instant / 10 - (instant % 10 < 0), instant, written);
    REQUIRE_LAW(below == 0 || written.substr(written.size() - 2) == std::to_string(below) + 'Z', instant, written);
}

std::string written(std::int64_t instant) { return format_time(at_tick(instant)); }

static_assert(parse_time("1970-01-01").time == at_microsecond(0));
static_assert(parse_time("1970-01-01T00:00:00.000001Z").time == at_microsecond(1));

}  // namespace

TEST_CASE("the examples of RFC 3339 section 5.8 and of luuid's layout", "[rfc3339]") {
    const auto [text, seconds, microseconds] = GENERATE(table<const char*, std::int64_t, std::int64_t>({
        // Seconds as printed by `date -ud TEXT +%s`.
        {"1985-04-12T23:20:50.52Z", 482196050, 520000},
        {"1996-12-19T16:39:57-08:00", 851042397, 0},
        {"1990-12-31T23:59:60Z", 662688000, 0},
        {"1990-12-31T15:59:60-08:00", 662688000, 0},
        {"1937-01-01T12:00:27.87+00:20", -1041337173, 870000},
        {"2012-10-15 18:58:18.45+00", 1350327498, 450000},
        {"2012-10-15 18:58+00", 1350327480, 0},
        {"2012-10-15T18:58Z", 1350327480, 0},
        {"2024-02-29", 1709164800, 0},
        {"2000-02-29t00:00:00z", 951782400, 0},
        {"2022-02-22T19:22:22.123456789Z", 1645557742, 123456},
        {"1582-10-15", -12219292800, 0},
        {"+010889-08-02T05:31:50.655Z", 281474976710, 655000},
        // And as PostgreSQL has them.
        {"+032768-01-01T00:00:00Z", 971890963200, 0},
        {"+294246-12-31T23:59:60Z", 9223371244800, 0},
    }));
    CAPTURE(text);
    CHECK(parse_time(text).fault == TimeFault::none);
    CHECK(parse_time(text).time == at_microsecond(seconds * 1'000'000 + microseconds));
    CHECK(parses_as_a_time(text));
}

TEST_CASE("invalid times are rejected with their reason and position", "[rfc3339]") {
    const auto [text, fault, stop] = GENERATE(table<const char*, TimeFault, std::size_t>({
        {"", TimeFault::form, 0},
        {"now", TimeFault::form, 0},
        {"2026", TimeFault::form, 4},
        {"2026-1-01", TimeFault::form, 6},
        {"26-11-21", TimeFault::form, 2},
        {"+12026-11-21", TimeFault::form, 6},
        {"2026-11-21Q", TimeFault::form, 10},
        {"2026-11-21T", TimeFault::form, 11},
        {"2026-11-21T11Z", TimeFault::form, 13},
        {"2026-11-21T11:05.5Z", TimeFault::form, 16},
        {"2026-11-21T11:05:09.Z", TimeFault::form, 20},
        {"2026-11-21T11:05:09+0100", TimeFault::form, 22},
        {"2026-11-21T11:05:09Z ", TimeFault::form, 20},
        {" 2026-11-21", TimeFault::form, 0},
        {"2026-00-21", TimeFault::field, 5},
        {"2026-13-21", TimeFault::field, 5},
        {"2026-11-00", TimeFault::field, 8},
        {"2026-11-31", TimeFault::field, 8},
        {"2026-02-29", TimeFault::field, 8},
        {"1900-02-29", TimeFault::field, 8},
        {"+294277-01-01", TimeFault::field, 1},
        {"+294275-02-29", TimeFault::field, 11},
        {"2026-11-21T24:00:00Z", TimeFault::field, 11},
        {"2026-11-21T11:60:00Z", TimeFault::field, 14},
        {"2026-11-21T11:05:61Z", TimeFault::field, 17},
        {"2026-11-21T11:05:09+24:00", TimeFault::field, 20},
        {"2026-11-21T11:05", TimeFault::zone, 16},
        {"2026-11-21T11:05:09", TimeFault::zone, 19},
        {"2026-11-21T11:05:09.5", TimeFault::zone, 21},
    }));
    CAPTURE(text);
    CHECK(parse_time(text).fault == fault);
    CHECK(parse_time(text).stop == stop);
    CHECK_FALSE(parses_as_a_time(text));
}

TEST_CASE("a mutated text is valid if the second parser accepts it", "[rfc3339]") {
    samples::Random random(1);
    constexpr std::string_view alphabet = "0123456789+-:.TtZz xy";
    int accepted = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string text = written(static_cast<std::int64_t>(random.bits()) >> random.below(40));
        for (auto changes = random.below(3); changes > 0; --changes)
            text[random.below(text.size())] = alphabet[random.below(alphabet.size())];
        if (random.below(4) == 0)
            text.resize(random.below(text.size() + 1));
        accepted += parses_as_a_time(text);
    }
    CHECK(accepted > 5'000);
}

TEST_CASE("a time is formatted with the digits that it needs", "[rfc3339]") {
    CHECK(written(13503274984500000) == "2012-10-15T18:58:18.450Z");
    CHECK(written(0) == "1970-01-01T00:00:00.000Z");
    CHECK(written(1) == "1970-01-01T00:00:00.0000001Z");
    CHECK(written(-1) == "1969-12-31T23:59:59.9999999Z");
    CHECK(written(-10) == "1969-12-31T23:59:59.999999Z");
    CHECK(written(samples::gregorian_start_us * 10) == "1582-10-15T00:00:00.000Z");
    CHECK(written(static_cast<std::int64_t>(luuid::millisecond_max) * 10'000) == "+010889-08-02T05:31:50.655Z");
    // 2^63 ticks are 29 227.7 years of 365.2425 days.
    CHECK(written(std::numeric_limits<std::int64_t>::min()).starts_with("-027258-"));
}

TEST_CASE("every time round-trips through text", "[rfc3339]") {
    samples::Random random(2);
    for (int i = 0; i < 20'000; ++i)
        formats_and_parses(static_cast<std::int64_t>(random.bits()) >> random.below(60));
    for (const std::int64_t time : samples::hostile_times())
        formats_and_parses(time);
}
