// Node discovery: which addresses are an identity, and that the one found is one that the system lists.
#include "catch.hpp"
#include "samples.hpp"

#include <luuid/detail/system.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace luuid;
using namespace luuid::detail;

namespace {

static_assert(!is_universal(0), "no address is nobody's");

// The addresses that Linux shows of its interfaces, the loopback's zeros left out.
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

TEST_CASE("a universal address has both low bits of its first octet clear", "[node]") {
    const auto [address, universal] = GENERATE(table<HardwareAddress, bool>({
        {0x00'00'00'00'00'00, false},
        {0x00'00'00'00'00'01, true},
        {0x00'1b'21'3a'5f'77, true},
        {0xfc'aa'14'00'00'00, true},
        {0x01'00'5e'00'00'01, false},  // multicast
        {0x02'42'ac'11'00'02, false},  // a container
        {0x03'00'00'00'00'00, false},
        {0xff'ff'ff'ff'ff'ff, false},  // broadcast
    }));
    CAPTURE(address);
    CHECK(is_universal(address) == universal);
}

TEST_CASE("no other bit matters", "[node]") {
    samples::Random random(1);
    for (int i = 0; i < 100'000; ++i) {
        const HardwareAddress address = random.bits() >> 16 | 1;
        const auto first_octet = static_cast<unsigned>(address >> 40);
        REQUIRE_LAW(is_universal(address) == (first_octet % 4 == 0), address);
    }
}

TEST_CASE("the address found is 48 bits, the same each time, and one of those listed", "[node]") {
    const HardwareAddress found = System::hardware_address();
    CHECK(found >> 48 == 0);
    CHECK(System::hardware_address() == found);
    const std::vector<HardwareAddress> listed = listed_addresses();
    if (found != 0 && !listed.empty())
        CHECK(std::count(listed.begin(), listed.end(), found) > 0);
}
