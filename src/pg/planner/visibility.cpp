// Compares what the query's relation is checked for with what the current user may read.
#include "visibility.hpp"

#include "statistics.hpp"

using namespace luuid::pg;

namespace {

// The table that the query names: of a partition or a child, its topmost parent.
Oid named_table(PlannerInfo* root, const RelOptInfo* rel) {
    Index number = rel->relid;
    while (root->append_rel_array != nullptr && root->append_rel_array[number] != nullptr) {
        const Index parent = root->append_rel_array[number]->parent_relid;
        if (planner_rt_fetch(parent, root)->rtekind != RTE_RELATION)
            break;  // an arm of UNION ALL
        number = parent;
    }
    return planner_rt_fetch(number, root)->relid;
}

}  // namespace

// A relation that a view names is checked as the view's owner (rel->userid is valid), who may see rows that the view
// hides from the current user. For such a relation acl_ok tells of the owner. So the current user must be allowed to
// read the table without the view.
bool luuid::pg::sees_all_rows(PlannerInfo* root, const VariableStatData& variable) {
    if (!variable.acl_ok || table_of(root, variable.rel) == nullptr)
        return false;
    if (!OidIsValid(variable.rel->userid) || variable.rel->userid == GetUserId())
        return true;
    const Oid table = named_table(root, variable.rel);
    return pg_class_aclcheck(table, GetUserId(), ACL_SELECT) == ACLCHECK_OK &&
           check_enable_rls(table, InvalidOid, true) != RLS_ENABLED;
}
