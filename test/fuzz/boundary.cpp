// Any id at any two times: comparing it with their boundaries compares its time with them.
#include "fuzz.hpp"

FUZZ_TARGET(input) {
    const Id id = input.id();
    const laws::Witness witness(id);
    const std::int64_t t = input.microseconds(id);
    const std::int64_t u = input.microseconds(id);
    for (const std::int64_t at : {t, u}) {
        laws::boundaries_hold(witness, at, floor_of(at_microsecond(at)), ceiling_of(at_microsecond(at)));
        // The boundaries are ids too.
        for (const Id& boundary : {floor_of(at_microsecond(at)), ceiling_of(at_microsecond(at))})
            laws::boundaries_hold(laws::Witness(boundary), u, floor_of(at_microsecond(u)),
                                  ceiling_of(at_microsecond(u)));
    }
    laws::boundaries_rise(std::min(t, u), std::max(t, u));
}
