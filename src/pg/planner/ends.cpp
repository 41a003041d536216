// Builds the ends of slices.
#include "ends.hpp"

#include "../boundary.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// A function of pg_catalog.
Oid function_named(const char* name, std::initializer_list<Oid> argument_types) {
    const oidvector* types = buildoidvector(std::data(argument_types), static_cast<int>(argument_types.size()));
    return GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum(name), PointerGetDatum(types),
                           ObjectIdGetDatum(PG_CATALOG_NAMESPACE));
}

Oid btree_family(const char* name) {
    return GetSysCacheOid3(OPFAMILYAMNAMENSP, Anum_pg_opfamily_oid, ObjectIdGetDatum(BTREE_AM_OID),
                           CStringGetDatum(name), ObjectIdGetDatum(PG_CATALOG_NAMESPACE));
}

// What `look_up` finds in a system catalog, kept until that changes: a guard asks for the type in each statement, and
// the planner asks for a family a few times in each query.
template <typename LookUp>
Oid kept_until_change(SysCacheIdentifier cache, LookUp look_up) {
    static Oid kept = InvalidOid;  // of each `look_up` its own
    static bool is_watched = false;
    if (!is_watched) {
        CacheRegisterSyscacheCallback(
            cache, [](auto...) { kept = InvalidOid; }, 0);
        is_watched = true;
    }
    if (!OidIsValid(kept))
        kept = look_up();
    return kept;
}

Id boundary_of(End end, const Span& span) noexcept {
    return end == End::floor ? floor_of(span.first) : ceiling_of(span.last);
}

Node* constant(const Id& id) {
    return reinterpret_cast<Node*>(
        makeConst(luuid_type(), -1, InvalidOid, static_cast<int>(id_size), datum_from_id(id), false, false));
}

// One end of a constant, so far as it depends on no time zone; null if it does, or if that is more work.
Node* constant_end(const Const* slice, Oid type, End end) {
    if (slice->constisnull)
        return reinterpret_cast<Node*>(makeNullConst(luuid_type(), -1, InvalidOid));
    Span span;
    if (type == TIMESTAMPTZOID)
        span.first = span.last = time_from_timestamptz(DatumGetTimestampTz(slice->constvalue));
    else if (type == TSTZRANGEOID)
        span = span_of(lookup_type_cache(type, TYPECACHE_RANGE_INFO), DatumGetRangeTypeP(slice->constvalue));
    else
        return nullptr;
    return constant(boundary_of(end, span));
}

}  // namespace

Node* luuid::pg::call_of(const char* name, std::initializer_list<Oid> argument_types, Oid result_type,
                         List* arguments) {
    const Oid function = function_named(name, argument_types);
    if (!OidIsValid(function))
        elog(ERROR, "luuid has no function pg_catalog.%s of type %u", name, *argument_types.begin());
    return reinterpret_cast<Node*>(
        makeFuncExpr(function, result_type, arguments, InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
}

Node* luuid::pg::end_of(Node* slice, End end) {
    const Oid type = slice_type(slice);
    if (IsA(slice, Const))
        if (Node* constant = constant_end(reinterpret_cast<Const*>(slice), type, end))
            return constant;

    Node* argument = static_cast<Node*>(copyObjectImpl(slice));
    if (IsA(argument, Const))
        reinterpret_cast<Const*>(argument)->consttype = type;
    const bool is_floor = end == End::floor;
    if (type == TIMESTAMPTZOID)
        return call_of(is_floor ? "luuid_floor" : "luuid_ceiling", {type}, luuid_type(), list_make1(argument));
    if (type == DATERANGEOID || type == TSRANGEOID)
        argument = call_of("luuid_range", {type}, TSTZRANGEOID, list_make1(argument));
    if (type == TSTZMULTIRANGEOID)
        argument = call_of("range_merge", {ANYMULTIRANGEOID}, TSTZRANGEOID, list_make1(argument));
    return call_of(is_floor ? "luuid_range_floor" : "luuid_range_ceiling", {TSTZRANGEOID}, luuid_type(),
                   list_make1(argument));
}

Node* luuid::pg::end_of_all_times(End end) { return constant(boundary_of(end, {Time::min(), Time::max()})); }

Node* luuid::pg::time_of(Node* time) {
    const Oid type = exprType(time);
    return type == TIMESTAMPTZOID ? time : call_of("luuid_time", {type}, TIMESTAMPTZOID, list_make1(time));
}

Node* luuid::pg::without_relabels(Node* node) noexcept {
    while (node != nullptr && IsA(node, RelabelType))
        node = reinterpret_cast<Node*>(reinterpret_cast<RelabelType*>(node)->arg);
    return node;
}

Oid luuid::pg::luuid_type() {
    return kept_until_change(TYPENAMENSP, [] {
        return GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, CStringGetDatum("luuid"),
                               ObjectIdGetDatum(PG_CATALOG_NAMESPACE));
    });
}

Oid luuid::pg::time_family() {
    return kept_until_change(OPFAMILYAMNAMENSP, [] { return btree_family("luuid_ops"); });
}

Oid luuid::pg::byte_family() {
    return kept_until_change(OPFAMILYAMNAMENSP, [] { return btree_family("luuid_byte_ops"); });
}

Oid luuid::pg::time_function() { return function_named("luuid_extract_timestamp", {luuid_type()}); }

bool luuid::pg::is_within_operator(Oid op) {
    const Oid function = get_opcode(op);
    const Oid support = OidIsValid(function) ? get_func_support(function) : InvalidOid;
    return OidIsValid(support) && support == function_named("luuid_within_support", {INTERNALOID});
}

// Looks for a domain's type last: mostly the operand is an id.
Oid luuid::pg::slice_type(Node* operand) {
    const Oid type = exprType(operand);
    return type == TIMESTAMPTZOID || type == luuid_type() ? type : getBaseType(type);
}

bool luuid::pg::is_slice(Node* operand) {
    switch (slice_type(operand)) {
        case TIMESTAMPTZOID:
        case TSTZRANGEOID:
        case DATERANGEOID:
        case TSRANGEOID:
        case TSTZMULTIRANGEOID:
            return true;
        default:
            return false;
    }
}

Ends luuid::pg::ends_of(Node* operand) {
    operand = without_relabels(operand);
    if (!is_slice(operand))
        return {};
    return {end_of(operand, End::floor), end_of(operand, End::ceiling)};
}

List* luuid::pg::ranges_of(Node* operand) {
    operand = without_relabels(operand);
    const auto* constant = reinterpret_cast<Const*>(operand);
    if (!IsA(operand, Const) || constant->constisnull || slice_type(operand) != TSTZMULTIRANGEOID)
        return NIL;
    TypeCacheEntry* type = lookup_type_cache(TSTZRANGEOID, TYPECACHE_RANGE_INFO);
    int32 count = 0;
    RangeType** ranges = nullptr;
    multirange_deserialize(type, DatumGetMultirangeTypeP(constant->constvalue), &count, &ranges);
    List* constants = NIL;
    for (int i = 0; i < count; ++i)
        constants = lappend(constants,
                            makeConst(TSTZRANGEOID, -1, InvalidOid, -1, RangeTypePGetDatum(ranges[i]), false, false));
    return constants;
}
