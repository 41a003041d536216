// Any text as a short key, and any id in one: rejected for the right reason, or every bit round-trips.
#include "fuzz.hpp"

#include <cctype>

using namespace luuid;
using namespace luuid::detail;

namespace {

std::size_t shard_size(const std::string& text) { return text.size() > 17 ? text.size() - 17 : 0; }

bool is_decimal(char c) { return c >= '0' && c <= '9'; }

// The scheme's definition, digit by digit.
UniqidFault expected_fault(const std::string& text) {
    if (text.size() != 13 && (text.size() < 17 || text.size() > 20))
        return UniqidFault::length;
    const std::string shard = text.substr(0, shard_size(text));
    if (!std::all_of(shard.begin(), shard.end(), is_decimal))
        return UniqidFault::decimal_digit;
    if (!std::all_of(text.begin(), text.end(), reference::is_digit))
        return UniqidFault::digit;
    const std::uint64_t microseconds = reference::number(text.substr(text.size() - 5));
    if (microseconds > 999'999)
        return UniqidFault::microseconds;
    if (shard.empty())
        return UniqidFault::none;
    for (unsigned shards = 1; shards <= 1000; ++shards)
        if (std::to_string(microseconds % shards) == shard)
            return UniqidFault::none;
    return UniqidFault::shard;
}

void import_and_back(const std::string& text) {
    const ParsedUniqid parsed = parse_uniqid(laws::Exactly(text));
    REQUIRE_LAW(parsed.fault == expected_fault(text), laws::escaped(text));
    if (parsed.fault == UniqidFault::digit || parsed.fault == UniqidFault::decimal_digit) {
        const bool is_in_shard = parsed.fault == UniqidFault::decimal_digit;
        REQUIRE_LAW((parsed.stop < shard_size(text)) == is_in_shard, laws::escaped(text), parsed.stop);
        const auto fits = is_in_shard ? is_decimal : reference::is_digit;
        const auto begin = text.begin() + static_cast<std::ptrdiff_t>(is_in_shard ? 0 : shard_size(text));
        REQUIRE_LAW(
            std::find_if_not(begin, text.end(), fits) - text.begin() == static_cast<std::ptrdiff_t>(parsed.stop),
            laws::escaped(text), parsed.stop);
    }
    if (parsed.fault != UniqidFault::none)
        return;

    const Id id = id_from_uniqid(parsed.key);
    const std::string all = std::string(text.size() == 13 ? "0000" : "") + text;
    std::string unsharded = all.substr(all.size() - 17);
    for (char& digit : unsharded)
        digit = static_cast<char>(std::tolower(static_cast<unsigned char>(digit)));
    REQUIRE_LAW(reference::version(id) == 1 && reference::variant_is_10(id), laws::escaped(text), id);
    REQUIRE_LAW(
        reference::microseconds(id) == static_cast<std::int64_t>(reference::number(unsharded.substr(4, 8)) * 1'000'000 +
                                                                 reference::number(unsharded.substr(12))),
        laws::escaped(text), id);
    const auto back = uniqid_from_id(id);
    REQUIRE_LAW(back.has_value(), laws::escaped(text), id);
    for (const std::uint32_t shards : {1, 2, 10, 11, 100, 101, 999, 1000}) {
        const std::string key = laws::formatted(*back, *UniqidShards::of(shards));
        REQUIRE_LAW(key == std::to_string(reference::number(unsharded.substr(12)) % shards) + unsharded,
                    laws::escaped(text), key);
        REQUIRE_LAW(id_from_uniqid(parse_uniqid(key).key) == id, laws::escaped(text), key);
    }
}

void export_and_back(const Id& id) {
    const auto key = uniqid_from_id(id);
    const auto microseconds = reference::microseconds(id);
    REQUIRE_LAW(key.has_value() == (microseconds && *microseconds >= 0 && *microseconds / 1'000'000 <= 0xffff'ffff),
                id);
    if (!key)
        return;
    const std::string text = laws::formatted(*key, 10);
    REQUIRE_LAW(parse_uniqid(text).fault == UniqidFault::none, id, text);
    REQUIRE_LAW(reference::microseconds(id_from_uniqid(parse_uniqid(text).key)) == microseconds, id, text);
    REQUIRE_LAW(uniqid_from_id(id_from_uniqid(*key))->random == key->random, id, text);
}

}  // namespace

FUZZ_TARGET(input) {
    export_and_back(fuzz::Input(input).id());
    import_and_back(input.rest());
}
