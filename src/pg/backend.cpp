// What this backend generates from, and when that starts over.
#include "backend.hpp"

#include "clock.hpp"
#include "shared.hpp"

namespace luuid::pg {

namespace detail {

constinit Backend backend;

}  // namespace detail

namespace {

using detail::backend;

// As the process ends. It makes no more ids then.
void end_lease(int, Datum) {
    if (backend.owner == MyProcPid && backend.lease)
        shared()->leases.give_back(*backend.lease, backend.locality.last_millisecond());
    backend.owner = 0;
}

// All that can fail is done before anything changes.
Backend new_backend() {
    const auto pid = static_cast<std::uint32_t>(MyProcPid);
    const std::uint32_t node_bits = random_bits();
    const std::uint32_t clock_sequence = random_bits();
    const std::uint32_t step = random_bits();
    if (shared() != nullptr)
        on_shmem_exit(end_lease, 0);

    Backend made;
    const std::uint64_t now = clock_milliseconds();
    made.owner = MyProcPid;
    made.identity.pid = static_cast<std::uint16_t>(pid);
    made.locality = LocalityGenerator(shared() != nullptr ? shared()->start.fetch_add(start_stride) : step, now);
    made.v1 = V1Timeline(process_node(pid, node_bits), clock_sequence);
    if (shared() != nullptr) {
        made.lease = shared()->leases.take(made.identity.pid, now);
        if (made.lease)
            made.identity.pid = made.lease->value;
    }
    return made;
}

}  // namespace

void detail::start_over() {
    const NodeSetting setting = node_setting();
    const ResolvedNode node = find_node(setting);
    if (backend.owner != MyProcPid)
        backend = new_backend();
    backend.node_setting = setting;
    backend.node = node;
    backend.identity.node = node.bits;
}

}  // namespace luuid::pg
