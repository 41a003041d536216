// Hash functions that keep locality: a system that divides 32-bit hashes into ranges places locality UUIDs by prefix.
//
//   bits 31..25  versions b and 8: the first 7 bits of the id, top bit flipped so that signed ranges run in order
//   bits 24..0   mixed from all 16 bytes, as bits 31..25 are for every other id
//
// Ids of one sequential window differ only in the mixed bits. With 20 mixed bits, a hash aggregate of five million such
// ids did not finish; with 25, it takes as long as for uuid, within a tenth.
//
// These values determine where rows are stored, so they never change.
#include "../datum.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

constexpr std::uint32_t mixed_bits = 0x01ff'ffff;
constexpr std::uint32_t sign_bit = 0x8000'0000;

std::uint32_t keep_locality(const Id& id, std::uint32_t mixed) noexcept {
    if (!is_locality(layout_of(id)))
        return mixed;
    return ((prefix(id) ^ sign_bit) & ~mixed_bits) | (mixed & mixed_bits);
}

}  // namespace

// luuid_hash_mixed(luuid) → integer: all 32 bits mixed, as uuid_hash of uuid.c.
LUUID_FUNCTION(luuid_hash_mixed);
Datum luuid_hash_mixed(PG_FUNCTION_ARGS) { return hash_any(PG_GETARG_UUID_P(0)->data, id_size); }

// luuid_hash(luuid) → integer: hash support function 1.
LUUID_FUNCTION(luuid_hash);
Datum luuid_hash(PG_FUNCTION_ARGS) {
    const pg_uuid_t* bytes = PG_GETARG_UUID_P(0);
    return UInt32GetDatum(keep_locality(load(bytes->data), hash_bytes(bytes->data, id_size)));
}

// luuid_hash_extended(luuid, bigint) → bigint: hash support function 2. At salt 0 its low half equals function 1; at
// any other salt all bits are mixed, so that hash partitions of one table are even whatever the ids have in common.
LUUID_FUNCTION(luuid_hash_extended);
Datum luuid_hash_extended(PG_FUNCTION_ARGS) {
    const pg_uuid_t* bytes = PG_GETARG_UUID_P(0);
    const auto salt = static_cast<std::uint64_t>(PG_GETARG_INT64(1));
    const std::uint64_t mixed = hash_bytes_extended(bytes->data, id_size, salt);
    if (salt != 0)
        return UInt64GetDatum(mixed);
    const std::uint64_t high = mixed >> 32 << 32;
    return UInt64GetDatum(high | keep_locality(load(bytes->data), static_cast<std::uint32_t>(mixed)));
}
