// Arguments of SQL functions: a shard and the number of shards.
#pragma once

#include "../server.hpp"

#include <luuid/shard.hpp>

namespace luuid::pg {

// The number of shards in this argument; 22023 below 1.
Shards shards_argument(FunctionCallInfo fcinfo, int number);

// The shard in this argument, of the number in the next; 22023 if there is no such shard.
Shard shard_argument(FunctionCallInfo fcinfo, int number);

}  // namespace luuid::pg
