// Any text as a short key, and any id in one: rejected for the right reason, or every bit round-trips.
#include "fuzz.hpp"

#include "uniqid_laws.hpp"

FUZZ_TARGET(input) {
    laws::exports_and_imports(fuzz::Input(input).id());
    laws::imports_and_exports(input.rest());
}
