// Random words drawn in batches, since a call of a strong source costs as much as ten ids.
#pragma once

#include <luuid/detail/language.hpp>

#include <cstddef>
#include <cstdint>

namespace luuid::detail::inline LUUID_FORM {

class RandomPool {
    std::uint64_t words_[128] = {};
    std::size_t left_ = 0;

public:
    // `fill(buffer, size)` fills a buffer with random bytes.
    template <class Fill>
    constexpr std::uint64_t next(Fill fill) noexcept(noexcept(fill(words_, sizeof words_))) {
        if (left_ == 0) {
            fill(words_, sizeof words_);
            left_ = sizeof words_ / sizeof *words_;
        }
        return words_[--left_];
    }
};

}  // namespace luuid::detail::inline LUUID_FORM
