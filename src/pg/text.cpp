// Text input and output, and the test for the canonical form.
#include "datum.hpp"

#include <luuid/text.hpp>

#include <cstdio>

using namespace luuid;
using namespace luuid::pg;

namespace {

// Whether a text was probably meant as a time: it begins with year, month, day.
bool looks_like_a_date(const char* text) noexcept {
    int year = 0, month = 0, day = 0;
    return std::sscanf(text, " %4d-%2d-%2d", &year, &month, &day) == 3;
}

}  // namespace

// luuid_in(cstring) → luuid; 22P02, softly if the server supports it. The counterpart of uuid_in in uuid.c.
LUUID_FUNCTION(luuid_in) {
    const char* text = PG_GETARG_CSTRING(0);
    ParseError error;
    const auto id = parse(text, error);
    if (!id)
        ereturn(fcinfo->context, Datum{0},
                (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
                 errmsg("invalid input syntax for type %s: \"%s\"", "luuid", text),
                 errdetail("Expected %s at character %zu.", error.what, error.at + 1),
                 looks_like_a_date(text)
                     ? errhint("To compare an id with a time, write timestamptz '%s'. The least id of that time is "
                               "luuid_floor('%s').",
                               text, text)
                     : errhint("Write 32 hexadecimal digits, with a hyphen after any group of four, with or without "
                               "braces.")));
    return datum_from_id(*id);
}

// luuid_out(luuid) → cstring, the canonical 36 characters.
LUUID_FUNCTION(luuid_out) {
    auto* text = static_cast<char*>(palloc(text_size + 1));
    format(id_argument(fcinfo, 0), std::span<char, text_size>(text, text_size));
    text[text_size] = '\0';
    PG_RETURN_CSTRING(text);
}

// luuid_is_valid(text) → boolean: true for the 36-character form, in either case, and no other.
LUUID_FUNCTION(luuid_is_valid) {
    const text* candidate = PG_GETARG_TEXT_PP(0);
    PG_RETURN_BOOL(is_canonical({VARDATA_ANY(candidate), VARSIZE_ANY_EXHDR(candidate)}));
}
