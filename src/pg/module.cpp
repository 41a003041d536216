// The module: its magic block, and what the server calls when it loads it.
#include "server.hpp"

#include "cluster.hpp"
#include "horizon.hpp"
#include "recovery.hpp"
#include "settings.hpp"

extern "C" {
LUUID_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);
}

void _PG_init(void) {
    luuid::pg::define_settings();
    if (process_shared_preload_libraries_in_progress) {
        luuid::pg::request_cluster();
        luuid::pg::watch_transactions();
        luuid::pg::watch_recovery();
    }
}
