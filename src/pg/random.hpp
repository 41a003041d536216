// Random bytes from the server's strong source, as gen_random_uuid of uuid.c draws them.
#pragma once

#include "server.hpp"

#include <cstdint>

namespace luuid::pg {

inline void fill_random(void* buffer, std::size_t size) {
    if (!pg_strong_random(buffer, size))
        ereport(ERROR, (errcode(ERRCODE_INTERNAL_ERROR), errmsg("could not generate random values")));
}

inline std::uint32_t random_bits() {
    std::uint32_t bits = 0;
    fill_random(&bits, sizeof bits);
    return bits;
}

}  // namespace luuid::pg
