// SQL functions that generate ids.
#include "../datum.hpp"
#include "../type/shard.hpp"
#include "backend.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// The id that is generated for the time of the first argument; 22008 if there is none.
template <typename NextAt>
Datum generate_at(FunctionCallInfo fcinfo, const char* valid_times, NextAt next_at) {
    const TimestampTz at = PG_GETARG_TIMESTAMPTZ(0);
    const std::optional<Id> id = next_at(time_from_timestamptz(at));
    if (!id)
        ereport(ERROR, (errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
                        errmsg("timestamp out of range for a generated luuid: \"%s\"", timestamptz_to_str(at)),
                        errdetail("%s", valid_times)));
    return datum_from_id(*id);
}

constexpr const char* times_of_milliseconds =
    "Valid values are 48 bits of milliseconds: from 1970-01-01 00:00:00+00 to 10889-08-02 05:31:50.655999+00.";
constexpr const char* times_of_ticks =
    "Valid values are 60 bits of 100 ns: from 1582-10-15 00:00:00+00 to 5236-03-31 21:21:00.684696+00.";

}  // namespace

// luuid_generate() → luuid, by luuid.mode and luuid.version; greater than all that this backend generated before.
LUUID_FUNCTION(luuid_generate);
Datum luuid_generate(FunctionCallInfo) { return datum_from_id(generator.next()); }

// luuid_generate_variable() → luuid: the first bytes spread over all values.
LUUID_FUNCTION(luuid_generate_variable);
Datum luuid_generate_variable(FunctionCallInfo) { return datum_from_id(generator.next(CounterMode::variable)); }

// luuid_generate_sequential() → luuid: the first bytes are those of the current ten-minute window.
LUUID_FUNCTION(luuid_generate_sequential);
Datum luuid_generate_sequential(FunctionCallInfo) { return datum_from_id(generator.next(CounterMode::sequential)); }

// luuid_generate(at timestamptz) → luuid of that millisecond, for back-filling; 22008 outside 48 bits of milliseconds
// since 1970. Advances the counters, but is not in this backend's order.
LUUID_FUNCTION(luuid_generate_at);
Datum luuid_generate_at(PG_FUNCTION_ARGS) {
    return generate_at(fcinfo, times_of_milliseconds, [](Time at) { return generator.next_at(at); });
}

// luuid_generate_near(neighbour luuid, prefix_bits integer) → luuid with the neighbour's first prefix_bits; 22023
// outside 0 .. 32.
LUUID_FUNCTION(luuid_generate_near);
Datum luuid_generate_near(PG_FUNCTION_ARGS) {
    const auto bits = PrefixBits::of(PG_GETARG_INT32(1));
    if (!bits)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("invalid number of prefix bits: %d", PG_GETARG_INT32(1)),
                        errdetail("Valid values are 0 to 32.")));
    return datum_from_id(generator.next_near(id_argument(fcinfo, 0), *bits));
}

// luuid_generate_in_shard(shard integer, shards integer) → luuid on that shard; 22023 as in shard_argument.
LUUID_FUNCTION(luuid_generate_in_shard);
Datum luuid_generate_in_shard(PG_FUNCTION_ARGS) {
    return datum_from_id(generator.next_in_shard(shard_argument(fcinfo, 0)));
}

// luuid_generate_v1() → luuid of version 1; greater than all its earlier ids in this backend, and distinct from other
// backends'.
LUUID_FUNCTION(luuid_generate_v1);
Datum luuid_generate_v1(FunctionCallInfo) { return datum_from_id(generator.next_v1()); }

// luuid_generate_v7() → luuid of version 7; greater than all its earlier ids in this backend.
LUUID_FUNCTION(luuid_generate_v7);
Datum luuid_generate_v7(FunctionCallInfo) { return datum_from_id(generator.next_v7()); }

// luuid_generate_v1(at timestamptz) → luuid of version 1 with that microsecond, for back-filling; 22008 outside 60 bits
// of 100 ns since 1582-10-15.
LUUID_FUNCTION(luuid_generate_v1_at);
Datum luuid_generate_v1_at(PG_FUNCTION_ARGS) {
    return generate_at(fcinfo, times_of_ticks, [](Time at) { return generator.next_v1_at(at); });
}

// luuid_generate_v7(at timestamptz) → luuid of version 7 with that millisecond, for back-filling; 22008 as
// luuid_generate(timestamptz).
LUUID_FUNCTION(luuid_generate_v7_at);
Datum luuid_generate_v7_at(PG_FUNCTION_ARGS) {
    return generate_at(fcinfo, times_of_milliseconds, [](Time at) { return generator.next_v7_at(at); });
}
