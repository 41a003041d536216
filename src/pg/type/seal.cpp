// SQL functions for sealed ids.
#include "../datum.hpp"

#include <luuid/seal.hpp>

using namespace luuid;
using namespace luuid::pg;

namespace {

// 22023 unless there are exactly 16 bytes. The message does not have them, since it is logged.
SealKey key_argument(FunctionCallInfo fcinfo) {
    const bytea* bytes = PG_GETARG_BYTEA_PP(1);
    const std::size_t size = VARSIZE_ANY_EXHDR(bytes);
    if (size != seal_key_size)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("invalid length of a SipHash key: %zu", size),
                        errdetail("The key of sealed ids has %zu bytes.", seal_key_size)));
    return load_seal_key(reinterpret_cast<const unsigned char*>(VARDATA_ANY(bytes)));
}

const char* id_text(FunctionCallInfo fcinfo) {
    return DatumGetCString(DirectFunctionCall1(uuid_out, PG_GETARG_DATUM(0)));
}

}  // namespace

// luuid_seal(luuid, key bytea) → uuid of version 4; 22023 for a luuid of another version than 7, or a key of another
// length than 16 bytes.
LUUID_FUNCTION(luuid_seal);
Datum luuid_seal(PG_FUNCTION_ARGS) {
    const auto sealed = seal(id_argument(fcinfo, 0), key_argument(fcinfo));
    if (!sealed)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("cannot seal luuid \"%s\"", id_text(fcinfo)),
                        errdetail("Only ids of version 7 can be sealed."),
                        errhint("Generate ids by luuid_generate_v7(), or encrypt those of other versions.")));
    return datum_from_id(*sealed);
}

// luuid_unseal(uuid, key bytea) → luuid of version 7; 22023 for a uuid of another version than 4, or such a key.
LUUID_FUNCTION(luuid_unseal);
Datum luuid_unseal(PG_FUNCTION_ARGS) {
    const auto id = unseal(id_argument(fcinfo, 0), key_argument(fcinfo));
    if (!id)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("cannot unseal uuid \"%s\"", id_text(fcinfo)),
                        errdetail("A sealed id has version 4."),
                        errhint("Give a uuid that luuid_seal() returned. If it came from a client, answer that there "
                                "is no such row.")));
    return datum_from_id(*id);
}
