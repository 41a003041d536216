// SQL functions for the ids of local times, which the planner compares with where a query compares `id::date`, AT TIME
// ZONE or date_trunc of an id's time. They never fail: what they are wide of, the query's own comparison rejects.
#include "datum.hpp"

#include <algorithm>

using namespace luuid;
using namespace luuid::pg;

namespace {

// A time zone by name, as AT TIME ZONE reads it, or the session's for ''.
struct Zone {
    explicit Zone(text* name)
        : name(name), is_session(VARSIZE_ANY_EXHDR(name) == 0), zone(is_session ? session_timezone : nullptr) {
        if (!is_session)
            zone = luuid_time_zone(text_to_cstring(name), &is_known);
    }

    text* name;
    bool is_session;
    bool is_known = true;
    const pg_tz* zone;  // null for an abbreviation of one offset from UTC
};

// No id has a time before or after these, 4001 BC and 11000, where every time zone can convert.
constexpr Timestamp first_local = int64{-6000} * 36525 / 100 * USECS_PER_DAY;
constexpr Timestamp last_local = int64{9000} * 36525 / 100 * USECS_PER_DAY;

TimestampTz time_of(Timestamp local, const Zone& zone) {
    if (local < first_local || local > last_local)
        return local < first_local ? DT_NOBEGIN : DT_NOEND;
    if (zone.is_session)
        return DatumGetTimestampTz(DirectFunctionCall1(timestamp_timestamptz, TimestampGetDatum(local)));
    return zone.is_known ? DatumGetTimestampTz(DirectFunctionCall2(timestamp_zone, PointerGetDatum(zone.name),
                                                                   TimestampGetDatum(local)))
                         : 0;
}

Timestamp midnight_of(DateADT day) {
    constexpr DateADT greatest = last_local / USECS_PER_DAY + 1;
    return int64{std::clamp(day, -greatest, greatest)} * USECS_PER_DAY;
}

// How far apart the offsets from UTC are that a time zone has around a time. Europe/Berlin, for example, has one offset
// in July, and two, an hour apart, at the end of October.
int64 change_around(TimestampTz time, const Zone& zone) {
    // A time and its local time, read as UTC, are 168 hours apart at most, and a month is longer.
    constexpr int64 reach = 32 * USECS_PER_DAY;
    if (zone.zone == nullptr)
        return 0;
    pg_time_t begin = timestamptz_to_time_t(time - reach);
    const pg_time_t end = timestamptz_to_time_t(time + reach);
    long least = 0, greatest = 0;
    for (bool is_first = true; begin <= end; is_first = false) {
        pg_time_t next = 0;
        long before = 0, after = 0;
        int is_dst_before = 0, is_dst_after = 0;
        const int found =
            pg_next_dst_boundary(&begin, &before, &is_dst_before, &next, &after, &is_dst_after, zone.zone);
        if (found < 0)
            return 2 * 168 * USECS_PER_HOUR;
        least = is_first ? before : std::min(least, before);
        greatest = is_first ? before : std::max(greatest, before);
        if (found == 0)
            break;
        begin = next;
    }
    return (greatest - least) * USECS_PER_SEC;
}

// Where clocks go back from 01:00 to 00:00, for example, all local times between are twice, an hour apart.
Datum floor_around(TimestampTz time, const Zone& zone) {
    if (!zone.is_known)
        time = DT_NOBEGIN;
    else if (!TIMESTAMP_NOT_FINITE(time))
        time -= change_around(time, zone);
    return datum_from_id(floor_of(time_from_timestamptz(time)));
}

Datum ceiling_around(TimestampTz time, const Interval* width, const Zone& zone) {
    const int64 distance = width->day * USECS_PER_DAY + width->time;
    if (!zone.is_known)
        time = DT_NOEND;
    else if (!TIMESTAMP_NOT_FINITE(time)) {
        time = std::min(time, last_local) + distance;
        time += change_around(time, zone);
    }
    return datum_from_id(ceiling_of(time_from_timestamptz(time)));
}

}  // namespace

// luuid_local_floor(bound, zone text) → luuid, for a date, a timestamp or a timestamptz: no id before it has a local
// time, rounded down or not, at or after the bound.
#define LUUID_LOCAL_FLOOR(type, time)              \
    LUUID_FUNCTION(luuid_local_floor_of_##type) {  \
        const Zone zone{PG_GETARG_TEXT_PP(1)};     \
        PG_RETURN_DATUM(floor_around(time, zone)); \
    }

// luuid_local_ceiling(bound, width interval, zone text) → luuid: no id after it has a local time, rounded down by no
// more than the width, at or before the bound. The width has no months.
#define LUUID_LOCAL_CEILING(type, time)                                       \
    LUUID_FUNCTION(luuid_local_ceiling_of_##type) {                           \
        const Zone zone{PG_GETARG_TEXT_PP(2)};                                \
        PG_RETURN_DATUM(ceiling_around(time, PG_GETARG_INTERVAL_P(1), zone)); \
    }

LUUID_LOCAL_FLOOR(date, time_of(midnight_of(PG_GETARG_DATEADT(0)), zone))
LUUID_LOCAL_FLOOR(timestamp, time_of(PG_GETARG_TIMESTAMP(0), zone))
LUUID_LOCAL_FLOOR(timestamptz, PG_GETARG_TIMESTAMPTZ(0))
LUUID_LOCAL_CEILING(date, time_of(midnight_of(PG_GETARG_DATEADT(0)), zone))
LUUID_LOCAL_CEILING(timestamp, time_of(PG_GETARG_TIMESTAMP(0), zone))
LUUID_LOCAL_CEILING(timestamptz, PG_GETARG_TIMESTAMPTZ(0))
