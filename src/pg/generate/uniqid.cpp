// SQL functions for PHP keys: generation, conversion, and the shard of a key.
#include "../datum.hpp"
#include "../type/shard.hpp"
#include "backend.hpp"

#include <luuid/uniqid.hpp>

using namespace luuid;
using namespace luuid::pg;

namespace {

const char* explain(ParseError error) {
    return error.at == error.nowhere ? error.what : psprintf("Expected %s at character %zu.", error.what, error.at + 1);
}

Uniqid uniqid_argument(FunctionCallInfo fcinfo, int number) {
    const text* key = PG_GETARG_TEXT_PP(number);
    ParseError error;
    const auto parsed = parse_uniqid({VARDATA_ANY(key), VARSIZE_ANY_EXHDR(key)}, error);
    if (!parsed)
        ereport(ERROR, (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
                        errmsg("invalid short key: \"%s\"", text_to_cstring(key)), errdetail("%s", explain(error)),
                        errhint("Write the 13 hexadecimal digits of uniqid(), or 4 random ones and these, or a decimal "
                                "shard, 4 random ones and these.")));
    return *parsed;
}

// 22023 outside 1 .. 1000.
UniqidShards key_shards_argument(FunctionCallInfo fcinfo, int number) {
    const Shards wanted = shards_argument(fcinfo, number);
    const auto shards = UniqidShards::of(wanted.value());
    if (!shards)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("invalid number of shards for a short key: %u", wanted.value()),
                        errdetail("Its shard has at most three digits, so there are at most %u.", UniqidShards::max)));
    return *shards;
}

// The key of a time; 22008 if there is none.
Datum datum_from_key(const std::optional<Uniqid>& key, UniqidShards shards, const char* message) {
    if (!key)
        ereport(ERROR,
                (errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE), errmsg("%s", message),
                 errdetail("A short key holds times from 1970-01-01 00:00:00+00 to 2106-02-07 06:28:15.999999+00.")));
    char text[uniqid_size_max];
    const std::string_view written = format_uniqid(*key, shards, text);
    return PointerGetDatum(cstring_to_text_with_len(text, static_cast<int>(written.size())));
}

}  // namespace

// luuid_generate_uniqid(shards integer) → text, 18 to 20 digits, with a later microsecond than all its earlier keys in
// this backend; 22023 for shards outside 1 .. 1000, 22008 from 2106 on.
LUUID_FUNCTION(luuid_generate_uniqid);
Datum luuid_generate_uniqid(PG_FUNCTION_ARGS) {
    const UniqidShards shards = key_shards_argument(fcinfo, 0);
    return datum_from_key(generator.next_uniqid(), shards, "time of this server out of range for a short key");
}

// luuid_from_uniqid(text) → luuid of version 1; 22P02 unless it is a key of 13 or 17 to 20 digits.
LUUID_FUNCTION(luuid_from_uniqid);
Datum luuid_from_uniqid(PG_FUNCTION_ARGS) { return datum_from_id(id_from_uniqid(uniqid_argument(fcinfo, 0))); }

// luuid_to_uniqid(luuid, shards integer) → text, 18 to 20 digits; 22008 if the id's seconds do not fit 32 bits, 22023
// for shards outside 1 .. 1000.
LUUID_FUNCTION(luuid_to_uniqid);
Datum luuid_to_uniqid(PG_FUNCTION_ARGS) {
    const UniqidShards shards = key_shards_argument(fcinfo, 1);
    return datum_from_key(uniqid_from_id(id_argument(fcinfo, 0)), shards, "time of luuid out of range for a short key");
}

// luuid_uniqid_shard(text, shards integer) → integer, 0 .. shards-1; 22P02 as above, 22023 for shards < 1.
LUUID_FUNCTION(luuid_uniqid_shard);
Datum luuid_uniqid_shard(PG_FUNCTION_ARGS) {
    const Uniqid key = uniqid_argument(fcinfo, 0);
    PG_RETURN_INT32(static_cast<int32>(uniqid_shard(key, shards_argument(fcinfo, 1))));
}
