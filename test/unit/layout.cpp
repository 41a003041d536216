// The layouts: every field of every version, compared with published ids and with a second reading of the digits.
#include "java.hpp"

namespace {

// Every field agrees with the reference, which reads the digits.
void fields_are_the_digits(const Id& id) {
    const std::string all = reference::digits(id);
    REQUIRE_LAW(ticks(id) == reference::ticks(id), id);
    REQUIRE_LAW((layout_of(id) != Layout::untimed) == reference::ticks(id).has_value(), id);
    REQUIRE_LAW(prefix(id) == reference::number(all.substr(0, 8)), id);
    if (reference::has_locality_layout(id)) {
        REQUIRE_LAW(pid_field(id) == reference::number(all.substr(8, 4)), id);
        REQUIRE_LAW(millisecond_field(id) == reference::number(all.substr(20)), id);
    }
    if (version_nibble(id) == 11)
        REQUIRE_LAW(node_field(id) == reference::number(all.substr(13, 7)), id);
    else if (reference::has_locality_layout(id))
        REQUIRE_LAW(node_field(id) == (reference::number(all.substr(13, 7)) & 0xfff'3fff), id);
    else if (ticks(id) && version_nibble(id) != 7)
        REQUIRE_LAW(node_field(id) == reference::number(all.substr(20)), id);
    else
        REQUIRE_LAW(!node_field(id), id);
}

constexpr std::int64_t rfc_instant = 1'645'557'742'000 * 10'000;  // 2022-02-22 19:22:22 UTC

// RFC 9562, appendices A and B.
constexpr Id rfc_v1 = id_of("C232AB00-9414-11EC-B3C8-9F6BDECED846");
constexpr Id rfc_v3 = id_of("5df41881-3aed-3515-88a7-2f4a814cf09e");
constexpr Id rfc_v4 = id_of("919108F7-52D1-4320-9BAC-F847DB4148A8");
constexpr Id rfc_v5 = id_of("2ed6657d-e927-568b-95e1-2665a8aea6a2");
constexpr Id rfc_v6 = id_of("1EC9414C-232A-6B00-B3C8-9F6BDECED846");
constexpr Id rfc_v7 = id_of("017F22E2-79B0-7CC3-98C4-DC0C0C07398F");
constexpr Id rfc_v8_by_time = id_of("2489E9AD-2EE2-8E00-8EC9-32D5F69181C0");
constexpr Id rfc_v8_by_name = id_of("5c146b14-3c52-8afd-938a-375d0df1fbf6");

static_assert(ticks(rfc_v1) == rfc_instant && ticks(rfc_v6) == rfc_instant && ticks(rfc_v7) == rfc_instant);
static_assert(layout_of(rfc_v1) == Layout::v1 && layout_of(rfc_v6) == Layout::v6 && layout_of(rfc_v7) == Layout::v7);
static_assert(!ticks(rfc_v3) && !ticks(rfc_v4) && !ticks(rfc_v5) && !ticks(nil_id));
static_assert(node_field(rfc_v1) == 0x9F6BDECED846 && node_field(rfc_v6) == 0x9F6BDECED846);
static_assert(gregorian_count(rfc_v1, Layout::v1) == 0x1EC9414C232AB00 &&
              gregorian_count(rfc_v6, Layout::v6) == 0x1EC9414C232AB00);
static_assert(!node_field(rfc_v3) && !node_field(rfc_v4) && !node_field(rfc_v5));
// Another vendor's version 8 is read by this layout.
static_assert(ticks(rfc_v8_by_time) == 0x32D5F69181C0 * 10'000 && ticks(rfc_v8_by_name) == 0x375d0df1fbf6 * 10'000);

}  // namespace

TEST_CASE("the published example has its published fields", "[layout]") {
    constexpr Id example = id_of("20be0ffc-314a-bd53-7a50-013a65ca76d2");
    CHECK(layout_of(example) == Layout::vb);
    CHECK(counter_field(example) == 3'488'672'514);
    CHECK(pid_field(example) == 12'618);
    CHECK(node_field(example) == 0xd537a50);
    CHECK(millisecond_field(example) == 1'350'327'498'450);  // 2012-10-15 18:58:18.450 UTC
    CHECK(ticks(example) == 13'503'274'984'500'000);
}

TEST_CASE("the Java implementation's ids have the fields that it reads", "[layout]") {
    for (const JavaId& java : java_ids()) {
        const Id id = *parse(java.text);
        CAPTURE(id);
        CHECK(java.version == "b");
        CHECK(layout_of(id) == Layout::vb);
        CHECK(pid_field(id) == java.pid);
        CHECK(node_field(id) == reference::number(java.mac_fragment));
        CHECK(millisecond_field(id) == java.millisecond);
        CHECK(static_cast<std::int64_t>(id.msb) == java.msb);
        CHECK(static_cast<std::int64_t>(id.lsb) == java.lsb);
    }
}

TEST_CASE("every field agrees with a second reading of the digits", "[layout]") {
    samples::Random random(2);
    std::vector<Id> ids = samples::hostile_ids();
    for (int i = 0; i < 200'000; ++i)
        ids.push_back(samples::with_version(samples::any_id(random), static_cast<unsigned>(random.below(16))));
    for (const Id& id : ids)
        fields_are_the_digits(id);
}

TEST_CASE("oversized fields do not spill into others", "[layout]") {
    const LocalityVersion version = GENERATE(LocalityVersion::vb, LocalityVersion::v8);
    const Layout layout = layout_of(version);
    const Id wide_node = locality_id(version, 0, {0, 0xffff'ffff}, 0);
    CHECK(layout_of(wide_node) == layout);
    CHECK(prefix(wide_node) == 0);
    CHECK(pid_field(wide_node) == 0);
    CHECK(node_field(wide_node) == (layout == Layout::vb ? node_max : 0xfff'3fff));
    CHECK(millisecond_field(wide_node) == 0);

    const Id wide_time = locality_id(version, 0, {0, 0}, ~std::uint64_t{0});
    CHECK(layout_of(wide_time) == layout);
    CHECK(node_field(wide_time) == 0);
    CHECK(millisecond_field(wide_time) == millisecond_max);
}

TEST_CASE("a 60-bit count round-trips through versions 1 and 6", "[layout]") {
    constexpr std::uint64_t count_max = 0x0fff'ffff'ffff'ffff;
    samples::Random random(4);
    for (int i = 0; i < 200'000; ++i) {
        const std::uint64_t count = i == 0 ? 0 : i == 1 ? count_max : random.bits() & count_max;
        const std::uint64_t rest = samples::with_variant(samples::any_id(random), 0b10).lsb;
        for (const Id& id : {v1_id(count, rest), v6_id(count, rest)}) {
            REQUIRE_LAW(gregorian_count(id, layout_of(id)) == count, id, count);
            REQUIRE_LAW(id.lsb == rest, id);
        }
        REQUIRE_LAW(layout_of(v1_id(count, rest)) == Layout::v1, count, rest);
        REQUIRE_LAW(layout_of(v6_id(count, rest)) == Layout::v6, count, rest);
    }
}
