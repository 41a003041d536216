// What this backend generates from. It belongs to the process that made it: a fork or a parallel worker starts over.
#pragma once

#include "identity.hpp"
#include "random.hpp"
#include "settings.hpp"
#include "shared.hpp"

#include "../core/generator.hpp"
#include "../core/rfc_generator.hpp"

namespace luuid::pg {

struct Backend {
    int owner = 0;  // the process id
    NodeSetting node_setting;
    ResolvedNode node;
    Identity identity;
    LocalityGenerator<Counters> own{Counters{0}};
    LocalityGenerator<SharedDraws> sharing{SharedDraws{nullptr}};  // the cluster's counters, where luuid is preloaded
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

// Calls back with the generator in force: with the cluster's counters where luuid is preloaded, else with its own.
template <class Use>
auto with_generator(Backend& backend, Use use) {
    if (shared() != nullptr)
        return use(backend.sharing);
    return use(backend.own);
}

}  // namespace luuid::pg
