// Times as text, in the form of RFC 3339, since not all standard libraries have std::chrono::parse and std::format.
#pragma once

#include <luuid/time.hpp>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

namespace cli {

enum class TimeFault : std::uint8_t {
    none,
    form,   // a digit or a separator was expected
    field,  // a number out of range for its field, such as month 13
    zone,   // a time of day without its zone
};

// The result of parse_time: a time, or a fault and the offset of the character or field that is wrong.
struct ParsedTime {
    luuid::Time time{};
    TimeFault fault = TimeFault::none;
    std::size_t stop = 0;
};

namespace detail {

// Scans a text from the left, and remembers the first fault.
class TimeScanner {
public:
    constexpr explicit TimeScanner(std::string_view text) noexcept : text_(text) {}

    constexpr std::size_t position() const noexcept { return at_; }
    constexpr bool at_end() const noexcept { return at_ == text_.size(); }
    constexpr char next() const noexcept { return at_end() ? '\0' : text_.data()[at_]; }
    constexpr bool next_is_digit() const noexcept { return next() >= '0' && next() <= '9'; }
    constexpr bool failed() const noexcept { return result.fault != TimeFault::none; }

    constexpr void fail(TimeFault fault, std::size_t stop) noexcept {
        if (!failed())
            result = {{}, fault, stop};
    }
    constexpr void fail(TimeFault fault) noexcept { fail(fault, at_); }

    constexpr bool skip(char wanted) noexcept {
        const bool found = !at_end() && next() == wanted;
        at_ += found;
        return found;
    }

    constexpr void expect(char wanted) noexcept {
        if (!skip(wanted))
            fail(TimeFault::form);
    }

    // Exactly this many digits, for a number in this range.
    constexpr int number(int digits, int least, int greatest) noexcept {
        const std::size_t begin = at_;
        int value = 0;
        for (; digits > 0; --digits) {
            if (!next_is_digit()) {
                fail(TimeFault::form);
                return least;
            }
            value = value * 10 + (text_.data()[at_++] - '0');
        }
        if (value < least || value > greatest) {
            fail(TimeFault::field, begin);
            return least;
        }
        return value;
    }

    ParsedTime result;

private:
    std::string_view text_;
    std::size_t at_ = 0;
};

// 2026-11-21, or +010889-08-02. Years end with that of timestamptz. A day past 64 bits of microseconds becomes the last
// one that these hold, which no id's time reaches.
constexpr std::chrono::sys_days scanned_date(TimeScanner& scan) noexcept {
    using namespace std::chrono;
    const bool is_before_year_0 = scan.skip('-');
    const bool is_long = is_before_year_0 || scan.skip('+');
    const int unsigned_years = is_long ? scan.number(6, 0, 294'276) : scan.number(4, 0, 9999);
    const int years = is_before_year_0 ? -unsigned_years : unsigned_years;
    scan.expect('-');
    const int months = scan.number(2, 1, 12);
    scan.expect('-');
    const std::size_t day_begin = scan.position();
    const int days = scan.number(2, 1, 31);
    // Computes in the calendar's cycle of 400 years, since std::chrono::year ends with 32767.
    const year_month_day date{year{years % 400}, month(static_cast<unsigned>(months)),
                              day(static_cast<unsigned>(days))};
    if (!date.ok())
        scan.fail(TimeFault::field, day_begin);
    constexpr std::chrono::days last = floor<std::chrono::days>(luuid::Time::duration::max()) - std::chrono::days(2);
    const std::chrono::days since_1970 = sys_days(date).time_since_epoch() + years / 400 * std::chrono::days(146'097);
    return sys_days(std::clamp(since_1970, -last, last));
}

// 11:05, 11:05:09 or 11:05:09.25, with any number of digits after the point.
constexpr std::chrono::microseconds scanned_time_of_day(TimeScanner& scan) noexcept {
    int seconds = scan.number(2, 0, 23) * 3600;
    scan.expect(':');
    seconds += scan.number(2, 0, 59) * 60;
    int microseconds = 0;
    if (scan.skip(':')) {
        seconds += scan.number(2, 0, 60);
        if (scan.skip('.')) {
            microseconds = scan.number(1, 0, 9) * 100'000;
            for (int unit = 10'000; scan.next_is_digit(); unit /= 10)
                microseconds += scan.number(1, 0, 9) * unit;
        }
    }
    return std::chrono::seconds(seconds) + std::chrono::microseconds(microseconds);
}

// How far a zone such as Z, +01 or -01:30 is east of UTC.
constexpr std::chrono::seconds scanned_offset(TimeScanner& scan) noexcept {
    if (scan.at_end())
        scan.fail(TimeFault::zone);
    if (scan.skip('Z') || scan.skip('z'))
        return {};
    const bool is_west = scan.skip('-');
    if (!is_west)
        scan.expect('+');
    int seconds = scan.number(2, 0, 23) * 3600;
    if (scan.skip(':'))
        seconds += scan.number(2, 0, 59) * 60;
    return std::chrono::seconds(is_west ? -seconds : seconds);
}

}  // namespace detail

// Accepts a date, which means its midnight in UTC, or a date with a time of day and a zone:
//
//   2026-11-21   2026-11-21T11:05:09Z   2026-11-21 12:05:09.25+01:00   2026-11-21 12:05:09.25+01   +010889-08-02
//
// The zone may lack its minutes, as PostgreSQL writes it, and the time of day its seconds, as PostgreSQL reads it.
// Years outside 0 .. 9999 have a sign and six digits, as in ECMAScript. Digits of a second below the microsecond are
// dropped; second 60 is second 0 of the next minute.
constexpr ParsedTime parse_time(std::string_view text) noexcept {
    detail::TimeScanner scan(text);
    luuid::Time time = detail::scanned_date(scan);
    if (!scan.at_end()) {
        if (!scan.skip('T') && !scan.skip('t') && !scan.skip(' '))
            scan.fail(TimeFault::form);
        time += detail::scanned_time_of_day(scan);
        time -= detail::scanned_offset(scan);
        if (!scan.at_end())
            scan.fail(TimeFault::form);
    }
    scan.result.time = time;
    return scan.result;
}

// A time as RFC 3339 in UTC. The second has 3 digits after the point, or 6 or 7 if the time needs them.
inline std::string format_time(luuid::TickTime time) {
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date{day};
    // Not `time - day`: the day of the first times begins before any that 64 bits of ticks hold, so that overflows.
    const luuid::Ticks rest = time.time_since_epoch() % std::chrono::days(1);
    const std::chrono::hh_mm_ss of_day{rest < rest.zero() ? rest + std::chrono::days(1) : rest};
    const int year = static_cast<int>(date.year());
    const bool is_long = year < 0 || year > 9999;
    const std::int64_t ticks = of_day.subseconds().count();
    const int digits = ticks % 10'000 == 0 ? 3 : ticks % 10 == 0 ? 6 : 7;
    char text[sizeof "+010889-08-02T05:31:50.6559999Z"];
    std::snprintf(text, sizeof text,
                  is_long ? "%+07d-%02u-%02uT%02d:%02d:%02d.%0*dZ" : "%04d-%02u-%02uT%02d:%02d:%02d.%0*dZ", year,
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  static_cast<int>(of_day.hours().count()), static_cast<int>(of_day.minutes().count()),
                  static_cast<int>(of_day.seconds().count()), digits,
                  static_cast<int>(digits == 3   ? ticks / 10'000
                                   : digits == 6 ? ticks / 10
                                                 : ticks));
    return text;
}

}  // namespace cli
