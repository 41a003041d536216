// SQL functions for the ids of local and rounded times, with which the planner bounds comparisons of `id::date`, AT
// TIME ZONE and date_trunc of an id's time. They never fail: what they are wide of, the query's own comparison rejects.
#include "datum.hpp"

#include <algorithm>
#include <utility>

using namespace luuid;
using namespace luuid::pg;

namespace {

// No id has a time before or after these, 4001 BC and 11000, where every time zone can convert.
constexpr Timestamp first_time = int64{-6000} * 36525 / 100 * USECS_PER_DAY;
constexpr Timestamp last_time = int64{9000} * 36525 / 100 * USECS_PER_DAY;

// The session's time zone, or one by its name, as AT TIME ZONE reads it. The server's functions convert by it.
class Zone {
public:
    explicit Zone(text* name) : name_(name), zone_(session_timezone) {
        if (name != nullptr)
            zone_ = luuid_time_zone(text_to_cstring(name), &is_known_);
    }

    bool is_known() const noexcept { return is_known_; }

    Timestamp local_of(TimestampTz time) const {
        return DatumGetTimestamp(
            name_ != nullptr ? DirectFunctionCall2(timestamptz_zone, PointerGetDatum(name_), TimestampTzGetDatum(time))
                             : DirectFunctionCall1(timestamptz_timestamp, TimestampTzGetDatum(time)));
    }

    TimestampTz time_of(Timestamp local) const {
        return DatumGetTimestampTz(
            name_ != nullptr ? DirectFunctionCall2(timestamp_zone, PointerGetDatum(name_), TimestampGetDatum(local))
                             : DirectFunctionCall1(timestamp_timestamptz, TimestampGetDatum(local)));
    }

    // How far a time may be from that of its local time. Where clocks go back from 03:00 to 02:00, for example, all
    // local times between are twice, an hour apart: it is an hour for times near these, and 0 elsewhere.
    int64 doubt_around(TimestampTz time) const {
        // A time zone's offset from UTC is less than 168 hours, and two of them differ by less than twice that.
        const int64 most = changes_within(time, int64{2} * 168 * USECS_PER_HOUR);
        // date_trunc() to an hour or less keeps a later time's offset.
        return most > 0 ? changes_within(time, most + USECS_PER_HOUR) : 0;
    }

private:
    // How far apart the offsets from UTC are that the time zone has in this distance of a time.
    int64 changes_within(TimestampTz time, int64 distance) const {
        if (zone_ == nullptr)
            return 0;
        const TimestampTz end = time + distance;
        // timestamptz_to_time_t() rounds to a second.
        time -= distance + USECS_PER_SEC;
        int64 least = PG_INT64_MAX, greatest = PG_INT64_MIN;
        for (int found = 1; found == 1 && time <= end;) {
            const int64 offset = local_of(time) - time;
            least = std::min(least, offset);
            greatest = std::max(greatest, offset);
            const pg_time_t begin = timestamptz_to_time_t(time);
            pg_time_t next = 0;
            long before = 0, after = 0;
            int is_dst_before = 0, is_dst_after = 0;
            found = pg_next_dst_boundary(&begin, &before, &is_dst_before, &next, &after, &is_dst_after, zone_);
            time = time_t_to_timestamptz(next);
        }
        return greatest - least;
    }

    text* name_;  // null for the session's
    bool is_known_ = true;
    const pg_tz* zone_;  // null for an abbreviation of one offset from UTC
};

// The longest of a unit of date_trunc, in microseconds; 0 for another text.
int64 longest(text* name) {
    char* unit = text_to_cstring(name);
    int value = 0;
    if (DecodeUnits(0, downcase_truncate_identifier(unit, static_cast<int>(strlen(unit)), false), &value) != UNITS)
        return 0;
    constexpr std::pair<int, int64> units[] = {{DTK_MICROSEC, 1},
                                               {DTK_MILLISEC, 1000},
                                               {DTK_SECOND, USECS_PER_SEC},
                                               {DTK_MINUTE, USECS_PER_MINUTE},
                                               {DTK_HOUR, USECS_PER_HOUR},
                                               {DTK_DAY, USECS_PER_DAY},
                                               {DTK_WEEK, 7 * USECS_PER_DAY},
                                               {DTK_MONTH, 31 * USECS_PER_DAY},
                                               {DTK_QUARTER, 92 * USECS_PER_DAY},
                                               {DTK_YEAR, 366 * USECS_PER_DAY},
                                               {DTK_DECADE, 3653 * USECS_PER_DAY},
                                               {DTK_CENTURY, 36525 * USECS_PER_DAY},
                                               {DTK_MILLENNIUM, 365243 * USECS_PER_DAY}};
    const auto* found = std::ranges::find(units, value, &std::pair<int, int64>::first);
    return found != std::end(units) ? found->second : 0;
}

// The bound of the ids whose local time, rounded down to the unit, is less or greater than a time, as the operator
// says.
Datum bound_at(TimestampTz time, text* op, text* unit, const Zone& zone) {
    const size_t length = VARSIZE_ANY_EXHDR(op);
    const bool is_upper = length > 0 && *VARDATA_ANY(op) == '<', is_inclusive = length > 1;
    const int64 width = longest(unit);
    if (width == 0 || !zone.is_known()) {
        time = is_upper ? DT_NOEND : DT_NOBEGIN;
    } else if (!TIMESTAMP_NOT_FINITE(time)) {
        const auto doubt = [&] { return (is_upper ? 1 : -1) * zone.doubt_around(time); };
        const auto begin_of = [&](Timestamp local) {
            return DatumGetTimestamp(
                DirectFunctionCall2(timestamp_trunc, PointerGetDatum(unit), TimestampGetDatum(local)));
        };
        // What begins at `time` is not before it, and not after it.
        const Timestamp local = zone.local_of(time) + doubt() - (is_upper == is_inclusive ? 0 : 1);
        // The next unit, in which the longest one ends that began with this.
        time = zone.time_of(begin_of(begin_of(local) + width) - (is_upper ? 1 : 0));
        time += doubt();
    }
    const Time at = time_from_timestamptz(time);
    return datum_from_id(is_upper ? ceiling_of(at) : floor_of(at));
}

// Of a local time; infinite where no id is.
TimestampTz time_of(Timestamp local, const Zone& zone) {
    if (local < first_time || local > last_time)
        return local < first_time ? DT_NOBEGIN : DT_NOEND;
    return zone.is_known() ? zone.time_of(local) : 0;
}

TimestampTz time_of_day(DateADT day, const Zone& zone) {
    constexpr DateADT greatest = last_time / USECS_PER_DAY + 1;
    return time_of(int64{std::clamp(day, -greatest, greatest)} * USECS_PER_DAY, zone);
}

TimestampTz possible(TimestampTz time) noexcept {
    return time < first_time ? DT_NOBEGIN : time > last_time ? DT_NOEND : time;
}

}  // namespace

// luuid_local_bound(time, operator text, unit text [, zone text]) → luuid, for a date, a timestamp or a timestamptz: of
// the ids whose local time, rounded down to the unit, is `<`, `<=`, `>=` or `>` the argument, none is after, for the
// first two operators, or before, for the others. Without a zone it is the session's.
#define LUUID_LOCAL_BOUND(type, time)                                                      \
    LUUID_FUNCTION(luuid_local_bound_of_##type) {                                          \
        const Zone zone{nullptr};                                                          \
        PG_RETURN_DATUM(bound_at(time, PG_GETARG_TEXT_PP(1), PG_GETARG_TEXT_PP(2), zone)); \
    }                                                                                      \
    LUUID_FUNCTION(luuid_local_bound_of_##type##_in_zone) {                                \
        const Zone zone{PG_GETARG_TEXT_PP(3)};                                             \
        PG_RETURN_DATUM(bound_at(time, PG_GETARG_TEXT_PP(1), PG_GETARG_TEXT_PP(2), zone)); \
    }

LUUID_LOCAL_BOUND(date, time_of_day(PG_GETARG_DATEADT(0), zone))
LUUID_LOCAL_BOUND(timestamp, time_of(PG_GETARG_TIMESTAMP(0), zone))
LUUID_LOCAL_BOUND(timestamptz, possible(PG_GETARG_TIMESTAMPTZ(0)))
