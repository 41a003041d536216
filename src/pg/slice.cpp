// SQL functions for time ranges: comparisons of an id with a time, and <@ and @> with a range of times, for one row at
// a time. planner/support.cpp replaces them by comparisons of ids that an index or partition bounds can use.
#include "boundary.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// False for every id if last < first.
bool is_between(const Id& id, Time first, Time last) noexcept {
    return compare(id, floor_of(first)) >= 0 && compare(id, ceiling_of(last)) <= 0;
}

bool is_at(const Id& id, TimestampTz at) noexcept {
    const Time instant = time_from_timestamptz(at);
    return is_between(id, instant, instant);
}

bool is_in_range(FunctionCallInfo fcinfo, const Id& id, const RangeType* range) {
    const Span span = span_of(range_get_typcache(fcinfo, RangeTypeGetOid(range)), range);
    return is_between(id, span.first, span.last);
}

// A binary search: the ranges of a multirange are ordered and disjoint.
bool is_in_multirange(FunctionCallInfo fcinfo, const Id& id, const MultirangeType* ranges) {
    TypeCacheEntry* type = multirange_get_typcache(fcinfo, MultirangeTypeGetOid(ranges))->rngtype;
    uint32 begin = 0, end = ranges->rangeCount;
    while (begin < end) {
        const uint32 middle = begin + (end - begin) / 2;
        RangeBound lower, upper;
        multirange_get_bounds(type, ranges, middle, &lower, &upper);
        const Span span = span_of_bounds(lower, upper);
        if (is_between(id, span.first, span.last))
            return true;
        if (compare(id, floor_of(span.first)) < 0)
            end = middle;
        else
            begin = middle + 1;
    }
    return false;
}

// The bounds of a range of local times as times in the session's time zone; false if it is empty.
bool local_bounds(FunctionCallInfo fcinfo, int argument, PGFunction time_of, RangeBound* lower, RangeBound* upper) {
    const RangeType* range = PG_GETARG_RANGE_P(argument);
    bool empty = false;
    range_deserialize(range_get_typcache(fcinfo, RangeTypeGetOid(range)), range, lower, upper, &empty);
    if (empty)
        return false;
    if (!lower->infinite)
        lower->val = DirectFunctionCall1(time_of, lower->val);
    if (!upper->infinite)
        upper->val = DirectFunctionCall1(time_of, upper->val);
    // A local time skipped when clocks go forward converts to a time after later local times.
    return lower->infinite || upper->infinite || DatumGetTimestampTz(lower->val) <= DatumGetTimestampTz(upper->val);
}

Datum times_of(FunctionCallInfo fcinfo, PGFunction time_of) {
    TypeCacheEntry* times = lookup_type_cache(TSTZRANGEOID, TYPECACHE_RANGE_INFO);
    RangeBound lower, upper;
    const bool some = local_bounds(fcinfo, 0, time_of, &lower, &upper);
    return RangeTypePGetDatum(some ? luuid_make_range(times, &lower, &upper) : make_empty_range(times));
}

bool is_in_local_range(FunctionCallInfo fcinfo, const Id& id, int range, PGFunction time_of) {
    RangeBound lower, upper;
    if (!local_bounds(fcinfo, range, time_of, &lower, &upper))
        return false;
    const Span span = span_of_bounds(lower, upper);
    return is_between(id, span.first, span.last);
}

}  // namespace

// luuid_range(daterange), luuid_range(tsrange) → tstzrange: its times in the session's time zone. 22008 if a bound is
// out of range for timestamptz.
LUUID_FUNCTION(luuid_range_of_dates) { return times_of(fcinfo, date_timestamptz); }
LUUID_FUNCTION(luuid_range_of_local_times) { return times_of(fcinfo, timestamp_timestamptz); }

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

// `=` and `<>` of (luuid, timestamptz) and (timestamptz, luuid): the id's time is rounded down to microseconds.
LUUID_FUNCTION(luuid_at) { PG_RETURN_BOOL(is_at(id_argument(fcinfo, 0), PG_GETARG_TIMESTAMPTZ(1))); }
LUUID_FUNCTION(luuid_at_commuted) { PG_RETURN_BOOL(is_at(id_argument(fcinfo, 1), PG_GETARG_TIMESTAMPTZ(0))); }
LUUID_FUNCTION(luuid_not_at) { PG_RETURN_BOOL(!is_at(id_argument(fcinfo, 0), PG_GETARG_TIMESTAMPTZ(1))); }
LUUID_FUNCTION(luuid_not_at_commuted) { PG_RETURN_BOOL(!is_at(id_argument(fcinfo, 1), PG_GETARG_TIMESTAMPTZ(0))); }

// luuid <@ tstzrange and its commutator: true if the range contains the id's time.
LUUID_FUNCTION(luuid_in_times) { PG_RETURN_BOOL(is_in_range(fcinfo, id_argument(fcinfo, 0), PG_GETARG_RANGE_P(1))); }
LUUID_FUNCTION(luuid_in_times_commuted) {
    PG_RETURN_BOOL(is_in_range(fcinfo, id_argument(fcinfo, 1), PG_GETARG_RANGE_P(0)));
}

// luuid <@ tstzmultirange and its commutator: true if one of the ranges contains the id's time.
LUUID_FUNCTION(luuid_in_multirange) {
    PG_RETURN_BOOL(is_in_multirange(fcinfo, id_argument(fcinfo, 0), PG_GETARG_MULTIRANGE_P(1)));
}
LUUID_FUNCTION(luuid_in_multirange_commuted) {
    PG_RETURN_BOOL(is_in_multirange(fcinfo, id_argument(fcinfo, 1), PG_GETARG_MULTIRANGE_P(0)));
}

// luuid <@ daterange, luuid <@ tsrange and their commutators, in the session's time zone. 22008 if a bound is out of
// range for timestamptz.
LUUID_FUNCTION(luuid_in_dates) {
    PG_RETURN_BOOL(is_in_local_range(fcinfo, id_argument(fcinfo, 0), 1, date_timestamptz));
}
LUUID_FUNCTION(luuid_in_dates_commuted) {
    PG_RETURN_BOOL(is_in_local_range(fcinfo, id_argument(fcinfo, 1), 0, date_timestamptz));
}
LUUID_FUNCTION(luuid_in_local_times) {
    PG_RETURN_BOOL(is_in_local_range(fcinfo, id_argument(fcinfo, 0), 1, timestamp_timestamptz));
}
LUUID_FUNCTION(luuid_in_local_times_commuted) {
    PG_RETURN_BOOL(is_in_local_range(fcinfo, id_argument(fcinfo, 1), 0, timestamp_timestamptz));
}
