// The settings luuid.mode, luuid.version, luuid.node, luuid.max_ahead, luuid.enable_time_rewrite and
// luuid.enable_index_estimates.
#pragma once

#include <luuid/settings.hpp>

namespace luuid::pg {

// As assigned by the server.
struct SettingValues {
    int mode;
    int version;
    NodeSetting node;
    std::uint64_t max_ahead;  // milliseconds; the greatest number if there is no limit
    bool enable_time_rewrite;
    bool enable_index_estimates;
};
extern SettingValues setting_values;

// Their current values. Inline, since generating an id reads them.
inline GeneratorSettings generator_settings() noexcept {
    return {static_cast<CounterMode>(setting_values.mode), static_cast<LocalityVersion>(setting_values.version),
            setting_values.node};
}

// The user's words for them.
const char* mode_word(CounterMode mode) noexcept;
const char* version_word(LocalityVersion version) noexcept;

// Registers the settings with the server; called once, by _PG_init.
void define_settings();

}  // namespace luuid::pg
