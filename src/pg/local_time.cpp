// SQL functions for local times, those of the session's time zone, which the planner puts in place of casts and
// date_trunc. All are total.
#include "server.hpp"

namespace {

// No time zone is further than 168 hours from UTC, so no two offsets of one are further apart.
constexpr int64 greatest_change = 2 * 168 * USECS_PER_HOUR;

// A change of the offset further than this from a time does not touch it: a time and its local time, read as UTC, are
// 168 hours apart at most.
constexpr int64 reach = 32 * USECS_PER_DAY;

// How far apart the offsets from UTC are that the session's time zone has between two times. Europe/Berlin, for
// example, has one offset in a week of July, and two, an hour apart, in October.
int64 change_between(TimestampTz first, TimestampTz last) {
    // Each year costs a few steps, and more than this is rarely asked about.
    if (last - first > 10 * 366 * USECS_PER_DAY)
        return greatest_change;
    pg_time_t time = timestamptz_to_time_t(first);
    const pg_time_t end = timestamptz_to_time_t(last);
    long least = 0, greatest = 0;
    for (bool is_first = true; time <= end; is_first = false) {
        pg_time_t next = 0;
        long before = 0, after = 0;
        int is_dst_before = 0, is_dst_after = 0;
        const int found =
            pg_next_dst_boundary(&time, &before, &is_dst_before, &next, &after, &is_dst_after, session_timezone);
        if (found < 0)
            return greatest_change;
        least = is_first ? before : Min(least, before);
        greatest = is_first ? before : Max(greatest, before);
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

}  // namespace

// luuid_time(date), luuid_time(timestamp) → timestamptz: as the server's comparisons with a timestamptz convert it. An
// infinity if it is out of range for timestamptz.
LUUID_FUNCTION(luuid_time_of_date) { PG_RETURN_TIMESTAMPTZ(luuid_date_in_range(PG_GETARG_DATEADT(0))); }
LUUID_FUNCTION(luuid_time_of_local_time) { PG_RETURN_TIMESTAMPTZ(luuid_timestamp_in_range(PG_GETARG_TIMESTAMP(0))); }

// luuid_earliest(timestamptz) → timestamptz: no time before it has a local time, rounded down or not, at or after the
// argument's. It is the argument, or earlier by an hour or so near a change of the clocks: where they go back from
// 01:00 to 00:00, both of these are twice.
LUUID_FUNCTION(luuid_earliest) {
    const TimestampTz time = PG_GETARG_TIMESTAMPTZ(0);
    if (TIMESTAMP_NOT_FINITE(time))
        PG_RETURN_TIMESTAMPTZ(time);
    const TimestampTz earliest = time - change_between(time - reach, time + reach);
    PG_RETURN_TIMESTAMPTZ(IS_VALID_TIMESTAMP(earliest) ? earliest : DT_NOBEGIN);
}

// luuid_latest(timestamptz, interval) → timestamptz: no time after it has a local time, rounded down by less than the
// interval, at or before the argument's.
LUUID_FUNCTION(luuid_latest) {
    const TimestampTz time = PG_GETARG_TIMESTAMPTZ(0);
    if (TIMESTAMP_NOT_FINITE(time))
        PG_RETURN_TIMESTAMPTZ(time);
    TimestampTz end = time;
    if (!add(&end, PG_GETARG_INTERVAL_P(1)) || !IS_VALID_TIMESTAMP(end))
        PG_RETURN_TIMESTAMPTZ(DT_NOEND);
    const TimestampTz latest = end + change_between(time - reach, end + reach);
    PG_RETURN_TIMESTAMPTZ(IS_VALID_TIMESTAMP(latest) ? latest : DT_NOEND);
}
