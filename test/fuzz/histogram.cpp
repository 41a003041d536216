// Any few ids as a column's statistics: each fraction is consistent with counting them, and the time range is theirs.
#include "fuzz.hpp"
#include "histogram_laws.hpp"

using namespace luuid;
using namespace luuid::detail;

FUZZ_TARGET(input) {
    const Order order = input.byte() % 2 == 0 ? Order::time : Order::bytes;
    const bool is_in_order = input.byte() % 2 == 0;
    const std::size_t count = 2 + input.byte() % 40;
    std::vector<Id> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(input.id(values.empty() ? nil_id : values.back()));
    if (is_in_order)
        std::sort(values.begin(), values.end(), [order](const Id& a, const Id& b) { return compare(order, a, b) < 0; });

    const laws::Sampled sampled(values, order, is_in_order);
    for (const Id& id : values)
        for (const bool after : {false, true})
            sampled.has_a_fraction_as_counted({id, after});
    while (!input.is_empty())
        sampled.has_a_fraction_as_counted({input.id(values[count / 2]), input.byte() % 2 == 0});

    // Computed in one pass over the values, by the order itself.
    const Id* last = nullptr;
    for (const Id& id : values)
        if (time_of(id) && (last == nullptr || compare(*last, id) < 0))
            last = &id;
    const TimeSpan& times = sampled.distribution().times();
    if (order == Order::time && last != nullptr)
        REQUIRE_LAW(times.last_id == *last && times.last == abbreviate(*last), times.last_id, *last);
    else
        REQUIRE_LAW(times.is_empty(), times.last_id);
}
