// What this backend generates from. It belongs to the process that made it: a fork or a parallel worker starts over.
#pragma once

#include "identity.hpp"
#include "random.hpp"
#include "settings.hpp"

#include "../core/generator.hpp"
#include "../core/leases.hpp"
#include "../core/rfc_generator.hpp"

namespace luuid::pg {

struct Backend {
    int owner = 0;  // the process id
    NodeSetting node_setting;
    ResolvedNode node;
    Identity identity;
    std::optional<Lease> lease;  // of identity.pid
    LocalityGenerator locality{0};
    V1Timeline v1{0, 0};
    V7Timeline v7;
    RandomPool random;
};

namespace detail {

extern Backend backend;

// Makes it this process's, with the node that luuid.node asks for.
void start_over();

}  // namespace detail

// Ready to generate: of this process, and with the node that luuid.node asks for now.
inline Backend& this_backend() {
    if (unlikely(detail::backend.owner != MyProcPid || !(detail::backend.node_setting == node_setting())))
        detail::start_over();
    return detail::backend;
}

}  // namespace luuid::pg
