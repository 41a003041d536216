// Reads units, strides and fields, as the server's timestamp.c does.
#include "time_units.hpp"

#include <algorithm>

using namespace luuid;
using namespace luuid::pg;

namespace {

struct Token {
    int type = UNKNOWN_FIELD;
    int value = 0;
};

Token token_of(Node* name) {
    Token token;
    if (!IsA(name, Const) || reinterpret_cast<Const*>(name)->constisnull)
        return token;
    char* unit = TextDatumGetCString(reinterpret_cast<Const*>(name)->constvalue);
    char* word = downcase_truncate_identifier(unit, static_cast<int>(strlen(unit)), false);
    token.type = DecodeUnits(0, word, &token.value);
    if (token.type == UNKNOWN_FIELD)
        token.type = DecodeSpecial(0, word, &token.value);
    return token;
}

}  // namespace

int64 luuid::pg::width_of_unit(Node* name) {
    const Token token = token_of(name);
    if (token.type != UNITS)
        return 0;
    switch (token.value) {
        case DTK_MICROSEC:
            return 1;
        case DTK_MILLISEC:
            return 1000;
        case DTK_SECOND:
            return USECS_PER_SEC;
        case DTK_MINUTE:
            return USECS_PER_MINUTE;
        case DTK_HOUR:
            return USECS_PER_HOUR;
        case DTK_DAY:
            return USECS_PER_DAY;
        case DTK_WEEK:
            return 7 * USECS_PER_DAY;
        case DTK_MONTH:
            return 31 * USECS_PER_DAY;
        case DTK_QUARTER:
            return 92 * USECS_PER_DAY;
        case DTK_YEAR:
            return 366 * USECS_PER_DAY;
        case DTK_DECADE:
            return 3653 * USECS_PER_DAY;
        case DTK_CENTURY:
            return 36525 * USECS_PER_DAY;
        case DTK_MILLENNIUM:
            return 365243 * USECS_PER_DAY;
        default:
            return 0;
    }
}

int64 luuid::pg::width_of_stride(Node* stride) {
    if (!IsA(stride, Const) || reinterpret_cast<Const*>(stride)->constisnull)
        return 0;
    const Interval* interval = DatumGetIntervalP(reinterpret_cast<Const*>(stride)->constvalue);
    int64 width = 0;
    if (interval->month != 0 || __builtin_add_overflow(interval->day * USECS_PER_DAY, interval->time, &width))
        return 0;
    return std::max(width, int64{0});
}

Field luuid::pg::field_named(Node* name) {
    const Token token = token_of(name);
    if (token.type == RESERV && token.value == DTK_EPOCH)
        return Field::epoch;
    return token.type == UNITS && token.value == DTK_YEAR ? Field::year : Field::none;
}
