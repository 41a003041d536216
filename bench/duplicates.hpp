// Counts the ids of a list that repeat another.
#pragma once

#include <luuid/order.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace luuid::bench {

// Sorts the ids, by byte order.
inline std::size_t count_duplicates(std::vector<Id>& ids) {
    std::sort(ids.begin(), ids.end(), Bytewise());
    std::size_t duplicates = 0;
    for (std::size_t at = 1; at < ids.size(); ++at)
        duplicates += ids[at] == ids[at - 1];
    return duplicates;
}

}  // namespace luuid::bench
