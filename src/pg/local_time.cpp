// SQL functions for local times, of the session's time zone or another, which the planner puts in place of casts,
// AT TIME ZONE, date_trunc and extract. An unknown time zone is error 22023, as it is in these; all else has a result.
#include "server.hpp"

#include <algorithm>

namespace {

// No time zone is further than 168 hours from UTC, so no two offsets of one are further apart.
constexpr int64 greatest_change = 2 * 168 * USECS_PER_HOUR;

// A change of the offset further than this from a time does not touch it: a time and its local time, read as UTC, are
// 168 hours apart at most.
constexpr int64 reach = 32 * USECS_PER_DAY;

// A time zone, or the way in which it cannot be read. Of a text as AT TIME ZONE reads it.
struct Zone {
    const pg_tz* zone = session_timezone;  // null for one offset, or unknown ones
    bool is_known = true;

    Zone() = default;
    explicit Zone(text* name) { zone = luuid_time_zone(text_to_cstring(name), &is_known); }
};

// How far apart the offsets from UTC are that a time zone has between two times. Europe/Berlin, for example, has one
// offset in a week of July, and two, an hour apart, in October.
int64 change_between(TimestampTz first, TimestampTz last, const Zone& zone) {
    // Each year costs a few steps, and more than this is rarely asked about.
    if (!zone.is_known || last - first > 10 * 366 * USECS_PER_DAY)
        return greatest_change;
    if (zone.zone == nullptr)
        return 0;
    pg_time_t time = timestamptz_to_time_t(first);
    const pg_time_t end = timestamptz_to_time_t(last);
    long least = 0, greatest = 0;
    for (bool is_first = true; time <= end; is_first = false) {
        pg_time_t next = 0;
        long before = 0, after = 0;
        int is_dst_before = 0, is_dst_after = 0;
        const int found = pg_next_dst_boundary(&time, &before, &is_dst_before, &next, &after, &is_dst_after, zone.zone);
        if (found < 0)
            return greatest_change;
        least = is_first ? before : std::min(least, before);
        greatest = is_first ? before : std::max(greatest, before);
        if (found == 0)
            break;
        time = next;
    }
    return (greatest - least) * USECS_PER_SEC;
}

// A month counts as 31 days.
bool add(TimestampTz* time, const Interval* interval) noexcept {
    int64 days = 0;
    return !__builtin_mul_overflow(int64{31} * interval->month + interval->day, USECS_PER_DAY, &days) &&
           !__builtin_add_overflow(*time, days, time) && !__builtin_add_overflow(*time, interval->time, time);
}

TimestampTz earliest(TimestampTz time, const Zone& zone) {
    if (TIMESTAMP_NOT_FINITE(time))
        return time;
    const TimestampTz earliest = time - change_between(time - reach, time + reach, zone);
    return IS_VALID_TIMESTAMP(earliest) ? earliest : DT_NOBEGIN;
}

TimestampTz latest(TimestampTz time, const Interval* width, const Zone& zone) {
    // An argument may be -infinity in the place of a time that is out of range, to which others in range are rounded.
    if (TIMESTAMP_IS_NOBEGIN(time) && (width->month | width->day | width->time) != 0)
        return DT_NOEND;
    if (TIMESTAMP_NOT_FINITE(time))
        return time;
    TimestampTz end = time;
    if (!add(&end, width) || !IS_VALID_TIMESTAMP(end))
        return DT_NOEND;
    const TimestampTz latest = end + change_between(time - reach, end + reach, zone);
    return IS_VALID_TIMESTAMP(latest) ? latest : DT_NOEND;
}

// Where it is finite, timestamptz has the result in every time zone. No id has a time outside these days, 4712 BC and
// 11000.
TimestampTz time_in_zone(Timestamp local, text* zone) {
    if (local < (date2j(-4711, 1, 1) - POSTGRES_EPOCH_JDATE) * USECS_PER_DAY)
        return DT_NOBEGIN;
    if (local > (date2j(11000, 1, 1) - POSTGRES_EPOCH_JDATE) * USECS_PER_DAY)
        return DT_NOEND;
    return DatumGetTimestampTz(DirectFunctionCall2(timestamp_zone, PointerGetDatum(zone), TimestampGetDatum(local)));
}

// A number, or the nearest limit, times a factor and rounded up. NaN counts as greater than all numbers.
int64 scaled(Datum number, int64 least, int64 greatest, int64 factor) {
    number = DirectFunctionCall2(numeric_larger, number, NumericGetDatum(int64_to_numeric(least)));
    number = DirectFunctionCall2(numeric_smaller, number, NumericGetDatum(int64_to_numeric(greatest)));
    number = DirectFunctionCall2(numeric_mul, number, NumericGetDatum(int64_to_numeric(factor)));
    return DatumGetInt64(DirectFunctionCall1(numeric_int8, DirectFunctionCall1(numeric_ceil, number)));
}

}  // namespace

// luuid_time(date), luuid_time(timestamp) → timestamptz: as the server's comparisons with a timestamptz convert it. An
// infinity if it is out of range for timestamptz.
LUUID_FUNCTION(luuid_time_of_date) { PG_RETURN_TIMESTAMPTZ(luuid_date_in_range(PG_GETARG_DATEADT(0))); }
LUUID_FUNCTION(luuid_time_of_local_time) { PG_RETURN_TIMESTAMPTZ(luuid_timestamp_in_range(PG_GETARG_TIMESTAMP(0))); }

// luuid_time(date, text), luuid_time(timestamp, text) → timestamptz: as AT TIME ZONE converts it. An infinity before
// 4712 BC, or after the times of all ids.
LUUID_FUNCTION(luuid_time_of_date_in_zone) {
    const int64 days = PG_GETARG_DATEADT(0);
    PG_RETURN_TIMESTAMPTZ(time_in_zone(days * USECS_PER_DAY, PG_GETARG_TEXT_PP(1)));
}
LUUID_FUNCTION(luuid_time_of_local_time_in_zone) {
    PG_RETURN_TIMESTAMPTZ(time_in_zone(PG_GETARG_TIMESTAMP(0), PG_GETARG_TEXT_PP(1)));
}

// luuid_time(numeric) → timestamptz: seconds since 1970, rounded up to a microsecond. No id has a time before or after
// what a number is limited to, the years 99 and 11476.
LUUID_FUNCTION(luuid_time_of_epoch) {
    constexpr int64 least = -59'000'000'000, greatest = 300'000'000'000;
    constexpr int64 epoch = (UNIX_EPOCH_JDATE - POSTGRES_EPOCH_JDATE) * USECS_PER_DAY;
    PG_RETURN_TIMESTAMPTZ(scaled(PG_GETARG_DATUM(0), least, greatest, USECS_PER_SEC) + epoch);
}

// luuid_new_year(numeric) → date: the first day of a year, rounded up. No id has a time before the year 100, or after
// 11000.
LUUID_FUNCTION(luuid_new_year) {
    const auto year = static_cast<int>(scaled(PG_GETARG_DATUM(0), 100, 11'001, 1));
    PG_RETURN_DATEADT(date2j(year, 1, 1) - POSTGRES_EPOCH_JDATE);
}

// luuid_earliest(timestamptz[, text]) → timestamptz: no time before it has a local time, rounded down or not, at or
// after the argument's. It is the argument, or earlier by an hour or so near a change of the clocks: where they go back
// from 01:00 to 00:00, for example, all times between are twice.
LUUID_FUNCTION(luuid_earliest) { PG_RETURN_TIMESTAMPTZ(earliest(PG_GETARG_TIMESTAMPTZ(0), Zone())); }
LUUID_FUNCTION(luuid_earliest_in_zone) {
    PG_RETURN_TIMESTAMPTZ(earliest(PG_GETARG_TIMESTAMPTZ(0), Zone(PG_GETARG_TEXT_PP(1))));
}

// luuid_latest(timestamptz, interval[, text]) → timestamptz: no time after it has a local time, rounded down by less
// than the interval, at or before the argument's. Of -infinity it is infinity, unless nothing is rounded.
LUUID_FUNCTION(luuid_latest) {
    PG_RETURN_TIMESTAMPTZ(latest(PG_GETARG_TIMESTAMPTZ(0), PG_GETARG_INTERVAL_P(1), Zone()));
}
LUUID_FUNCTION(luuid_latest_in_zone) {
    PG_RETURN_TIMESTAMPTZ(latest(PG_GETARG_TIMESTAMPTZ(0), PG_GETARG_INTERVAL_P(1), Zone(PG_GETARG_TEXT_PP(2))));
}
