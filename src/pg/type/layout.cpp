// SQL functions that extract fields: one per field, NULL if the version lacks it, and one that returns them all.
#include "../datum.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// Each field as SQL returns it, and whether the id lacks it: by a reference, since a pair would be returned in memory.
Datum version_of(Id id, bool&) { return Int16GetDatum(static_cast<int16>(version_nibble(id))); }

Datum timestamp_of(Id id, bool& is_null) {
    const Layout layout = layout_of(id);
    is_null = layout == Layout::untimed;
    return TimestampTzGetDatum(timestamptz_from_time(time_field(id, layout)));
}

Datum converted(FunctionCallInfo fcinfo, PGFunction conversion) {
    const Datum time = timestamp_of(id_argument(fcinfo, 0), fcinfo->isnull);
    return fcinfo->isnull ? time : DirectFunctionCall1(conversion, time);
}

Datum ticks_of(Id id, bool& is_null) {
    const Layout layout = layout_of(id);
    is_null = layout == Layout::untimed;
    return Int64GetDatum(time_field(id, layout).time_since_epoch().count());
}

Datum of_locality(Id id, bool& is_null, Datum value) {
    is_null = !is_locality(layout_of(id));
    return value;
}

Datum counter_of(Id id, bool& is_null) { return of_locality(id, is_null, Int64GetDatum(counter_field(id))); }
Datum sequence_field_of(Id id, bool& is_null) {
    return of_locality(id, is_null, Int64GetDatum(detail::sequence_of(prefix(id))));
}
Datum pid_of(Id id, bool& is_null) { return of_locality(id, is_null, Int32GetDatum(pid_field(id))); }

Datum mac_of(Id id, bool& is_null) {
    const auto node = node_field(id);
    is_null = !node;
    if (is_null)
        return 0;
    auto* mac = static_cast<macaddr*>(palloc(sizeof(macaddr)));
    unsigned char* const octets[] = {&mac->a, &mac->b, &mac->c, &mac->d, &mac->e, &mac->f};
    for (int i = 0; i < 6; ++i)
        *octets[i] = static_cast<unsigned char>(*node >> (40 - 8 * i));
    return MacaddrPGetDatum(mac);
}

Datum prefix_of(Id id, bool&) { return Int64GetDatum(prefix(id)); }
Datum msb_of(Id id, bool&) { return Int64GetDatum(static_cast<int64>(id.msb)); }
Datum lsb_of(Id id, bool&) { return Int64GetDatum(static_cast<int64>(id.lsb)); }

}  // namespace

// luuid_extract_version(luuid) → smallint: the version nibble, 11 for a locality UUID.
LUUID_FUNCTION(luuid_extract_version);
Datum luuid_extract_version(PG_FUNCTION_ARGS) { return version_of(id_argument(fcinfo, 0), fcinfo->isnull); }

// luuid_extract_timestamp(luuid) → timestamptz, rounded down to microseconds; NULL if untimed.
LUUID_FUNCTION(luuid_extract_timestamp);
Datum luuid_extract_timestamp(PG_FUNCTION_ARGS) { return timestamp_of(id_argument(fcinfo, 0), fcinfo->isnull); }

// luuid_to_timestamp(luuid) → timestamp, luuid_to_date(luuid) → date: the id's time in the session's time zone; NULL if
// untimed. Where the planner simplifies, luuid_time_support() replaces both by the server's conversions.
LUUID_FUNCTION(luuid_to_timestamp);
Datum luuid_to_timestamp(PG_FUNCTION_ARGS) { return converted(fcinfo, timestamptz_timestamp); }
LUUID_FUNCTION(luuid_to_date);
Datum luuid_to_date(PG_FUNCTION_ARGS) { return converted(fcinfo, timestamptz_date); }

// luuid_extract_counter(luuid) → bigint, 0 .. 2^32-1: versions b and 8, the counter of variable mode.
LUUID_FUNCTION(luuid_extract_counter);
Datum luuid_extract_counter(PG_FUNCTION_ARGS) { return counter_of(id_argument(fcinfo, 0), fcinfo->isnull); }

// luuid_extract_pid(luuid) → integer, 0 .. 65535: versions b and 8.
LUUID_FUNCTION(luuid_extract_pid);
Datum luuid_extract_pid(PG_FUNCTION_ARGS) { return pid_of(id_argument(fcinfo, 0), fcinfo->isnull); }

// luuid_extract_mac(luuid) → macaddr: the last 28 bits in version b, 26 in version 8, all 48 in versions 1 and 6.
LUUID_FUNCTION(luuid_extract_mac);
Datum luuid_extract_mac(PG_FUNCTION_ARGS) { return mac_of(id_argument(fcinfo, 0), fcinfo->isnull); }

// luuid_inspect(luuid) → one row: every field, in the order of the SQL declaration.
LUUID_FUNCTION(luuid_inspect);
Datum luuid_inspect(PG_FUNCTION_ARGS) {
    constexpr Datum (*columns[])(Id, bool&) = {version_of,        timestamp_of, ticks_of, prefix_of, counter_of,
                                               sequence_field_of, pid_of,       mac_of,   msb_of,    lsb_of};
    Datum values[lengthof(columns)];
    bool nulls[lengthof(columns)] = {};
    for (std::size_t i = 0; i < lengthof(columns); ++i)
        values[i] = columns[i](id_argument(fcinfo, 0), nulls[i]);
    return datum_from_row(fcinfo, values, nulls);
}
