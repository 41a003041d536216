// The generator of an application: threads, forks, settings; and ids in the standard library.
#include <deque>
#include <unordered_set>

#include <sys/wait.h>

namespace {

constexpr NodeSetting seven_digits{NodeRule::fixed, 0xd537a50};

// The results of `make` in this many concurrent threads, one list per thread.
template <class Make>
std::vector<std::vector<Id>> in_threads(std::size_t threads, std::size_t count, Make make) {
    std::vector<std::vector<Id>> ids(threads);
    std::vector<std::thread> running;
    for (std::size_t i = 0; i < threads; ++i)
        running.emplace_back([&ids, i, count, &make] {
            for (std::size_t made = 0; made < count; ++made)
                ids[i].push_back(make(i));
        });
    for (std::thread& each : running)
        each.join();
    return ids;
}

std::size_t distinct(const std::vector<std::vector<Id>>& lists) {
    std::unordered_set<Id> all;
    for (const auto& list : lists)
        all.insert(list.begin(), list.end());
    return all.size();
}

bool rises(const std::vector<Id>& ids) {
    const auto does_not_rise = [](const Id& a, const Id& b) { return compare(a, b) >= 0; };
    return std::adjacent_find(ids.begin(), ids.end(), does_not_rise) == ids.end();
}

std::uint64_t milliseconds_now() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

}  // namespace

TEST_CASE("an id contains its process, node, time and version", "[generator]") {
    const LocalityVersion version = GENERATE(LocalityVersion::vb, LocalityVersion::v8);
    Generator generator({.version = version, .node = seven_digits});
    const std::uint64_t before = milliseconds_now();
    const Id id = generator.next();
    CHECK(layout_of(id) == layout_of(version));
    CHECK(pid_field(id) == static_cast<std::uint16_t>(getpid()));
    CHECK(node_field(id) == (version == LocalityVersion::vb ? 0xd537a50 : 0xd533a50));
    CHECK(millisecond_field(id) >= before);
    CHECK(millisecond_field(id) <= milliseconds_now() + 1);  // the next one if the version changed from b to 8
    CHECK(generator.node().source == NodeSource::setting);
    CHECK(generator.clock_steps_back() == 0);
}

TEST_CASE("generators of a machine have the same node, unless the machine has no identity", "[generator]") {
    Generator one, another;
    CHECK((one.node().bits == another.node().bits) == System::machine_identity().has_value());
    CHECK((one.node().source != NodeSource::random) == System::machine_identity().has_value());
    CHECK(node_field(one.next()) == one.node().bits);
}

TEST_CASE("threads share a generator or have one each: ids are distinct, and increase in each thread", "[generator]") {
    const CounterMode mode = GENERATE(CounterMode::variable, CounterMode::sequential);
    constexpr std::size_t threads = 4, count = 50'000;
    Generator shared({.mode = mode, .node = seven_digits});
    std::deque<Generator> own;
    for (std::size_t i = 0; i < threads; ++i)
        own.emplace_back(GeneratorSettings{.mode = mode, .node = seven_digits});
    const bool is_shared = GENERATE(true, false);
    const auto ids = in_threads(threads, count, [&](std::size_t i) { return (is_shared ? shared : own[i]).next(); });
    CHECK(distinct(ids) == threads * count);
    CHECK(std::all_of(ids.begin(), ids.end(), rises));
}

TEST_CASE("a forked child is another process with its own counter", "[generator]") {
    Generator generator({.node = seven_digits});
    const Id parents = generator.next();
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        const Id made = generator.next();
        _exit(write(ends[1], std::addressof(made), sizeof made) == sizeof made ? 0 : 1);
    }
    REQUIRE(child > 0);
    close(ends[1]);
    Id childs;
    CHECK(read(ends[0], std::addressof(childs), sizeof childs) == sizeof childs);
    close(ends[0]);
    waitpid(child, nullptr, 0);
    CHECK(pid_field(childs) == static_cast<std::uint16_t>(child));
    CHECK(pid_field(parents) == static_cast<std::uint16_t>(getpid()));
    // If it had continued, this would be the parent's next step. That happens by chance once in 2^32 runs.
    CHECK(reverse_nibbles(prefix(childs)) != reverse_nibbles(prefix(parents)) + variable_step);
}

TEST_CASE("version-1 and version-7 ids increase, in any thread", "[generator]") {
    Generator generator;
    const bool is_first = GENERATE(true, false);
    const auto ids =
        in_threads(3, 20'000, [&](std::size_t) { return is_first ? generator.next_v1() : generator.next_v7(); });
    CHECK(distinct(ids) == 60'000);
    CHECK(std::all_of(ids.begin(), ids.end(), rises));
    CHECK(layout_of(ids[0][0]) == (is_first ? Layout::v1 : Layout::v7));
    if (is_first)
        CHECK((*node_field(ids[0][0]) & 0xff'ffff) == (static_cast<std::uint32_t>(getpid()) & 0xff'ffff));
}

TEST_CASE("ids work in containers and with times of the standard library", "[generator]") {
    using namespace std::chrono_literals;
    using std::chrono::sys_days;
    const Id example{0x20be0ffc314abd53, 0x7a50013a65ca76d2};
    CHECK(to_string(example) == "20be0ffc-314a-bd53-7a50-013a65ca76d2");
    CHECK(time_of(example) == sys_days(2012y / 10 / 15) + 18h + 58min + 18s + 450ms);
    CHECK_FALSE(time_of(nil_id).has_value());
    CHECK(floor_of(sys_days(2012y / 10 / 15)) == floor_of(at_microsecond(1'350'259'200'000'000)));
    CHECK(ceiling_of(sys_days(2012y / 10 / 15) + 1ns) == ceiling_of(at_microsecond(1'350'259'200'000'000)));
    CHECK(floor_of(sys_days(1969y / 12 / 31) + 24h - 1ns) == floor_of(at_microsecond(-1)));
    Generator generator;
    const auto finest = sys_days(2012y / 10 / 15) + 999'999ns;
    CHECK(time_of(*generator.next_at(finest)) == sys_days(2012y / 10 / 15));
    CHECK(time_of(*generator.next_v1_at(finest)) == sys_days(2012y / 10 / 15) + 999us);
    CHECK(time_of(*generator.next_v7_at(finest)) == sys_days(2012y / 10 / 15));
    CHECK_FALSE(generator.next_v7_at(sys_days(1969y / 12 / 31) + 24h - 1ns).has_value());

    const Id earlier = floor_of(sys_days(2012y / 10 / 15));  // greater in the first byte
    CHECK((compare_bytes(earlier, example) > 0 && earlier < example));
    CHECK(std::map<Id, int>{{example, 2}, {earlier, 1}}.begin()->second == 1);
    CHECK(std::unordered_set<Id>{example, earlier, example}.size() == 2);
}

TEST_CASE("the hash spreads ids that differ in one byte", "[generator]") {
    std::set<std::size_t> hashes;
    for (unsigned bit = 0; bit < 128; ++bit)
        hashes.insert(std::hash<Id>{}(samples::flip_bit(nil_id, bit)));
    CHECK(hashes.size() == 128);
}
