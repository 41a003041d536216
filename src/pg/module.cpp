// The module: its magic block and _PG_init.
#include "server.hpp"

#include "generate/backend.hpp"
#include "horizon/horizon.hpp"
#include "horizon/shmem.hpp"
#include "planner/rewrite/rewrite.hpp"
#include "settings.hpp"

extern "C" {
LUUID_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);
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
