// Who this backend is to the ids it makes: the rules behind luuid.node.
#include "identity.hpp"

#include "random.hpp"
#include "server.hpp"
#include "shared.hpp"

namespace luuid::pg {

namespace {

// Differs between clusters, and outlives restarts; a standby shares its primary's.
ResolvedNode system_node() noexcept {
    const std::uint64_t identifier = GetSystemIdentifier();
    const auto* bytes = reinterpret_cast<const unsigned char*>(&identifier);
    return {hash_bytes(bytes, sizeof identifier) & node_max, NodeSource::system_identifier};
}

}  // namespace

ResolvedNode find_node(NodeSetting setting) {
    const auto random = [] { return shared() != nullptr ? shared()->random_node : random_bits() & node_max; };
    return luuid::find_node(setting, random, system_node);
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
