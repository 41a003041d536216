// Node discovery: the source of the node under each rule, and the system's list of addresses.
#include <filesystem>

namespace {

constexpr MachineIdentity identity_of(std::string_view text) {
    MachineIdentity identity{};
    std::copy(text.begin(), text.end(), identity.begin());
    return identity;
}

struct Host {
    std::optional<MachineIdentity> known_identity;
    HardwareAddress address;

    std::optional<MachineIdentity> identity() const { return known_identity; }
    HardwareAddress hardware_address() const { return address; }
    std::uint32_t random_node() const { return 0x4a4d0; }
};

// The addresses of interfaces that Linux lists, without the loopback's zeros.
std::vector<HardwareAddress> listed_addresses() {
    std::vector<HardwareAddress> addresses;
    std::error_code none;
    for (const auto& interface : std::filesystem::directory_iterator("/sys/class/net", none)) {
        std::string text;
        if (!(std::ifstream(interface.path() / "address") >> text) || text.size() != 17)
            continue;
        std::erase(text, ':');
        if (const HardwareAddress address = std::stoull(text, nullptr, 16); address != 0)
            addresses.push_back(address);
    }
    return addresses;
}

}  // namespace

TEST_CASE("auto differs between machines with the same address, and between addresses of one machine", "[node]") {
    // VMware's, VirtualBox's, Xen's, Hyper-V's, Docker's, and none.
    const HardwareAddress addresses[] = {0x0050'5612'3456, 0x0800'2712'3456, 0x0016'3e12'3456,
                                         0x0015'5d12'3456, 0x0242'ac11'0002, 0};
    std::vector<std::uint32_t> nodes;
    for (const char* identity : {"one", "another", "a third"})
        for (const HardwareAddress address : addresses)
            nodes.push_back(find_node({}, Host{identity_of(identity), address}).bits);
    std::sort(nodes.begin(), nodes.end());
    CHECK(std::adjacent_find(nodes.begin(), nodes.end()) == nodes.end());
    CHECK(nodes.back() <= node_max);
}

TEST_CASE("the hash is frozen: MD5 of the identity and the octets of the address", "[node]") {
    // The last 28 bits of the digest's first four bytes, read little-endian.
    static_assert(node_hash(identity_of("one"), 0x0050'5612'3456) == 0xa2145f9);
    SUCCEED();
}

TEST_CASE("every bit of the address and of the identity counts", "[node]") {
    samples::Random random(1);
    for (int i = 0; i < 1'000; ++i) {
        MachineIdentity identity;
        for (char& byte : identity)
            byte = static_cast<char>(random.bits());
        const HardwareAddress address = random.bits() >> 16;
        const std::uint32_t node = node_hash(identity, address);
        const HardwareAddress other = address ^ HardwareAddress { 1 } << random.below(48);
        REQUIRE_LAW(node_hash(identity, other) != node, address);
        char& byte = identity[random.below(identity.size())];
        byte = static_cast<char>(byte ^ 1 << random.below(8));
        REQUIRE_LAW(node_hash(identity, address) != node, address);
    }
}

TEST_CASE("the source tells where the node's bits come from", "[node]") {
    const auto source = [](NodeRule rule, const Host& machine) {
        return find_node({rule, 0x123'4567}, machine).source;
    };
    const Host known{identity_of("one"), 0x0050'5612'3456};
    const Host without_address{identity_of("one"), 0};
    const Host unknown{std::nullopt, 0x0050'5612'3456};
    CHECK(source(NodeRule::automatic, known) == NodeSource::identity_and_mac);
    CHECK(source(NodeRule::automatic, without_address) == NodeSource::identity);
    CHECK(source(NodeRule::automatic, unknown) == NodeSource::random);
    CHECK(source(NodeRule::mac, unknown) == NodeSource::mac);
    CHECK(source(NodeRule::mac, without_address) == NodeSource::none);
    CHECK(source(NodeRule::random, known) == NodeSource::random);
    CHECK(source(NodeRule::fixed, known) == NodeSource::setting);
    CHECK(find_node({NodeRule::mac}, known).bits == 0x612'3456);
    CHECK(find_node({NodeRule::mac}, without_address).bits == 0);
    CHECK(find_node({}, unknown).bits == 0x4a4d0);
    CHECK(find_node({NodeRule::fixed, 0x123'4567}, known).bits == 0x123'4567);
}

TEST_CASE("a machine id is 32 hexadecimal digits and nothing else", "[node]") {
    const std::string id = "3d1219c7c4c5404aaa1f6d2a48adfda4";
    const auto parsed = parse_machine_id(id + "\n");
    REQUIRE(parsed);
    CHECK(std::string_view(parsed->data(), id.size()) == id);
    CHECK(parse_machine_id(id) == parsed);
    for (const std::string& other : {std::string(), std::string("\n"), std::string("uninitialized\n"),
                                     id.substr(1) + "\n", id + "0", "g" + id.substr(1), id.substr(0, 31) + "\n0"})
        CHECK_FALSE(parse_machine_id(other));
}

TEST_CASE("an application's identity is /etc/machine-id, except in a container", "[node]") {
    std::string id;
    std::ifstream("/etc/machine-id") >> id;
    std::error_code none;
    const bool contained = std::filesystem::read_symlink("/proc/self/ns/pid", none) != "pid:[4026531836]";
    const auto open_files = [] {
        return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                             std::filesystem::directory_iterator());
    };
    const auto before = open_files();
    const auto identity = System::machine_identity();
    CHECK(open_files() == before);
    CHECK(identity == (contained ? std::nullopt : parse_machine_id(id)));
}

TEST_CASE("the address found is 48 bits, the same each time, and one of those listed", "[node]") {
    const HardwareAddress found = System::hardware_address();
    CHECK(found >> 48 == 0);
    CHECK(System::hardware_address() == found);
    const std::vector<HardwareAddress> listed = listed_addresses();
    if (found != 0 && !listed.empty())
        CHECK(std::count(listed.begin(), listed.end(), found) > 0);
}
