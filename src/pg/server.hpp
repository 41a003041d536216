// PostgreSQL's headers. Only this and server_planner.hpp handle differences between the supported servers (15 to 19).
#pragma once

// The server's headers are C and not ours to warn about.
#pragma GCC system_header

// Comes before the server's headers: a server built without NLS defines gettext's functions as macros, and libstdc++ 16
// includes <libintl.h> here, which declares them.
#include <chrono>

extern "C" {
#include "postgres.h"

// A later server may change the meaning of what src/pg/horizon reads of snapshots, which no compiler would notice.
#if PG_VERSION_NUM >= 200000 && !defined(LUUID_UNTESTED_SERVER)
#error "luuid is tested with PostgreSQL 15 to 19: make CPPFLAGS=-DLUUID_UNTESTED_SERVER builds it all the same"
#endif

#include "access/htup_details.h"
#include "access/parallel.h"
#include "access/transam.h"
#include "access/twophase.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "access/xlogrecovery.h"
#include "catalog/pg_am.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_class.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_control.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_opfamily.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "commands/dbcommands.h"
#include "commands/trigger.h"
#include "common/controldata_utils.h"
#include "common/hashfn.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "libpq/pqformat.h"
#include "miscadmin.h"
#include "optimizer/planner.h"
#include "parser/scansup.h"
#include "storage/condition_variable.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "storage/lock.h"
#include "storage/lwlock.h"
#include "storage/proc.h"
#include "storage/procarray.h"
#include "storage/shmem.h"
#include "utils/acl.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/date.h"
#include "utils/datetime.h"
#include "utils/guc.h"
#include "utils/inet.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/multirangetypes.h"
#include "utils/numeric.h"
#include "utils/rangetypes.h"
#include "utils/rel.h"
#include "utils/resowner.h"
#include "utils/snapmgr.h"
#include "utils/sortsupport.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"
#include "utils/typcache.h"
#include "utils/uuid.h"
#include "utils/wait_event.h"
#if PG_VERSION_NUM >= 160000
#include "nodes/miscnodes.h"
#include "varatt.h"
#endif
}

#if PG_VERSION_NUM < 160000
// 15 leaves PGDLLEXPORT empty; everything else in this module is hidden.
#undef PGDLLEXPORT
#define PGDLLEXPORT __attribute__((visibility("default")))
// 15.0 has only the former name, which later minor releases of 15 keep.
#define InitMaterializedSRF SetSingleFuncCall
// 16 added soft errors; before, there is no context to report them to.
#define ereturn(context, value, ...) ereport(ERROR, __VA_ARGS__)
#endif

// 18 lets a module declare its name and version.
#if PG_VERSION_NUM >= 180000
#define LUUID_MODULE_MAGIC PG_MODULE_MAGIC_EXT(.name = "luuid", .version = LUUID_VERSION)
#else
#define LUUID_MODULE_MAGIC PG_MODULE_MAGIC
#endif

// The server's comparator of unsigned Datums, by which tuplesort selects a faster sort. 20 renames it.
#if PG_VERSION_NUM >= 200000
#define ssup_datum_unsigned_cmp ssup_datum_uint64_cmp
#endif

// From 16 on, make_range() can report errors softly.
#if PG_VERSION_NUM >= 160000
#define luuid_make_range(type, lower, upper) make_range(type, lower, upper, false, NULL)
#else
#define luuid_make_range(type, lower, upper) make_range(type, lower, upper, false)
#endif

// The kind of a time zone's abbreviation: TZ or DTZ if it has one offset, in seconds east of UTC; DYNTZ if it has
// several.
inline int luuid_abbreviation(char* name, int* offset) {
    pg_tz* zone = NULL;
#if PG_VERSION_NUM >= 160000
    int kind = UNKNOWN_FIELD;
    DateTimeErrorExtra extra;
    DecodeTimezoneAbbrev(0, name, &kind, offset, &zone, &extra);
    return kind;
#else
    return DecodeTimezoneAbbrev(0, name, offset, &zone);
#endif
}

// The time zone that AT TIME ZONE finds by name; null if there is none, or for an abbreviation of several offsets.
inline pg_tz* luuid_time_zone(const char* name) {
    int offset = 0;
    const int kind = luuid_abbreviation(downcase_truncate_identifier(name, (int)strlen(name), false), &offset);
    if (kind == TZ || kind == DTZ)
        return pg_tzset_offset(-offset);
    return kind == DYNTZ ? NULL : pg_tzset(name);
}

// 17 adds GetNumberFromPGProc(), and 19 finds a prepared transaction by its full number.
#if PG_VERSION_NUM < 170000
#define GetNumberFromPGProc(proc) ((proc)->pgprocno)
#endif
#if PG_VERSION_NUM >= 190000
#define luuid_prepared_proc(transaction) TwoPhaseGetDummyProc(transaction, false)
#else
#define luuid_prepared_proc(transaction) TwoPhaseGetDummyProc(XidFromFullTransactionId(transaction), false)
#endif

// The wait event that pg_stat_activity shows for a session; before 17, `Extension`.
#if PG_VERSION_NUM >= 170000
#define luuid_wait_event(name) WaitEventExtensionNew(name)
#else
#define luuid_wait_event(name) PG_WAIT_EXTENSION
#endif

// Declares a function that SQL can call. Its definition follows, as `Datum name(PG_FUNCTION_ARGS) { … }`, so that tools
// find it by its name.
#define LUUID_FUNCTION(name)   \
    extern "C" {               \
    PG_FUNCTION_INFO_V1(name); \
    }                          \
    extern "C" PGDLLEXPORT Datum name(PG_FUNCTION_ARGS)
