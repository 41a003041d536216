// The commands that convert each value into one line: boundaries, shards, base 32 and short keys.
#include "values.hpp"

namespace cli {

namespace {

using luuid::Id;

// `boundary_of` is floor_of or ceiling_of.
ExitCode boundary(const Values& times, Output& output, Id (*boundary_of)(luuid::Time)) {
    return for_each(times, output, [&](std::string_view value) -> Refusal {
        const ParsedTime parsed = parse_time(value);
        if (parsed.fault != TimeFault::none)
            return {"invalid time", explanation(parsed)};
        output.write_line(to_string(boundary_of(parsed.time)));
        return {};
    });
}

// Of the text forms of an id. A shorter value is base 32 (26 digits) or a short key (at most 20).
constexpr std::size_t shortest_id = 32;

Refusal write_base32_or_id(Output& output, std::string_view text) {
    luuid::ParseError of_id, of_base32;
    if (const auto id = luuid::parse(text, of_id)) {
        char digits[luuid::base32_size];
        luuid::format_base32(*id, digits);
        output.write_line({digits, sizeof digits});
    } else if (const auto read = luuid::parse_base32(text, of_base32)) {
        output.write_line(to_string(*read));
    } else if (text.size() < shortest_id) {
        return {"invalid base-32 form", explanation(of_base32)};
    } else {
        return refuse_id(of_id);
    }
    return {};
}

Refusal write_id_of_key(Output& output, std::string_view text) {
    luuid::ParseError error;
    const auto key = luuid::parse_uniqid(text, error);
    if (!key)
        return {"invalid short key", explanation(error)};
    output.write_line(to_string(luuid::id_from_uniqid(*key)));
    return {};
}

Refusal write_key_of_id(Output& output, std::string_view text, luuid::UniqidShards shards) {
    luuid::ParseError error;
    const auto id = luuid::parse(text, error);
    if (!id)
        return refuse_id(error);
    const auto key = luuid::uniqid_from_id(*id);
    if (!key)
        return {"no short key for id",
                "A short key holds times from 1970-01-01T00:00:00Z to 2106-02-07T06:28:15.999999Z."};
    char line[luuid::uniqid_size_max];
    output.write_line(luuid::format_uniqid(*key, shards, line));
    return {};
}

}  // namespace

std::string explanation(const ParsedTime& parsed) {
    const std::string place = std::to_string(parsed.stop + 1);
    switch (parsed.fault) {
        case TimeFault::field:
            return "There is no such day or time: see character " + place + '.';
        case TimeFault::zone:
            return "The time zone is missing: add Z for UTC, or an offset such as +01:00.";
        default:
            return "Character " + place + " does not fit. Write 2026-11-21, or 2026-11-21T11:05:09.25Z.";
    }
}

ExitCode floor(const Values& times, Output& output) { return boundary(times, output, luuid::floor_of); }

ExitCode ceiling(const Values& times, Output& output) { return boundary(times, output, luuid::ceiling_of); }

ExitCode shard(luuid::Shards shards, const Values& ids, Output& output) {
    return for_each_id(ids, output,
                       [&](const Id& id) { output.write_line(std::to_string(luuid::shard_of(id, shards))); });
}

ExitCode base32(const Values& ids_or_digits, Output& output) {
    return for_each(ids_or_digits, output, [&](std::string_view value) { return write_base32_or_id(output, value); });
}

ExitCode uniqid(luuid::UniqidShards shards, const Values& keys_or_ids, Output& output) {
    return for_each(keys_or_ids, output, [&](std::string_view value) {
        return value.size() < shortest_id ? write_id_of_key(output, value) : write_key_of_id(output, value, shards);
    });
}

}  // namespace cli
