// Who this backend is to the ids it makes: the rules behind luuid.node.
#include "identity.hpp"

#include "random.hpp"
#include "server.hpp"
#include "shared.hpp"

#include "../core/node.hpp"

namespace luuid::pg {

namespace {

ResolvedNode node_of(HardwareAddress address) noexcept {
    return {static_cast<std::uint32_t>(address & node_max), address == 0 ? NodeSource::none : NodeSource::mac};
}

// Differs between clusters, and outlives restarts; a standby shares its primary's.
ResolvedNode system_node() noexcept {
    const std::uint64_t identifier = GetSystemIdentifier();
    const auto* bytes = reinterpret_cast<const unsigned char*>(&identifier);
    return {hash_bytes(bytes, sizeof identifier) & node_max, NodeSource::system_identifier};
}

}  // namespace

ResolvedNode find_node(NodeSetting setting) {
    switch (setting.rule) {
        case NodeRule::fixed:
            return {setting.fixed, NodeSource::setting};
        case NodeRule::random:
            return {shared() != nullptr ? shared()->random_node : random_bits() & node_max, NodeSource::random};
        case NodeRule::mac:
            return node_of(first_hardware_address());
        case NodeRule::automatic:
            break;
    }
    const HardwareAddress address = first_hardware_address();
    return is_universal(address) ? node_of(address) : system_node();
}

const char* source_word(NodeSource source) noexcept {
    switch (source) {
        case NodeSource::setting:
            return "setting";
        case NodeSource::mac:
            return "mac";
        case NodeSource::none:
            return "none";
        case NodeSource::system_identifier:
            return "system identifier";
        case NodeSource::random:
            return "random";
    }
    return nullptr;
}

}  // namespace luuid::pg
