// Any text: parsed as by uuid.c, round-trips, and is never read past its end.
#include "fuzz.hpp"

FUZZ_TARGET(input) {
    const std::string text = input.rest();
    laws::is_canonical_where_it_says(text);
    if (!laws::parses_as_uuid_does(text))
        return;
    const luuid::Id id = luuid::parse(text).id;
    const std::string written = laws::formatted(id);
    REQUIRE_LAW(luuid::parse(written).id == id, id);
    REQUIRE_LAW(luuid::is_canonical(written), id);
    REQUIRE_LAW(luuid::is_canonical(text) ? text.size() == written.size() : true, id);
}
