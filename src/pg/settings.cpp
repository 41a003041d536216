// Registers the settings with the server: their words, and checks.
#include "settings.hpp"

#include "server.hpp"

using namespace luuid;
using namespace luuid::pg;

constinit SettingValues luuid::pg::setting_values;

namespace {

constexpr config_enum_entry mode_words[] = {
    {"variable", static_cast<int>(CounterMode::variable), false},
    {"sequential", static_cast<int>(CounterMode::sequential), false},
    {nullptr, 0, false},
};

constexpr config_enum_entry version_words[] = {
    {"b", static_cast<int>(LocalityVersion::vb), false},
    {"8", static_cast<int>(LocalityVersion::v8), false},
    {"11", static_cast<int>(LocalityVersion::vb), true},  // as luuid_extract_version returns it
    {nullptr, 0, false},
};

// The text of luuid.node; the server assigns it.
char* node_text = nullptr;

bool check_node(char** text, void**, GucSource) {
    if (parse_node(*text))
        return true;
    GUC_check_errdetail("Valid values are \"auto\", \"mac\", \"random\" and %zu hexadecimal digits.", node_digits);
    return false;
}

void assign_node(const char* text, void*) { setting_values.node = parse_node(text).value_or(NodeSetting{}); }

}  // namespace

void luuid::pg::define_settings() {
    DefineCustomEnumVariable(
        "luuid.mode", "How luuid_generate() chooses the first four bytes of an id.",
        "\"variable\" spreads ids evenly over shards; \"sequential\" keeps those of ten minutes together.",
        &setting_values.mode, setting_values.mode, mode_words, PGC_USERSET, 0, nullptr, nullptr, nullptr);
    DefineCustomEnumVariable("luuid.version", "Version of generated locality UUIDs.",
                             "\"b\" is the locality UUID's own; \"8\" passes validators that insist on RFC 9562.",
                             &setting_values.version, setting_values.version, version_words, PGC_USERSET, 0, nullptr,
                             nullptr, nullptr);
    DefineCustomStringVariable("luuid.node", "Source of the node field of generated ids.",
                               "\"auto\", \"mac\", \"random\" or seven hexadecimal digits.", &node_text, "auto",
                               PGC_SUSET, 0, check_node, assign_node, nullptr);
    DefineCustomIntVariable("luuid.max_ahead", "How far ids of a session may run ahead of the clock.",
                            "A session that would go further waits for the clock. 0 means no limit.",
                            &setting_values.max_ahead, setting_values.max_ahead, 0, INT_MAX, PGC_SUSET, GUC_UNIT_MS,
                            nullptr, nullptr, nullptr);
    DefineCustomBoolVariable("luuid.enable_time_rewrite",
                             "Enables the planner to replace comparisons such as id::timestamptz >= t by comparisons of ids.",
                             nullptr, &setting_values.enable_time_rewrite, setting_values.enable_time_rewrite,
                             PGC_USERSET, GUC_EXPLAIN, nullptr, nullptr, nullptr);
    DefineCustomBoolVariable("luuid.enable_index_estimates",
                             "Enables the planner's count of the rows of a time range in an index.", nullptr,
                             &setting_values.enable_index_estimates, setting_values.enable_index_estimates, PGC_USERSET,
                             GUC_EXPLAIN, nullptr, nullptr, nullptr);
    MarkGUCPrefixReserved("luuid");
}
