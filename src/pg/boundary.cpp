// Boundary ids for SQL: what the time operators and <@ become comparisons with. All are total and immutable.
#include "boundary.hpp"

using namespace luuid;
using namespace luuid::pg;

// luuid_floor(timestamptz) → luuid: the least id of all that are not before it.
LUUID_FUNCTION(luuid_floor) { return datum_from_id(floor_of(time_from_timestamptz(PG_GETARG_TIMESTAMPTZ(0)))); }

// luuid_ceiling(timestamptz) → luuid: the greatest id of all that are not after it.
LUUID_FUNCTION(luuid_ceiling) { return datum_from_id(ceiling_of(time_from_timestamptz(PG_GETARG_TIMESTAMPTZ(0)))); }

namespace {

Span span_argument(FunctionCallInfo fcinfo) {
    const RangeType* range = PG_GETARG_RANGE_P(0);
    return span_of(range_get_typcache(fcinfo, RangeTypeGetOid(range)), range);
}

}  // namespace

// luuid_range_floor(tstzrange) → luuid: the least id of all in it.
LUUID_FUNCTION(luuid_range_floor) { return datum_from_id(floor_of(span_argument(fcinfo).first)); }

// luuid_range_ceiling(tstzrange) → luuid: the greatest id of all in it; before every floor where the range is empty.
LUUID_FUNCTION(luuid_range_ceiling) { return datum_from_id(ceiling_of(span_argument(fcinfo).last)); }
