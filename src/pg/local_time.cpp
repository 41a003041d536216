// SQL functions for the bounds that the planner adds beside comparisons of `id::date`, and of AT TIME ZONE and
// date_trunc() of an id's time. They raise no errors: a bound may be wide, since the comparison filters the rows.
#include "datum.hpp"

#include <algorithm>
#include <cstdlib>

using namespace luuid;
using namespace luuid::pg;

namespace {

// The years 500 and 11000. Times beyond are replaced by these, since every id's time, rounded down to any unit, lies
// between. All times between can be rounded and converted without error.
constexpr Timestamp first_time = int64{-1500} * 36525 / 100 * USECS_PER_DAY;
constexpr Timestamp last_time = int64{9000} * 36525 / 100 * USECS_PER_DAY;
constexpr DateADT last_day = last_time / USECS_PER_DAY + 1;

Timestamp local_of(TimestampTz time, pg_tz* zone) {
    pg_tm fields;
    fsec_t fraction = 0;
    int west = 0;
    timestamp2tm(time, &west, &fields, &fraction, nullptr, zone);
    return time - west * USECS_PER_SEC;
}

TimestampTz time_of(Timestamp local, pg_tz* zone) {
    pg_tm fields;
    fsec_t fraction = 0;
    timestamp2tm(local, nullptr, &fields, &fraction, nullptr, nullptr);
    return local + DetermineTimeZoneOffset(&fields, zone) * USECS_PER_SEC;
}

// The sum of the changes of a time zone's offset within a distance of a time.
int64 changes_within(TimestampTz time, int64 distance, const pg_tz* zone) {
    pg_time_t at = timestamptz_to_time_t(time - distance) - 1, next = 0;  // it rounds to a second
    long before = 0, after = 0;
    int is_dst_before = 0, is_dst_after = 0;
    int64 sum = 0;
    while (pg_next_dst_boundary(&at, &before, &is_dst_before, &next, &after, &is_dst_after, zone) == 1 &&
           time_t_to_timestamptz(next) <= time + distance) {
        sum += std::abs(after - before) * USECS_PER_SEC;
        at = next;
    }
    return sum;
}

// How far a time may be from the time that its local time is converted to. For example, clocks go back from 03:00 to
// 02:00: each local time between comes twice, an hour apart. The result is an hour for times near these, and 0
// elsewhere.
int64 doubt_around(TimestampTz time, const pg_tz* zone) {
    // A time zone's offset from UTC is less than 168 hours, and two of them differ by less than twice that.
    const int64 most = changes_within(time, int64{2} * 168 * USECS_PER_HOUR, zone);
    // date_trunc() to an hour or less keeps the offset of the time that it rounds, which is up to an hour later.
    return most > 0 ? changes_within(time, most + USECS_PER_HOUR, zone) : 0;
}

// How long a unit of date_trunc() is at most, in microseconds; 0 for another text.
int64 longest(text* name) {
    char* unit = text_to_cstring(name);
    int value = 0;
    if (DecodeUnits(0, downcase_truncate_identifier(unit, static_cast<int>(strlen(unit)), false), &value) != UNITS)
        return 0;
    constexpr int64 day = USECS_PER_DAY;
    constexpr int units[] = {DTK_MICROSEC, DTK_MILLISEC, DTK_SECOND, DTK_MINUTE, DTK_HOUR,    DTK_DAY,       DTK_WEEK,
                             DTK_MONTH,    DTK_QUARTER,  DTK_YEAR,   DTK_DECADE, DTK_CENTURY, DTK_MILLENNIUM};
    constexpr int64 lengths[] = {1,          1000,        USECS_PER_SEC, USECS_PER_MINUTE, USECS_PER_HOUR,
                                 day,        7 * day,     31 * day,      92 * day,         366 * day,
                                 3653 * day, 36525 * day, 365243 * day};
    const auto* found = std::ranges::find(units, value);
    return found != std::end(units) ? lengths[found - units] : 0;
}

// A filter or recheck calls the function for each row with the same constants.
struct LastBound {
    int64 time;
    const pg_tz* session_zone;
    pg_uuid_t id;
};

Datum local_bound(FunctionCallInfo fcinfo, const int64 asked, bool is_local) {
    auto* last = static_cast<LastBound*>(fcinfo->flinfo->fn_extra);
    if (last != nullptr && last->time == asked && last->session_zone == session_timezone)
        return UUIDPGetDatum(&last->id);
    int64 time = asked;
    const text* op = PG_GETARG_TEXT_PP(1);
    text* unit = PG_GETARG_TEXT_PP(2);
    const size_t length = VARSIZE_ANY_EXHDR(op);
    const bool is_upper = length > 0 && *VARDATA_ANY(op) == '<', is_inclusive = length > 1;
    const int64 width = longest(unit);
    pg_tz* zone = PG_NARGS() < 4 ? session_timezone : luuid_time_zone(text_to_cstring(PG_GETARG_TEXT_PP(3)));
    if (width == 0 || zone == nullptr) {
        time = is_upper ? DT_NOEND : DT_NOBEGIN;
    } else {
        time = std::clamp(time, first_time, last_time);
        const auto doubt = [&] { return (is_upper ? 1 : -1) * doubt_around(time, zone); };
        const auto begin_of = [&](Timestamp local) {
            return DatumGetTimestamp(
                DirectFunctionCall2(timestamp_trunc, PointerGetDatum(unit), TimestampGetDatum(local)));
        };
        if (is_local)
            time = time_of(time, zone);
        // A unit that begins at `time` is `>=` it, and not `<` it: for these, start from the microsecond before.
        const Timestamp local = local_of(time, zone) + doubt() - (is_upper == is_inclusive ? 0 : 1);
        // The begin of the next unit: `width`, the greatest length of a unit, leads into it from the begin of this one.
        time = time_of(begin_of(begin_of(local) + width) - (is_upper ? 1 : 0), zone);
        time += doubt();
    }
    const Time at = time_from_timestamptz(time);
    const Datum id = datum_from_id(is_upper ? ceiling_of(at) : floor_of(at));
    // Kept only if the others are constants: PL/pgSQL calls one expression again with other values of its variables.
    const auto* call = reinterpret_cast<FuncExpr*>(fcinfo->flinfo->fn_expr);
    for (int other = 1; other < PG_NARGS(); ++other)
        if (call == nullptr || !IsA(call, FuncExpr) || !IsA(list_nth(call->args, other), Const))
            return id;
    if (last == nullptr)
        last = static_cast<LastBound*>(MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, sizeof(LastBound)));
    *last = {asked, session_timezone, *DatumGetUUIDP(id)};
    fcinfo->flinfo->fn_extra = last;
    return id;
}

}  // namespace

// luuid_local_bound(time, operator text, unit text [, zone text]) → luuid: a bound of the ids whose local time, rounded
// down to the unit, is `<`, `<=`, `>=` or `>` the date, timestamp or timestamptz. None is after the bound for `<` and
// `<=`, or before it for `>=` and `>`. Without a zone, the session's applies.
#define LUUID_LOCAL_BOUND(type, time, is_local)                                                           \
    LUUID_FUNCTION(luuid_local_bound_of_##type) { PG_RETURN_DATUM(local_bound(fcinfo, time, is_local)); } \
    LUUID_FUNCTION(luuid_local_bound_of_##type##_in_zone) { PG_RETURN_DATUM(local_bound(fcinfo, time, is_local)); }

LUUID_LOCAL_BOUND(date, int64{std::clamp(PG_GETARG_DATEADT(0), -last_day, last_day)} * USECS_PER_DAY, true)
LUUID_LOCAL_BOUND(timestamp, PG_GETARG_TIMESTAMP(0), true)
LUUID_LOCAL_BOUND(timestamptz, PG_GETARG_TIMESTAMPTZ(0), false)
