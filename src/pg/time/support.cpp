// The planner support of casts and time operators: it turns `id >= t`, `id = t` and `id <@ range` into comparisons of
// ids, which indexes and partition bounds can use. See nodes/supportnodes.h.
#include "expressions.hpp"

#include <algorithm>
#include <string_view>

using namespace luuid;
using namespace luuid::pg;

namespace {

// The B-tree strategy of an operator's function, `=` for `<@` and `@>`.
StrategyNumber strategy_of(Oid function) {
    constexpr std::string_view names[] = {"luuid_lt", "luuid_le", "luuid_eq", "luuid_ge", "luuid_gt"};
    const auto* found = std::ranges::find(names, std::string_view(get_func_name(function)));
    return static_cast<StrategyNumber>(found != std::end(names) ? found - names + 1 : BTEqualStrategyNumber);
}

// A cast becomes the conversion of the id's time, an inequality one comparison, and `=` and `<@` two, with the ends of
// the slice. A sub-select stays for rewrite.cpp, which finds it as a parameter: here it would be executed twice.
Node* simplified(const SupportRequestSimplify* request) {
    List* arguments = request->fcall->args;
    if (const Oid type = request->fcall->funcresulttype; type == DATEOID || type == TIMESTAMPOID) {
        Node* time = call_of("luuid_extract_timestamp", {luuid_type()}, arguments);
        return call_of(type == DATEOID ? "date" : "timestamp", {TIMESTAMPTZOID}, list_make1(time));
    }
    if (list_length(arguments) != 2)
        return nullptr;
    const bool is_commuted = OidIsValid(slice_type(static_cast<Node*>(linitial(arguments))));
    auto* id = static_cast<Node*>(list_nth(arguments, is_commuted ? 1 : 0));
    auto* slice = static_cast<Node*>(list_nth(arguments, is_commuted ? 0 : 1));
    const StrategyNumber strategy = strategy_of(request->fcall->funcid);
    if (strategy != BTEqualStrategyNumber)
        return comparison(id, is_commuted ? BTCommuteStrategyNumber(strategy) : strategy, slice);
    for (Node* each : {id, slice})
        if (contain_subplans(each) || contain_volatile_functions(each))
            return nullptr;
    return reinterpret_cast<Node*>(make_andclause(list_make2(comparison(id, BTGreaterEqualStrategyNumber, slice),
                                                             comparison(id, BTLessEqualStrategyNumber, slice))));
}

}  // namespace

// luuid_time_support(internal) → internal. For luuid_extract_timestamp() it has no answer. But the planner loads the
// module to ask for one, so that the hook of rewrite.cpp is there when a session's first statement is planned.
LUUID_FUNCTION(luuid_time_support);
Datum luuid_time_support(PG_FUNCTION_ARGS) {
    const auto* request = reinterpret_cast<SupportRequestSimplify*>(PG_GETARG_POINTER(0));
    PG_RETURN_POINTER(IsA(request, SupportRequestSimplify) ? simplified(request) : nullptr);
}

// luuid_checked(boolean) → boolean: its argument. rewrite.cpp says what it is for.
LUUID_FUNCTION(luuid_checked);
Datum luuid_checked(PG_FUNCTION_ARGS) { PG_RETURN_DATUM(PG_GETARG_DATUM(0)); }
