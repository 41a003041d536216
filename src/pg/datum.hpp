// Conversions between the library's values and PostgreSQL's: ids and Datums, times and timestamptz; and rows.
#pragma once

#include "server.hpp"

#include <luuid/boundary.hpp>

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
inline constexpr std::int64_t server_epoch = std::int64_t{POSTGRES_EPOCH_JDATE - UNIX_EPOCH_JDATE} * USECS_PER_DAY;

// Rounded down.
constexpr TimestampTz timestamptz_from_time(TickTime time) noexcept {
    return std::chrono::floor<std::chrono::microseconds>(time).time_since_epoch().count() - server_epoch;
}

// Infinities, and times past 64 bits, are before or after all times of ids.
constexpr Time time_from_timestamptz(TimestampTz timestamp) noexcept {
    std::int64_t since_1970 = 0;
    return __builtin_add_overflow(timestamp, server_epoch, &since_1970) ? Time::max()
                                                                        : Time(std::chrono::microseconds(since_1970));
}

// Rounded down.
constexpr std::int64_t milliseconds_since_1970(TickTime time) noexcept {
    return std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
}

constexpr Time time_of_millisecond(std::uint64_t millisecond) noexcept {
    return Time(std::chrono::milliseconds(static_cast<std::int64_t>(millisecond)));
}

// A row of the type that a function is declared to return.
inline Datum datum_from_row(FunctionCallInfo fcinfo, Datum* values, bool* nulls) {
    TupleDesc descriptor = nullptr;
    if (get_call_result_type(fcinfo, nullptr, &descriptor) != TYPEFUNC_COMPOSITE)
        elog(ERROR, "return type must be a row type");
    return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(descriptor), values, nulls));
}

}  // namespace luuid::pg
