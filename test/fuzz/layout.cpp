// Any 16 bytes: every field where the digits have it, in and out as bytes and as text, and made again of its fields.
#include "fuzz.hpp"

#include "layout.hpp"
#include "shard.hpp"

using namespace luuid;

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
        REQUIRE_LAW(locality_id(layout, prefix(id), {pid_field(id), node}, millisecond_field(id)) == id, id);
    } else if (layout == Layout::v1 || layout == Layout::v6) {
        REQUIRE_LAW(gregorian_id(layout, gregorian_count(id), id.lsb) == id, id);
    }

    const auto shards = static_cast<std::uint32_t>(input.bits(32) % 0x7fff'ffff + 1);
    const std::uint32_t shard = shard_of(id, shards);
    REQUIRE_LAW(shard < shards, id, shards);
    REQUIRE_LAW(shard_floor(shard, shards) <= id, id, shards);
    REQUIRE_LAW(shard + 1 == shards || id < shard_floor(shard + 1, shards), id, shards);
    REQUIRE_LAW(shard_of(shard_floor(shard, shards), shards) == shard || shards > 0x7fff'fffe, id, shards);
}
