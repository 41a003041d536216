// The 18-digit PHP keys for SQL: in, out, and the shard they say they are on.
#include "datum.hpp"
#include "shard.hpp"

#include <luuid/uniqid.hpp>

using namespace luuid;
using namespace luuid::pg;

namespace {

const char* explain(const ParsedUniqid& parsed) {
    if (parsed.fault == UniqidFault::digit)
        return psprintf("Expected a hexadecimal digit at character %zu.", parsed.stop + 1);
    return explanation(parsed.fault);
}

Uniqid uniqid_argument(FunctionCallInfo fcinfo, int number) {
    const text* key = PG_GETARG_TEXT_PP(number);
    const ParsedUniqid parsed = parse_uniqid({VARDATA_ANY(key), VARSIZE_ANY_EXHDR(key)});
    if (parsed.fault != UniqidFault::none)
        ereport(ERROR,
                (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
                 errmsg("invalid short key: \"%s\"", text_to_cstring(key)), errdetail("%s", explain(parsed)),
                 errhint("Write the hexadecimal digits of uniqid() (13), behind 4 random digits (17), behind a shard "
                         "digit (18).")));
    return parsed.key;
}

}  // namespace

// luuid_from_uniqid(text) → luuid of version 1; 22P02 for what is no key of 18, 17 or 13 digits.
LUUID_FUNCTION(luuid_from_uniqid) { return datum_from_id(id_from_uniqid(uniqid_argument(fcinfo, 0))); }

// luuid_to_uniqid(luuid, shards integer) → text, 18 digits; 22008 where the id's seconds do not fit 32 bits, 22023 for
// shards outside 1 .. 16.
LUUID_FUNCTION(luuid_to_uniqid) {
    const Id id = id_argument(fcinfo, 0);
    const Shards wanted = shards_argument(fcinfo, 1);
    const auto shards = UniqidShards::of(wanted.value());
    if (!shards)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("invalid number of shards for a short key: %u", wanted.value()),
                        errdetail("Its shard is one digit, so there are at most %u.", UniqidShards::max)));
    const auto key = uniqid_from_id(id);
    if (!key)
        ereport(ERROR,
                (errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE), errmsg("time of luuid out of range for a short key"),
                 errdetail("A short key holds times from 1970-01-01 00:00:00+00 to "
                           "2106-02-07 06:28:15.999999+00.")));
    char text[uniqid_size];
    format_uniqid(*key, *shards, text);
    PG_RETURN_TEXT_P(cstring_to_text_with_len(text, sizeof text));
}

// luuid_uniqid_shard(text, shards integer) → integer, 0 .. shards-1; 22P02 as above, 22023 for shards < 1.
LUUID_FUNCTION(luuid_uniqid_shard) {
    const Uniqid key = uniqid_argument(fcinfo, 0);
    PG_RETURN_INT32(static_cast<int32>(uniqid_shard(key, shards_argument(fcinfo, 1))));
}
