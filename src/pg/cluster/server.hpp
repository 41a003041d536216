// The headers of PostgreSQL's shared memory, processes and recovery, and how these differ between servers.
#pragma once

// The server's headers are C and not ours to warn about.
#pragma GCC system_header

#include "../server.hpp"

extern "C" {
#include "access/twophase.h"
#include "access/xlogrecovery.h"
#include "catalog/pg_control.h"
#include "common/controldata_utils.h"
#include "optimizer/planner.h"
#include "storage/condition_variable.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "storage/lwlock.h"
#include "storage/proc.h"
#include "storage/procarray.h"
#include "storage/shmem.h"
#include "utils/resowner.h"
#include "utils/snapmgr.h"
#include "utils/wait_event.h"
}

// 17 counts processes from without them, and 19 knows prepared transactions by full numbers.
#if PG_VERSION_NUM < 170000
#define GetNumberFromPGProc(proc) ((proc)->pgprocno)
#endif
#if PG_VERSION_NUM >= 190000
#define luuid_prepared_proc(transaction) TwoPhaseGetDummyProc(transaction, false)
#else
#define luuid_prepared_proc(transaction) TwoPhaseGetDummyProc(XidFromFullTransactionId(transaction), false)
#endif

// What pg_stat_activity shows of whoever waits; before 17, that it is for an extension.
#if PG_VERSION_NUM >= 170000
#define luuid_wait_event(name) WaitEventExtensionNew(name)
#else
#define luuid_wait_event(name) PG_WAIT_EXTENSION
#endif

// 19 tells the planner about EXPLAIN.
#if PG_VERSION_NUM >= 190000
#define LUUID_PLANNER_PARAMETERS Query *parse, const char *query, int options, ParamListInfo params, ExplainState *es
#define LUUID_PLANNER_ARGUMENTS parse, query, options, params, es
#else
#define LUUID_PLANNER_PARAMETERS Query *parse, const char *query, int options, ParamListInfo params
#define LUUID_PLANNER_ARGUMENTS parse, query, options, params
#endif
