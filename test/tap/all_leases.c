// For stat.pl: takes all leases that no backend has, as so many sessions would.
#include "postgres.h"

#include "fmgr.h"
#include "storage/shmem.h"

PG_MODULE_MAGIC;

PGDLLEXPORT Datum take_all_leases(PG_FUNCTION_ARGS);
PG_FUNCTION_INFO_V1(take_all_leases);

// take_all_leases(size of "luuid" in pg_shmem_allocations): it begins with a word for each lease, whose first bit says
// that it is held.
Datum take_all_leases(PG_FUNCTION_ARGS) {
    bool found;
    uint64* leases = ShmemInitStruct("luuid", PG_GETARG_INT64(0), &found);

    for (int value = 0; value < 65536; ++value)
        leases[value] |= UINT64CONST(1) << 63;
    PG_RETURN_VOID();
}
