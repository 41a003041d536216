// Random bits from the server's strong source, as gen_random_uuid of uuid.c draws them.
#pragma once

#include "server.hpp"

namespace luuid::pg {

inline std::uint32_t random_bits() {
    std::uint32_t bits = 0;
    if (!pg_strong_random(&bits, sizeof bits))
        ereport(ERROR, (errcode(ERRCODE_INTERNAL_ERROR), errmsg("could not generate random values")));
    return bits;
}

}  // namespace luuid::pg
