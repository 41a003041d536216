// Looks up the extension's objects, all of which are in pg_catalog.
#include "catalog.hpp"

using namespace luuid::pg;

namespace {

// Keeps what `look_up` finds in a system catalog until that changes: a guard asks for the type in each statement, and
// the planner for the others a few times in each query, in databases without the extension too.
template <typename LookUp>
Oid kept_until_change(SysCacheIdentifier cache, LookUp look_up) {
    static Oid kept = InvalidOid;  // one for each `look_up`
    static uint64 changes = 0, known_changes = 0;
    if (changes == 0) {
        changes = 1;
        CacheRegisterSyscacheCallback(
            cache, [](auto...) { ++changes; }, 0);
    }
    if (known_changes != changes) {
        const uint64 changes_before = changes;  // others may come meanwhile
        kept = look_up();
        known_changes = changes_before;
    }
    return kept;
}

}  // namespace

Oid luuid::pg::luuid_type() {
    return kept_until_change(TYPENAMENSP, [] {
        return GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, CStringGetDatum("luuid"),
                               ObjectIdGetDatum(PG_CATALOG_NAMESPACE));
    });
}

Oid luuid::pg::time_family() {
    return kept_until_change(OPFAMILYAMNAMENSP, [] {
        return GetSysCacheOid3(OPFAMILYAMNAMENSP, Anum_pg_opfamily_oid, ObjectIdGetDatum(BTREE_AM_OID),
                               CStringGetDatum("luuid_ops"), ObjectIdGetDatum(PG_CATALOG_NAMESPACE));
    });
}

Oid luuid::pg::extract_timestamp() {
    return kept_until_change(PROCNAMEARGSNSP, [] { return function_named("luuid_extract_timestamp", {luuid_type()}); });
}

Oid luuid::pg::time_estimator() {
    return kept_until_change(PROCNAMEARGSNSP, [] {
        return function_named("luuid_timesel", {INTERNALOID, OIDOID, INTERNALOID, INT4OID});
    });
}

Oid luuid::pg::function_named(const char* name, std::initializer_list<Oid> argument_types) {
    const oidvector* types = buildoidvector(argument_types.begin(), static_cast<int>(argument_types.size()));
    return GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum(name), PointerGetDatum(types),
                           ObjectIdGetDatum(PG_CATALOG_NAMESPACE));
}
