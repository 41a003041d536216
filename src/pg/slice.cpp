// Slices of time for SQL: `=`, `<>`, <@ and @> of an id with a time or a range of times, and their planner support,
// which turns them into comparisons of ids that an index or a partition bound answers.
#include "slice.hpp"

#include "boundary.hpp"

#include <cstring>

using namespace luuid;
using namespace luuid::pg;

namespace {

// No id is, where the last microsecond is before the first.
bool is_between(const Id& id, Time first, Time last) noexcept {
    return compare(id, floor_of(first)) >= 0 && compare(id, ceiling_of(last)) <= 0;
}

bool is_at(const Id& id, TimestampTz at) noexcept {
    const Time instant = time_from_timestamptz(at);
    return is_between(id, instant, instant);
}

bool is_in_range(FunctionCallInfo fcinfo, const Id& id, const RangeType* range) {
    const Span span = span_of(range_get_typcache(fcinfo, RangeTypeGetOid(range)), range);
    return is_between(id, span.first, span.last);
}

// By bisection: a multirange's ranges are in order and apart.
bool is_in_multirange(FunctionCallInfo fcinfo, const Id& id, const MultirangeType* ranges) {
    TypeCacheEntry* type = multirange_get_typcache(fcinfo, MultirangeTypeGetOid(ranges))->rngtype;
    uint32 begin = 0, end = ranges->rangeCount;
    while (begin < end) {
        const uint32 middle = begin + (end - begin) / 2;
        RangeBound lower, upper;
        multirange_get_bounds(type, ranges, middle, &lower, &upper);
        const Span span = span_of_bounds(lower, upper);
        if (is_between(id, span.first, span.last))
            return true;
        if (compare(id, floor_of(span.first)) < 0)
            end = middle;
        else
            begin = middle + 1;
    }
    return false;
}

// The bounds of a range of local times as times in the session's time zone; false where it is empty.
bool local_bounds(FunctionCallInfo fcinfo, int argument, PGFunction time_of, RangeBound* lower, RangeBound* upper) {
    const RangeType* range = PG_GETARG_RANGE_P(argument);
    bool empty = false;
    range_deserialize(range_get_typcache(fcinfo, RangeTypeGetOid(range)), range, lower, upper, &empty);
    if (empty)
        return false;
    if (!lower->infinite)
        lower->val = DirectFunctionCall1(time_of, lower->val);
    if (!upper->infinite)
        upper->val = DirectFunctionCall1(time_of, upper->val);
    // A local time that clocks put forward leave out is taken for one after others that there are.
    return lower->infinite || upper->infinite || DatumGetTimestampTz(lower->val) <= DatumGetTimestampTz(upper->val);
}

Datum times_of(FunctionCallInfo fcinfo, PGFunction time_of) {
    TypeCacheEntry* times = lookup_type_cache(TSTZRANGEOID, TYPECACHE_RANGE_INFO);
    RangeBound lower, upper;
    const bool some = local_bounds(fcinfo, 0, time_of, &lower, &upper);
    return RangeTypePGetDatum(some ? luuid_make_range(times, &lower, &upper) : make_empty_range(times));
}

bool is_in_local_range(FunctionCallInfo fcinfo, const Id& id, int range, PGFunction time_of) {
    RangeBound lower, upper;
    if (!local_bounds(fcinfo, range, time_of, &lower, &upper))
        return false;
    const Span span = span_of_bounds(lower, upper);
    return is_between(id, span.first, span.last);
}

}  // namespace

// luuid_range(daterange), luuid_range(tsrange) → tstzrange: its times in the session's time zone. 22008 where a bound
// is out of the range of timestamptz.
LUUID_FUNCTION(luuid_range_of_dates) { return times_of(fcinfo, date_timestamptz); }
LUUID_FUNCTION(luuid_range_of_local_times) { return times_of(fcinfo, timestamp_timestamptz); }

// `<`, `<=`, `>=` and `>` of (luuid, timestamptz), and of (timestamptz, luuid), where they are not turned into
// comparisons of ids.
#define LUUID_TIME_COMPARISON(name, op, boundary, commuted, commuted_boundary)                                    \
    LUUID_FUNCTION(luuid_time_##name) {                                                                           \
        PG_RETURN_BOOL(compare(id_argument(fcinfo, 0), boundary(time_from_timestamptz(PG_GETARG_TIMESTAMPTZ(1)))) \
                           op 0);                                                                                 \
    }                                                                                                             \
    LUUID_FUNCTION(luuid_time_##name##_commuted) {                                                                \
        PG_RETURN_BOOL(compare(id_argument(fcinfo, 1),                                                            \
                               commuted_boundary(time_from_timestamptz(PG_GETARG_TIMESTAMPTZ(0)))) commuted 0);   \
    }

LUUID_TIME_COMPARISON(lt, <, floor_of, >, ceiling_of)
LUUID_TIME_COMPARISON(le, <=, ceiling_of, >=, floor_of)
LUUID_TIME_COMPARISON(ge, >=, floor_of, <=, ceiling_of)
LUUID_TIME_COMPARISON(gt, >, ceiling_of, <, floor_of)

// `=` and `<>` of (luuid, timestamptz), and of (timestamptz, luuid): whether the id's time is that, by the microsecond.
LUUID_FUNCTION(luuid_at) { PG_RETURN_BOOL(is_at(id_argument(fcinfo, 0), PG_GETARG_TIMESTAMPTZ(1))); }
LUUID_FUNCTION(luuid_at_commuted) { PG_RETURN_BOOL(is_at(id_argument(fcinfo, 1), PG_GETARG_TIMESTAMPTZ(0))); }
LUUID_FUNCTION(luuid_not_at) { PG_RETURN_BOOL(!is_at(id_argument(fcinfo, 0), PG_GETARG_TIMESTAMPTZ(1))); }
LUUID_FUNCTION(luuid_not_at_commuted) { PG_RETURN_BOOL(!is_at(id_argument(fcinfo, 1), PG_GETARG_TIMESTAMPTZ(0))); }

// luuid <@ tstzrange, and the operands the other way round: whether the id's time is in the range.
LUUID_FUNCTION(luuid_in_times) { PG_RETURN_BOOL(is_in_range(fcinfo, id_argument(fcinfo, 0), PG_GETARG_RANGE_P(1))); }
LUUID_FUNCTION(luuid_in_times_commuted) {
    PG_RETURN_BOOL(is_in_range(fcinfo, id_argument(fcinfo, 1), PG_GETARG_RANGE_P(0)));
}

// luuid <@ tstzmultirange, and the operands the other way round: whether the id's time is in one of the ranges.
LUUID_FUNCTION(luuid_in_multirange) {
    PG_RETURN_BOOL(is_in_multirange(fcinfo, id_argument(fcinfo, 0), PG_GETARG_MULTIRANGE_P(1)));
}
LUUID_FUNCTION(luuid_in_multirange_commuted) {
    PG_RETURN_BOOL(is_in_multirange(fcinfo, id_argument(fcinfo, 1), PG_GETARG_MULTIRANGE_P(0)));
}

// luuid <@ daterange and luuid <@ tsrange, in the session's time zone, and the operands the other way round. 22008
// where a bound is out of the range of timestamptz.
LUUID_FUNCTION(luuid_in_dates) {
    PG_RETURN_BOOL(is_in_local_range(fcinfo, id_argument(fcinfo, 0), 1, date_timestamptz));
}
LUUID_FUNCTION(luuid_in_dates_commuted) {
    PG_RETURN_BOOL(is_in_local_range(fcinfo, id_argument(fcinfo, 1), 0, date_timestamptz));
}
LUUID_FUNCTION(luuid_in_local_times) {
    PG_RETURN_BOOL(is_in_local_range(fcinfo, id_argument(fcinfo, 0), 1, timestamp_timestamptz));
}
LUUID_FUNCTION(luuid_in_local_times_commuted) {
    PG_RETURN_BOOL(is_in_local_range(fcinfo, id_argument(fcinfo, 1), 0, timestamp_timestamptz));
}

// The planner's terms -------------------------------------------------------------------------------------------------

namespace {

// A constant multirange of more ranges is searched in each row, or between its ends in an index.
constexpr int most_ranges = 16;

Oid luuid_type() {
    return GetSysCacheOid2(TYPENAMENSP, Anum_pg_type_oid, CStringGetDatum("luuid"),
                           ObjectIdGetDatum(PG_CATALOG_NAMESPACE));
}

// The family of the default order of luuid, which is chronological.
Oid time_family_of(Oid luuid_type) { return lookup_type_cache(luuid_type, TYPECACHE_BTREE_OPFAMILY)->btree_opf; }

Oid slice_type(Node* operand) { return getBaseType(exprType(operand)); }

bool is_slice(Node* operand) {
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

// A call of a function of pg_catalog that has one argument.
Node* call_of(const char* name, Oid argument_type, Oid result_type, Node* argument) {
    const oidvector* types = buildoidvector(&argument_type, 1);
    const Oid function = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum(name),
                                         PointerGetDatum(types), ObjectIdGetDatum(PG_CATALOG_NAMESPACE));
    if (!OidIsValid(function))
        elog(ERROR, "luuid has no function pg_catalog.%s of type %u", name, argument_type);
    return reinterpret_cast<Node*>(
        makeFuncExpr(function, result_type, list_make1(argument), InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
}

enum class End { floor, ceiling };

Id boundary_of(End end, const Span& span) noexcept {
    return end == End::floor ? floor_of(span.first) : ceiling_of(span.last);
}

// One end of a constant, so far as it depends on no time zone; null where it does, or where that is more work.
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
    return reinterpret_cast<Node*>(makeConst(luuid_type(), -1, InvalidOid, static_cast<int>(id_size),
                                             datum_from_id(boundary_of(end, span)), false, false));
}

// One end of a slice.
Node* end_of(Node* slice, End end) {
    const Oid type = slice_type(slice);
    if (IsA(slice, Const))
        if (Node* constant = constant_end(reinterpret_cast<Const*>(slice), type, end))
            return constant;

    Node* argument = static_cast<Node*>(copyObjectImpl(slice));
    if (IsA(argument, Const))
        reinterpret_cast<Const*>(argument)->consttype = type;
    const bool is_floor = end == End::floor;
    if (type == TIMESTAMPTZOID)
        return call_of(is_floor ? "luuid_floor" : "luuid_ceiling", type, luuid_type(), argument);
    if (type == DATERANGEOID || type == TSRANGEOID)
        argument = call_of("luuid_range", type, TSTZRANGEOID, argument);
    if (type == TSTZMULTIRANGEOID)
        argument = call_of("range_merge", ANYMULTIRANGEOID, TSTZRANGEOID, argument);
    return call_of(is_floor ? "luuid_range_floor" : "luuid_range_ceiling", TSTZRANGEOID, luuid_type(), argument);
}

}  // namespace

Oid luuid::pg::time_family() { return time_family_of(luuid_type()); }

Node* luuid::pg::without_relabels(Node* node) noexcept {
    while (node != nullptr && IsA(node, RelabelType))
        node = reinterpret_cast<Node*>(reinterpret_cast<RelabelType*>(node)->arg);
    return node;
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

namespace {

// A comparison of ids in the chronological order, by its B-tree strategy, with a luuid.
Node* comparison(Node* id, StrategyNumber strategy, Node* bound) {
    const Oid type = exprType(bound);
    const Oid op = get_opfamily_member(time_family_of(type), type, type, static_cast<int16>(strategy));
    auto* key = static_cast<Expr*>(copyObjectImpl(without_relabels(id)));
    if (exprType(reinterpret_cast<Node*>(key)) != type)
        key = reinterpret_cast<Expr*>(makeRelabelType(key, type, -1, InvalidOid, COERCE_IMPLICIT_CAST));
    return reinterpret_cast<Node*>(
        make_opclause(op, BOOLOID, false, key, reinterpret_cast<Expr*>(bound), InvalidOid, InvalidOid));
}

Node* within(Node* id, Node* operand) {
    const Ends ends = ends_of(operand);
    return reinterpret_cast<Node*>(make_andclause(list_make2(comparison(id, BTGreaterEqualStrategyNumber, ends.floor),
                                                             comparison(id, BTLessEqualStrategyNumber, ends.ceiling))));
}

Node* outside(Node* id, Node* operand) {
    const Ends ends = ends_of(operand);
    return reinterpret_cast<Node*>(make_orclause(list_make2(comparison(id, BTLessStrategyNumber, ends.floor),
                                                            comparison(id, BTGreaterStrategyNumber, ends.ceiling))));
}

Node* within_any(Node* id, Node* multirange) {
    List* ranges = ranges_of(multirange);
    if (ranges == NIL || list_length(ranges) > most_ranges)
        return nullptr;
    if (list_length(ranges) == 1)
        return within(id, static_cast<Node*>(linitial(ranges)));
    List* arms = NIL;
    ListCell* cell;
    foreach (cell, ranges)
        arms = lappend(arms, within(id, static_cast<Node*>(lfirst(cell))));
    return reinterpret_cast<Node*>(make_orclause(arms));
}

// What may be evaluated twice in place of once. The server asks the same of an argument that an inlined function uses
// twice: inline_function of clauses.c.
bool may_be_repeated(Node* node) {
    if (IsA(node, Const) || IsA(node, Var))
        return true;
    if (contain_subplans(node) || contain_volatile_functions(node))
        return false;
    QualCost cost;
    cost_qual_eval(&cost, list_make1(node), nullptr);
    return cost.startup + cost.per_tuple <= 10 * cpu_operator_cost;
}

// The id and the slice among the two arguments of an operator's function; false where they are not of that form.
bool is_id_with_slice(List* arguments, Node** id, Node** slice) {
    if (list_length(arguments) != 2)
        return false;
    *id = static_cast<Node*>(linitial(arguments));
    *slice = static_cast<Node*>(lsecond(arguments));
    const bool is_commuted = is_slice(*id);
    if (is_commuted == is_slice(*slice))
        return false;
    if (is_commuted)
        std::swap(*id, *slice);
    return true;
}

// The comparison of the id with a boundary that luuid_lt, _le, _ge or _gt is.
Node* simplified_comparison(const SupportRequestSimplify* request) {
    Node *id, *time;
    const char* name = get_func_name(request->fcall->funcid);
    if (name == nullptr || !is_id_with_slice(request->fcall->args, &id, &time))
        return nullptr;
    const bool is_commuted = id != linitial(request->fcall->args);
    const bool is_less = (std::strstr(name, "_l") != nullptr) != is_commuted;
    const bool is_inclusive = name[std::strlen(name) - 1] == 'e';
    const StrategyNumber strategy = is_less ? (is_inclusive ? BTLessEqualStrategyNumber : BTLessStrategyNumber)
                                            : (is_inclusive ? BTGreaterEqualStrategyNumber : BTGreaterStrategyNumber);
    return comparison(id, strategy,
                      end_of(without_relabels(time), is_less != is_inclusive ? End::floor : End::ceiling));
}

Node* simplified(const SupportRequestSimplify* request, bool negated) {
    Node *id, *slice;
    if (!is_id_with_slice(request->fcall->args, &id, &slice) || !may_be_repeated(id) || !may_be_repeated(slice))
        return nullptr;
    if (slice_type(slice) == TSTZMULTIRANGEOID)
        return within_any(id, slice);
    // A join on `=` is estimated as one, and two inequalities as nearly everything.
    if (slice_type(slice) == TIMESTAMPTZOID && contain_var_clause(slice))
        return nullptr;
    return negated ? outside(id, slice) : within(id, slice);
}

// The comparisons that an index in chronological order answers in the place of the operator. See
// get_index_clause_from_support of indxpath.c.
List* index_condition(SupportRequestIndexCondition* request) {
    List* arguments = IsA(request->node, OpExpr) ? reinterpret_cast<OpExpr*>(request->node)->args
                                                 : reinterpret_cast<FuncExpr*>(request->node)->args;
    Node *id, *slice;
    if (!is_id_with_slice(arguments, &id, &slice) || list_nth(arguments, request->indexarg) != id ||
        !is_pseudo_constant_for_index(request->root, slice, request->index))
        return NIL;

    const Oid column = request->index->opcintype[request->indexcol];
    const Oid later = get_opfamily_member(time_family(), column, luuid_type(), BTGreaterEqualStrategyNumber);
    const Oid earlier = get_opfamily_member(time_family(), column, luuid_type(), BTLessEqualStrategyNumber);
    if (!OidIsValid(later) || !OidIsValid(earlier) || !op_in_opfamily(later, request->opfamily) ||
        !op_in_opfamily(earlier, request->opfamily))
        return NIL;

    const Ends ends = ends_of(slice);
    auto* key = reinterpret_cast<Expr*>(without_relabels(id));
    request->lossy = slice_type(slice) == TSTZMULTIRANGEOID;
    return list_make2(
        make_opclause(later, BOOLOID, false, key, reinterpret_cast<Expr*>(ends.floor), InvalidOid, InvalidOid),
        make_opclause(earlier, BOOLOID, false, key, reinterpret_cast<Expr*>(ends.ceiling), InvalidOid, InvalidOid));
}

}  // namespace

// luuid_compare_support(internal) → internal: the planner support of `<`, `<=`, `>=` and `>` with a time.
LUUID_FUNCTION(luuid_compare_support) {
    auto* request = reinterpret_cast<Node*>(PG_GETARG_POINTER(0));
    void* answer = nullptr;
    if (IsA(request, SupportRequestSimplify))
        answer = simplified_comparison(reinterpret_cast<SupportRequestSimplify*>(request));
    PG_RETURN_POINTER(answer);
}

// luuid_within_support(internal) → internal: the planner support of `=`, <@ and @>. See nodes/supportnodes.h.
LUUID_FUNCTION(luuid_within_support) {
    auto* request = reinterpret_cast<Node*>(PG_GETARG_POINTER(0));
    void* answer = nullptr;
    if (IsA(request, SupportRequestSimplify))
        answer = simplified(reinterpret_cast<SupportRequestSimplify*>(request), false);
    else if (IsA(request, SupportRequestIndexCondition))
        answer = index_condition(reinterpret_cast<SupportRequestIndexCondition*>(request));
    PG_RETURN_POINTER(answer);
}

// luuid_outside_support(internal) → internal: that of `<>`, which no index condition can say.
LUUID_FUNCTION(luuid_outside_support) {
    auto* request = reinterpret_cast<Node*>(PG_GETARG_POINTER(0));
    void* answer = nullptr;
    if (IsA(request, SupportRequestSimplify))
        answer = simplified(reinterpret_cast<SupportRequestSimplify*>(request), true);
    PG_RETURN_POINTER(answer);
}
