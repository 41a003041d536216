// What the extension looks up in the system catalogs: its type, its operator family and its functions.
#pragma once

#include "server.hpp"

#include <initializer_list>

namespace luuid::pg {

// InvalidOid for what is not there: a newer module may run with the functions of an older version of the extension.
Oid luuid_type();
Oid time_family();        // the B-tree operator family of the chronological order
Oid extract_timestamp();  // the function luuid_extract_timestamp(luuid)
Oid time_estimator();     // the function luuid_timesel, which an operator of that order names
Oid function_named(const char* name, std::initializer_list<Oid> argument_types);

}  // namespace luuid::pg
