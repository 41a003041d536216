// Every field of an id, those of SQL's luuid_inspect, as a table for the eye or as a line of JSON.
#include "values.hpp"

#include <charconv>
#include <cstdlib>

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

// Writes the fields of one id behind each other; no field's text needs escaping, since each is made here.
class Writer {
public:
    explicit Writer(char* at) : at_(at) {}

    char* end() const { return at_; }

    Writer& operator<<(std::string_view text) {
        at_ += text.copy(at_, text.size());
        return *this;
    }

    Writer& operator<<(std::int64_t number) {
        at_ = std::to_chars(at_, at_ + 20, number).ptr;
        return *this;
    }

    Writer& operator<<(const Id& id) {
        luuid::format(id, at_);
        at_ += luuid::text_size;
        return *this;
    }

private:
    char* at_;
};

struct JsonShow {
    Writer& line;

    void number(std::string_view name, std::optional<std::int64_t> value) {
        line << ",\"" << name << "\":";
        value ? line << *value : line << "null";
    }

    void text(std::string_view name, std::string_view value) {
        line << ",\"" << name << "\":";
        value.empty() ? line << "null" : line << "\"" << value << "\"";
    }
};

struct TableShow {
    Writer& line;
    bool in_colour;

    void number(std::string_view name, std::optional<std::int64_t> value) {
        label(name);
        value ? line << *value : line << "-";
        line << "\n";
    }

    void text(std::string_view name, std::string_view value) {
        label(name);
        line << (value.empty() ? "-" : value) << "\n";
    }

    void label(std::string_view name) {
        constexpr std::string_view column = "           ";  // the longest name is timestamp
        line << (in_colour ? "\033[2m" : "") << "  " << name << (in_colour ? "\033[0m" : "")
             << column.substr(name.size());
    }
};

template <class Show>
void show_fields(const Id& id, Show show) {
    const Layout layout = luuid::layout_of(id);
    const auto time = luuid::time_of(id);
    const auto node = luuid::node_field(id);
    const auto of_locality = [layout](std::int64_t value) {
        return luuid::is_locality(layout) ? std::optional(value) : std::nullopt;
    };
    char time_text[time_text_size_max];
    const std::size_t time_size = time ? static_cast<std::size_t>(format_time(*time, time_text) - time_text) : 0;
    char mac[] = "00:00:00:00:00:00";
    for (int i = 0; node && i < 12; ++i)
        mac[i / 2 * 3 + i % 2] = luuid::detail::lower_digits[*node >> (44 - 4 * i) & 0xf];

    show.number("version", luuid::version_nibble(id));
    show.text("layout", layout_words(id));
    show.text("timestamp", {time_text, time_size});
    show.number("ticks", time ? std::optional(time->time_since_epoch().count()) : std::nullopt);
    show.number("prefix", luuid::prefix(id));
    show.number("counter", of_locality(luuid::counter_field(id)));
    show.number("sequence", of_locality(luuid::detail::sequence_of(luuid::prefix(id))));
    show.number("pid", of_locality(luuid::pid_field(id)));
    show.text("mac", node ? std::string_view(mac) : std::string_view());
    show.number("msb", static_cast<std::int64_t>(id.msb));
    show.number("lsb", static_cast<std::int64_t>(id.lsb));
}

bool is_coloured(const Output& output) {
    const char* no_color = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    return output.is_terminal() && (no_color == nullptr || *no_color == '\0') &&
           (terminal == nullptr || std::string_view(terminal) != "dumb");
}

}  // namespace

ExitCode inspect(const Values& ids, bool as_json, Output& output) {
    const bool in_colour = is_coloured(output);
    bool is_first = true;
    return for_each_id(ids, output, [&](const Id& id) {
        Writer writer(output.reserve(Output::room_max));
        if (as_json) {
            writer << "{\"id\":\"" << id << "\"";
            show_fields(id, JsonShow{writer});
            writer << "}\n";
        } else {
            writer << (is_first ? "" : "\n") << (in_colour ? "\033[1m" : "") << id << (in_colour ? "\033[0m" : "")
                   << "\n";
            show_fields(id, TableShow{writer, in_colour});
        }
        is_first = false;
        output.advance(writer.end());
    });
}

}  // namespace cli
