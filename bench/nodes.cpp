// Computes how many duplicates a fleet of servers has to expect in a day for each luuid.node, and compares the
// computation with a simulation of fleets that are small and crowded enough to have duplicates.
#include "duplicates.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <numbers>
#include <random>
#include <set>

using namespace luuid;
using namespace luuid::detail;

namespace {

enum class Mode : std::uint8_t { variable, sequential };
enum class Scope : std::uint8_t { preloaded, alone };
enum class Draw : std::uint8_t { none, server, backend };

// How machines come by a node: `sharing` of them have one and the same, the others one each. `drawn` at random, as a
// hash is, they may still be equal; by whom it says.
struct NodeRule {
    const char* name;
    Draw drawn = Draw::none;
    double sharing = 1;
    bool containers = false;
};

struct Fleet {
    double machines = 0;
    double backends = 0;  // of a machine, all day long
    double rate = 0;      // ids a second of each backend, at random moments
    double node_values = 0;
    double pid_values = 0;   // of the 16-bit field
    double process_ids = 0;  // that the kernel chooses from, in one machine
    double counter_values = 0;
    double window = 0;  // seconds
};

double pairs_of(double count) { return count * (count - 1) / 2; }

// Two counters of one seed that are drawn from at random moments, `rate` times a second each: the i'th draws of both
// fall into one millisecond with probability rate / 1000 / (2 sqrt(pi i)), since the moments are gamma distributed.
double equal_draws_a_second(double rate, double window) {
    return rate / 1000 * std::sqrt(rate * window * std::numbers::inv_pi) / window;
}

// Pairs of machines that have one node.
double equal_machines(const Fleet& fleet, const NodeRule& rule) {
    const double sharing = pairs_of(rule.sharing);
    return sharing + (rule.drawn == Draw::none ? 0 : (pairs_of(fleet.machines) - sharing) / fleet.node_values);
}

// Duplicates a second.
double expected(const Fleet& fleet, const NodeRule& rule, Scope scope, Mode mode) {
    const double variable = fleet.rate * fleet.rate / 1000 / fleet.counter_values;
    const double sequential = equal_draws_a_second(fleet.rate, fleet.window);
    // Backends of two machines, and of one, that have one process id field.
    const double across = fleet.backends * fleet.backends / fleet.pid_values;
    double within = fleet.machines * pairs_of(fleet.backends) * (fleet.process_ids / fleet.pid_values - 1) /
                    (fleet.process_ids - 1);
    if (fleet.process_ids <= fleet.pid_values || scope == Scope::preloaded)
        within = 0;
    if (rule.drawn == Draw::backend && scope == Scope::alone)
        within /= fleet.node_values;
    return (equal_machines(fleet, rule) * across + within) * (mode == Mode::variable ? variable : sequential);
}

// The duplicates of one window of a fleet.
std::size_t simulate(const Fleet& fleet, const NodeRule& rule, Scope scope, Mode mode, std::mt19937_64& random) {
    const auto below = [&random](double end) { return static_cast<std::uint64_t>(random()) % std::uint64_t(end); };
    const auto backends = static_cast<std::size_t>(fleet.backends);
    std::exponential_distribution<double> pause(fleet.rate * fleet.backends);
    std::vector<Id> ids;
    const std::uint64_t shared_node = below(fleet.node_values);
    for (std::size_t machine = 0; machine < static_cast<std::size_t>(fleet.machines); ++machine) {
        const bool shares = static_cast<double>(machine) < rule.sharing;
        // Undrawn nodes lie beyond the drawn ones: those of machines that share are 0 there, the others differ.
        const auto node = [&] {
            return rule.drawn == Draw::none ? std::uint64_t(fleet.node_values) + (shares ? 0 : machine)
                   : shares                 ? shared_node
                                            : below(fleet.node_values);
        };
        std::set<std::uint64_t> processes;
        while (processes.size() < backends)
            processes.insert(below(fleet.process_ids));
        const std::uint64_t servers_node = node();
        std::uint64_t walk = below(fleet.counter_values);
        struct Backend {
            std::uint64_t node, pid, draws;
        };
        std::vector<Backend> each;
        std::set<std::uint64_t> leased;
        for (const std::uint64_t process : processes) {
            std::uint64_t pid = process % std::uint64_t(fleet.pid_values);
            while (scope == Scope::preloaded && !leased.insert(pid).second)
                pid = (pid + std::uint64_t(fleet.pid_values) - 1) % std::uint64_t(fleet.pid_values);
            each.push_back({rule.drawn == Draw::backend && scope == Scope::alone ? node() : servers_node, pid,
                            mode == Mode::sequential    ? 0
                            : scope == Scope::preloaded ? walk++
                                                        : below(fleet.counter_values)});
        }
        for (double at = pause(random); at < fleet.window; at += pause(random)) {
            Backend& backend = each[below(fleet.backends)];
            ++backend.draws;
            const std::uint64_t block =
                mode == Mode::variable ? backend.draws % std::uint64_t(fleet.counter_values) : backend.draws;
            ids.push_back({backend.node << 32 | backend.pid, block << 32 | std::uint64_t(at * 1000)});
        }
    }
    return bench::count_duplicates(ids);
}

const char* name_of(Scope scope) { return scope == Scope::preloaded ? "preloaded" : "not preloaded"; }
const char* name_of(Mode mode) { return mode == Mode::variable ? "variable" : "sequential"; }

constexpr Scope scopes[] = {Scope::preloaded, Scope::alone};
constexpr Mode modes[] = {Mode::variable, Mode::sequential};

void compute() {
    constexpr double seconds_a_day = 86'400;
    const NodeRule rules[] = {
        {"auto", Draw::server},
        {"auto, containers", Draw::server, 1, true},
        {"auto, 2 copies of a cluster share an address", Draw::server, 2},
        {"auto, 10 copies of a cluster share an address, in containers", Draw::server, 10, true},
        {"mac, all addresses differ in 28 bits"},
        {"mac, 2 containers share an address", Draw::none, 2, true},
        {"mac, 10 containers share an address", Draw::none, 10, true},
        {"mac, 100 containers share an address", Draw::none, 100, true},
        {"mac, all containers share an address", Draw::none, 0, true},
        {"random", Draw::backend},
        {"seven digits, each machine its own"},
        {"seven digits, all machines the same", Draw::none, 0},
    };
    std::puts(
        "machines\tluuid.node\tpairs of machines with one node\tpreloaded, variable\tpreloaded, sequential\t"
        "not preloaded, variable\tnot preloaded, sequential");
    for (const double machines : {1, 10, 100, 1'000, 10'000})
        for (NodeRule rule : rules) {
            if (rule.sharing > machines)
                continue;
            if (rule.sharing == 0)
                rule.sharing = machines;
            Fleet fleet{.machines = machines,
                        .backends = 100,
                        .rate = 10,
                        .node_values = 0x1p28,
                        .pid_values = 65'536,
                        .process_ids = 4'194'304,
                        .counter_values = 0x1p32,
                        .window = 600};
            // A container counts its processes from 1.
            if (rule.containers)
                fleet.pid_values = fleet.process_ids = 1'000;
            std::printf("%.0f\t%s\t%.3g", machines, rule.name, equal_machines(fleet, rule));
            for (const Scope scope : scopes)
                for (const Mode mode : modes)
                    std::printf("\t%.2g", seconds_a_day * expected(fleet, rule, scope, mode));
            std::puts("");
        }
}

void check(std::size_t windows) {
    constexpr Fleet fleet{.machines = 40,
                          .backends = 10,
                          .rate = 5,
                          .node_values = 16,
                          .pid_values = 64,
                          .process_ids = 256,
                          .counter_values = 32,
                          .window = 60};
    const NodeRule rules[] = {
        {"drawn by the server", Draw::server},
        {"drawn by the server, 5 share one", Draw::server, 5},
        {"drawn by the backend", Draw::backend},
        {"5 machines share one", Draw::none, 5},
        {"one each"},
    };
    std::puts("node\tserver\tmode\twindows\tsimulated duplicates\tcomputed duplicates");
    std::mt19937_64 random(1);
    for (const NodeRule& rule : rules)
        for (const Scope scope : scopes)
            for (const Mode mode : modes) {
                std::size_t simulated = 0;
                for (std::size_t each = 0; each < windows; ++each)
                    simulated += simulate(fleet, rule, scope, mode, random);
                const double computed =
                    expected(fleet, rule, scope, mode) * fleet.window * static_cast<double>(windows);
                std::printf("%s\t%s\t%s\t%zu\t%zu\t%.0f\n", rule.name, name_of(scope), name_of(mode), windows,
                            simulated, computed);
            }
}

}  // namespace

int main(int argc, char** argv) {
    const bool checked = argc > 1 && std::strcmp(argv[1], "--check") == 0;
    const bool quick = argc > 2 && std::strcmp(argv[2], "--quick") == 0;
    if (checked)
        check(quick ? 20 : 100);
    else
        compute();
}
