// A script of any clock, any randomness and any given times: version-1 and version-7 ids increase strictly, also within
// each given time, and keep their other fields.
#include "fuzz.hpp"

#include <luuid/detail/rfc_generator.hpp>

#include <map>

namespace {

// Years 1970 to 5236, the end of version 1, less what a script may run ahead.
constexpr std::int64_t clock_end = samples::gregorian_end_us * 10 - 1'000'000'000'000;

}  // namespace

FUZZ_TARGET(input) {
    const std::uint64_t node =
        process_node(static_cast<std::uint32_t>(input.bits(32)), static_cast<std::uint32_t>(input.bits(32)));
    REQUIRE_LAW(node >> 48 == 0 && (node >> 40 & 1) == 1, node);
    const auto clock_sequence = static_cast<std::uint32_t>(input.bits(32));
    V1Timeline v1(node, clock_sequence);
    V7Timeline v7;

    auto now = static_cast<std::int64_t>(input.bits(64) % static_cast<std::uint64_t>(clock_end));
    std::int64_t latest = 0;
    Id last_v1 = nil_id, last_v7 = nil_id;
    // From before the start of version 1 to after the end of the others.
    const auto first_given = static_cast<std::int64_t>(
                                 input.bits(64) % (samples::last_millisecond_us - samples::gregorian_start_us + 2000)) +
                             samples::gregorian_start_us - 1000;
    std::map<Time, Id> last_given_v1;
    Id last_given_v7 = nil_id;
    while (!input.is_empty()) {
        switch (input.byte() % 4) {
            case 0:
                break;
            case 1:
                now += static_cast<std::int8_t>(input.byte());
                break;
            case 2:
                now += static_cast<std::int32_t>(input.bits(32));
                break;
            default:
                now = static_cast<std::int64_t>(input.bits(64) % static_cast<std::uint64_t>(clock_end));
        }
        now = std::clamp<std::int64_t>(now, 0, clock_end);
        latest = std::max(latest, now);

        const Id first = v1.next(at_tick(now));
        laws::fields_are_the_digits(first);
        REQUIRE_LAW(layout_of(first) == Layout::v1 && node_field(first) == node, first, node);
        REQUIRE_LAW((first.lsb >> 48 & 0x3fff) == (clock_sequence & 0x3fff), first, clock_sequence);
        REQUIRE_LAW(reference::place(last_v1) < reference::place(first), last_v1, first);
        REQUIRE_LAW(*ticks(first) >= latest, first, latest);
        last_v1 = first;

        const Id seventh = v7.next(at_tick(now), input.byte() % 2 == 0 ? input.bits(64) : ~std::uint64_t{0});
        laws::fields_are_the_digits(seventh);
        REQUIRE_LAW(layout_of(seventh) == Layout::v7, seventh);
        REQUIRE_LAW(reference::place(last_v7) < reference::place(seventh), last_v7, seventh);
        REQUIRE_LAW(compare_bytes(last_v7, seventh) < 0, last_v7, seventh);
        REQUIRE_LAW(*ticks(seventh) >= latest / 10'000 * 10'000, seventh, latest);
        last_v7 = seventh;

        // Few times, so that some repeat.
        const Time given = at_microsecond(first_given + input.byte() % 8);
        const auto given_v1 = v1.next_at(given);
        const auto given_v7 = v7.next_at(given, input.bits(64));
        REQUIRE_LAW(given_v1.has_value() == (given >= V1Timeline::time_min && given <= V1Timeline::time_max),
                    given.time_since_epoch().count());
        REQUIRE_LAW(given_v7.has_value() == millisecond_of(given).has_value(), given.time_since_epoch().count());
        if (given_v1) {
            REQUIRE_LAW(layout_of(*given_v1) == Layout::v1 && has_rfc_variant(*given_v1), *given_v1);
            REQUIRE_LAW(std::chrono::floor<std::chrono::microseconds>(*time_of(*given_v1)) == given, *given_v1);
            REQUIRE_LAW(reference::place(last_given_v1[given]) < reference::place(*given_v1), *given_v1);
            REQUIRE_LAW(given_v1->lsb != first.lsb && (given_v1->lsb & 0xff'ffff) == (node & 0xff'ffff), *given_v1,
                        node);
            last_given_v1[given] = *given_v1;
        }
        if (given_v7) {
            REQUIRE_LAW(layout_of(*given_v7) == Layout::v7, *given_v7);
            REQUIRE_LAW(*ticks(*given_v7) == given.time_since_epoch().count() / 1000 * 10'000, *given_v7);
            REQUIRE_LAW(given_v7->lsb > last_given_v7.lsb, last_given_v7, *given_v7);
            last_given_v7 = *given_v7;
        }
    }
}
