// What is wrong with a text that was refused, in words for whoever wrote it.
#pragma once

#include <luuid/uniqid.hpp>

namespace luuid {

// What stands at the character where parse stopped should have been this.
constexpr const char* expectation(TextFault fault) noexcept {
    switch (fault) {
        case TextFault::digit_expected:
            return "a hexadecimal digit";
        case TextFault::brace_expected:
            return "a closing brace";
        default:
            return "the end";
    }
}

// A sentence for every fault but `digit`, which is one of a character.
constexpr const char* explanation(UniqidFault fault) noexcept {
    static_assert(UniqidShards::max == 16);
    switch (fault) {
        case UniqidFault::microseconds:
            return "The last five digits are microseconds, f423f at most.";
        case UniqidFault::shard:
            return "The last five digits do not fall on that shard for any number of shards up to 16.";
        default:
            return "The key does not have 18, 17 or 13 digits.";
    }
}

}  // namespace luuid
