// SQL functions for the bounds of an id that comparisons of `id::date`, and of AT TIME ZONE and date_trunc() of its
// time, imply. They raise no errors. Within two weeks of a change of the clocks a bound is wider by the change: the
// comparison itself filters the rows.
#include "../datum.hpp"

#include <algorithm>
#include <string_view>

using namespace luuid;
using namespace luuid::pg;

namespace {

// The years 500 and 11000. Times beyond are replaced by these, since every id's time, rounded down to any unit, lies
// between. All times between can be rounded and converted without error.
constexpr Timestamp first_time = int64{-1500} * 36525 / 100 * USECS_PER_DAY;
constexpr Timestamp last_time = int64{9000} * 36525 / 100 * USECS_PER_DAY;
constexpr DateADT last_day = last_time / USECS_PER_DAY + 1;

// The least or the greatest offset from UTC, in microseconds, that a time zone has within two weeks of a time. No
// offset is a week or more, so that it has no other one at any time whose local time is near.
int64 offset_near(Timestamp time, const pg_tz* zone, bool is_greatest) {
    constexpr int64 reach = 14 * USECS_PER_DAY;
    pg_time_t at = timestamptz_to_time_t(time - reach), next = 0;
    long offset = pg_localtime(&at, zone)->tm_gmtoff, before = 0, after = 0;
    int is_dst_before = 0, is_dst_after = 0;
    while (pg_next_dst_boundary(&at, &before, &is_dst_before, &next, &after, &is_dst_after, zone) == 1 &&
           time_t_to_timestamptz(next) <= time + reach) {
        offset = is_greatest ? std::max(offset, after) : std::min(offset, after);
        at = next;
    }
    return offset * USECS_PER_SEC;
}

// How long a unit of date_trunc() is at most, in microseconds; 0 for another text.
int64 longest(const text* name) {
    constexpr int64 day = USECS_PER_DAY;
    constexpr int64 lengths[] = {
        USECS_PER_SEC, USECS_PER_MINUTE, USECS_PER_HOUR, day,          7 * day, 31 * day, 92 * day,
        366 * day,     3653 * day,       36525 * day,    365243 * day, 1000,    1};
    static_assert(std::size(lengths) == DTK_MICROSEC - DTK_SECOND + 1);
    char* unit = text_to_cstring(name);
    int value = 0;
    const int kind = DecodeUnits(0, downcase_truncate_identifier(unit, static_cast<int>(strlen(unit)), false), &value);
    return kind == UNITS && value >= DTK_SECOND && value <= DTK_MICROSEC ? lengths[value - DTK_SECOND] : 0;
}

// A filter or recheck calls the function for each row with the same constants.
struct LastBound {
    int64 time;
    const pg_tz* session_zone;
    pg_uuid_t id;
};

}  // namespace

// luuid_local_bound("any", operator text, unit text [, zone text]) → luuid: a bound of the ids whose local time,
// rounded down to the unit, is `<`, `<=`, `>=` or `>` the date, timestamp or timestamptz. None is after the bound for
// `<` and `<=`, or before it for `>=` and `>`. Without a zone, the session's applies. 42804 for another type.
LUUID_FUNCTION(luuid_local_bound);
Datum luuid_local_bound(PG_FUNCTION_ARGS) {
    const Oid type = get_fn_expr_argtype(fcinfo->flinfo, 0);
    if (type != DATEOID && type != TIMESTAMPOID && type != TIMESTAMPTZOID)
        ereport(ERROR,
                (errcode(ERRCODE_DATATYPE_MISMATCH),
                 errmsg("luuid_local_bound takes a date, a timestamp or a timestamptz, not %s", format_type_be(type))));
    const int64 asked =
        type == DATEOID ? std::clamp(PG_GETARG_DATEADT(0), -last_day, last_day) * USECS_PER_DAY : PG_GETARG_INT64(0);
    auto* last = static_cast<LastBound*>(fcinfo->flinfo->fn_extra);
    if (last != nullptr && last->time == asked && last->session_zone == session_timezone)
        return UUIDPGetDatum(&last->id);
    const std::string_view op = text_to_cstring(PG_GETARG_TEXT_PP(1));
    const bool is_upper = op.starts_with('<'), is_inclusive = op.ends_with('=');
    text* unit = PG_GETARG_TEXT_PP(2);
    const int64 width = longest(unit);
    pg_tz* zone = PG_NARGS() < 4 ? session_timezone : luuid_time_zone(text_to_cstring(PG_GETARG_TEXT_PP(3)));
    TimestampTz bound = is_upper ? DT_NOEND : DT_NOBEGIN;
    if (width > 0 && zone != nullptr) {
        const auto begin_of = [unit](Timestamp t) {
            return DatumGetTimestamp(DirectFunctionCall2(timestamp_trunc, PointerGetDatum(unit), TimestampGetDatum(t)));
        };
        const int64 time = std::clamp(asked, first_time, last_time);
        // The local time, as late as it may be for an upper bound, and as early for a lower one. So is a local time
        // that the server converts to compare it with a rounded timestamptz.
        const Timestamp local = time + offset_near(time, zone, is_upper) -
                                (type == TIMESTAMPTZOID ? 0 : offset_near(time, zone, !is_upper));
        // A unit that begins at this time is `>=` it, and not `<` it: for these, start from the microsecond before.
        const Timestamp begin = begin_of(local - (is_upper == is_inclusive ? 0 : 1));
        // The first unit that is after the bound, or not before it. `width`, the greatest length of a unit, leads into
        // it from the begin of the one before.
        const Timestamp next = begin_of(begin + width);
        bound = next - offset_near(next, zone, !is_upper) - (is_upper ? 1 : 0);
    }
    const Time time = time_from_timestamptz(bound);
    const Datum id = datum_from_id(is_upper ? ceiling_of(time) : floor_of(time));
    // Kept only if the others are constants: PL/pgSQL calls one expression again with other values of its variables.
    for (int other = 1; other < PG_NARGS(); ++other)
        if (!IsA(list_nth(reinterpret_cast<FuncExpr*>(fcinfo->flinfo->fn_expr)->args, other), Const))
            return id;
    if (last == nullptr)
        last = static_cast<LastBound*>(MemoryContextAlloc(fcinfo->flinfo->fn_mcxt, sizeof(LastBound)));
    *last = {asked, session_timezone, *DatumGetUUIDP(id)};
    fcinfo->flinfo->fn_extra = last;
    return id;
}
