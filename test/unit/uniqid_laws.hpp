// Laws of short keys: every bit round-trips, and an invalid key is rejected for the right reason. See laws.hpp.
#pragma once

#include "laws.hpp"

namespace laws {

// Any text as a key. True if it is one.
inline bool imports_and_exports(const std::string& text) {
    const ParsedUniqid parsed = parse_uniqid(Exactly(text));
    REQUIRE_LAW(parsed.fault == reference::uniqid_fault(text), escaped(text));
    if (parsed.fault == UniqidFault::digit || parsed.fault == UniqidFault::decimal_digit) {
        const auto is_wrong = [&text](std::size_t at) {
            const bool is_decimal = text[at] >= '0' && text[at] <= '9';
            return at + 17 < text.size() ? !is_decimal : !reference::is_digit(text[at]);
        };
        std::size_t stop = 0;
        while (!is_wrong(stop))
            ++stop;
        REQUIRE_LAW(parsed.stop == stop, escaped(text), parsed.stop);
    }
    if (parsed.fault != UniqidFault::none)
        return false;

    const Id id = id_from_uniqid(parsed.key);
    const std::string all = std::string(text.size() == 13 ? "0000" : "") + text;
    std::string unsharded = all.substr(all.size() - 17);
    for (char& digit : unsharded)
        digit = static_cast<char>(std::tolower(static_cast<unsigned char>(digit)));
    REQUIRE_LAW(reference::version(id) == 1 && reference::variant_is_10(id), escaped(text), id);
    REQUIRE_LAW(
        reference::microseconds(id) == static_cast<std::int64_t>(reference::number(unsharded.substr(4, 8)) * 1'000'000 +
                                                                 reference::number(unsharded.substr(12))),
        escaped(text), id);
    const auto back = uniqid_from_id(id);
    REQUIRE_LAW(back.has_value(), escaped(text), id);
    for (const std::uint32_t shards : {1, 2, 10, 11, 100, 101, 999, 1000}) {
        const std::string key = formatted(*back, *UniqidShards::of(shards));
        REQUIRE_LAW(key == std::to_string(reference::number(unsharded.substr(12)) % shards) + unsharded, escaped(text),
                    key);
        REQUIRE_LAW(id_from_uniqid(parse_uniqid(key).key) == id, escaped(text), key);
    }
    return true;
}

// Any id.
inline void exports_and_imports(const Id& id) {
    const auto key = uniqid_from_id(id);
    const auto microseconds = reference::microseconds(id);
    REQUIRE_LAW(key.has_value() == (microseconds && *microseconds >= 0 && *microseconds / 1'000'000 <= 0xffff'ffff),
                id);
    if (!key)
        return;
    const std::string text = formatted(*key, 10);
    REQUIRE_LAW(parse_uniqid(text).fault == UniqidFault::none, id, text);
    REQUIRE_LAW(reference::microseconds(id_from_uniqid(parse_uniqid(text).key)) == microseconds, id, text);
    REQUIRE_LAW(uniqid_from_id(id_from_uniqid(*key))->random == key->random, id, text);
}

}  // namespace laws
