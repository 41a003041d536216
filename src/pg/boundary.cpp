// Boundary ids for SQL: what the time operators and <@ inline to. All are total and immutable.
#include "datum.hpp"

using namespace luuid;
using namespace luuid::pg;

// luuid_floor(timestamptz) → luuid: the least id of all that are not before it.
LUUID_FUNCTION(luuid_floor) { return datum_from_id(floor_of(time_from_timestamptz(PG_GETARG_TIMESTAMPTZ(0)))); }

// luuid_ceiling(timestamptz) → luuid: the greatest id of all that are not after it.
LUUID_FUNCTION(luuid_ceiling) { return datum_from_id(ceiling_of(time_from_timestamptz(PG_GETARG_TIMESTAMPTZ(0)))); }

namespace {

// A tstzrange as the first and the last microsecond it holds; first > last where it holds none.
struct Span {
    Time first = Time::max();
    Time last = Time::min();
};

Span span_argument(FunctionCallInfo fcinfo) {
    const RangeType* range = PG_GETARG_RANGE_P(0);
    TypeCacheEntry* type = range_get_typcache(fcinfo, RangeTypeGetOid(range));
    RangeBound lower, upper;
    bool empty = false;
    range_deserialize(type, range, &lower, &upper, &empty);
    if (empty)
        return {};

    Span span{Time::min(), Time::max()};
    if (!lower.infinite) {
        const TimestampTz bound = DatumGetTimestampTz(lower.val);
        if (TIMESTAMP_IS_NOEND(bound))
            return {};
        span.first = time_from_timestamptz(bound);
        if (!lower.inclusive && span.first != Time::max())
            ++span.first;
    }
    if (!upper.infinite) {
        const TimestampTz bound = DatumGetTimestampTz(upper.val);
        if (TIMESTAMP_IS_NOBEGIN(bound))
            return {};
        span.last = time_from_timestamptz(bound);
        if (!upper.inclusive && !TIMESTAMP_IS_NOEND(bound))
            --span.last;
    }
    return span;
}

}  // namespace

// luuid_range_floor(tstzrange) → luuid: the least id of all in it.
LUUID_FUNCTION(luuid_range_floor) { return datum_from_id(floor_of(span_argument(fcinfo).first)); }

// luuid_range_ceiling(tstzrange) → luuid: the greatest id of all in it; before every floor where the range is empty.
LUUID_FUNCTION(luuid_range_ceiling) { return datum_from_id(ceiling_of(span_argument(fcinfo).last)); }
