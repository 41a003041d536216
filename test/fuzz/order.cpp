// Any three ids: their order is total, consistent with equality, the reference and abbreviated keys.
#include "fuzz.hpp"

#include <luuid/order.hpp>

using namespace luuid;
using namespace luuid::detail;

FUZZ_TARGET(input) {
    const Id a = input.id();
    const Id b = input.id(a);
    const Id c = input.id(b);

    const laws::Placed placed[] = {laws::Placed(a), laws::Placed(b), laws::Placed(c)};
    for (const laws::Placed& x : placed)
        for (const laws::Placed& y : placed) {
            laws::compare_as_the_contract_says(x, y);
            laws::abbreviate_without_contradiction(x, y);
            laws::sort_without_contradiction(c, x, y);
        }

    // Implied by the reference, but checked in case it and the core have the same bug.
    const Id* ids[] = {&a, &b, &c};
    for (const Id* x : ids)
        for (const Id* y : ids) {
            REQUIRE_LAW((compare(*x, *y) < 0) == (compare(*y, *x) > 0), *x, *y);
            REQUIRE_LAW((compare(*x, *y) == 0) == (*x == *y), *x, *y);
            REQUIRE_LAW(*x != *y || abbreviate(*x) == abbreviate(*y), *x);
            for (const Id* z : ids)
                REQUIRE_LAW(!(compare(*x, *y) <= 0 && compare(*y, *z) <= 0) || compare(*x, *z) <= 0, *x, *y, *z);
        }

    const std::uint32_t block = prefix(a);
    REQUIRE_LAW(block_of(sequence_of(block)) == block && sequence_of(block_of(block)) == block, block);
    REQUIRE_LAW(reverse_nibbles(reverse_nibbles(block)) == block, block);
}
