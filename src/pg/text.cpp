// Input and output as text, and the test for the canonical form.
#include "datum.hpp"

#include <luuid/text.hpp>

using namespace luuid;
using namespace luuid::pg;

// luuid_in(cstring) → luuid; 22P02, softly where the server can. The counterpart of uuid_in in uuid.c.
LUUID_FUNCTION(luuid_in) {
    const char* text = PG_GETARG_CSTRING(0);
    const ParsedText parsed = parse(text);
    if (parsed.fault != TextFault::none)
        ereturn(
            fcinfo->context, Datum{0},
            (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
             errmsg("invalid input syntax for type %s: \"%s\"", "luuid", text),
             errdetail("Expected %s at character %zu.", expectation(parsed.fault), parsed.stop + 1),
             errhint("Write 32 hexadecimal digits, with a hyphen after any group of four, with or without braces.")));
    return datum_from_id(parsed.id);
}

// luuid_out(luuid) → cstring, the canonical 36 characters.
LUUID_FUNCTION(luuid_out) {
    auto* text = static_cast<char*>(palloc(text_size + 1));
    format(id_argument(fcinfo, 0), text);
    text[text_size] = '\0';
    PG_RETURN_CSTRING(text);
}

// luuid_is_valid(text) → boolean: the 36-character form alone, in either case.
LUUID_FUNCTION(luuid_is_valid) {
    const text* candidate = PG_GETARG_TEXT_PP(0);
    PG_RETURN_BOOL(is_canonical({VARDATA_ANY(candidate), VARSIZE_ANY_EXHDR(candidate)}));
}
