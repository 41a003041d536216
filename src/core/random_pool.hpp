// Random words drawn many at a time, since a call of a strong source costs as much as ten ids.
#pragma once

#include <cstddef>
#include <cstdint>

namespace luuid {

// `fill` puts random bytes into a buffer.
template <void (*fill)(void* buffer, std::size_t size)>
class RandomPool {
public:
    std::uint64_t next() {
        if (left_ == 0) {
            fill(words_, sizeof words_);
            left_ = sizeof words_ / sizeof *words_;
        }
        return words_[--left_];
    }

private:
    std::uint64_t words_[128] = {};
    std::size_t left_ = 0;
};

}  // namespace luuid
