// Any few ids as a column's statistics: each fraction is consistent with counting them.
#include "fuzz.hpp"

#include "distribution_laws.hpp"

FUZZ_TARGET(input) {
    const bool is_in_order = input.byte() % 2 == 0;
    const std::size_t count = 2 + input.byte() % 40;
    std::vector<Id> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(input.id(values.empty() ? nil_id : values.back()));
    if (is_in_order)
        std::sort(values.begin(), values.end(), [](const Id& a, const Id& b) { return compare(a, b) < 0; });

    const laws::Histogram histogram(values);
    histogram.points_rise_from_0_to_1();
    for (const Id& id : values)
        for (const bool after : {false, true})
            histogram.has_a_fraction_as_counted({id, after});
    while (!input.is_empty())
        histogram.has_a_fraction_as_counted({input.id(values[count / 2]), input.byte() % 2 == 0});
}
