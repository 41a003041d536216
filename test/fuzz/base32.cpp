// Any text as base 32, and any id in it: rejected if invalid, or every bit round-trips.
#include "fuzz.hpp"

#include <luuid/base32.hpp>

#include <cctype>

using namespace luuid;

namespace {

std::string written(const Id& id) {
    std::string text(base32_size, '?');
    format_base32(id, text.data());
    return text;
}

// The normalized digits; nothing if one is invalid.
std::optional<std::string> canonical(const std::string& text) {
    std::string digits;
    for (char c : text) {
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (c == '-')
            continue;
        c = c == 'o' ? '0' : c == 'i' || c == 'l' ? '1' : c;
        if (std::string_view("0123456789abcdefghjkmnpqrstvwxyz").find(c) == std::string_view::npos)
            return std::nullopt;
        digits += c;
    }
    return digits;
}

}  // namespace

FUZZ_TARGET(input) {
    const Id id = fuzz::Input(input).id();
    REQUIRE_LAW(parse_base32(written(id)).id == id, id);
    REQUIRE_LAW(layout_of(id_from_ulid(id)) == Layout::v7 && id_from_ulid(id).msb >> 16 == id.msb >> 16, id);

    const std::string text = input.rest();
    const ParsedBase32 parsed = parse_base32(laws::Exactly(text));
    const auto digits = canonical(text);
    const bool is_id = digits && digits->size() == base32_size && digits->front() <= '7';
    REQUIRE_LAW((parsed.fault == Base32Fault::none) == is_id, laws::escaped(text), parsed.stop);
    REQUIRE_LAW(parsed.stop <= text.size(), laws::escaped(text), parsed.stop);
    if (is_id)
        REQUIRE_LAW(written(parsed.id) == *digits, laws::escaped(text));
    else
        REQUIRE_LAW(parsed.id == nil_id, laws::escaped(text));
}
