// The state that a backend generates ids from, and when it starts over.
#include "backend.hpp"

#include "../datum.hpp"
#include "../horizon/slots.hpp"

namespace luuid::pg {

constinit BackendGenerator generator;
constinit detail::Process Backend::process_;
constinit std::uint32_t Backend::inserting_;

// Does all that can fail before it changes anything.
void Backend::start_over() {
    const auto pid = static_cast<std::uint32_t>(MyProcPid);
    const detail::V1Timeline v1(detail::process_node(pid, random_bits()), random_bits());
    std::uint32_t step = random_bits();
    if (cluster() != nullptr)
        on_shmem_exit(
            [](int, Datum) {
                if (process_.locality.lease())
                    process_.locality.lease()->give_back();
                process_.number = 0;  // it generates no more ids by this lease
            },
            0);

    const std::uint64_t now = milliseconds();
    auto field = static_cast<std::uint16_t>(pid);
    std::optional<detail::LocalityGenerator::Lease> lease;
    if (cluster() != nullptr) {
        step = cluster()->start.fetch_add(detail::start_stride);
        lease = cluster()->leases.take(field, now);
        if (lease)
            field = lease->value();
        else
            ++cluster()->stats.leases_refused;
    }
    process_ = {pid, field, detail::LocalityGenerator(step, now, lease), v1, {}, {}, {}};
}

void Backend::begin_inserting() {
    detail::Process& process = Backend::process();
    if (cluster() != nullptr) {
        const std::uint64_t steps = process.locality.steps_followed();
        process.go_on_from(begin_inserter());
        if (process.locality.steps_followed() != steps)
            ++cluster()->stats.clock_steps_back;
    }
    inserting_ = process.number;
}

std::uint64_t Backend::announce_step(std::uint64_t now) {
    if (cluster() == nullptr)
        return now;
    ++cluster()->stats.clock_steps_back;
    return begin_inserter(last_generated());
}

void Backend::watch_transactions() {
    // Before another session can resolve the prepared transaction.
    RegisterXactCallback(
        [](XactEvent event, void*) {
            if (event == XACT_EVENT_PREPARE)
                end_inserting(event);
        },
        nullptr);
    // The last resource owner of a transaction is released after the transaction has become visible to new snapshots,
    // its invalidation messages are sent, and its locks are released.
    RegisterResourceReleaseCallback(
        [](ResourceReleasePhase phase, bool is_commit, bool is_top, void*) {
            if (phase == RESOURCE_RELEASE_AFTER_LOCKS && is_top && CurrentResourceOwner == TopTransactionResourceOwner)
                end_inserting(is_commit ? XACT_EVENT_COMMIT : XACT_EVENT_ABORT);
        },
        nullptr);
}

// cluster() is null if the server has set up its shared memory without calling our hooks.
void Backend::end_inserting(XactEvent event) {
    if (cluster() == nullptr)
        return;
    const bool has_generated = inserting_ == static_cast<std::uint32_t>(MyProcPid);
    inserting_ = 0;
    end_inserter(event, has_generated ? last_generated() : 0);
}

std::uint64_t Backend::last_generated() noexcept {
    return static_cast<std::uint64_t>(milliseconds_since_1970(process_.last()));
}

// Records the lead for luuid_stat(). Waits no longer than a second at a time, since the clock may be set meanwhile.
bool Backend::wait_if_too_far_ahead(std::uint64_t lead) {
    constexpr std::uint64_t second = 1000;
    if (cluster() != nullptr)
        detail::raise(cluster()->stats.most_ahead, lead);
    if (lead < max_ahead())
        return false;
    static const std::uint32_t event = luuid_wait_event("LuuidAhead");
    WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH,
              static_cast<long>(std::min(lead - max_ahead() + 1, second)), event);
    ResetLatch(MyLatch);
    CHECK_FOR_INTERRUPTS();
    return true;
}

std::uint32_t Backend::random_node() {
    return cluster() != nullptr ? cluster()->random_node : random_bits() & node_max;
}

detail::HardwareAddress Backend::hardware_address() noexcept {
    return cluster() != nullptr ? cluster()->hardware_address : System::hardware_address();
}

// The identity of the cluster, which is hashed with the hardware address. It outlives restarts, and a standby shares
// its primary's. By the system identifier alone, which every role can read, one could find the address by trying. The
// nonce, which initdb draws, is only in the server's files.
std::optional<detail::MachineIdentity> Backend::identity() noexcept {
    const std::uint64_t identifier = GetSystemIdentifier();
    detail::MachineIdentity identity;
    static_assert(sizeof identifier + MOCK_AUTH_NONCE_LEN == sizeof identity);
    std::memcpy(identity.data(), &identifier, sizeof identifier);
    std::memcpy(identity.data() + sizeof identifier, GetMockAuthenticationNonce(), MOCK_AUTH_NONCE_LEN);
    return identity;
}

}  // namespace luuid::pg
