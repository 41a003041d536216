// The command `inspect`: the fields of SQL's luuid_inspect(), as a table or as a line of JSON.
#include "values.hpp"

#include <algorithm>
#include <cctype>

namespace cli {

namespace {

using luuid::Id;
using luuid::Layout;

const char* layout_words(const Id& id) {
    switch (luuid::layout_of(id)) {
        case Layout::vb:
        case Layout::v8:
            return "locality UUID";
        case Layout::v1:
            return "Gregorian time";
        case Layout::v6:
            return "reordered Gregorian time";
        case Layout::v7:
            return "Unix time";
        case Layout::untimed:
            break;
    }
    return id == luuid::nil_id ? "nil" : "untimed";
}

struct Field {
    std::string_view name;
    std::optional<std::string> value;  // nothing if the version has no such field
    bool is_text = false;
};

// In the order of luuid_inspect().
std::vector<Field> fields_of(const Id& id) {
    const auto time = luuid::time_of(id);
    const auto node = luuid::node_field(id);
    const auto of_locality = [is_locality = luuid::is_locality(luuid::layout_of(id))](std::uint32_t value) {
        return is_locality ? std::optional(std::to_string(value)) : std::nullopt;
    };
    std::string mac = "00:00:00:00:00:00";
    for (std::size_t i = 0; node && i < 12; ++i)
        mac[i / 2 * 3 + i % 2] = luuid::detail::lower_digits[*node >> (44 - 4 * i) & 0xf];
    return {
        {"version", std::to_string(luuid::version_nibble(id))},
        {"layout", layout_words(id), true},
        {"timestamp", time ? std::optional(format_time(*time)) : std::nullopt, true},
        {"ticks", time ? std::optional(std::to_string(time->time_since_epoch().count())) : std::nullopt},
        {"prefix", std::to_string(luuid::prefix(id))},
        {"counter", of_locality(luuid::counter_field(id))},
        {"sequence", of_locality(luuid::detail::sequence_of(luuid::prefix(id)))},
        {"pid", of_locality(luuid::pid_field(id))},
        {"mac", node ? std::optional(mac) : std::nullopt, true},
        {"msb", std::to_string(static_cast<std::int64_t>(id.msb))},
        {"lsb", std::to_string(static_cast<std::int64_t>(id.lsb))},
    };
}

// Without escaping, since no field's text has a character that JSON escapes.
std::string json(const Id& id) {
    std::string line;
    line.reserve(512);
    line.append("{\"id\":\"").append(to_string(id)).append("\"");
    for (const Field& field : fields_of(id)) {
        const std::string quote = field.value && field.is_text ? "\"" : "";
        line.append(",\"").append(field.name).append("\":").append(quote).append(field.value.value_or("null"));
        line.append(quote);
    }
    return line + "}\n";
}

std::string table(const Id& id) {
    constexpr std::string_view column = "           ";  // the longest name is timestamp
    std::string lines = to_string(id) + '\n';
    for (const Field& field : fields_of(id)) {
        lines.append("  ").append(field.name).append(column.substr(field.name.size()));
        lines.append(field.value.value_or("-")).append("\n");
    }
    return lines;
}

std::optional<Id> id_of(std::string_view text) {
    const auto id = luuid::parse(text);
    return id ? id : luuid::parse_base32(text);
}

// The ids in a text such as a line of a log: words of 36 or 26 characters. A prefix such as user_ is a word of its own.
std::vector<Id> ids_in(std::string_view text) {
    std::vector<Id> ids;
    const auto is_of_word = [](char c) { return c == '-' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
    for (auto begin = text.begin(), end = begin; end != text.end(); begin = end) {
        begin = std::find_if(begin, text.end(), is_of_word);
        end = std::find_if_not(begin, text.end(), is_of_word);
        const std::string_view word(begin, end);
        if (word.size() != luuid::text_size && word.size() != luuid::base32_size)
            continue;
        if (const auto id = id_of(word))
            ids.push_back(*id);
    }
    return ids;
}

}  // namespace

ExitCode inspect(const Values& ids, bool as_json, Output& output) {
    bool is_first = true;
    const auto show = [&](const Id& id) {
        output.write(as_json ? json(id) : (is_first ? "" : "\n") + table(id));
        is_first = false;
    };
    return for_each(ids, output, [&](std::string_view value) -> Refusal {
        if (const auto id = id_of(value)) {
            show(*id);
            return {};
        }
        const std::vector<Id> found = ids_in(value);
        std::for_each(found.begin(), found.end(), show);
        luuid::ParseError error;
        return found.empty() && !luuid::parse(value, error) ? refuse_id(error) : Refusal();
    });
}

}  // namespace cli
