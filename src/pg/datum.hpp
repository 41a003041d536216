// Between the core's values and PostgreSQL's: ids as Datums, ticks as timestamptz.
#pragma once

#include "server.hpp"

#include "../core/boundary.hpp"

namespace luuid::pg {

static_assert(sizeof(pg_uuid_t) == id_size, "luuid is binary-coercible to uuid");

inline Id id_from_datum(Datum datum) noexcept { return load(DatumGetUUIDP(datum)->data); }

inline Id id_argument(FunctionCallInfo fcinfo, int number) noexcept { return id_from_datum(PG_GETARG_DATUM(number)); }

// Allocated in the current memory context.
inline Datum datum_from_id(const Id& id) {
    auto* bytes = static_cast<unsigned char*>(palloc(id_size));
    store(id, bytes);
    return PointerGetDatum(bytes);
}

// timestamptz counts microseconds from 2000-01-01.
inline constexpr Microseconds server_epoch = Microseconds{POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE} * USECS_PER_DAY;

constexpr TimestampTz timestamptz_from_ticks(Ticks instant) noexcept {
    return microseconds_from_ticks(instant) - server_epoch;
}

// Infinities and what lies past 64 bits saturate, which the boundaries take for `always` and `never`.
constexpr Microseconds microseconds_from_timestamptz(TimestampTz timestamp) noexcept {
    Microseconds sum = 0;
    return __builtin_add_overflow(timestamp, server_epoch, &sum) ? never : sum;
}

}  // namespace luuid::pg
