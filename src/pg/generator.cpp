// Generation for SQL, and what a backend says of its own.
#include "backend.hpp"
#include "clock.hpp"
#include "datum.hpp"
#include "shard.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

Datum generate(CounterMode mode) {
    Backend& self = this_backend();
    return datum_from_id(self.locality.next(mode, version_setting(), self.identity, clock_milliseconds()));
}

Datum generate_within(BlockRange range) {
    Backend& self = this_backend();
    return datum_from_id(self.locality.next_within(range, version_setting(), self.identity, clock_milliseconds()));
}

}  // namespace

// luuid_generate() → luuid, by luuid.mode and luuid.version; greater than any this backend made before.
LUUID_FUNCTION(luuid_generate) { return generate(mode_setting()); }

// luuid_generate_variable() → luuid: the first bytes spread over all values.
LUUID_FUNCTION(luuid_generate_variable) { return generate(CounterMode::variable); }

// luuid_generate_sequential() → luuid: the first bytes are those of the current ten minutes.
LUUID_FUNCTION(luuid_generate_sequential) { return generate(CounterMode::sequential); }

// luuid_generate(at timestamptz) → luuid of that millisecond, for back-filling; 22008 outside 48 bits of milliseconds
// since 1970. Takes the counters along, and leaves this backend's order alone.
LUUID_FUNCTION(luuid_generate_at) {
    const TimestampTz at = PG_GETARG_TIMESTAMPTZ(0);
    const Microseconds instant = microseconds_from_timestamptz(at);
    if (instant < 0 || static_cast<std::uint64_t>(instant) / 1000 > millisecond_max)
        ereport(ERROR, (errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
                        errmsg("timestamp out of range for a generated luuid: \"%s\"", timestamptz_to_str(at)),
                        errdetail("Accepted are 48 bits of milliseconds: from 1970-01-01 00:00:00+00 to "
                                  "10889-08-02 05:31:50.655999+00.")));
    Backend& self = this_backend();
    return datum_from_id(self.locality.next_at(static_cast<std::uint64_t>(instant) / 1000, mode_setting(),
                                               version_setting(), self.identity, clock_milliseconds()));
}

// luuid_generate_near(neighbour luuid, prefix_bits integer) → luuid whose first prefix_bits are the neighbour's; 22023
// outside 0 .. 32.
LUUID_FUNCTION(luuid_generate_near) {
    const int32 bits = PG_GETARG_INT32(1);
    if (bits < 0 || bits > 32)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("invalid number of prefix bits: %d", bits),
                        errdetail("Accepted are 0 to 32.")));
    return generate_within(neighbour_range(id_argument(fcinfo, 0), static_cast<unsigned>(bits)));
}

// luuid_generate_in_shard(shard integer, shards integer) → luuid on that shard; 22023 as shard_argument says.
LUUID_FUNCTION(luuid_generate_in_shard) {
    const ShardArgument argument = shard_argument(fcinfo, 0);
    return generate_within(shard_range(argument.shard, argument.shards));
}

// luuid_generate_v1() → luuid of version 1; greater than any this backend made by it, and unlike those of all others.
LUUID_FUNCTION(luuid_generate_v1) { return datum_from_id(this_backend().v1.next(clock_ticks())); }

// luuid_generate_v7() → luuid of version 7; greater than any this backend made by it.
LUUID_FUNCTION(luuid_generate_v7) {
    Backend& self = this_backend();
    return datum_from_id(self.v7.next(clock_ticks(), self.random.next()));
}

// luuid_status() → one row: what this backend generates by.
LUUID_FUNCTION(luuid_status) {
    TupleDesc descriptor = nullptr;
    if (get_call_result_type(fcinfo, nullptr, &descriptor) != TYPEFUNC_COMPOSITE)
        elog(ERROR, "return type must be a row type");

    const Backend& self = this_backend();
    Datum values[] = {
        CStringGetTextDatum(mode_word(mode_setting())),
        CStringGetTextDatum(version_word(version_setting())),
        CStringGetTextDatum(psprintf("%07x", self.node.bits)),
        CStringGetTextDatum(source_word(self.node.source)),
        Int32GetDatum(self.identity.pid),
        BoolGetDatum(self.lease.has_value()),
        UInt64GetDatum(self.locality.steps_followed()),
    };
    bool nulls[lengthof(values)] = {};
    return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(descriptor), values, nulls));
}
