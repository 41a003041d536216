// Shards for SQL: the one an id lies on, and where each begins.
#include "shard.hpp"

#include "datum.hpp"

namespace luuid::pg {

std::uint32_t shards_argument(FunctionCallInfo fcinfo, int number) {
    const int32 shards = PG_GETARG_INT32(number);
    if (shards < 1)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("invalid number of shards: %d", shards),
                        errdetail("There is at least 1 shard.")));
    return static_cast<std::uint32_t>(shards);
}

ShardArgument shard_argument(FunctionCallInfo fcinfo, int number) {
    const std::uint32_t shards = shards_argument(fcinfo, number + 1);
    const int32 shard = PG_GETARG_INT32(number);
    if (shard < 0 || static_cast<std::uint32_t>(shard) >= shards)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("invalid shard: %d", shard),
                        errdetail("Of %u shards, the first is 0 and the last is %u.", shards, shards - 1)));
    return {static_cast<std::uint32_t>(shard), shards};
}

}  // namespace luuid::pg

using namespace luuid;
using namespace luuid::pg;

// luuid_shard(luuid, shards integer) → integer, 0 .. shards-1; 22023 for shards < 1.
LUUID_FUNCTION(luuid_shard) {
    PG_RETURN_INT32(static_cast<int32>(shard_of(id_argument(fcinfo, 0), shards_argument(fcinfo, 1))));
}

// luuid_shard_floor(shard integer, shards integer) → luuid, the lowest of that shard in byte order; 22023 as above.
LUUID_FUNCTION(luuid_shard_floor) {
    const ShardArgument argument = shard_argument(fcinfo, 0);
    return datum_from_id(shard_floor(argument.shard, argument.shards));
}
