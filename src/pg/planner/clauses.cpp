// Collects and reads the clauses of a relation, and keeps them for the rest of the planner's run.
#include "clauses.hpp"

#include "run.hpp"

#include <algorithm>

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

const List* arguments_of(Node* boolean) noexcept { return reinterpret_cast<BoolExpr*>(boolean)->args; }

// Collects the comparisons among ANDed clauses, and in the ANDs and ORs of these. Of a nested OR, what is deeper is not
// looked at.
class Collector {
public:
    void add_list(const List* list) {
        const int begin = count_;
        ListCell* cell;
        foreach (cell, list)
            add(static_cast<Node*>(lfirst(cell)));
        for (int i = begin; i < count_; ++i) {
            clauses_[i].siblings_begin = begin;
            clauses_[i].siblings_end = count_;
        }
        foreach (cell, list) {
            Node* clause = clause_in(static_cast<Node*>(lfirst(cell)));
            if (is_andclause(clause))
                add_list(arguments_of(clause));
            else if (is_orclause(clause))
                add_arms(arguments_of(clause));
        }
    }

    Clause* clauses() const noexcept { return clauses_; }
    int count() const noexcept { return count_; }

private:
    void add_arms(const List* arms) {
        ListCell* cell;
        foreach (cell, arms) {
            auto* arm = static_cast<Node*>(lfirst(cell));
            if (Node* clause = clause_in(arm); is_andclause(clause)) {
                add_list(arguments_of(clause));
            } else if (add(arm)) {
                clauses_[count_ - 1].siblings_begin = count_ - 1;
                clauses_[count_ - 1].siblings_end = count_;
            }
        }
    }

    bool add(Node* entry) {
        const Node* clause = clause_in(entry);
        if (!IsA(clause, OpExpr) || list_length(reinterpret_cast<const OpExpr*>(clause)->args) != 2)
            return false;
        if (count_ == room_) {
            room_ = std::max(2, 2 * room_);
            const Size size = sizeof(Clause) * static_cast<Size>(room_);
            clauses_ = static_cast<Clause*>(clauses_ == nullptr ? palloc(size) : repalloc_huge(clauses_, size));
        }
        clauses_[count_++] = {entry, reinterpret_cast<const OpExpr*>(clause)};
        return true;
    }

    Clause* clauses_ = nullptr;
    int count_ = 0;
    int room_ = 0;
};

RelationClauses* collected(const RelOptInfo* rel, Order order) {
    Collector collector;
    collector.add_list(rel->baserestrictinfo);
    // A part of a join clause, such as an arm of its OR, may be of one relation alone.
    collector.add_list(rel->joininfo);

    auto* relation = static_cast<RelationClauses*>(palloc(sizeof(RelationClauses)));
    *relation = {rel,
                 order,
                 rel->baserestrictinfo,
                 rel->joininfo,
                 list_length(rel->baserestrictinfo),
                 list_length(rel->joininfo),
                 collector.clauses(),
                 collector.count(),
                 static_cast<int*>(palloc(sizeof(int) * static_cast<Size>(collector.count())))};
    for (int i = 0; i < relation->count; ++i)
        relation->by_arguments[i] = i;
    // A clause can be in two lists: the first counts.
    std::sort(relation->by_arguments, relation->by_arguments + relation->count, [relation](int a, int b) {
        const List *of_a = relation->clauses[a].comparison->args, *of_b = relation->clauses[b].comparison->args;
        return of_a != of_b ? std::less<const List*>()(of_a, of_b) : a < b;
    });
    return relation;
}

bool is_current(const RelationClauses& relation, const RelOptInfo* rel) noexcept {
    return relation.restrictions == rel->baserestrictinfo && relation.joins == rel->joininfo &&
           relation.restrictions_length == list_length(rel->baserestrictinfo) &&
           relation.joins_length == list_length(rel->joininfo);
}

}  // namespace

RelationClauses& luuid::pg::clauses_of(PlannerInfo* root, const RelOptInfo* rel, Order order) {
    Run& run = run_of(root);
    ListCell* cell;
    foreach (cell, run.relations) {
        auto* relation = static_cast<RelationClauses*>(lfirst(cell));
        if (relation->rel != rel || relation->order != order)
            continue;
        if (is_current(*relation, rel))
            return *relation;
        run.relations = foreach_delete_current(run.relations, cell);
    }
    RelationClauses* relation = collected(rel, order);
    // The next question is mostly about the same relation.
    run.relations = lcons(relation, run.relations);
    return *relation;
}

Clause* luuid::pg::clause_with(const RelationClauses& relation, const List* arguments) {
    const int* begin = relation.by_arguments;
    const int* end = begin + relation.count;
    const int* found = std::lower_bound(begin, end, arguments, [&relation](int number, const List* wanted) {
        return std::less<const List*>()(relation.clauses[number].comparison->args, wanted);
    });
    return found != end && relation.clauses[*found].comparison->args == arguments ? &relation.clauses[*found] : nullptr;
}
