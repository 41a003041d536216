// The settings luuid.mode, luuid.version and luuid.node.
#pragma once

#include "../core/generator.hpp"
#include "../core/node.hpp"

namespace luuid::pg {

namespace detail {

// The server writes these.
extern int mode_value;
extern int version_value;
extern NodeSetting node_value;

}  // namespace detail

// What the settings say at this moment. Inline, since every id asks.
inline CounterMode mode_setting() noexcept { return static_cast<CounterMode>(detail::mode_value); }
inline Layout version_setting() noexcept { return static_cast<Layout>(detail::version_value); }
inline NodeSetting node_setting() noexcept { return detail::node_value; }

// The words a user writes for them.
const char* mode_word(CounterMode mode) noexcept;
const char* version_word(Layout version) noexcept;

// Registers the settings with the server; once, from _PG_init.
void define_settings();

}  // namespace luuid::pg
