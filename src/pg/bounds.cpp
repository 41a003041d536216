// Finds what bounds an expression, among the clauses of a query.
#include "bounds.hpp"

#include "datum.hpp"
#include "slice.hpp"

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

// What is bounded, by operators of which order.
struct Subject {
    Node* expression;
    Oid estimator;
};

Node* argument_of(List* arguments, int number) {
    return without_relabels(static_cast<Node*>(list_nth(arguments, number)));
}

// By the operator's name, which is made of < and > with =, or has an @, or is the = of an id and a time.
Condition condition_of(const Subject& subject, Oid op, List* arguments) {
    if (list_length(arguments) != 2 || get_oprrest(op) != subject.estimator)
        return {};
    const bool is_left = equal(argument_of(arguments, 0), subject.expression);
    if (!is_left && !equal(argument_of(arguments, 1), subject.expression))
        return {};
    Node* operand = static_cast<Node*>(list_nth(arguments, is_left ? 1 : 0));
    const char* name = get_opname(op);
    if (name == nullptr)
        return {};

    const char* direction = std::strpbrk(name, "<>");
    if (direction == nullptr || std::strchr(name, '@') != nullptr)
        return {Where::within, false, operand};
    const bool is_before = (*direction == '<') == is_left;
    const bool is_inclusive = std::strchr(name, '=') != nullptr;
    return {is_before ? Where::before : Where::after, is_before == is_inclusive, operand};
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

// One of a list of ANDed clauses.
struct Place {
    List* clauses = NIL;
    Node* clause = nullptr;
};

// The first clause, among these and in the ANDs and ORs of these, that `is_it` is true of.
template <typename Predicate>
Place find(List* clauses, Predicate is_it) {
    ListCell* cell;
    foreach (cell, clauses) {
        Node* clause = clause_in(static_cast<Node*>(lfirst(cell)));
        if (is_it(clause))
            return {clauses, clause};
        if (is_andclause(clause)) {
            if (const Place place = find(reinterpret_cast<BoolExpr*>(clause)->args, is_it); place.clause != nullptr)
                return place;
        } else if (is_orclause(clause)) {
            ListCell* arm_cell;
            foreach (arm_cell, reinterpret_cast<BoolExpr*>(clause)->args) {
                Node* arm = clause_in(static_cast<Node*>(lfirst(arm_cell)));
                if (is_it(arm))
                    return {NIL, arm};  // alone
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

// What the planner knows an operand will be, which is mostly what it is.
Node* estimated(PlannerInfo* root, Node* operand) {
    return IsA(operand, Const) ? operand : estimate_expression_value(root, operand);
}

class Reader {
public:
    Reader(PlannerInfo* root, Order order) noexcept : root_(root), order_(order) {}

    void add(const Condition& condition) {
        bounds.is_instant = false;
        bounds.ranges = NIL;
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
                if (conditions_ == 0) {
                    bounds.is_instant = exprType(slice) == TIMESTAMPTZOID;
                    bounds.ranges = ranges_of(slice);
                }
        }
        ++conditions_;
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
    int conditions_ = 0;
};

}  // namespace

Bounds luuid::pg::bounds_of(PlannerInfo* root, RelOptInfo* rel, Order order, Oid estimator, Oid op, List* arguments,
                            int variable) {
    const Subject subject{argument_of(arguments, variable), estimator};
    const Condition own = condition_of(subject, op, arguments);
    Reader reader{root, order};

    // What depends on another table's row is estimated by itself, as the server does with all types.
    Place place;
    if (rel != nullptr && own.where != Where::none && is_pseudo_constant_clause(own.operand)) {
        place = find(rel, [&](const Node* clause) {
            return IsA(clause, OpExpr) && reinterpret_cast<const OpExpr*>(clause)->args == arguments;
        });
        // The planner also asks about conditions that it made itself: copies of an index's predicate, or what an index
        // answers in the place of `=` and <@. They go by the clauses that they are of.
        if (place.clause == nullptr) {
            place = find(rel, [&](const Node* clause) {
                const Condition other = condition_of(subject, clause);
                if (other.where == own.where)
                    return other.cut_after == own.cut_after && equal(other.operand, own.operand);
                if (other.where != Where::within)
                    return false;
                const Ends ends = ends_of(other.operand);
                return equal(own.where == Where::after ? ends.floor : ends.ceiling, own.operand);
            });
        }
    }

    if (place.clauses == NIL) {
        reader.add(own);
        return reader.bounds;
    }
    bool is_first = true;
    ListCell* cell;
    foreach (cell, place.clauses) {
        const Node* clause = clause_in(static_cast<Node*>(lfirst(cell)));
        const Condition condition = condition_of(subject, clause);
        if (condition.where == Where::none || !is_pseudo_constant_clause(condition.operand))
            continue;
        if (is_first && (clause != place.clause || (condition.where == Where::within && own.where == Where::before))) {
            reader.bounds.is_answered = true;
            break;
        }
        is_first = false;
        reader.add(condition);
    }
    return reader.bounds;
}

Stretch luuid::pg::stretch_of(PlannerInfo* root, Order order, Node* slice) {
    Reader reader{root, order};
    reader.add({Where::within, false, slice});
    return reader.bounds.stretch;
}
