// SQL functions for time ranges: comparisons of an id with a time, and `<@` and `@>` with a range of times, as the
// executor calls them. support.cpp replaces them by comparisons of ids where it can.
#include "boundary.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// False for every id if the span is empty.
bool is_within(const Id& id, const Span& span) noexcept {
    return compare(id, floor_of(span.first)) >= 0 && compare(id, ceiling_of(span.last)) <= 0;
}

// The functions below take the numbers of two arguments: that of the id, and that of the time or range.

std::strong_ordering compare_with(Id (*boundary)(Time), FunctionCallInfo fcinfo, int id, int time) {
    return compare(id_argument(fcinfo, id), boundary(time_from_timestamptz(PG_GETARG_TIMESTAMPTZ(time))));
}

bool is_at(FunctionCallInfo fcinfo, int id, int time) {
    const Time instant = time_from_timestamptz(PG_GETARG_TIMESTAMPTZ(time));
    return is_within(id_argument(fcinfo, id), {instant, instant});
}

bool is_in_range(FunctionCallInfo fcinfo, int id, int range) {
    return is_within(id_argument(fcinfo, id), span_argument(fcinfo, range));
}

// A range of local times as one of times in the session's time zone.
Datum range_of_local(FunctionCallInfo fcinfo, PGFunction to_time) {
    const RangeType* range = PG_GETARG_RANGE_P(0);
    TypeCacheEntry* times = lookup_type_cache(TSTZRANGEOID, TYPECACHE_RANGE_INFO);
    RangeBound lower, upper;
    bool is_empty = false;
    range_deserialize(range_get_typcache(fcinfo, RangeTypeGetOid(range)), range, &lower, &upper, &is_empty);
    if (!is_empty && !lower.infinite)
        lower.val = DirectFunctionCall1(to_time, lower.val);
    if (!is_empty && !upper.infinite)
        upper.val = DirectFunctionCall1(to_time, upper.val);
    // A local time skipped when clocks go forward converts to a time after later local times.
    is_empty = is_empty ||
               (!lower.infinite && !upper.infinite && DatumGetTimestampTz(lower.val) > DatumGetTimestampTz(upper.val));
    return RangeTypePGetDatum(is_empty ? make_empty_range(times) : luuid_make_range(times, &lower, &upper));
}

}  // namespace

// luuid_range(daterange), luuid_range(tsrange) → tstzrange: its times in the session's time zone. 22008 if a bound is
// out of range for timestamptz.
LUUID_FUNCTION(luuid_range_of_dates);
Datum luuid_range_of_dates(PG_FUNCTION_ARGS) { return range_of_local(fcinfo, date_timestamptz); }
LUUID_FUNCTION(luuid_range_of_local_times);
Datum luuid_range_of_local_times(PG_FUNCTION_ARGS) { return range_of_local(fcinfo, timestamp_timestamptz); }

// `<`, `<=`, `>=` and `>` of (luuid, timestamptz) and (timestamptz, luuid), if the planner has not replaced them by
// comparisons of ids.
LUUID_FUNCTION(luuid_time_lt);
Datum luuid_time_lt(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_with(floor_of, fcinfo, 0, 1) < 0); }
LUUID_FUNCTION(luuid_time_le);
Datum luuid_time_le(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_with(ceiling_of, fcinfo, 0, 1) <= 0); }
LUUID_FUNCTION(luuid_time_ge);
Datum luuid_time_ge(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_with(floor_of, fcinfo, 0, 1) >= 0); }
LUUID_FUNCTION(luuid_time_gt);
Datum luuid_time_gt(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_with(ceiling_of, fcinfo, 0, 1) > 0); }
LUUID_FUNCTION(luuid_time_lt_commuted);
Datum luuid_time_lt_commuted(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_with(ceiling_of, fcinfo, 1, 0) > 0); }
LUUID_FUNCTION(luuid_time_le_commuted);
Datum luuid_time_le_commuted(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_with(floor_of, fcinfo, 1, 0) >= 0); }
LUUID_FUNCTION(luuid_time_ge_commuted);
Datum luuid_time_ge_commuted(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_with(ceiling_of, fcinfo, 1, 0) <= 0); }
LUUID_FUNCTION(luuid_time_gt_commuted);
Datum luuid_time_gt_commuted(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_with(floor_of, fcinfo, 1, 0) < 0); }

// `=` and `<>` of an id and a timestamptz: the id's time is rounded down to microseconds.
LUUID_FUNCTION(luuid_at);
Datum luuid_at(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(is_at(fcinfo, 0, 1)); }
LUUID_FUNCTION(luuid_at_commuted);
Datum luuid_at_commuted(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(is_at(fcinfo, 1, 0)); }
LUUID_FUNCTION(luuid_not_at);
Datum luuid_not_at(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(!is_at(fcinfo, 0, 1)); }
LUUID_FUNCTION(luuid_not_at_commuted);
Datum luuid_not_at_commuted(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(!is_at(fcinfo, 1, 0)); }

// `<@` of an id and a tstzrange: true if the range contains the id's time.
LUUID_FUNCTION(luuid_in_times);
Datum luuid_in_times(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(is_in_range(fcinfo, 0, 1)); }
LUUID_FUNCTION(luuid_in_times_commuted);
Datum luuid_in_times_commuted(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(is_in_range(fcinfo, 1, 0)); }
