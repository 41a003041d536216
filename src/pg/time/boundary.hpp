// A time range as its first and last microsecond, from which boundary ids are computed.
#pragma once

#include "../datum.hpp"

namespace luuid::pg {

// The first and the last microsecond of a tstzrange; first > last if it contains none.
struct Span {
    Time first = Time::max();
    Time last = Time::min();
};

inline Span span_argument(FunctionCallInfo fcinfo, int number) {
    const RangeType* range = PG_GETARG_RANGE_P(number);
    RangeBound lower, upper;
    bool is_empty = false;
    range_deserialize(range_get_typcache(fcinfo, RangeTypeGetOid(range)), range, &lower, &upper, &is_empty);
    if (is_empty)
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

}  // namespace luuid::pg
