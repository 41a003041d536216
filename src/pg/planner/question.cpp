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

// None for the last one, and unbounded if the next operand is no constant: that is evaluated once, when the planner
// asks about it. An index's predicates are asked about without the clauses behind them too.
std::optional<IdRange> narrowed_by_next(const Asked& asked, const Clause& clause) {
    Clause* next = clause.next;
    if (next == nullptr || next->is_predicate != clause.is_predicate)
        return std::nullopt;
    return IsA(next->condition.operand, Const) ? bounds_so_far(asked.root, asked.order, *next).range : IdRange{};
}

// An index answers `id <@ range` by its two ends, and the planner asks about the lower one first. True for the upper
// end of a single time.
bool add_lower_end(const Asked& asked, const Clause& slice, Where own, Question* question) {
    if (own == Where::after) {
        Node* ceiling = slice.ends.ceiling;
        question->narrowed = IsA(ceiling, Const)
                                 ? bounds_of(asked.root, asked.order, {Where::before, true, nullptr}, ceiling).range
                                 : IdRange{};
        return false;
    }
    question->before.add(asked.order,
                         bounds_of(asked.root, asked.order, {Where::after, false, nullptr}, slice.ends.floor));
    return question->before.conditions == 1 && exprType(slice.condition.operand) == TIMESTAMPTZOID;
}

// A comparison alone: with another relation's row, over two relations, of an index's predicate, or with an element of
// an array.
Question question_alone(const Asked& asked, const Condition& own) {
    Question question;
    question.with = bounds_of(asked.root, asked.order, own, asked.operand);
    return question;
}

// A clause, and those beside it.
Question question_about(const Asked& asked, const RelationClauses& relation, Clause& itself) {
    link(relation, itself);
    Question question;
    if (itself.previous != nullptr) {
        question.before = bounds_so_far(asked.root, asked.order, *itself.previous);
        // If its own answer is kept too, the planner asks about an outer join's clause that it made another one of,
        // maybe before it knew what it knows now.
        question.kept_before = kept_answer(itself.entry) ? std::nullopt : kept_before(itself);
    }
    question.with = bounds_so_far(asked.root, asked.order, itself, asked.operand);
    question.narrowed = narrowed_by_next(asked, itself);
    return question;
}

// What an index answers in the place of a clause.
Question question_for_index(const Asked& asked, const RelationClauses& relation, Clause& answered,
                            const Condition& own) {
    Question question;
    if (answered.is_constant) {
        link(relation, answered);
        if (answered.previous != nullptr)
            question.before = bounds_so_far(asked.root, asked.order, *answered.previous);
        question.narrowed = narrowed_by_next(asked, answered);
    }
    bool is_end_of_instant = false;
    if (answered.condition.where == Where::within && own.where != Where::within)
        is_end_of_instant = add_lower_end(asked, answered, own.where, &question);
    if (question.before.conditions > 0)
        question.kept_before = std::nullopt;
    question.with = question.before;
    question.with.add(asked.order, bounds_of(asked.root, asked.order, own, asked.operand));
    question.with.is_instant = question.with.is_instant || is_end_of_instant;
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
