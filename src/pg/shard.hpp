// How SQL functions take a shard and a count of shards.
#pragma once

#include "server.hpp"

#include <luuid/shard.hpp>

namespace luuid::pg {

// The count in this argument; 22023 below 1.
Shards shards_argument(FunctionCallInfo fcinfo, int number);

// The shard in this argument, of the count in the next; 22023 where there is no such shard.
Shard shard_argument(FunctionCallInfo fcinfo, int number);

}  // namespace luuid::pg
