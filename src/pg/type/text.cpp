// Text input and output, and the test for the canonical form.
#include "../datum.hpp"

#include <luuid/text.hpp>

#include <cstdio>

using namespace luuid;
using namespace luuid::pg;

namespace {

// What a text lacks, as the time that it was probably meant as, since it begins with year, month, day; null if it does
// not.
const char* missing_in_time(const char* text) noexcept {
    int year = 0, month = 0, day = 0, size = 0;
    if (std::sscanf(text, " %4d-%2d-%2d%n", &year, &month, &day, &size) != 3)
        return nullptr;
    return text[size] == '\0' ? " 00:00+00" : "";
}

}  // namespace

// luuid_in(cstring) → luuid; 22P02, softly if the server supports it. The counterpart of uuid_in in uuid.c.
LUUID_FUNCTION(luuid_in);
Datum luuid_in(PG_FUNCTION_ARGS) {
    const char* text = PG_GETARG_CSTRING(0);
    ParseError error;
    const auto id = parse(text, error);
    if (!id) {
        const char* missing = missing_in_time(text);
        ereturn(fcinfo->context, Datum{0},
                (errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
                 errmsg("invalid input syntax for type %s: \"%s\"", "luuid", text),
                 errdetail("Expected %s at character %zu.", error.what, error.at + 1),
                 missing != nullptr
                     ? errhint("To compare an id with this time, write timestamptz '%s%s'. For an id, as a partition's "
                               "bound, write luuid_floor('%s%s'). Without an offset, such as +00, a time is in the "
                               "session's time zone.",
                               text, missing, text, missing)
                 : error.at < 8
                     ? errhint("Write 32 hexadecimal digits, with a hyphen after any group of four, with or without "
                               "braces. Before a time write its type, as in timestamptz 'yesterday'.")
                     : errhint("Write 32 hexadecimal digits, with a hyphen after any group of four, with or without "
                               "braces.")));
    }
    return datum_from_id(*id);
}

// luuid_out(luuid) → cstring, the canonical 36 characters.
LUUID_FUNCTION(luuid_out);
Datum luuid_out(PG_FUNCTION_ARGS) {
    auto* text = static_cast<char*>(palloc(text_size + 1));
    format(id_argument(fcinfo, 0), std::span<char, text_size>(text, text_size));
    text[text_size] = '\0';
    PG_RETURN_CSTRING(text);
}

// luuid_is_valid(text) → boolean: true for the 36-character form, in either case, and no other.
LUUID_FUNCTION(luuid_is_valid);
Datum luuid_is_valid(PG_FUNCTION_ARGS) {
    const text* candidate = PG_GETARG_TEXT_PP(0);
    PG_RETURN_BOOL(is_canonical({VARDATA_ANY(candidate), VARSIZE_ANY_EXHDR(candidate)}));
}
