// SQL functions of the two orders: comparison operators, B-tree support, min and max, and the distance for BRIN.
//
// Equality and the byte order are those of uuid.c. Its functions are not declared again as LANGUAGE internal: the
// server finds a built-in function by its OID, but an alias by comparing names, at each executor start.
#include "../datum.hpp"

#include <luuid/detail/sort_keys.hpp>

#include <new>

using namespace luuid;
using namespace luuid::pg;

namespace {

[[gnu::always_inline]] inline std::strong_ordering compare_arguments(FunctionCallInfo fcinfo) noexcept {
    return compare(id_argument(fcinfo, 0), id_argument(fcinfo, 1));
}

std::strong_ordering compare_bytes_of_arguments(FunctionCallInfo fcinfo) noexcept {
    return compare_bytes(id_argument(fcinfo, 0), id_argument(fcinfo, 1));
}

// -1, 0 or 1, as B-tree support function 1 returns.
int sign(std::strong_ordering ordering) noexcept { return ordering < 0 ? -1 : ordering > 0; }

}  // namespace

// The operators of (luuid, luuid), (luuid, uuid) and (uuid, luuid) → boolean.
LUUID_FUNCTION(luuid_lt);
Datum luuid_lt(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_arguments(fcinfo) < 0); }
LUUID_FUNCTION(luuid_le);
Datum luuid_le(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_arguments(fcinfo) <= 0); }
LUUID_FUNCTION(luuid_eq);
Datum luuid_eq(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(id_argument(fcinfo, 0) == id_argument(fcinfo, 1)); }
LUUID_FUNCTION(luuid_ne);
Datum luuid_ne(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(id_argument(fcinfo, 0) != id_argument(fcinfo, 1)); }
LUUID_FUNCTION(luuid_ge);
Datum luuid_ge(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_arguments(fcinfo) >= 0); }
LUUID_FUNCTION(luuid_gt);
Datum luuid_gt(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_arguments(fcinfo) > 0); }
LUUID_FUNCTION(luuid_byte_lt);
Datum luuid_byte_lt(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_bytes_of_arguments(fcinfo) < 0); }
LUUID_FUNCTION(luuid_byte_le);
Datum luuid_byte_le(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_bytes_of_arguments(fcinfo) <= 0); }
LUUID_FUNCTION(luuid_byte_ge);
Datum luuid_byte_ge(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_bytes_of_arguments(fcinfo) >= 0); }
LUUID_FUNCTION(luuid_byte_gt);
Datum luuid_byte_gt(PG_FUNCTION_ARGS) { PG_RETURN_BOOL(compare_bytes_of_arguments(fcinfo) > 0); }

// luuid_cmp, luuid_byte_cmp (luuid, luuid) → integer: B-tree support function 1 of each order.
LUUID_FUNCTION(luuid_cmp);
Datum luuid_cmp(PG_FUNCTION_ARGS) { PG_RETURN_INT32(sign(compare_arguments(fcinfo))); }
LUUID_FUNCTION(luuid_byte_cmp);
Datum luuid_byte_cmp(PG_FUNCTION_ARGS) { PG_RETURN_INT32(sign(compare_bytes_of_arguments(fcinfo))); }

// luuid_smaller, luuid_larger (luuid, luuid) → luuid: the transition functions of min and max.
LUUID_FUNCTION(luuid_smaller);
Datum luuid_smaller(PG_FUNCTION_ARGS) { PG_RETURN_DATUM(PG_GETARG_DATUM(compare_arguments(fcinfo) <= 0 ? 0 : 1)); }
LUUID_FUNCTION(luuid_larger);
Datum luuid_larger(PG_FUNCTION_ARGS) { PG_RETURN_DATUM(PG_GETARG_DATUM(compare_arguments(fcinfo) >= 0 ? 0 : 1)); }

namespace {

int compare_datums(Datum a, Datum b, SortSupport) { return sign(compare(id_from_datum(a), id_from_datum(b))); }

// If a Datum has only 32 bits, it has the key's high ones.
Datum abbreviate_datum(Datum original, SortSupport support) {
    auto* keys = static_cast<detail::SortKeys*>(support->ssup_extra);
    return static_cast<Datum>(keys->key_of(id_from_datum(original)) >> (64 - 8 * sizeof(Datum)));
}

// Abbreviation always pays: making a key costs less than fetching the id, which is needed for it anyway.
bool keep_abbreviating(int, SortSupport) { return false; }

}  // namespace

// luuid_sortsupport(internal): B-tree support function 2. See utils/sortsupport.h.
LUUID_FUNCTION(luuid_sortsupport);
Datum luuid_sortsupport(PG_FUNCTION_ARGS) {
    auto* support = reinterpret_cast<SortSupport>(PG_GETARG_POINTER(0));
    if (support->abbreviate) {
        support->ssup_extra = new (MemoryContextAlloc(support->ssup_cxt, sizeof(detail::SortKeys))) detail::SortKeys;
        support->comparator = ssup_datum_unsigned_cmp;
        support->abbrev_converter = abbreviate_datum;
        support->abbrev_abort = keep_abbreviating;
        support->abbrev_full_comparator = compare_datums;
    } else {
        support->comparator = compare_datums;
    }
    PG_RETURN_VOID();
}

namespace {

// The timestamp that stands for an id: -infinity for nil, infinity for other untimed ids.
TimestampTz instant_for_range(const Id& id) noexcept {
    const auto time = time_of(id);
    if (!time)
        return id == nil_id ? DT_NOBEGIN : DT_NOEND;
    return timestamptz_from_time(*time);
}

}  // namespace

// luuid_in_range(value luuid, base luuid, offset interval, sub boolean, less boolean) → boolean: B-tree support
// function 3, by in_range_timestamptz_interval of timestamp.c over the extracted times. 22013 for a negative offset.
LUUID_FUNCTION(luuid_in_range);
Datum luuid_in_range(PG_FUNCTION_ARGS) {
    return DirectFunctionCall5(in_range_timestamptz_interval,
                               TimestampTzGetDatum(instant_for_range(id_argument(fcinfo, 0))),
                               TimestampTzGetDatum(instant_for_range(id_argument(fcinfo, 1))), PG_GETARG_DATUM(2),
                               PG_GETARG_DATUM(3), PG_GETARG_DATUM(4));
}

// luuid_distance(internal, internal) → double precision: the distance of two ids for BRIN minmax-multi.
LUUID_FUNCTION(luuid_distance);
Datum luuid_distance(PG_FUNCTION_ARGS) {
    const std::uint64_t from = detail::abbreviate(id_argument(fcinfo, 0));
    const std::uint64_t to = detail::abbreviate(id_argument(fcinfo, 1));
    PG_RETURN_FLOAT8(static_cast<float8>(to - from));
}
