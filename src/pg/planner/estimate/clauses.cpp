// Collects the bounds of a relation's clauses, and adds up those beside one another.
#include "clauses.hpp"

#include "../../datum.hpp"
#include "../rewrite/rewrite.hpp"
#include "instant.hpp"

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace {

// An OR's clause is that of whose arms the planner keeps the answers.
Node* clause_in(Node* node) noexcept {
    if (!IsA(node, RestrictInfo))
        return node;
    const auto* info = reinterpret_cast<RestrictInfo*>(node);
    return reinterpret_cast<Node*>(info->orclause != nullptr ? info->orclause : info->clause);
}

List* arguments_of(Node* boolean) noexcept { return reinterpret_cast<BoolExpr*>(boolean)->args; }

// A bound at an operand, which is an id. Its type is looked at, since a superuser may make an operator of other types
// that names our estimators.
Bounds bounds_at(PlannerInfo* root, Node* value, Node* operand, bool is_lower, bool is_after) {
    Bounds bounds;
    (is_lower ? bounds.has_lower : bounds.has_upper) = true;
    const Node* known = IsA(operand, Const) ? operand : estimate_expression_value(root, operand);
    const auto* constant = reinterpret_cast<const Const*>(known);
    if (IsA(known, Const) && constant->constisnull) {
        bounds.is_null = true;
    } else if (IsA(known, Const) && constant->constlen == static_cast<int>(id_size) && !constant->constbyval) {
        const Id id = id_from_datum(constant->constvalue);
        (is_lower ? bounds.range.lower : bounds.range.upper) = Bound{id, is_after};
        // The end of all times, as implied_bounds() adds it, makes no range of another bound that is not known.
        if (id == (is_lower ? ceiling_of(Time::min()) : ceiling_of(Time::max())))
            bounds.has_lower = bounds.has_upper = false;
    } else {
        bounds.is_unknown = true;
        const Instant own = instant_of(root, value), other = instant_of(root, operand);
        const double distance = other.offset - own.offset;
        // Infinite ones may cancel out.
        if (own.base != nullptr && other.base != nullptr && distance == distance) {
            bounds.anchor = own.base;
            bounds.base = other.base;
            (is_lower ? bounds.least : bounds.greatest) = distance;
        }
    }
    return bounds;
}

// Whether a clause is one of an index's predicate, which the planner multiplies by the clauses that the index answers.
bool is_predicate(const RelOptInfo* rel, const OpExpr* clause) {
    ListCell* cell;
    foreach (cell, rel->indexlist)
        if (list_member(static_cast<IndexOptInfo*>(lfirst(cell))->indpred, clause))
            return true;
    return false;
}

class Collector {
public:
    Collector(PlannerInfo* root, RelationClauses& relation, Oid estimator)
        : root_(root), relation_(relation), estimator_(estimator) {}

    // ANDed clauses, and those in their ANDs and ORs. Of a nested OR, what is deeper is not looked at.
    void add_list(const List* list) {
        begin_list();
        ListCell* cell;
        foreach (cell, list)
            add(static_cast<Node*>(lfirst(cell)));
        foreach (cell, list) {
            Node* clause = clause_in(static_cast<Node*>(lfirst(cell)));
            if (is_andclause(clause))
                add_list(arguments_of(clause));
            else if (is_orclause(clause))
                add_arms(arguments_of(clause));
        }
    }

private:
    void begin_list() {
        ++list_;
        conjunctions_ = list_length(relation_.conjunctions);
    }

    void add_arms(const List* arms) {
        ListCell* cell;
        foreach (cell, arms) {
            Node* clause = clause_in(static_cast<Node*>(lfirst(cell)));
            if (is_andclause(clause)) {
                add_list(arguments_of(clause));
            } else {
                begin_list();
                add(static_cast<Node*>(lfirst(cell)));
            }
        }
    }

    void add(Node* entry) {
        const auto* clause = reinterpret_cast<OpExpr*>(clause_in(entry));
        if (!IsA(entry, RestrictInfo) || !IsA(clause, OpExpr) || list_length(clause->args) != 2 ||
            get_oprrest(clause->opno) != estimator_)
            return;
        auto* info = reinterpret_cast<RestrictInfo*>(entry);
        const auto relid = static_cast<int>(relation_.rel->relid);
        const bool is_left = bms_is_member(relid, info->left_relids);
        if (is_left == bms_is_member(relid, info->right_relids))
            return;
        const Comparison read = comparison_of(root_, clause, clause->opno, clause->args, is_left);
        if (read.value == nullptr)
            return;
        auto* comparison = static_cast<Comparison*>(palloc(sizeof(Comparison)));
        *comparison = read;
        comparison->info = info;
        comparison->is_predicate = is_predicate(relation_.rel, clause);
        Conjunction* conjunction = conjunction_of(*comparison);
        comparison->conjunction = conjunction;
        conjunction->all.add(comparison->own);
        if (comparison->is_predicate)
            conjunction->predicates.add(comparison->own);
        const OpExpr*& first = comparison->is_predicate ? conjunction->first_predicate : conjunction->first;
        if (first == nullptr)
            first = clause;
        relation_.comparisons = lappend(relation_.comparisons, comparison);
    }

    Conjunction* conjunction_of(const Comparison& comparison) {
        for (int i = conjunctions_; i < list_length(relation_.conjunctions); ++i) {
            auto* each = static_cast<Conjunction*>(list_nth(relation_.conjunctions, i));
            if (equal(each->value, comparison.value) && bms_equal(each->joins, comparison.info->required_relids))
                return each;
        }
        auto* conjunction = static_cast<Conjunction*>(palloc(sizeof(Conjunction)));
        *conjunction = {list_, comparison.value, comparison.info->required_relids, {}, {}, nullptr, nullptr};
        relation_.conjunctions = lappend(relation_.conjunctions, conjunction);
        return conjunction;
    }

    PlannerInfo* root_;
    RelationClauses& relation_;
    Oid estimator_;
    int list_ = -1;
    int conjunctions_ = 0;  // that were there before the list
};

// Whether an index is on the time that a comparison compares, which has statistics of its own then.
bool is_on_indexed_time(const RelOptInfo* rel, Node* clause) {
    List* arguments = IsA(clause, OpExpr)              ? reinterpret_cast<OpExpr*>(clause)->args
                      : IsA(clause, ScalarArrayOpExpr) ? reinterpret_cast<ScalarArrayOpExpr*>(clause)->args
                                                       : NIL;
    ListCell *index, *argument;
    foreach (index, rel->indexlist)
        foreach (argument, arguments)
            if (list_member(static_cast<IndexOptInfo*>(lfirst(index))->indexprs, lfirst(argument)))
                return true;
    return false;
}

// The comparisons of which one is enough, of an OR or of an operator with ANY of a known array; NIL for another clause.
List* alternatives_of(Node* clause) {
    const auto* any = reinterpret_cast<ScalarArrayOpExpr*>(clause);
    if (is_orclause(clause))
        return arguments_of(clause);
    if (!IsA(clause, ScalarArrayOpExpr) || !any->useOr)
        return NIL;
    List* comparisons = NIL;
    ListCell* cell;
    foreach (cell, elements_of(static_cast<Node*>(lsecond(any->args))))
        comparisons =
            lappend(comparisons, make_opclause(any->opno, BOOLOID, false, static_cast<Expr*>(linitial(any->args)),
                                               static_cast<Expr*>(lfirst(cell)), InvalidOid, InvalidOid));
    return comparisons;
}

// Of the rows within the bounds of a clause, the fraction for which it is true. Each arm of an OR, and each element of
// an array, has its part by the rows within its own bounds.
double left_by_bounds(PlannerInfo* root, RelationClauses& relation, Oid estimator, Node* clause) {
    if (is_andclause(clause)) {
        double product = 1;
        ListCell* cell;
        foreach (cell, arguments_of(clause))
            product *= left_by_bounds(root, relation, estimator, static_cast<Node*>(lfirst(cell)));
        return product;
    }
    if (IsA(clause, OpExpr) && is_marked(clause, Mark::bounded))
        return 1;
    List* within = implied_bounds(root, relation.rel->relid, list_make1(clause));
    if (within == NIL)
        return clause_selectivity(root, clause, 0, JOIN_INNER, nullptr);
    const List* alternatives = alternatives_of(clause);
    if (list_length(alternatives) < 2)
        return 1;
    // Of a long list, some.
    constexpr int enough = 32;
    const int step = 1 + (list_length(alternatives) - 1) / enough;
    double sum = 0, all = 0;
    for (int i = 0; i < list_length(alternatives); i += step) {
        auto* each = static_cast<Node*>(list_nth(alternatives, i));
        const double selectivity = selectivity_of_bounds(root, relation.rel, estimator,
                                                         implied_bounds(root, relation.rel->relid, list_make1(each)));
        sum += step * selectivity * left_by_bounds(root, relation, estimator, each);
        all += step * selectivity;
    }
    // One range for all of them has more.
    if (!is_orclause(linitial(within)))
        all = selectivity_of_bounds(root, relation.rel, estimator, within);
    return all > 0 ? std::min(1.0, sum / all) : 0;
}

// Whether bounds were added for a clause, or for one that is the same: the planner builds an equality anew from an
// equivalence class.
bool has_bounds(PlannerInfo* root, const RelationClauses& relation, const RestrictInfo* info) {
    if (is_marked(reinterpret_cast<Node*>(info->clause), Mark::bounded))
        return true;
    if (info->left_ec == nullptr)
        return false;
    List* bounds = implied_bounds(root, relation.rel->relid, list_make1(copyObjectImpl(info->clause)));
    return bounds != NIL &&
           list_difference(bounds, extract_actual_clauses(relation.rel->baserestrictinfo, false)) == NIL;
}

// The bounds that rewrite.cpp added are estimated, and nothing is evaluated for them. So the comparison that they were
// added for is not to be estimated a second time: the planner would multiply by a third for `id::timestamptz >= t`.
// Sets what the planner caches in a RestrictInfo, as orclauses.c corrects the selectivity of an OR.
void take_for_true(PlannerInfo* root, RelationClauses& relation, Oid estimator, const List* clauses) {
    // An index is chosen by the clauses that it answers. If it is on the time itself, these are the comparisons, and
    // the bounds are taken for true in their place.
    bool is_indexed = false;
    ListCell* cell;
    foreach (cell, clauses) {
        const auto* info = lfirst_node(RestrictInfo, cell);
        is_indexed = is_indexed || (is_on_indexed_time(relation.rel, reinterpret_cast<Node*>(info->clause)) &&
                                    has_bounds(root, relation, info));
    }
    foreach (cell, clauses) {
        auto* info = lfirst_node(RestrictInfo, cell);
        auto* clause = reinterpret_cast<Node*>(info->clause);
        if (is_marked(clause, Mark::bound)) {
            info->eval_cost = QualCost{};
            if (is_indexed)
                info->norm_selec = info->outer_selec = 1;
        } else if (!is_indexed && has_bounds(root, relation, info)) {
            info->norm_selec = info->outer_selec = left_by_bounds(root, relation, estimator, clause);
        }
    }
}

}  // namespace

void Bounds::add(const Bounds& other) {
    range.intersect(other.range);
    if (is_unknown && other.is_unknown && (base == nullptr || other.base == nullptr || !equal(base, other.base))) {
        base = nullptr;
    } else if (other.base != nullptr) {
        anchor = other.anchor;
        base = other.base;
    }
    least = std::max(least, other.least);
    greatest = std::min(greatest, other.greatest);
    has_lower = has_lower || other.has_lower;
    has_upper = has_upper || other.has_upper;
    is_unknown = is_unknown || other.is_unknown;
    is_null = is_null || other.is_null;
    is_instant = is_instant || other.is_instant;
    is_leakproof = is_leakproof || other.is_leakproof;
}

// An operator of the order is a member of its B-tree family, or one of those with a slice of time.
Comparison luuid::pg::comparison_of(PlannerInfo* root, const OpExpr* clause, Oid op, const List* arguments,
                                    bool is_left) {
    Comparison comparison{
        clause, without_relabels(static_cast<Node*>(list_nth(arguments, is_left ? 0 : 1))), nullptr, nullptr, {}};
    auto* operand = static_cast<Node*>(list_nth(arguments, is_left ? 1 : 0));
    auto strategy = static_cast<StrategyNumber>(get_op_opfamily_strategy(op, time_family()));
    if (strategy == InvalidStrategy) {
        operand = estimate_expression_value(root, operand);
        comparison.floor = end_of(operand, End::floor);
        comparison.ceiling = end_of(operand, End::ceiling);
        if (comparison.floor == nullptr || comparison.ceiling == nullptr)
            return {};
        comparison.own = bounds_at(root, comparison.value, comparison.floor, true, false);
        comparison.own.add(bounds_at(root, comparison.value, comparison.ceiling, false, true));
        comparison.own.is_instant = slice_type(operand) == TIMESTAMPTZOID;
    } else {
        if (!is_left)
            strategy = static_cast<StrategyNumber>(BTCommuteStrategyNumber(strategy));
        if (strategy == BTEqualStrategyNumber)
            return {};
        const bool is_lower = strategy > BTEqualStrategyNumber;
        (is_lower ? comparison.floor : comparison.ceiling) = operand;
        comparison.own = bounds_at(root, comparison.value, operand, is_lower,
                                   strategy == BTGreaterStrategyNumber || strategy == BTLessEqualStrategyNumber);
    }
    comparison.own.is_leakproof = get_func_leakproof(get_opcode(op));
    return comparison;
}

RelationClauses& luuid::pg::clauses_of(PlannerInfo* root, const RelOptInfo* rel, Oid estimator) {
    Run& run = run_of(root);
    RelationClauses* relation = nullptr;
    ListCell* cell;
    foreach (cell, run.relations) {
        relation = static_cast<RelationClauses*>(lfirst(cell));
        if (relation->rel == rel)
            break;
        relation = nullptr;
    }
    if (relation != nullptr && relation->restrictions == rel->baserestrictinfo && relation->joins == rel->joininfo &&
        relation->restrictions_length == list_length(rel->baserestrictinfo) &&
        relation->joins_length == list_length(rel->joininfo))
        return *relation;
    // What is kept lives as long as the clauses do; the planner may be in a context that ends before.
    const MemoryContext context = MemoryContextSwitchTo(root->planner_cxt);
    if (relation == nullptr) {
        relation = static_cast<RelationClauses*>(palloc(sizeof(RelationClauses)));
        run.relations = lcons(relation, run.relations);
    }
    *relation = {rel,
                 rel->baserestrictinfo,
                 rel->joininfo,
                 list_length(rel->baserestrictinfo),
                 list_length(rel->joininfo),
                 NIL,
                 NIL,
                 0};
    Collector collector{root, *relation, estimator};
    collector.add_list(rel->baserestrictinfo);
    // A part of a join clause, such as an arm of its OR, may be of one relation alone.
    collector.add_list(rel->joininfo);
    if (relation->comparisons != NIL) {
        take_for_true(root, *relation, estimator, rel->baserestrictinfo);
        take_for_true(root, *relation, estimator, rel->joininfo);
    }
    MemoryContextSwitchTo(context);
    return *relation;
}

const Comparison* luuid::pg::comparison_with(RelationClauses& relation, const List* arguments) {
    // The planner asks about the clauses in their order.
    const int count = list_length(relation.comparisons);
    for (int i = 0; i < count; ++i) {
        const int number = (relation.asked + i) % count;
        const auto* each = static_cast<Comparison*>(list_nth(relation.comparisons, number));
        if (each->clause->args == arguments) {
            relation.asked = number;
            return each;
        }
    }
    return nullptr;
}

IdRange luuid::pg::known_range(PlannerInfo* root, const RelOptInfo* rel, Oid estimator, Node* value) {
    RelationClauses& relation = clauses_of(root, rel, estimator);
    ListCell* cell;
    foreach (cell, relation.conjunctions) {
        const auto* each = static_cast<Conjunction*>(lfirst(cell));
        if (each->list == 0 && equal(each->value, value))
            return each->all.range;
    }
    return {};
}
