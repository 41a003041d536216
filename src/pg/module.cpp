// The module: its magic block, _PG_init and its version.
#include "server.hpp"

#include "generate/backend.hpp"
#include "horizon/horizon.hpp"
#include "planner/rewrite/rewrite.hpp"
#include "settings.hpp"
#include "shmem.hpp"

#include <cstring>

extern "C" {
LUUID_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);
}

// A preloaded module stays until the server restarts, even if a new version replaces its file. An update script calls
// this before it creates functions that the old module lacks. Declared STRICT.
LUUID_FUNCTION(luuid_require_version) {
    const char* required = text_to_cstring(PG_GETARG_TEXT_PP(0));
    if (std::strcmp(required, LUUID_VERSION) != 0)
        ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                        errmsg("luuid %s is required, but this session has loaded luuid %s", required, LUUID_VERSION),
                        errhint("Restart the server first where \"shared_preload_libraries\" names luuid; otherwise, "
                                "begin a new session.")));
    PG_RETURN_VOID();
}

void _PG_init(void) {
    luuid::pg::define_settings();
    luuid::pg::replace_time_comparisons();
    if (process_shared_preload_libraries_in_progress) {
        luuid::pg::request_cluster();
        luuid::pg::Backend::watch_transactions();
        luuid::pg::install_horizon_hooks();
    }
}
