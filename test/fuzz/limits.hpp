// The values that each function has to reject although its argument types allow them, as doc/luuid*.md documents.
// test/fuzz compares the server with these.
#pragma once

#include "argument.hpp"


namespace fuzz {

using Arguments = std::vector<Argument>;

inline Outcome unless(bool is_right, const char* state) { return is_right ? accepted : state; }

inline bool is_shard(const Argument& shard, const Argument& shards) {
    return shards.number >= 1 && shard.number >= 0 && shard.number < shards.number;
}

inline bool is_short_key(const std::string& text) { return reference::uniqid_fault(text).empty(); }

inline bool is_base32(const std::string& text) { return reference::base32_digits(text).has_value(); }

// An id of RFC 9562's version, and a key of 16 bytes.
inline bool can_swap_seal(const Arguments& arguments, unsigned version) {
    const luuid::Id id = arguments[0].id;
    return luuid::version_nibble(id) == version && luuid::has_rfc_variant(id) && arguments[1].bytes.size() == 16;
}

// From 1970-01-01 00:00:00+00 to 2106-02-07 06:28:15.999999+00.
inline bool fits_short_key(const luuid::Id& id) {
    const auto instant = reference::microseconds(id);
    return instant && *instant >= 0 && *instant <= 4'294'967'295'999'999;
}

inline bool is_word(std::string text, std::initializer_list<const char*> words) {
    for (char& c : text)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return std::find(words.begin(), words.end(), text) != words.end();
}

inline bool is_node(const std::string& text) {
    return is_word(text, {"auto", "mac", "random"}) ||
           (text.size() == 7 && std::all_of(text.begin(), text.end(), reference::is_digit));
}

// As parse_bool() has it.
inline bool is_bool(const std::string& text) {
    return is_word(text, {"t", "tr", "tru", "true", "y", "ye", "yes", "on", "1", "f", "fa", "fal", "fals", "false", "n",
                          "no", "of", "off", "0"});
}

// A number of 32 bits. It may also be in another base, and have a fraction, an exponent and a unit.
inline Outcome is_milliseconds(const std::string& text) {
    const auto is_decimal = [](unsigned char c) { return std::isdigit(c) != 0; };
    if (std::none_of(text.begin(), text.end(), is_decimal))
        return "22023";
    const bool is_small = text.size() <= 9 && text[0] != '0' && std::all_of(text.begin(), text.end(), is_decimal);
    return is_small ? accepted : Outcome();
}

// By name; functions not listed accept every value of their types.
inline const std::map<std::string, Outcome (*)(const Arguments&)> limits = {
    {"function luuid_shard(luuid,integer)", [](const Arguments& a) { return unless(a[1].number >= 1, "22023"); }},
    {"function luuid_shard_floor(integer,integer)",
     [](const Arguments& a) { return unless(is_shard(a[0], a[1]), "22023"); }},
    {"function luuid_generate_in_shard(integer,integer)",
     [](const Arguments& a) { return unless(is_shard(a[0], a[1]), "22023"); }},
    {"function luuid_generate_near(luuid,integer)",
     [](const Arguments& a) { return unless(a[1].number >= 0 && a[1].number <= 32, "22023"); }},
    // To 10889-08-02 05:31:50.655999+00.
    {"function luuid_generate(timestamp with time zone)",
     [](const Arguments& a) { return unless(a[0].number >= 0 && a[0].number <= 281'474'976'710'655'999, "22008"); }},
    {"function luuid_generate_v7(timestamp with time zone)",
     [](const Arguments& a) { return unless(a[0].number >= 0 && a[0].number <= 281'474'976'710'655'999, "22008"); }},
    // From 1582-10-15 00:00:00+00 to 5236-03-31 21:21:00.684696+00.
    {"function luuid_generate_v1(timestamp with time zone)",
     [](const Arguments& a) {
         return unless(a[0].number >= -12'219'292'800'000'000 && a[0].number <= 103'072'857'660'684'696, "22008");
     }},
    {"function luuid_from_uniqid(text)", [](const Arguments& a) { return unless(is_short_key(a[0].bytes), "22P02"); }},
    {"function luuid_uniqid_shard(text,integer)",
     [](const Arguments& a) {
         return is_short_key(a[0].bytes) ? unless(a[1].number >= 1, "22023") : Outcome("22P02");
     }},
    {"function luuid_to_uniqid(luuid,integer)",
     [](const Arguments& a) {
         return a[1].number < 1 || a[1].number > 1000 ? Outcome("22023") : unless(fits_short_key(a[0].id), "22008");
     }},
    {"function luuid_generate_uniqid(integer)",
     [](const Arguments& a) { return unless(a[0].number >= 1 && a[0].number <= 1000, "22023"); }},
    {"function luuid_from_base32(text)", [](const Arguments& a) { return unless(is_base32(a[0].bytes), "22P02"); }},
    {"function luuid_from_ulid(text)", [](const Arguments& a) { return unless(is_base32(a[0].bytes), "22P02"); }},
    {"function luuid_seal(luuid,bytea)", [](const Arguments& a) { return unless(can_swap_seal(a, 7), "22023"); }},
    {"function luuid_unseal(uuid,bytea)", [](const Arguments& a) { return unless(can_swap_seal(a, 4), "22023"); }},
    // What is not negative may lead out of timestamptz.
    {"function luuid_in_range(luuid,luuid,interval,boolean,boolean)",
     [](const Arguments& a) { return a[2].number < 0 ? Outcome("22013") : std::nullopt; }},
    {"function luuid_horizon(interval)",
     [](const Arguments& a) { return a[0].number < 0 ? Outcome("22023") : std::nullopt; }},
    {"function luuid(bytea)", [](const Arguments& a) { return unless(a[0].bytes.size() == 16, "22P03"); }},
    {"cast bytea to luuid", [](const Arguments& a) { return unless(a[0].bytes.size() == 16, "22P03"); }},
    {"function luuid_in(cstring)",
     [](const Arguments& a) { return unless(reference::parse(a[0].bytes).has_value(), "22P02"); }},
    {"setting luuid.mode",
     [](const Arguments& a) {
         return unless(is_word(a[0].bytes, {"variable", "sequential"}), "22023");
     }},
    {"setting luuid.version",
     [](const Arguments& a) {
         return unless(is_word(a[0].bytes, {"b", "8", "11"}), "22023");
     }},
    {"setting luuid.max_ahead", [](const Arguments& a) { return is_milliseconds(a[0].bytes); }},
    {"setting luuid.enable_time_rewrite", [](const Arguments& a) { return unless(is_bool(a[0].bytes), "22023"); }},
    {"setting luuid.enable_index_estimates", [](const Arguments& a) { return unless(is_bool(a[0].bytes), "22023"); }},
    {"setting luuid.node", [](const Arguments& a) { return unless(is_node(a[0].bytes), "22023"); }},
};

}  // namespace fuzz
