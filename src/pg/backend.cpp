// What this backend generates from, and when that starts over.
#include "backend.hpp"

namespace luuid::pg::detail {

constinit Backend backend;

// Whatever may fail comes before the first change.
void start_over() {
    const NodeSetting setting = node_setting();
    const ResolvedNode node = find_node(setting);
    if (backend.owner != MyProcPid) {
        const auto pid = static_cast<std::uint32_t>(MyProcPid);
        const std::uint32_t counter = random_bits();
        const std::uint32_t node_bits = random_bits();
        const std::uint32_t clock_sequence = random_bits();
        backend = {};
        backend.own = LocalityGenerator{Counters{counter}};
        if (Shared* all = shared())
            backend.sharing = LocalityGenerator{SharedDraws{&all->counters}};
        backend.v1 = V1Timeline{process_node(pid, node_bits), clock_sequence};
        backend.owner = MyProcPid;
    }
    backend.node_setting = setting;
    backend.node = node;
    backend.identity = {static_cast<std::uint16_t>(MyProcPid), node.bits};
}

}  // namespace luuid::pg::detail
