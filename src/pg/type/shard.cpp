// SQL functions for shards: the shard of an id, and the first id of a shard.
#include "shard.hpp"

#include "../datum.hpp"

namespace luuid::pg {

Shards shards_argument(FunctionCallInfo fcinfo, int number) {
    const auto shards = Shards::of(PG_GETARG_INT32(number));
    if (!shards)
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("invalid number of shards: %d", PG_GETARG_INT32(number)),
                        errdetail("Valid values are 1 and more.")));
    return *shards;
}

Shard shard_argument(FunctionCallInfo fcinfo, int number) {
    const Shards shards = shards_argument(fcinfo, number + 1);
    const auto shard = Shard::of(PG_GETARG_INT32(number), shards);
    if (!shard)
        ereport(ERROR,
                (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("invalid shard: %d", PG_GETARG_INT32(number)),
                 errdetail("Of %u shards, the first is 0 and the last is %u.", shards.value(), shards.value() - 1)));
    return *shard;
}

}  // namespace luuid::pg

using namespace luuid;
using namespace luuid::pg;

// luuid_shard(luuid, shards integer) → integer, 0 .. shards-1; 22023 for shards < 1.
LUUID_FUNCTION(luuid_shard);
Datum luuid_shard(PG_FUNCTION_ARGS) {
    PG_RETURN_INT32(static_cast<int32>(shard_of(id_argument(fcinfo, 0), shards_argument(fcinfo, 1))));
}

// luuid_shard_floor(shard integer, shards integer) → luuid, the least of that shard in byte order; 22023 as above.
LUUID_FUNCTION(luuid_shard_floor);
Datum luuid_shard_floor(PG_FUNCTION_ARGS) { return datum_from_id(shard_floor(shard_argument(fcinfo, 0))); }
