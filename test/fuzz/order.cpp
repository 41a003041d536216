// Any three ids: their order is total, consistent with equality, the reference and abbreviated keys.
#include "fuzz.hpp"

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
}
