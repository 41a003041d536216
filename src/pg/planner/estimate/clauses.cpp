// Collects the bounds of a relation's clauses, and adds up those beside one another.
#include "clauses.hpp"

#include "../../datum.hpp"
#include "../rewrite/time_comparison.hpp"
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
Limits limits_at(PlannerInfo* root, Node* value, Node* operand, bool is_lower, bool is_after) {
    Limits limits;
    (is_lower ? limits.has_lower : limits.has_upper) = true;
    const Node* known = IsA(operand, Const) ? operand : estimate_expression_value(root, operand);
    const auto* constant = reinterpret_cast<const Const*>(known);
    if (IsA(known, Const) && constant->constisnull) {
        limits.is_null = true;
    } else if (IsA(known, Const) && constant->constlen == static_cast<int>(id_size) && !constant->constbyval) {
        const Id id = id_from_datum(constant->constvalue);
        (is_lower ? limits.range.lower : limits.range.upper) = Bound{id, is_after};
        // The end of all times, as closed() adds it, makes no range of another bound that is not known.
        if (id == (is_lower ? ceiling_of(Time::min()) : ceiling_of(Time::max())))
            limits.has_lower = limits.has_upper = false;
    } else {
        limits.is_unknown = true;
        const Instant own = instant_of(root, value), other = instant_of(root, operand);
        const double distance = other.offset - own.offset;
        // Infinite ones may cancel out.
        if (own.base != nullptr && other.base != nullptr && distance == distance) {
            limits.anchor = own.base;
            limits.base = other.base;
            (is_lower ? limits.least : limits.greatest) = distance;
        }
    }
    return limits;
}

int number_of(RelationClauses& relation, Node* node) {
    if (node == nullptr)
        return -1;
    ListCell* cell;
    foreach (cell, relation.numbered)
        if (equal(lfirst(cell), node))
            return foreach_current_index(cell);
    relation.numbered = lappend(relation.numbered, node);
    return list_length(relation.numbered) - 1;
}

class Collector {
public:
    Collector(PlannerInfo* root, RelationClauses& relation, Oid estimator)
        : root_(root), relation_(relation), estimator_(estimator) {}

    // ANDed clauses, and those in their ANDs and ORs. Of a nested OR, what is deeper is not looked at.
    void add_list(const List* list) {
        const int number = lists_++;
        ListCell* cell;
        foreach (cell, list)
            add(static_cast<Node*>(lfirst(cell)), number);
        foreach (cell, list) {
            Node* clause = clause_in(static_cast<Node*>(lfirst(cell)));
            if (is_andclause(clause))
                add_list(arguments_of(clause));
            else if (is_orclause(clause))
                add_arms(arguments_of(clause));
        }
    }

private:
    void add_arms(const List* arms) {
        ListCell* cell;
        foreach (cell, arms) {
            Node* clause = clause_in(static_cast<Node*>(lfirst(cell)));
            if (is_andclause(clause))
                add_list(arguments_of(clause));
            else
                add(static_cast<Node*>(lfirst(cell)), lists_++);
        }
    }

    void add(Node* entry, int list) {
        const auto* clause = reinterpret_cast<OpExpr*>(clause_in(entry));
        if (!IsA(entry, RestrictInfo) || !IsA(clause, OpExpr) || list_length(clause->args) != 2 ||
            get_oprrest(clause->opno) != estimator_)
            return;
        auto* info = reinterpret_cast<RestrictInfo*>(entry);
        const auto relid = static_cast<int>(relation_.rel->relid);
        const bool is_left = bms_is_member(relid, info->left_relids);
        if (is_left == bms_is_member(relid, info->right_relids))
            return;
        if (relation_.count + 2 > room_) {
            room_ = std::max(4, 2 * room_);
            const Size size = sizeof(ClauseBound) * static_cast<Size>(room_);
            relation_.bounds = static_cast<ClauseBound*>(relation_.bounds == nullptr
                                                             ? MemoryContextAllocHuge(CurrentMemoryContext, size)
                                                             : repalloc_huge(relation_.bounds, size));
        }
        ClauseBound* first = relation_.bounds + relation_.count;
        const int count = bounds_of(root_, clause, clause->opno, clause->args, is_left, first);
        for (ClauseBound* each = first; each != first + count; ++each) {
            each->info = info;
            each->list = list;
            each->value_number = number_of(relation_, each->value);
            each->anchor_number = number_of(relation_, each->own.anchor);
            each->base_number = number_of(relation_, each->own.base);
        }
        relation_.count += count;
    }

    PlannerInfo* root_;
    RelationClauses& relation_;
    Oid estimator_;
    int lists_ = 0;
    int room_ = 0;
};

// The bound that is this comparison; null for none. They come in the same order as the clauses that they are of.
ClauseBound* bound_by(RelationClauses& relation, const Node* comparison) {
    for (int i = 0; i < relation.count; ++i) {
        const int number = (relation.matched + i) % relation.count;
        if (equal(relation.bounds[number].clause, comparison)) {
            relation.matched = number;
            return &relation.bounds[number];
        }
    }
    return nullptr;
}

// Whether the relation's clauses have the bounds that rewrite.cpp adds for one, or for a part of an AND.
bool is_bounded(PlannerInfo* root, RelationClauses& relation, Node* clause) {
    if (is_andclause(clause)) {
        ListCell* cell;
        foreach (cell, arguments_of(clause))
            if (is_bounded(root, relation, static_cast<Node*>(lfirst(cell))))
                return true;
        return false;
    }
    List* implied = implied_bounds(root, relation.rel->relid, clause);
    return implied != NIL && bound_by(relation, first_comparison(static_cast<Node*>(linitial(implied)))) != nullptr;
}

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
    List* within = implied_bounds(root, relation.rel->relid, clause);
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
                                                         closed(implied_bounds(root, relation.rel->relid, each)));
        sum += step * selectivity * left_by_bounds(root, relation, estimator, each);
        all += step * selectivity;
    }
    // One range for all of them has more.
    if (!is_orclause(linitial(within)))
        all = selectivity_of_bounds(root, relation.rel, estimator, within);
    return all > 0 ? std::min(1.0, sum / all) : 0;
}

void take_bounds_for_true(PlannerInfo* root, RelationClauses& relation, Node* clause) {
    ListCell* cell;
    foreach (cell, implied_bounds(root, relation.rel->relid, clause))
        if (ClauseBound* bound = bound_by(relation, static_cast<Node*>(lfirst(cell))))
            bound->info->norm_selec = bound->info->outer_selec = 1;
}

// The bounds that rewrite.cpp added are estimated, and nothing is evaluated for them. So the comparison that they were
// added for is not to be estimated a second time: the planner would multiply by a third for `id::timestamptz >= t`.
// Sets what the planner caches in a RestrictInfo, as orclauses.c corrects the selectivity of an OR.
void take_for_true(PlannerInfo* root, RelationClauses& relation, Oid estimator, const List* clauses) {
    ListCell* cell;
    foreach (cell, clauses) {
        auto* info = lfirst_node(RestrictInfo, cell);
        auto* clause = reinterpret_cast<Node*>(info->clause);
        if (is_bound(clause))
            info->eval_cost = QualCost{};
        else if (is_bounded(root, relation, clause)) {
            // An index is chosen by the clause that it answers.
            if (is_on_indexed_time(relation.rel, clause))
                take_bounds_for_true(root, relation, clause);
            else
                info->norm_selec = info->outer_selec = left_by_bounds(root, relation, estimator, clause);
        }
    }
}

// Whether a clause is one of an index's predicate, which the planner multiplies by the clauses that the index answers.
bool is_predicate(const RelOptInfo* rel, const OpExpr* clause) {
    ListCell* cell;
    foreach (cell, rel->indexlist)
        if (list_member(static_cast<IndexOptInfo*>(lfirst(cell))->indpred, clause))
            return true;
    return false;
}

bool bound_the_same(const ClauseBound& a, const ClauseBound& b) {
    return a.value_number == b.value_number && bms_equal(a.info->required_relids, b.info->required_relids);
}

}  // namespace

void Limits::add(const Limits& other) {
    is_instant = other.is_instant && !has_upper;
    range.intersect(other.range);
    if (other.is_unknown && is_unknown && (base == nullptr || other.base == nullptr || !equal(base, other.base)))
        base = nullptr;
    else if (other.base != nullptr)
        base = other.base;
    least = std::max(least, other.least);
    greatest = std::min(greatest, other.greatest);
    has_lower = has_lower || other.has_lower;
    has_upper = has_upper || other.has_upper;
    is_unknown = is_unknown || other.is_unknown;
    is_null = is_null || other.is_null;
}

// An operator of the order is a member of its B-tree family, or one of those with a slice of time.
int luuid::pg::bounds_of(PlannerInfo* root, const OpExpr* clause, Oid op, List* arguments, bool is_left,
                         ClauseBound* bounds) {
    Node* value = without_relabels(static_cast<Node*>(list_nth(arguments, is_left ? 0 : 1)));
    auto* operand = static_cast<Node*>(list_nth(arguments, is_left ? 1 : 0));
    auto strategy = static_cast<StrategyNumber>(get_op_opfamily_strategy(op, time_family()));
    const bool is_end = strategy == InvalidStrategy;
    const auto bound = [&](Node* at, bool is_lower, bool is_after) {
        const Limits own = limits_at(root, value, at, is_lower, is_after);
        return ClauseBound{clause, nullptr, -1, value, at, is_lower, is_end, own, -1, -1, -1};
    };
    if (is_end) {
        operand = estimate_expression_value(root, operand);
        Node *floor = end_of(operand, End::floor), *ceiling = end_of(operand, End::ceiling);
        if (floor == nullptr || ceiling == nullptr)
            return 0;
        bounds[0] = bound(floor, true, false);
        bounds[1] = bound(ceiling, false, true);
        bounds[1].own.is_instant = slice_type(operand) == TIMESTAMPTZOID;
        return 2;
    }
    if (!is_left)
        strategy = static_cast<StrategyNumber>(BTCommuteStrategyNumber(strategy));
    if (strategy == BTEqualStrategyNumber)
        return 0;
    bounds[0] = bound(operand, strategy > BTEqualStrategyNumber,
                      strategy == BTGreaterStrategyNumber || strategy == BTLessEqualStrategyNumber);
    return 1;
}

RelationClauses& luuid::pg::clauses_of(PlannerInfo* root, const RelOptInfo* rel, Oid estimator) {
    Run& run = run_of(root);
    RelationClauses** place = &run.clauses;
    while (*place != nullptr && (*place)->rel != rel)
        place = &(*place)->next;
    RelationClauses* relation = *place;
    if (relation != nullptr && relation->restrictions == rel->baserestrictinfo && relation->joins == rel->joininfo &&
        relation->restrictions_length == list_length(rel->baserestrictinfo) &&
        relation->joins_length == list_length(rel->joininfo))
        return *relation;
    if (relation != nullptr)
        *place = relation->next;
    // What is kept lives as long as the clauses do; the planner may be in a context that ends before.
    const MemoryContext context = MemoryContextSwitchTo(root->planner_cxt);
    relation = static_cast<RelationClauses*>(palloc(sizeof(RelationClauses)));
    *relation = {rel,
                 rel->baserestrictinfo,
                 rel->joininfo,
                 list_length(rel->baserestrictinfo),
                 list_length(rel->joininfo),
                 nullptr,
                 0,
                 0,
                 0,
                 NIL,
                 run.clauses};
    run.clauses = relation;
    Collector collector{root, *relation, estimator};
    collector.add_list(rel->baserestrictinfo);
    // A part of a join clause, such as an arm of its OR, may be of one relation alone.
    collector.add_list(rel->joininfo);
    if (relation->count > 0) {
        take_for_true(root, *relation, estimator, rel->baserestrictinfo);
        take_for_true(root, *relation, estimator, rel->joininfo);
    }
    MemoryContextSwitchTo(context);
    return *relation;
}

ClauseBound* luuid::pg::bound_with(RelationClauses& relation, const List* arguments) {
    // The planner asks about the clauses in their order.
    for (int i = 0; i < relation.count; ++i) {
        const int number = (relation.asked + i) % relation.count;
        ClauseBound& bound = relation.bounds[number];
        if (bound.clause->args == arguments) {
            relation.asked = bound.is_end && !bound.is_lower ? number - 1 : number;
            return &relation.bounds[relation.asked];
        }
    }
    return nullptr;
}

void luuid::pg::link(RelationClauses& relation, ClauseBound& bound) {
    if (bound.is_linked)
        return;
    // Those of one list follow one another.
    ClauseBound *begin = &bound, *end = &bound + 1, *last = nullptr;
    while (begin != relation.bounds && begin[-1].list == bound.list)
        --begin;
    while (end != relation.bounds + relation.count && end->list == bound.list)
        ++end;
    for (const bool are_predicates : {true, false}) {
        for (ClauseBound* each = begin; each != end; ++each) {
            if (!bound_the_same(*each, bound) || is_predicate(relation.rel, each->clause) != are_predicates)
                continue;
            each->is_linked = true;
            each->previous = last;
            each->with = last != nullptr ? last->with : Limits{};
            each->with.add(each->own);
            last = each;
        }
    }
    for (ClauseBound* each = last; each != nullptr; each = each->previous)
        each->last = last;
}

IdRange luuid::pg::known_range(PlannerInfo* root, const RelOptInfo* rel, Oid estimator, Node* value) {
    RelationClauses& relation = clauses_of(root, rel, estimator);
    for (int i = 0; i < relation.count; ++i) {
        ClauseBound& bound = relation.bounds[i];
        if (bound.list == 0 && equal(bound.value, value)) {
            link(relation, bound);
            return bound.last->with.range;
        }
    }
    return {};
}
