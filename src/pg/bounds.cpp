// Finds what bounds an expression, among the clauses of a query.
#include "bounds.hpp"

#include "datum.hpp"
#include "slice.hpp"

#include <algorithm>
#include <cstring>

using namespace luuid;
using namespace luuid::pg;

namespace {

enum class Where { none, before, after, within };

// A condition on the expression: that it is before or after a cut at the operand, or within the operand's ends.
struct Condition {
    Where where = Where::none;
    bool cut_after = false;  // where the cut is after the operand's value, not before it
    Node* operand = nullptr;
};

bool are_same(const Condition& a, const Condition& b) {
    return a.where == b.where && a.cut_after == b.cut_after && equal(a.operand, b.operand);
}

// What is bounded, by operators of which order.
struct Subject {
    Node* expression;
    Oid estimator;
};

Node* argument_of(List* arguments, int number) {
    return without_relabels(static_cast<Node*>(list_nth(arguments, number)));
}

// By the operator's name, which is made of < and > with =, or has an @, or is the = of an id and a time.
Condition condition_named(const char* name, bool is_left, Node* operand) {
    const char* direction = std::strpbrk(name, "<>");
    if (direction == nullptr || std::strchr(name, '@') != nullptr)
        return {Where::within, false, operand};
    const bool is_before = (*direction == '<') == is_left;
    const bool is_inclusive = std::strchr(name, '=') != nullptr;
    return {is_before ? Where::before : Where::after, is_before == is_inclusive, operand};
}

Condition condition_of(const Subject& subject, Oid op, List* arguments) {
    if (list_length(arguments) != 2)
        return {};
    const bool is_left = equal(argument_of(arguments, 0), subject.expression);
    if (!is_left && !equal(argument_of(arguments, 1), subject.expression))
        return {};
    const HeapTuple tuple = SearchSysCache1(OPEROID, ObjectIdGetDatum(op));
    if (!HeapTupleIsValid(tuple))
        return {};
    Condition condition;
    const auto* form = reinterpret_cast<Form_pg_operator>(GETSTRUCT(tuple));
    if (form->oprrest == subject.estimator)
        condition =
            condition_named(NameStr(form->oprname), is_left, static_cast<Node*>(list_nth(arguments, is_left ? 1 : 0)));
    ReleaseSysCache(tuple);
    return condition;
}

Condition condition_of(const Subject& subject, const Node* clause) {
    if (!IsA(clause, OpExpr))
        return {};
    const auto* comparison = reinterpret_cast<const OpExpr*>(clause);
    return condition_of(subject, comparison->opno, comparison->args);
}

// The clause itself, or where it is an OR, that of whose parts the planner keeps more.
Node* clause_in(Node* node) noexcept {
    if (!IsA(node, RestrictInfo))
        return node;
    const auto* info = reinterpret_cast<RestrictInfo*>(node);
    return reinterpret_cast<Node*>(info->orclause != nullptr ? info->orclause : info->clause);
}

// One of a list of ANDed clauses, as the list has it and by itself.
struct Place {
    List* clauses = NIL;
    Node* entry = nullptr;
    Node* clause = nullptr;
};

// What the planner keeps of an answer: clause_selectivity_ext of clausesel.c.
std::optional<double> kept_answer(const Node* entry) noexcept {
    if (!IsA(entry, RestrictInfo))
        return std::nullopt;
    const double part = reinterpret_cast<const RestrictInfo*>(entry)->norm_selec;
    return part >= 0 && part <= 1 ? std::optional{part} : std::nullopt;
}

// Whether the planner's lists hold two clauses for the same joins.
bool are_of_same_joins(const Node* a, const Node* b) noexcept {
    if (!IsA(a, RestrictInfo) || !IsA(b, RestrictInfo))
        return true;
    return bms_equal(reinterpret_cast<const RestrictInfo*>(a)->required_relids,
                     reinterpret_cast<const RestrictInfo*>(b)->required_relids);
}

// Whether the planner has been through an arm of an OR, as far as it can be told.
bool is_answered(Node* arm) noexcept {
    return kept_answer(is_andclause(arm) ? static_cast<Node*>(llast(reinterpret_cast<BoolExpr*>(arm)->args)) : arm)
        .has_value();
}

// The arm of an OR that the planner asks about, if it goes from arm to arm: the first without an answer. An OR can have
// thousands.
int next_arm(const List* arms) noexcept {
    const ListCell* cells = arms->elements;
    const auto is_behind = [](const ListCell& cell) { return is_answered(static_cast<Node*>(lfirst(&cell))); };
    return static_cast<int>(std::partition_point(cells, cells + arms->length, is_behind) - cells);
}

// The clause, among these and in the ANDs and ORs of these, that `is_it` is true of.
template <typename Predicate>
Place find(List* clauses, Predicate is_it) {
    ListCell* cell;
    foreach (cell, clauses) {
        auto* entry = static_cast<Node*>(lfirst(cell));
        Node* clause = clause_in(entry);
        if (is_it(clause))
            return {clauses, entry, clause};
        if (is_andclause(clause)) {
            if (const Place place = find(reinterpret_cast<BoolExpr*>(clause)->args, is_it); place.clause != nullptr)
                return place;
        } else if (is_orclause(clause)) {
            const List* arms = reinterpret_cast<BoolExpr*>(clause)->args;
            const int next = next_arm(arms), count = list_length(arms);
            for (int i = 0; i < count; ++i) {
                Node* arm = clause_in(static_cast<Node*>(list_nth(arms, (next + i) % count)));
                if (is_it(arm))
                    return {NIL, arm, arm};  // alone
                if (is_andclause(arm))
                    if (const Place place = find(reinterpret_cast<BoolExpr*>(arm)->args, is_it);
                        place.clause != nullptr)
                        return place;
            }
        }
    }
    return {};
}

template <typename Predicate>
Place find(RelOptInfo* rel, Predicate is_it) {
    const Place place = find(rel->baserestrictinfo, is_it);
    // A part of a join clause, such as an arm of its OR, may be of one table alone.
    return place.clause != nullptr ? place : find(rel->joininfo, is_it);
}

// Whether it is true of a clause of an index's predicate.
template <typename Predicate>
bool any_index_predicate(const RelOptInfo* rel, Predicate is_it) {
    ListCell* index_cell;
    foreach (index_cell, rel->indexlist) {
        ListCell* cell;
        foreach (cell, static_cast<IndexOptInfo*>(lfirst(index_cell))->indpred)
            if (is_it(static_cast<Node*>(lfirst(cell))))
                return true;
    }
    return false;
}

// What the planner knows an operand will be, which is mostly what it is.
Node* estimated(PlannerInfo* root, Node* operand) {
    return IsA(operand, Const) ? operand : estimate_expression_value(root, operand);
}

class Reader {
public:
    Reader(PlannerInfo* root, Order order) noexcept : root_(root), order_(order) {}

    void add(const Condition& condition) {
        bounds.is_instant = false;
        switch (condition.where) {
            case Where::none:
                bounds.is_unknown = true;
                break;
            case Where::before:
                add_upper(condition.operand, condition.cut_after);
                break;
            case Where::after:
                add_lower(condition.operand, condition.cut_after);
                break;
            case Where::within:
                Node* slice = estimated(root_, condition.operand);
                const Ends ends = ends_of(slice);
                add_lower(ends.floor, false);
                add_upper(ends.ceiling, true);
                bounds.is_instant = bounds.conditions == 0 && exprType(slice) == TIMESTAMPTZOID;
                if (bounds.ranges == NIL)
                    bounds.ranges = ranges_of(slice);
        }
        ++bounds.conditions;
    }

    Bounds bounds;

private:
    // None where that is not known yet, or null. Its type is looked at, since a superuser may make an operator of other
    // types that names our estimators.
    std::optional<Id> value_of(Node* operand) {
        Node* value = operand == nullptr ? nullptr : estimated(root_, operand);
        if (value != nullptr && IsA(value, Const)) {
            const auto* constant = reinterpret_cast<Const*>(value);
            if (constant->constisnull) {
                bounds.is_null = true;
                return std::nullopt;
            }
            if (constant->constlen == static_cast<int>(id_size) && !constant->constbyval)
                return id_from_datum(constant->constvalue);
        }
        bounds.is_unknown = true;
        return std::nullopt;
    }

    void add_lower(Node* operand, bool after) {
        bounds.has_lower = true;
        if (const auto id = value_of(operand))
            bounds.stretch.raise(order_, {*id, after});
    }

    void add_upper(Node* operand, bool after) {
        bounds.has_upper = true;
        if (const auto id = value_of(operand))
            bounds.stretch.lower_to(order_, {*id, after});
    }

    PlannerInfo* root_;
    Order order_;
};

}  // namespace

Question luuid::pg::question_of(PlannerInfo* root, RelOptInfo* rel, Order order, Oid estimator, Oid op, List* arguments,
                                int variable) {
    const Subject subject{argument_of(arguments, variable), estimator};
    const Condition own = condition_of(subject, op, arguments);
    const auto is_itself = [&](const Node* clause) {
        return IsA(clause, OpExpr) && reinterpret_cast<const OpExpr*>(clause)->args == arguments;
    };

    Question question;
    Reader reader{root, order};
    Place place;
    const bool is_constant = own.where != Where::none && is_pseudo_constant_clause(own.operand);
    if (rel != nullptr && is_constant)
        place = find(rel, is_itself);
    // The planner also asks about what an index answers in the place of a clause: the same with its sides changed, or
    // the ends of a range. That goes by the clause. What an index's predicate says stands for itself.
    if (rel != nullptr && place.clause == nullptr && !any_index_predicate(rel, is_itself)) {
        place = find(rel, [&](const Node* clause) {
            const Condition other = condition_of(subject, clause);
            if (other.where != Where::within)
                return is_constant && are_same(other, own);
            const Ends ends = ends_of(other.operand);
            return equal(own.where == Where::after ? ends.floor : ends.ceiling, own.operand);
        });
    }

    // Where its own answer is kept too, it is not what is asked about, but what an index answers in its place, or an
    // outer join's clause that the planner made it of, maybe before it knew what it knows now.
    const bool is_asked_first = place.entry != nullptr && !kept_answer(place.entry);
    bool is_behind = false;
    bool is_end_of_instant = false;
    // Those that are predicates come first, since they are what the planner asks about without the others. What depends
    // on another table's row is estimated by itself, as the server does with all types.
    for (const bool are_predicates : {true, false}) {
        ListCell* cell;
        foreach (cell, place.clauses) {
            auto* entry = static_cast<Node*>(lfirst(cell));
            const Node* clause = clause_in(entry);
            const Condition condition = is_itself(clause) ? own : condition_of(subject, clause);
            const bool is_predicate = any_index_predicate(rel, [&](const Node* predicate) {
                return condition.where != Where::none && are_same(condition_of(subject, predicate), condition);
            });
            if (is_predicate != are_predicates)
                continue;
            if (clause == place.clause) {
                // Of the two that an index answers in its place, the upper is the second.
                if (condition.where == Where::within && own.where == Where::before) {
                    question.part_before = std::nullopt;
                    reader.add({Where::after, false, ends_of(condition.operand).floor});
                    is_end_of_instant = reader.bounds.conditions == 1 && exprType(condition.operand) == TIMESTAMPTZOID;
                }
                question.is_last = condition.where != Where::within || own.where != Where::after;
                is_behind = true;
            } else if (is_constant && condition.where != Where::none && is_pseudo_constant_clause(condition.operand) &&
                       are_of_same_joins(entry, place.entry)) {
                if (is_behind) {
                    question.is_last = false;
                } else {
                    reader.add(condition);
                    const auto part = is_asked_first ? kept_answer(entry) : std::nullopt;
                    question.part_before =
                        part && question.part_before ? std::optional{*part * *question.part_before} : std::nullopt;
                }
            }
        }
    }
    question.before = reader.bounds;
    reader.add(own);
    question.with = reader.bounds;
    question.with.is_instant = question.with.is_instant || is_end_of_instant;
    return question;
}

Stretch luuid::pg::stretch_of(PlannerInfo* root, Order order, Node* slice) {
    Reader reader{root, order};
    reader.add({Where::within, false, slice});
    return reader.bounds.stretch;
}
