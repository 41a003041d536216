// SQL functions for boundary ids, which the time operators and <@ use in comparisons. All are total and immutable.
#include "boundary.hpp"

using namespace luuid;
using namespace luuid::pg;

// luuid_floor(timestamptz) → luuid: the least id with time >= the argument.
LUUID_FUNCTION(luuid_floor);
Datum luuid_floor(PG_FUNCTION_ARGS) { return datum_from_id(floor_of(time_from_timestamptz(PG_GETARG_TIMESTAMPTZ(0)))); }

// luuid_ceiling(timestamptz) → luuid: the greatest id with time <= the argument.
LUUID_FUNCTION(luuid_ceiling);
Datum luuid_ceiling(PG_FUNCTION_ARGS) {
    return datum_from_id(ceiling_of(time_from_timestamptz(PG_GETARG_TIMESTAMPTZ(0))));
}

// luuid_range_floor(tstzrange) → luuid: the least id in the range.
LUUID_FUNCTION(luuid_range_floor);
Datum luuid_range_floor(PG_FUNCTION_ARGS) { return datum_from_id(floor_of(span_argument(fcinfo, 0).first)); }

// luuid_range_ceiling(tstzrange) → luuid: the greatest id in the range; before every floor if the range is empty.
LUUID_FUNCTION(luuid_range_ceiling);
Datum luuid_range_ceiling(PG_FUNCTION_ARGS) { return datum_from_id(ceiling_of(span_argument(fcinfo, 0).last)); }
