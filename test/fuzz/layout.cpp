// Any 16 bytes: every field is at its digits, bytes and text round-trip, and the id can be rebuilt from its fields.
#include "fuzz.hpp"

FUZZ_TARGET(input) {
    const Id id = input.id();
    laws::fields_are_the_digits(id);

    unsigned char bytes[id_size];
    store(id, bytes);
    REQUIRE_LAW(load(bytes) == id, id);
    const std::string text = laws::formatted(id);
    REQUIRE_LAW(parse(text).id == id && parse(text).fault == TextFault::none, id);
    REQUIRE_LAW(parse(reference::digits(id)).id == id, id);

    const Layout layout = layout_of(id);
    if (is_locality(layout)) {
        const auto node = static_cast<std::uint32_t>(*node_field(id));
        const auto version = static_cast<LocalityVersion>(layout);
        REQUIRE_LAW(locality_id(version, prefix(id), {pid_field(id), node}, millisecond_field(id)) == id, id);
    } else if (layout == Layout::v1) {
        REQUIRE_LAW(v1_id(gregorian_count(id), id.lsb) == id, id);
    } else if (layout == Layout::v6) {
        REQUIRE_LAW(v6_id(gregorian_count(id), id.lsb) == id, id);
    }

    const auto shards = static_cast<std::uint32_t>(input.bits(32) % Shards::max + 1);
    const Shards count = *Shards::of(shards);
    const std::uint32_t number = shard_of(id, count);
    const auto shard = Shard::of(number, count);
    REQUIRE_LAW(shard.has_value(), id, shards);
    const Id floor = shard_floor(*shard);
    REQUIRE_LAW(compare_bytes(floor, id) <= 0, id, shards);
    const auto next = Shard::of(number + 1, count);
    REQUIRE_LAW(!next || compare_bytes(id, shard_floor(*next)) < 0, id, shards);
    REQUIRE_LAW(shard_of(floor, count) == number, id, shards);
}
