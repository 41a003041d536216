// All interleavings of a few actors over words that they share, operation by operation: what a lock-free protocol does
// is checked after each of them, and not after those alone that happen on a machine.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <set>
#include <utility>
#include <vector>

#include <csetjmp>

// An actor is a function that does the same whenever the words answer the same, and holds nothing that needs a
// destructor. It is run from its beginning for each of its operations: what it was answered before it is answered
// again, then one more operation is done, and before the next one it is left.
class Interleavings {
public:
    using Actor = std::function<void()>;

    // Goes through all, and calls `check` after each, when the actors have left what they found where they leave it.
    // Returns how many states it met.
    static std::size_t explore(std::vector<Actor> actors, const Actor& check) {
        Interleavings all(std::move(actors), check);
        current = &all;
        for (std::size_t actor = 0; actor < all.actors_.size(); ++actor)
            all.run(actor, false);
        all.explore();
        for (Shared* each : all.touched_)
            each->value = each->initial;
        current = nullptr;
        return all.met_.size();
    }

    // A word of shared memory, whose every operation is one of the actor's; sequentially consistent.
    struct Shared {
        explicit Shared(std::uint64_t value) : value(value), initial(value) {}
        std::uint64_t value;
        const std::uint64_t initial;
        bool is_touched = false;
    };

    // Does an operation, which is `change` of the value, in its turn; returns what the value was before.
    template <class Change>
    static std::uint64_t operate(Shared& word, Change&& change) {
        if (current == nullptr)
            return std::exchange(word.value, change(word.value));
        return current->next_answer(word, change);
    }

private:
    using Answers = std::vector<std::uint64_t>;
    using State = std::pair<std::uint64_t, std::uint64_t>;

    Interleavings(std::vector<Actor> actors, const Actor& check)
        : actors_(std::move(actors)), check_(check), answers_(actors_.size()), is_over_(actors_.size()) {}

    template <class Change>
    std::uint64_t next_answer(Shared& word, Change&& change) {
        Answers& answers = answers_[acting_];
        if (asked_ < answers.size())
            return answers[asked_++];
        if (!may_operate_)
            std::longjmp(left_, 1);
        may_operate_ = false;
        ++asked_;
        if (!word.is_touched) {
            word.is_touched = true;
            touched_.push_back(&word);
        }
        answers.push_back(word.value);
        word.value = change(word.value);
        return answers.back();
    }

    // Runs an actor, by what it was answered and so many operations more.
    void run(std::size_t actor, bool may_operate) {
        acting_ = actor;
        asked_ = 0;
        may_operate_ = may_operate;
        is_over_[actor] = false;
        if (setjmp(left_) == 0) {
            actors_[actor]();
            is_over_[actor_in_turn()] = true;
        }
    }

    // Not a local variable of run(), which a jump leaves undetermined.
    std::size_t actor_in_turn() const { return acting_; }

    // Two hashes, of which the chance that both are another state's is nothing beside that of a broken machine.
    State state() const {
        State state{1, 2};
        const auto add = [&state](std::uint64_t word) {
            state.first = std::rotl((state.first ^ word) * 0x9e37'79b9'7f4a'7c15, 31);
            state.second = std::rotl((state.second + word) * 0xd6e8'feb8'6659'fd93, 29);
        };
        for (const Shared* each : touched_)
            add(each->value);
        for (const Answers& each : answers_) {
            add(each.size());
            for (const std::uint64_t answer : each)
                add(answer);
        }
        return state;
    }

    void explore() {
        if (!met_.insert(state()).second)
            return;
        bool is_end = true;
        std::vector<std::uint64_t> values;
        for (const Shared* each : touched_)
            values.push_back(each->value);
        for (std::size_t actor = 0; actor < actors_.size(); ++actor) {
            if (is_over_[actor])
                continue;
            is_end = false;
            run(actor, true);
            explore();
            is_over_[actor] = false;
            answers_[actor].pop_back();
            for (std::size_t i = 0; i < touched_.size(); ++i)
                touched_[i]->value = i < values.size() ? values[i] : touched_[i]->initial;
        }
        if (!is_end)
            return;
        for (std::size_t actor = 0; actor < actors_.size(); ++actor)
            run(actor, false);
        current = nullptr;  // the check reads words, and is no actor
        check_();
        current = this;
    }

    static inline Interleavings* current = nullptr;

    const std::vector<Actor> actors_;
    const Actor& check_;
    std::vector<Answers> answers_;  // by actor
    std::vector<char> is_over_;
    std::vector<Shared*> touched_;
    std::set<State> met_;
    std::jmp_buf left_;
    std::size_t acting_ = 0;
    std::size_t asked_ = 0;
    bool may_operate_ = false;
};

// The same, in the form of std::atomic.
class ExploredWord {
public:
    ExploredWord(std::uint64_t value = 0) : shared_(value) {}

    operator std::uint64_t() const {
        return Interleavings::operate(shared_, [](std::uint64_t was) { return was; });
    }

    void operator=(std::uint64_t value) {
        Interleavings::operate(shared_, [value](std::uint64_t) { return value; });
    }

    std::uint64_t fetch_add(std::uint64_t addend) {
        return Interleavings::operate(shared_, [addend](std::uint64_t was) { return was + addend; });
    }

    bool compare_exchange_strong(std::uint64_t& expected, std::uint64_t desired) {
        const std::uint64_t wanted = expected;
        expected = Interleavings::operate(shared_, [=](std::uint64_t was) { return was == wanted ? desired : was; });
        return expected == wanted;
    }

private:
    mutable Interleavings::Shared shared_;
};
