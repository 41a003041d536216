// SQL functions for time ranges: comparisons of an id with a time, and `<@` and `@>` with a range of times, as the
// executor calls them. planner/support.cpp replaces them by comparisons of ids where it can.
#include "boundary.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// False for every id if the span is empty.
bool is_within(const Id& id, const Span& span) noexcept {
    return compare(id, floor_of(span.first)) >= 0 && compare(id, ceiling_of(span.last)) <= 0;
}

// The predicates below take the numbers of two arguments: that of the id, and that of the time or range.

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
    is_empty = is_empty || (!lower.infinite && !upper.infinite &&
                            DatumGetTimestampTz(lower.val) > DatumGetTimestampTz(upper.val));
    return RangeTypePGetDatum(is_empty ? make_empty_range(times) : luuid_make_range(times, &lower, &upper));
}

}  // namespace

// luuid_range(daterange), luuid_range(tsrange) → tstzrange: its times in the session's time zone. 22008 if a bound is
// out of range for timestamptz.
LUUID_FUNCTION(luuid_range_of_dates) { return range_of_local(fcinfo, date_timestamptz); }
LUUID_FUNCTION(luuid_range_of_local_times) { return range_of_local(fcinfo, timestamp_timestamptz); }

// `<`, `<=`, `>=` and `>` of (luuid, timestamptz) and (timestamptz, luuid), if the planner has not replaced them by
// comparisons of ids.
#define LUUID_TIME_COMPARISON(name, op, boundary, commuted, commuted_boundary)                                    \
    LUUID_FUNCTION(luuid_time_##name) {                                                                           \
        PG_RETURN_BOOL(compare(id_argument(fcinfo, 0), boundary(time_from_timestamptz(PG_GETARG_TIMESTAMPTZ(1)))) \
                           op 0);                                                                                 \
    }                                                                                                             \
    LUUID_FUNCTION(luuid_time_##name##_commuted) {                                                                \
        PG_RETURN_BOOL(compare(id_argument(fcinfo, 1),                                                            \
                               commuted_boundary(time_from_timestamptz(PG_GETARG_TIMESTAMPTZ(0)))) commuted 0);   \
    }

LUUID_TIME_COMPARISON(lt, <, floor_of, >, ceiling_of)
LUUID_TIME_COMPARISON(le, <=, ceiling_of, >=, floor_of)
LUUID_TIME_COMPARISON(ge, >=, floor_of, <=, ceiling_of)
LUUID_TIME_COMPARISON(gt, >, ceiling_of, <, floor_of)

// A function of an id and a time or range, and its commutator.
#define LUUID_PREDICATE(name, predicate)                                      \
    LUUID_FUNCTION(luuid_##name) { PG_RETURN_BOOL(predicate(fcinfo, 0, 1)); } \
    LUUID_FUNCTION(luuid_##name##_commuted) { PG_RETURN_BOOL(predicate(fcinfo, 1, 0)); }

// `=` and `<>` of an id and a timestamptz: the id's time is rounded down to microseconds.
LUUID_PREDICATE(at, is_at)
LUUID_PREDICATE(not_at, !is_at)

// `<@` of an id and a tstzrange: true if the range contains the id's time.
LUUID_PREDICATE(in_times, is_in_range)
