// How SQL functions take a shard and a count of shards.
#pragma once

#include "server.hpp"

#include "../core/shard.hpp"

namespace luuid::pg {

struct ShardArgument {
    std::uint32_t shard = 0;
    std::uint32_t shards = 1;
};

// The count in this argument; 22023 below 1.
std::uint32_t shards_argument(FunctionCallInfo fcinfo, int number);

// The shard in this argument and the count in the next; 22023 where there is no such shard.
ShardArgument shard_argument(FunctionCallInfo fcinfo, int number);

}  // namespace luuid::pg
