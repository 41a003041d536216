// Random bits from the server's strong source, as gen_random_uuid of uuid.c draws them.
#pragma once

#include "server.hpp"

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

// Random words drawn many at a time, since a call of the strong source costs as much as ten ids.
class RandomPool {
public:
    std::uint64_t next() {
        if (left_ == 0) {
            fill_random(words_, sizeof words_);
            left_ = lengthof(words_);
        }
        return words_[--left_];
    }

private:
    std::uint64_t words_[128] = {};
    std::size_t left_ = 0;
};

}  // namespace luuid::pg
