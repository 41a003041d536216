// Numbers within their range by construction.
#pragma once

#include <luuid/detail/language.hpp>

#include <cstdint>
#include <optional>

namespace luuid::detail {

// From least to greatest. A constant out of range does not compile; any other number needs of().
template <class Tag, std::uint32_t least, std::uint32_t greatest>
class Bounded {
public:
    consteval Bounded(std::int64_t value) noexcept : value_(static_cast<std::uint32_t>(value)) {
        if (!contains(value))
            is_out_of_range();
    }

    // Nothing if the value is out of range.
    static constexpr std::optional<Bounded> of(std::int64_t value) noexcept {
        if (!contains(value))
            return std::nullopt;
        return Bounded(Checked{}, static_cast<std::uint32_t>(value));
    }

    constexpr std::uint32_t value() const noexcept { return value_; }

    static constexpr std::uint32_t min = least;
    static constexpr std::uint32_t max = greatest;

private:
    struct Checked {};

    constexpr Bounded(Checked, std::uint32_t value) noexcept : value_(value) {}

    static constexpr bool contains(std::int64_t value) noexcept { return value >= least && value <= greatest; }

    // Not constexpr, so that the compiler names it when it rejects a constant.
    static void is_out_of_range() noexcept {}

    std::uint32_t value_;
};

}  // namespace luuid::detail
