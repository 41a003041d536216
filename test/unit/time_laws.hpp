// Laws for times as text: RFC 3339 a second time, by a regular expression and the standard library's calendar, whose
// range, unlike the C library's, suffices on every machine. Include it after REQUIRE_LAW, as laws.hpp.
#pragma once

#include "laws.hpp"

#include "../../src/cli/rfc3339.hpp"

#include <chrono>
#include <regex>

namespace reference {

// Microseconds since 1970, or INT64_MAX / 2 past the last year that they hold, and its like before 1970; nothing for an
// invalid time.
inline std::optional<std::int64_t> time_of_text(const std::string& text) {
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

}  // namespace reference

namespace laws {

using namespace cli;

// A text is valid if and only if the reference accepts it, and gives the same time; an invalid one stops within it or
// at its end. True if it is valid.
inline bool parses_as_a_time(const std::string& text) {
    const ParsedTime parsed = parse_time(Exactly(text));
    const auto expected = reference::time_of_text(text);
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
inline void formats_and_parses(std::int64_t instant) {
    const std::string written = format_time(at_tick(instant));
    const std::int64_t below = ((instant % 10) + 10) % 10;
    REQUIRE_LAW(reference::time_of_text(written) == instant / 10 - (instant % 10 < 0), instant, written);
    REQUIRE_LAW(below == 0 || written.substr(written.size() - 2) == std::to_string(below) + 'Z', instant, written);
}

}  // namespace laws
