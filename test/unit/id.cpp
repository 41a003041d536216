// The 16-byte value: loading, storing, and the order of memcmp.

namespace {

using Bytes = std::array<unsigned char, id_size>;

constexpr Bytes counting_bytes = {0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                  0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
constexpr Id counting{0x0011223344556677, 0x8899aabbccddeeff};

constexpr Bytes stored(const Id& id) {
    Bytes bytes{};
    store(id, bytes.data());
    return bytes;
}

// At compile time; the tests below run other code.
static_assert(load(counting_bytes.data()) == counting);
// Named, since a checking standard library cannot compare a temporary array there.
constexpr Bytes stored_counting = stored(counting);
static_assert(stored_counting == counting_bytes);

// Passed in registers, but not copied by memcpy and std::bit_cast.
static_assert(sizeof(Id) == id_size && std::is_trivially_copy_constructible_v<Id>);
static_assert(!std::is_trivially_copyable_v<Id>);
static_assert(nil_id == Id{0, 0});
static_assert(version_nibble(counting) == 6 && has_rfc_variant(counting));

int sign(std::strong_ordering order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }
int sign(int order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

}  // namespace

TEST_CASE("load and store are inverse at every alignment and access 16 bytes", "[id]") {
    samples::Random random(1);
    for (int round = 0; round < 10'000; ++round) {
        const Id id = samples::any_id(random);
        for (std::size_t offset = 0; offset < 16; ++offset) {
            std::array<unsigned char, 48> room;
            room.fill(0xa5);
            store(id, room.data() + offset);
            REQUIRE_LAW(load(room.data() + offset) == id, id, offset);
            for (std::size_t i = 0; i < room.size(); ++i)
                REQUIRE_LAW((i >= offset && i < offset + id_size) || room[i] == 0xa5, id, offset, i);
        }
    }
}

TEST_CASE("byte order is memcmp's, and equality compares all 16 bytes", "[id]") {
    samples::Random random(2);
    std::vector<Id> ids = samples::hostile_ids();
    for (int i = 0; i < 500; ++i)
        ids.push_back(samples::any_id(random));
    for (const Id& a : ids)
        for (const Id& b : ids) {
            const int expected = sign(std::memcmp(stored(a).data(), stored(b).data(), id_size));
            REQUIRE_LAW(sign(compare_bytes(a, b)) == expected, a, b);
            REQUIRE_LAW((a == b) == (expected == 0), a, b);
        }
}
