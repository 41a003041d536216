// The 16 bytes in other forms: the binary protocol, bytea, and two bigints.
#include "../datum.hpp"

using namespace luuid;
using namespace luuid::pg;

// luuid_recv(internal) → luuid: the next 16 bytes of a message; 08P01 if there are fewer, as uuid_recv of uuid.c.
LUUID_FUNCTION(luuid_recv);
Datum luuid_recv(PG_FUNCTION_ARGS) {
    auto* message = reinterpret_cast<StringInfo>(PG_GETARG_POINTER(0));
    return datum_from_id(load(reinterpret_cast<const unsigned char*>(pq_getmsgbytes(message, id_size))));
}

// luuid_send(luuid) → bytea: the 16 bytes.
LUUID_FUNCTION(luuid_send);
Datum luuid_send(PG_FUNCTION_ARGS) {
    auto* bytes = static_cast<bytea*>(palloc(VARHDRSZ + id_size));
    SET_VARSIZE(bytes, VARHDRSZ + id_size);
    store(id_argument(fcinfo, 0), reinterpret_cast<unsigned char*>(VARDATA(bytes)));
    PG_RETURN_BYTEA_P(bytes);
}

// luuid(bytea) → luuid; 22P03 unless there are exactly 16 bytes.
LUUID_FUNCTION(luuid_from_bytea);
Datum luuid_from_bytea(PG_FUNCTION_ARGS) {
    const bytea* bytes = PG_GETARG_BYTEA_PP(0);
    const std::size_t size = VARSIZE_ANY_EXHDR(bytes);
    if (size != id_size)
        ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
                        errmsg("invalid length of a bytea for type luuid: %zu", size),
                        errhint("Give exactly %zu bytes.", id_size)));
    return datum_from_id(load(reinterpret_cast<const unsigned char*>(VARDATA_ANY(bytes))));
}

// luuid_msb(luuid) → bigint: bytes 0..7, two's complement, as Java's getMostSignificantBits.
LUUID_FUNCTION(luuid_msb);
Datum luuid_msb(PG_FUNCTION_ARGS) { PG_RETURN_INT64(static_cast<int64>(id_argument(fcinfo, 0).msb)); }

// luuid_lsb(luuid) → bigint: bytes 8..15, two's complement, as Java's getLeastSignificantBits.
LUUID_FUNCTION(luuid_lsb);
Datum luuid_lsb(PG_FUNCTION_ARGS) { PG_RETURN_INT64(static_cast<int64>(id_argument(fcinfo, 0).lsb)); }

// luuid_from_bits(msb bigint, lsb bigint) → luuid.
LUUID_FUNCTION(luuid_from_bits);
Datum luuid_from_bits(PG_FUNCTION_ARGS) {
    return datum_from_id(
        {static_cast<std::uint64_t>(PG_GETARG_INT64(0)), static_cast<std::uint64_t>(PG_GETARG_INT64(1))});
}
