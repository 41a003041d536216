// Finds the clause that the planner asks about, and adds up what stands beside it.
#include "question.hpp"

#include "siblings.hpp"

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace {

// What the planner keeps of an answer: clause_selectivity_ext of clausesel.c.
std::optional<double> kept_answer(const Node* entry) noexcept {
    if (!IsA(entry, RestrictInfo))
        return std::nullopt;
    const double selectivity = reinterpret_cast<const RestrictInfo*>(entry)->norm_selec;
    return selectivity >= 0 && selectivity <= 1 ? std::optional{selectivity} : std::nullopt;
}

// The clause that an index answers a comparison in the place of: the same with its sides changed, or a slice of which
// the comparison is one end. The planner asks about the clauses in their order, so that the search goes on from the one
// that was found last: of a thousand ORed slices each is found at once.
Clause* answered_clause(RelationClauses& relation, Node* expression, const Condition& own) {
    for (int i = 0; i < relation.count; ++i) {
        const int number = (relation.answered + i) % relation.count;
        Clause& clause = relation.clauses[number];
        read(relation, clause);
        if (clause.expression == nullptr || !equal(clause.expression, expression))
            continue;
        if (clause.condition.where == Where::within
                ? equal(own.where == Where::after ? clause.ends.floor : clause.ends.ceiling, own.operand)
                : are_same(clause.condition, own)) {
            relation.answered = number;
            return &clause;
        }
    }
    return nullptr;
}

// The selectivity of the clauses before one, if the planner has kept the answer about each of them.
std::optional<double> kept_before(const Clause& clause) noexcept {
    double product = 1;
    for (const Clause* each = clause.previous; each != nullptr; each = each->previous) {
        const auto answer = kept_answer(each->entry);
        if (!answer)
            return std::nullopt;
        product *= *answer;
    }
    return product;
}

// What bounds so far, and the next clause's operand if that is a constant, leave. Another operand is evaluated once,
// when the planner asks about it. An index's predicate is asked about alone too, and has one answer for both.
std::optional<IdRange> narrowed_by_next(const Asked& asked, const Clause& clause) {
    Clause* next = clause.next;
    if (next == nullptr || next->is_predicate != clause.is_predicate)
        return std::nullopt;
    return IsA(next->condition.operand, Const) ? bounds_so_far(asked.root, asked.order, *next).range : IdRange{};
}

Part part_up_to(const Asked& asked, Clause& clause, Node* known = nullptr) {
    return {bounds_so_far(asked.root, asked.order, clause, known), narrowed_by_next(asked, clause)};
}

// An index answers `id <@ range` by its two ends, and the planner asks about the lower one first: what the upper one
// leaves of it.
IdRange up_to_ceiling(const Asked& asked, const Clause& slice) {
    Node* ceiling = slice.ends.ceiling;
    return IsA(ceiling, Const) ? bounds_of(asked.root, asked.order, {Where::before, true, nullptr}, ceiling).range
                               : IdRange{};
}

void add_lower_end(const Asked& asked, const Clause& slice, Part& part) {
    part.bounds.add(asked.order, bounds_of(asked.root, asked.order, {Where::after, false, nullptr}, slice.ends.floor));
    part.narrowed = up_to_ceiling(asked, slice);
}

// A comparison alone: with another relation's row, over two relations, of an index's predicate, or with an element of
// an array.
Question question_alone(const Asked& asked, const Condition& own) {
    Question question;
    question.with.bounds = bounds_of(asked.root, asked.order, own, asked.operand);
    return question;
}

// A clause, and those beside it.
Question question_about(const Asked& asked, const RelationClauses& relation, Clause& itself) {
    link(relation, itself);
    Question question;
    if (itself.previous != nullptr) {
        question.before = part_up_to(asked, *itself.previous);
        // If its own answer is kept too, the planner asks about an outer join's clause that it made another one of,
        // maybe before it knew what it knows now.
        question.kept_before = kept_answer(itself.entry) ? std::nullopt : kept_before(itself);
    }
    question.with = part_up_to(asked, itself, asked.operand);
    return question;
}

// What an index answers in the place of a clause.
Question question_for_index(const Asked& asked, const RelationClauses& relation, Clause& answered,
                            const Condition& own) {
    Question question;
    if (answered.is_constant) {
        link(relation, answered);
        if (answered.previous != nullptr)
            question.before = part_up_to(asked, *answered.previous);
        question.with.narrowed = narrowed_by_next(asked, answered);
    }
    const bool is_end = answered.condition.where == Where::within && own.where != Where::within;
    if (is_end && own.where == Where::after)
        question.with.narrowed = up_to_ceiling(asked, answered);
    else if (is_end)
        add_lower_end(asked, answered, question.before);
    if (question.before.bounds.conditions > 0)
        question.kept_before = std::nullopt;
    Bounds& with = question.with.bounds;
    with = question.before.bounds;
    with.add(asked.order, bounds_of(asked.root, asked.order, own, asked.operand));
    // The upper end of a single time, and nothing else.
    with.is_instant = with.is_instant || (is_end && own.where == Where::before && with.conditions == 2 &&
                                          exprType(answered.condition.operand) == TIMESTAMPTZOID);
    return question;
}

Question question_among(const Asked& asked) {
    RelationClauses& relation = clauses_of(asked.root, asked.rel, asked.order);
    if (Clause* itself = clause_with(relation, asked.arguments)) {
        read(relation, *itself);
        if (itself->is_constant)
            return question_about(asked, relation, *itself);
    }
    const Condition own = condition_of(asked.order, asked.op, asked.arguments, asked.is_left);
    // What an index's predicate says stands for itself.
    if (own.where != Where::none && !is_of_predicate(asked.rel, asked.arguments)) {
        auto* expression = static_cast<Node*>(list_nth(asked.arguments, asked.is_left ? 0 : 1));
        if (Clause* answered = answered_clause(relation, without_relabels(expression), own))
            return question_for_index(asked, relation, *answered, own);
    }
    return question_alone(asked, own);
}

}  // namespace

Question luuid::pg::question_of(const Asked& asked) {
    // A query can have thousands of clauses.
    CHECK_FOR_INTERRUPTS();
    if (asked.rel == nullptr || !IS_SIMPLE_REL(asked.rel))
        return question_alone(asked, condition_of(asked.order, asked.op, asked.arguments, asked.is_left));
    // What is kept lives as long as the clauses do; the planner may be in a context that ends before.
    const MemoryContext context = MemoryContextSwitchTo(asked.root->planner_cxt);
    const Question question = question_among(asked);
    MemoryContextSwitchTo(context);
    return question;
}
