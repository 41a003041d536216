// Takes functions off a time that convert it to local time or round it down, and extract.
#include "rounding.hpp"

#include "time_units.hpp"

#include <utility>

using namespace luuid;
using namespace luuid::pg;

namespace {

// What is rounded, by less than `width` microseconds, and in which time zone.
struct Rounding {
    Node* time = nullptr;  // null for none
    int64 width = 0;
    Node* zone = nullptr;  // null for the session's
};

constexpr int64 width_of_year = 366 * USECS_PER_DAY;

bool is_absolute(Node* time) { return exprType(time) == TIMESTAMPTZOID; }

// Of what rounds without regard to a time zone.
Node* utc() {
    return reinterpret_cast<Node*>(
        makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1, PointerGetDatum(cstring_to_text("UTC")), false, false));
}

// It is put into the bounds too.
bool is_zone(Node* node) { return IsA(node, Const) || IsA(node, Param); }

// extract, or date_part.
bool is_extract(Node* node) { return exprType(node) == NUMERICOID || exprType(node) == FLOAT8OID; }

Field field_of(Node* extract) {
    return field_named(static_cast<Node*>(linitial(reinterpret_cast<FuncExpr*>(extract)->args)));
}

// extract(epoch from …) of an absolute time, extract(year from …) of any.
Rounding rounding_of_extract(FuncExpr* extract) {
    auto* time = static_cast<Node*>(lsecond(extract->args));
    const int64 width_of_epoch = extract->funcresulttype == FLOAT8OID ? 3 * USECS_PER_SEC : 0;
    switch (field_of(reinterpret_cast<Node*>(extract))) {
        case Field::epoch:
            return is_absolute(time) ? Rounding{time, width_of_epoch, utc()} : Rounding{};
        case Field::year:
            return {time, width_of_year};
        default:
            return {};
    }
}

// Of a width that is known, in a time zone that may be.
Rounding rounding_down(Node* time, int64 width, Node* zone = nullptr) {
    return width > 0 && (zone == nullptr || is_zone(zone)) ? Rounding{time, width, zone} : Rounding{};
}

Rounding rounding_of(Node* node) {
    if (!IsA(node, FuncExpr))
        return {};
    auto* function = reinterpret_cast<FuncExpr*>(node);
    const auto argument = [function](int number) { return static_cast<Node*>(list_nth(function->args, number)); };
    switch (function->funcid) {
        case F_TIMESTAMP_TIMESTAMPTZ:
        case F_TIMESTAMP_DATE:
        case F_TIMESTAMPTZ_DATE:
        case F_TIMESTAMPTZ_TIMESTAMP:
            return {argument(0), 0};
        case F_DATE_TIMESTAMPTZ:
        case F_DATE_TIMESTAMP:
            return {argument(0), USECS_PER_DAY};
        case F_TIMEZONE_TEXT_TIMESTAMPTZ:
        case F_TIMEZONE_TEXT_TIMESTAMP:
            return is_zone(argument(0)) ? Rounding{argument(1), 0, argument(0)} : Rounding{};
        case F_DATE_TRUNC_TEXT_TIMESTAMPTZ_TEXT:
            return rounding_down(argument(1), width_of_unit(argument(0)), argument(2));
        case F_DATE_TRUNC_TEXT_TIMESTAMPTZ:
        case F_DATE_TRUNC_TEXT_TIMESTAMP:
            return rounding_down(argument(1), width_of_unit(argument(0)));
        case F_DATE_BIN_INTERVAL_TIMESTAMPTZ_TIMESTAMPTZ:
            return rounding_down(argument(1), width_of_stride(argument(0)), utc());
        case F_DATE_BIN_INTERVAL_TIMESTAMP_TIMESTAMP:
            return rounding_down(argument(1), width_of_stride(argument(0)));
        case F_EXTRACT_TEXT_TIMESTAMPTZ:
        case F_EXTRACT_TEXT_TIMESTAMP:
        case F_EXTRACT_TEXT_DATE:
        case F_DATE_PART_TEXT_TIMESTAMPTZ:
        case F_DATE_PART_TEXT_TIMESTAMP:
            return rounding_of_extract(function);
        default:
            return {};
    }
}

Node* interval_of(int64 width) {
    auto* interval = static_cast<Interval*>(palloc0(sizeof(Interval)));
    interval->day = static_cast<int32>(width / USECS_PER_DAY);
    interval->time = width % USECS_PER_DAY;
    return reinterpret_cast<Node*>(makeConst(INTERVALOID, -1, InvalidOid, static_cast<int>(sizeof(Interval)),
                                             IntervalPGetDatum(interval), false, false));
}

// The time zone of a local time; null for the session's.
Node* zone_of(Node* local) {
    for (Rounding rounding = rounding_of(local); rounding.time != nullptr; rounding = rounding_of(rounding.time))
        if (is_absolute(rounding.time))
            return rounding.zone;
    return nullptr;
}

// A number that date_part is compared with, as a numeric, which has 15 digits of it: a year, rounded up, or a second
// one to two before an epoch, since that is rounded by less than a millisecond.
Node* numeric_of(Node* number, Field field) {
    auto* one = reinterpret_cast<Node*>(makeConst(FLOAT8OID, -1, InvalidOid, static_cast<int>(sizeof(float8)),
                                                  Float8GetDatum(1), false, FLOAT8PASSBYVAL));
    if (field == Field::epoch)
        number = call_of("float8mi", {FLOAT8OID, FLOAT8OID}, FLOAT8OID, list_make2(number, one));
    number = call_of(field == Field::epoch ? "floor" : "ceil", {FLOAT8OID}, FLOAT8OID, list_make1(number));
    return call_of("numeric", {FLOAT8OID}, NUMERICOID, list_make1(number));
}

// What a value that the rounded one is compared with is as a timestamptz.
Node* absolute(Node* rounded, Node* bound) {
    if (exprType(rounded) == FLOAT8OID)
        bound = numeric_of(bound, field_of(rounded));
    if (is_extract(rounded) && field_of(rounded) == Field::epoch)
        return time_of(bound);
    if (is_extract(rounded))
        bound = call_of("luuid_new_year", {NUMERICOID}, DATEOID, list_make1(bound));
    Node* zone = is_absolute(rounded) ? nullptr : zone_of(rounded);
    return zone == nullptr ? time_of(bound)
                           : call_of("luuid_time", {exprType(bound), TEXTOID}, TIMESTAMPTZOID, list_make2(bound, zone));
}

Node* earliest(Node* time, Node* zone) {
    return zone == nullptr
               ? call_of("luuid_earliest", {TIMESTAMPTZOID}, TIMESTAMPTZOID, list_make1(time))
               : call_of("luuid_earliest", {TIMESTAMPTZOID, TEXTOID}, TIMESTAMPTZOID, list_make2(time, zone));
}

Node* latest(Node* time, int64 width, Node* zone) {
    Node* interval = interval_of(width);
    return zone == nullptr
               ? call_of("luuid_latest", {TIMESTAMPTZOID, INTERVALOID}, TIMESTAMPTZOID, list_make2(time, interval))
               : call_of("luuid_latest", {TIMESTAMPTZOID, INTERVALOID, TEXTOID}, TIMESTAMPTZOID,
                         list_make3(time, interval, zone));
}

Node* last_rounded(Node* rounded, Node* bound, int64 width) {
    Node* time = absolute(rounded, bound);
    for (Rounding rounding = rounding_of(rounded); rounding.time != nullptr; rounding = rounding_of(rounding.time)) {
        width += rounding.width;
        if (is_absolute(rounding.time))
            time = latest(time, std::exchange(width, 0), rounding.zone);
    }
    return time;
}

}  // namespace

Node* luuid::pg::without_rounding(Node* time) {
    for (Rounding rounding = rounding_of(time); rounding.time != nullptr; rounding = rounding_of(time)) {
        // The local time of one zone read as one of another.
        if (is_absolute(time) && !is_absolute(rounding.time) && !equal(rounding.zone, zone_of(rounding.time)))
            return time;
        time = rounding.time;
    }
    return time;
}

bool luuid::pg::may_be_compared(Node* rounded, Node* other) {
    return is_absolute(rounded) || !is_absolute(other) || zone_of(rounded) == nullptr;
}

Node* luuid::pg::first_rounded_to(Node* rounded, Node* bound) {
    Node* time = absolute(rounded, bound);
    for (Rounding rounding = rounding_of(rounded); rounding.time != nullptr; rounding = rounding_of(rounding.time))
        if (is_absolute(rounding.time))
            time = earliest(time, rounding.zone);
    return time;
}

Node* luuid::pg::last_rounded_to(Node* rounded, Node* bound) { return last_rounded(rounded, bound, 0); }

Node* luuid::pg::last_rounded_below(Node* rounded, Node* bound) {
    // A day before another, and a year, has ended when that begins.
    const bool are_days = exprType(rounded) == DATEOID && exprType(bound) == DATEOID;
    const bool are_years = is_extract(rounded) && field_of(rounded) == Field::year;
    return last_rounded(rounded, bound, are_days ? -USECS_PER_DAY : are_years ? -width_of_year : 0);
}
