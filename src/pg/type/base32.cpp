// SQL functions for base 32 and ULIDs.
#include "../datum.hpp"

#include <luuid/base32.hpp>

using namespace luuid;
using namespace luuid::pg;

namespace {

Id base32_argument(FunctionCallInfo fcinfo, const char* message, const char* hint) {
    const text* digits = PG_GETARG_TEXT_PP(0);
    ParseError error;
    const auto id = parse_base32({VARDATA_ANY(digits), VARSIZE_ANY_EXHDR(digits)}, error);
    if (!id)
        ereport(ERROR, (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION), errmsg(message, text_to_cstring(digits)),
                        errdetail("Expected %s at character %zu.", error.what, error.at + 1), errhint("%s", hint)));
    return *id;
}

}  // namespace

// luuid_to_base32(luuid) → text: 26 digits of Crockford's alphabet, lower case.
LUUID_FUNCTION(luuid_to_base32);
Datum luuid_to_base32(PG_FUNCTION_ARGS) {
    char digits[base32_size];
    format_base32(id_argument(fcinfo, 0), digits);
    PG_RETURN_TEXT_P(cstring_to_text_with_len(digits, sizeof digits));
}

// luuid_from_base32(text) → luuid; 22P02.
LUUID_FUNCTION(luuid_from_base32);
Datum luuid_from_base32(PG_FUNCTION_ARGS) {
    return datum_from_id(base32_argument(fcinfo, "invalid base-32 form of a luuid: \"%s\"",
                                         "Write 26 digits of Crockford's alphabet, without what stands before them, "
                                         "such as the prefix of a TypeID."));
}

// luuid_from_ulid(text) → luuid of version 7 with the same millisecond; 22P02.
LUUID_FUNCTION(luuid_from_ulid);
Datum luuid_from_ulid(PG_FUNCTION_ARGS) {
    return datum_from_id(
        id_from_ulid(base32_argument(fcinfo, "invalid ULID: \"%s\"", "Write 26 digits of Crockford's alphabet.")));
}
