// The function that the version of next.sql adds to the module.
#include <pg/datum.hpp>

using namespace luuid::pg;

LUUID_FUNCTION(luuid_is_timed);
Datum luuid_is_timed(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(luuid::time_of(id_argument(fcinfo, 0)).has_value()); }
