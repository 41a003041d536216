// SQL functions for base 32 and ULIDs.
#include "datum.hpp"

#include <luuid/base32.hpp>

using namespace luuid;
using namespace luuid::pg;

namespace {

ParsedBase32 parse_argument(FunctionCallInfo fcinfo) {
    const text* digits = PG_GETARG_TEXT_PP(0);
    return parse_base32({VARDATA_ANY(digits), VARSIZE_ANY_EXHDR(digits)});
}

int detail_of(const ParsedBase32& parsed) {
    return errdetail("Expected %s at character %zu.", expectation(parsed.fault), parsed.stop + 1);
}

}  // namespace

// luuid_to_base32(luuid) → text: 26 digits of Crockford's alphabet, lower case.
LUUID_FUNCTION(luuid_to_base32) {
    char digits[base32_size];
    format_base32(id_argument(fcinfo, 0), digits);
    PG_RETURN_TEXT_P(cstring_to_text_with_len(digits, sizeof digits));
}

// luuid_from_base32(text) → luuid; 22P02.
LUUID_FUNCTION(luuid_from_base32) {
    const ParsedBase32 parsed = parse_argument(fcinfo);
    if (parsed.fault != Base32Fault::none)
        ereport(ERROR, (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
                        errmsg("invalid base-32 form of a luuid: \"%s\"", text_to_cstring(PG_GETARG_TEXT_PP(0))),
                        detail_of(parsed),
                        errhint("Write 26 digits of Crockford's alphabet, without what stands before them, such as the "
                                "prefix of a TypeID.")));
    return datum_from_id(parsed.id);
}

// luuid_from_ulid(text) → luuid of version 7 with the same millisecond; 22P02.
LUUID_FUNCTION(luuid_from_ulid) {
    const ParsedBase32 parsed = parse_argument(fcinfo);
    if (parsed.fault != Base32Fault::none)
        ereport(ERROR, (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
                        errmsg("invalid ULID: \"%s\"", text_to_cstring(PG_GETARG_TEXT_PP(0))), detail_of(parsed),
                        errhint("Write 26 digits of Crockford's alphabet.")));
    return datum_from_id(id_from_ulid(parsed.id));
}
