// Reads what an operator and its operand say of an expression.
#include "bounds.hpp"

#include "../datum.hpp"

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace {

Condition condition_by(StrategyNumber strategy, bool is_left, Node* operand) {
    switch (is_left ? strategy : static_cast<StrategyNumber>(BTCommuteStrategyNumber(strategy))) {
        case BTLessStrategyNumber:
            return {Where::before, false, operand};
        case BTLessEqualStrategyNumber:
            return {Where::before, true, operand};
        case BTGreaterEqualStrategyNumber:
            return {Where::after, false, operand};
        case BTGreaterStrategyNumber:
            return {Where::after, true, operand};
        default:
            return {};
    }
}

class Reader {
public:
    Reader(PlannerInfo* root, Order order) noexcept : root_(root), order_(order) { bounds.conditions = 1; }

    void add_lower(Node* operand, bool after) {
        bounds.has_lower = true;
        if (const auto id = value_of(operand))
            bounds.range.restrict_lower(order_, {*id, after});
    }

    void add_upper(Node* operand, bool after) {
        bounds.has_upper = true;
        if (const auto id = value_of(operand))
            bounds.range.restrict_upper(order_, {*id, after});
    }

    Bounds bounds;

private:
    // None where that is not known yet, or null. Its type is looked at, since a superuser may make an operator of other
    // types that names our estimators.
    std::optional<Id> value_of(Node* operand) {
        Node* value = operand == nullptr || IsA(operand, Const) ? operand : estimate_expression_value(root_, operand);
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

    PlannerInfo* root_;
    Order order_;
};

}  // namespace

// An operator of the order is a member of its B-tree family, or one of those with a time that luuid_within_support is
// the planner support of.
Condition luuid::pg::condition_of(Order order, Oid op, List* arguments, bool is_left) {
    auto* operand = static_cast<Node*>(list_nth(arguments, is_left ? 1 : 0));
    if (const int strategy = get_op_opfamily_strategy(op, order == Order::time ? time_family() : byte_family()))
        return condition_by(static_cast<StrategyNumber>(strategy), is_left, operand);
    return order == Order::time && is_within_operator(op) ? Condition{Where::within, false, operand} : Condition{};
}

void Bounds::add(Order order, const Bounds& other) noexcept {
    range.intersect(order, other.range);
    has_lower = has_lower || other.has_lower;
    has_upper = has_upper || other.has_upper;
    is_unknown = is_unknown || other.is_unknown;
    is_null = is_null || other.is_null;
    is_instant = conditions == 0 && other.is_instant;
    if (ranges == NIL)
        ranges = other.ranges;
    conditions += other.conditions;
}

Bounds luuid::pg::bounds_of(PlannerInfo* root, Order order, const Condition& condition, Node* operand) {
    Reader reader{root, order};
    switch (condition.where) {
        case Where::none:
            reader.bounds.is_unknown = true;
            break;
        case Where::before:
            reader.add_upper(operand, condition.bound_after);
            break;
        case Where::after:
            reader.add_lower(operand, condition.bound_after);
            break;
        case Where::within: {
            const Ends ends = ends_of(operand);
            reader.add_lower(ends.floor, false);
            reader.add_upper(ends.ceiling, true);
            reader.bounds.is_instant = exprType(operand) == TIMESTAMPTZOID;
            reader.bounds.ranges = ranges_of(operand);
        }
    }
    return reader.bounds;
}
