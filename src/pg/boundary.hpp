// A time range as its first and last microsecond, from which boundary ids are computed.
#pragma once

#include "datum.hpp"

namespace luuid::pg {

// The first and the last microsecond of a tstzrange; first > last if it contains none.
struct Span {
    Time first = Time::max();
    Time last = Time::min();
};

inline Span span_of_bounds(const RangeBound& lower, const RangeBound& upper) noexcept {
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

inline Span span_of(TypeCacheEntry* type, const RangeType* range) {
    RangeBound lower, upper;
    bool empty = false;
    range_deserialize(type, range, &lower, &upper, &empty);
    return empty ? Span{} : span_of_bounds(lower, upper);
}

inline Span span_argument(FunctionCallInfo fcinfo, int number) {
    const RangeType* range = PG_GETARG_RANGE_P(number);
    return span_of(range_get_typcache(fcinfo, RangeTypeGetOid(range)), range);
}

}  // namespace luuid::pg
