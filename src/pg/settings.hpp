// The settings luuid.mode, luuid.version, luuid.node and luuid.max_ahead.
#pragma once

#include <luuid/settings.hpp>

namespace luuid::pg {

// As the server writes them.
struct SettingValues {
    int mode;
    int version;
    NodeSetting node;
    std::uint64_t max_ahead;  // milliseconds; the greatest number where there is no bound
};
extern SettingValues setting_values;

// What they say at this moment. Inline, since every id asks.
inline GeneratorSettings generator_settings() noexcept {
    return {static_cast<CounterMode>(setting_values.mode), static_cast<LocalityVersion>(setting_values.version),
            setting_values.node};
}

// The words a user writes for them.
const char* mode_word(CounterMode mode) noexcept;
const char* version_word(LocalityVersion version) noexcept;

// Registers the settings with the server; once, from _PG_init.
void define_settings();

}  // namespace luuid::pg
