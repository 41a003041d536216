// Any text as base 32, and any id in it: rejected if invalid, or every bit round-trips.
#include "fuzz.hpp"

namespace {

std::string written(const Id& id) {
    std::string text(base32_size, '?');
    format_base32(id, text.data());
    return text;
}

}  // namespace

FUZZ_TARGET(input) {
    const Id id = fuzz::Input(input).id();
    REQUIRE_LAW(parse_base32(written(id)).id == id, id);
    REQUIRE_LAW(layout_of(id_from_ulid(id)) == Layout::v7 && id_from_ulid(id).msb >> 16 == id.msb >> 16, id);

    const std::string text = input.rest();
    const ParsedBase32 parsed = parse_base32(laws::Exactly(text));
    const auto digits = reference::base32_digits(text);
    REQUIRE_LAW((parsed.fault == Base32Fault::none) == digits.has_value(), laws::escaped(text), parsed.stop);
    REQUIRE_LAW(parsed.stop <= text.size(), laws::escaped(text), parsed.stop);
    if (digits)
        REQUIRE_LAW(written(parsed.id) == *digits, laws::escaped(text));
    else
        REQUIRE_LAW(parsed.id == nil_id, laws::escaped(text));
}
