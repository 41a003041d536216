// The settings luuid.mode, luuid.version and luuid.node: their words, their checks, their defaults.
#include "settings.hpp"

#include "server.hpp"

#include "../core/text.hpp"

namespace luuid::pg {

namespace {

constexpr config_enum_entry mode_words[] = {
    {"variable", static_cast<int>(CounterMode::variable), false},
    {"sequential", static_cast<int>(CounterMode::sequential), false},
    {nullptr, 0, false},
};

constexpr config_enum_entry version_words[] = {
    {"b", static_cast<int>(Layout::vb), false},
    {"8", static_cast<int>(Layout::v8), false},
    {nullptr, 0, false},
};

const char* word_for(const config_enum_entry* entry, int value) noexcept {
    while (entry->val != value)
        ++entry;
    return entry->name;
}

// The server writes these; node_text is the text behind node_value.
int mode_value = static_cast<int>(CounterMode::variable);
int version_value = static_cast<int>(Layout::vb);
char* node_text = nullptr;
NodeSetting node_value;

constexpr std::size_t node_digits = 7;

bool parse_node(const char* text, NodeSetting& node) noexcept {
    node = {};
    if (pg_strcasecmp(text, "auto") == 0)
        return true;
    if (pg_strcasecmp(text, "mac") == 0) {
        node.rule = NodeRule::mac;
        return true;
    }
    if (pg_strcasecmp(text, "random") == 0) {
        node.rule = NodeRule::random;
        return true;
    }
    node.rule = NodeRule::fixed;
    std::size_t length = 0;
    for (; text[length] != '\0'; ++length) {
        const int digit = digit_value(text[length]);
        if (digit < 0 || length == node_digits)
            return false;
        node.fixed = node.fixed << 4 | static_cast<std::uint32_t>(digit);
    }
    return length == node_digits;
}

bool check_node(char** text, void**, GucSource) {
    NodeSetting ignored;
    if (parse_node(*text, ignored))
        return true;
    GUC_check_errdetail("Accepted are \"auto\", \"mac\", \"random\" and %zu hexadecimal digits.", node_digits);
    return false;
}

void assign_node(const char* text, void*) { parse_node(text, node_value); }

}  // namespace

CounterMode mode_setting() noexcept { return static_cast<CounterMode>(mode_value); }
Layout version_setting() noexcept { return static_cast<Layout>(version_value); }
NodeSetting node_setting() noexcept { return node_value; }

const char* mode_word(CounterMode mode) noexcept { return word_for(mode_words, static_cast<int>(mode)); }
const char* version_word(Layout version) noexcept { return word_for(version_words, static_cast<int>(version)); }

void define_settings() {
    DefineCustomEnumVariable(
        "luuid.mode", "How luuid_generate() chooses the first four bytes of an id.",
        "\"variable\" spreads ids evenly over shards; \"sequential\" keeps those of ten minutes together.", &mode_value,
        mode_value, mode_words, PGC_USERSET, 0, nullptr, nullptr, nullptr);
    DefineCustomEnumVariable("luuid.version", "The version that generated locality UUIDs carry.",
                             "\"b\" is the locality UUID's own; \"8\" passes validators that insist on RFC 9562.",
                             &version_value, version_value, version_words, PGC_USERSET, 0, nullptr, nullptr, nullptr);
    DefineCustomStringVariable("luuid.node", "What generated ids show of the machine they were made on.",
                               "\"auto\", \"mac\", \"random\" or seven hexadecimal digits.", &node_text, "auto",
                               PGC_SUSET, 0, check_node, assign_node, nullptr);
    MarkGUCPrefixReserved("luuid");
}

}  // namespace luuid::pg
