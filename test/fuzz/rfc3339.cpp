// Any text as a time, and any time as text.
#include "fuzz.hpp"

#include "time_laws.hpp"

FUZZ_TARGET(input) {
    laws::formats_and_parses(static_cast<std::int64_t>(fuzz::Input(input).bits(64)));
    laws::parses_as_a_time(input.rest());
}
