// Generation for SQL: one generator for each backend, and what it says of itself.
#include "datum.hpp"
#include "identity.hpp"
#include "random.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// What a backend generates from. It belongs to the process that made it: a fork starts over.
struct Backend {
    int owner = 0;
    NodeSetting node_setting;
    ResolvedNode node;
    Identity identity;
    Counters counters{0};
    Timeline timeline;
};

constinit Backend backend;

// Anything here may fail, so the owner is set last.
void start_over() {
    const NodeSetting setting = node_setting();
    const ResolvedNode node = find_node(setting);
    if (backend.owner != MyProcPid) {
        backend.counters = Counters{random_bits()};
        backend.timeline = Timeline{};
    }
    backend.node_setting = setting;
    backend.node = node;
    backend.identity = {static_cast<std::uint16_t>(MyProcPid), node.bits};
    backend.owner = MyProcPid;
}

Backend& this_backend() {
    if (unlikely(backend.owner != MyProcPid || !(backend.node_setting == node_setting())))
        start_over();
    return backend;
}

// The wall clock at the call, not the transaction's start; milliseconds since 1970.
std::uint64_t clock_milliseconds() noexcept {
    const Microseconds now = microseconds_from_timestamptz(GetCurrentTimestamp());
    return now < 0 ? 0 : static_cast<std::uint64_t>(now) / 1000;
}

Datum generate(CounterMode mode) {
    Backend& self = this_backend();
    const std::uint64_t now = clock_milliseconds();
    const std::uint32_t block = next_block(self.counters, mode, now);
    return datum_from_id(self.timeline.place(block, version_setting(), self.identity, now));
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
        ereport(
            ERROR,
            (errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
             errmsg("timestamp out of range for a generated luuid: \"%s\"", timestamptz_to_str(at)),
             errdetail(
                 "Accepted are 48 bits of milliseconds: 1970-01-01 00:00:00+00 to 10889-08-02 05:31:50.655999+00.")));
    Backend& self = this_backend();
    const std::uint32_t block = next_block(self.counters, mode_setting(), clock_milliseconds());
    return datum_from_id(
        locality_id(version_setting(), block, self.identity, static_cast<std::uint64_t>(instant) / 1000));
}

// luuid_status() → one row: what this backend generates by.
LUUID_FUNCTION(luuid_status) {
    TupleDesc descriptor = nullptr;
    if (get_call_result_type(fcinfo, nullptr, &descriptor) != TYPEFUNC_COMPOSITE)
        elog(ERROR, "return type must be a row type");

    const Backend& self = this_backend();
    const Datum values[] = {
        CStringGetTextDatum(mode_word(mode_setting())),
        CStringGetTextDatum(version_word(version_setting())),
        CStringGetTextDatum(psprintf("%07x", self.node.bits)),
        CStringGetTextDatum(source_word(self.node.source)),
        CStringGetTextDatum("backend"),
        UInt64GetDatum(self.timeline.steps_followed()),
    };
    bool nulls[lengthof(values)] = {};
    return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(descriptor), const_cast<Datum*>(values), nulls));
}
