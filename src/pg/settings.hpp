// The settings luuid.mode, luuid.version, luuid.node, luuid.max_ahead, luuid.enable_time_rewrite and
// luuid.enable_index_estimates.
#pragma once

#include <luuid/settings.hpp>

namespace luuid::pg {

// As assigned by the server.
struct SettingValues {
    int mode = static_cast<int>(CounterMode::variable);
    int version = static_cast<int>(LocalityVersion::vb);
    NodeSetting node;
    int max_ahead = 10'000;  // milliseconds; 0 if there is no limit
    bool enable_time_rewrite = true;
    bool enable_index_estimates = true;
};
extern SettingValues setting_values;

inline std::uint64_t max_ahead() noexcept {
    return setting_values.max_ahead == 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(setting_values.max_ahead);
}

// Registers the settings with the server; called once, by _PG_init.
void define_settings();

}  // namespace luuid::pg
