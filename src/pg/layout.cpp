// SQL functions that extract fields: one per field, NULL if the version lacks it, and one that returns them all.
#include "datum.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// A field as SQL returns it: a missing one is NULL.
using Field = std::optional<Datum>;

Field version_of(const Id& id) { return Int16GetDatum(static_cast<int16>(version_nibble(id))); }

Field timestamp_of(const Id& id) {
    const auto time = time_of(id);
    return time ? Field(TimestampTzGetDatum(timestamptz_from_time(*time))) : std::nullopt;
}

Field ticks_of(const Id& id) {
    const auto time = time_of(id);
    return time ? Field(Int64GetDatum(time->time_since_epoch().count())) : std::nullopt;
}

Field of_locality(const Id& id, Datum value) { return is_locality(layout_of(id)) ? Field(value) : std::nullopt; }
Field counter_of(const Id& id) { return of_locality(id, Int64GetDatum(counter_field(id))); }
Field sequence_field_of(const Id& id) { return of_locality(id, Int64GetDatum(detail::sequence_of(prefix(id)))); }
Field pid_of(const Id& id) { return of_locality(id, Int32GetDatum(pid_field(id))); }

Field mac_of(const Id& id) {
    const auto node = node_field(id);
    if (!node)
        return std::nullopt;
    auto* mac = static_cast<macaddr*>(palloc(sizeof(macaddr)));
    unsigned char* const octets[] = {&mac->a, &mac->b, &mac->c, &mac->d, &mac->e, &mac->f};
    for (int i = 0; i < 6; ++i)
        *octets[i] = static_cast<unsigned char>(*node >> (40 - 8 * i));
    return MacaddrPGetDatum(mac);
}

Field prefix_of(const Id& id) { return Int64GetDatum(prefix(id)); }
Field msb_of(const Id& id) { return Int64GetDatum(static_cast<int64>(id.msb)); }
Field lsb_of(const Id& id) { return Int64GetDatum(static_cast<int64>(id.lsb)); }

Datum answer(FunctionCallInfo fcinfo, Field field) {
    fcinfo->isnull = !field;
    return field.value_or(0);
}

}  // namespace

// luuid_extract_version(luuid) → smallint: the version nibble, 11 for a locality UUID.
LUUID_FUNCTION(luuid_extract_version) { return answer(fcinfo, version_of(id_argument(fcinfo, 0))); }

// luuid_extract_timestamp(luuid) → timestamptz, rounded down to microseconds; NULL if untimed.
LUUID_FUNCTION(luuid_extract_timestamp) { return answer(fcinfo, timestamp_of(id_argument(fcinfo, 0))); }

// luuid_extract_counter(luuid) → bigint, 0 .. 2^32-1: versions b and 8, the counter of variable mode.
LUUID_FUNCTION(luuid_extract_counter) { return answer(fcinfo, counter_of(id_argument(fcinfo, 0))); }

// luuid_extract_pid(luuid) → integer, 0 .. 65535: versions b and 8.
LUUID_FUNCTION(luuid_extract_pid) { return answer(fcinfo, pid_of(id_argument(fcinfo, 0))); }

// luuid_extract_mac(luuid) → macaddr: the last 28 bits in version b, 26 in version 8, all 48 in versions 1 and 6.
LUUID_FUNCTION(luuid_extract_mac) { return answer(fcinfo, mac_of(id_argument(fcinfo, 0))); }

// luuid_inspect(luuid) → one row: every field, in the order of the SQL declaration.
LUUID_FUNCTION(luuid_inspect) {
    constexpr Field (*columns[])(const Id&) = {version_of,        timestamp_of, ticks_of, prefix_of, counter_of,
                                               sequence_field_of, pid_of,       mac_of,   msb_of,    lsb_of};
    const Id id = id_argument(fcinfo, 0);
    Datum values[lengthof(columns)];
    bool nulls[lengthof(columns)];
    for (std::size_t i = 0; i < lengthof(columns); ++i) {
        const Field field = columns[i](id);
        values[i] = field.value_or(0);
        nulls[i] = !field;
    }
    return datum_from_row(fcinfo, values, nulls);
}
