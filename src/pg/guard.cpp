// The trigger function that keeps out of a table what readers of new rows may have passed already, or would not come to
// for long.
#include "catalog.hpp"
#include "datum.hpp"
#include "generate/backend.hpp"
#include "horizon/slots.hpp"

#include <luuid/layout.hpp>
#include <luuid/text.hpp>

using namespace luuid;
using namespace luuid::pg;

namespace {

[[noreturn]] void refuse_trigger(const char* message) {
    ereport(ERROR,
            (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED), errmsg("%s", message),
             errhint("Write CREATE TRIGGER ... BEFORE INSERT OR UPDATE OF id ON ... FOR EACH ROW EXECUTE FUNCTION "
                     "luuid_guard('id').")));
}

// As ri_triggers.c has it.
const TriggerData* trigger_of(FunctionCallInfo fcinfo) {
    if (!CALLED_AS_TRIGGER(fcinfo))
        refuse_trigger("function \"luuid_guard\" was not called by trigger manager");
    const auto* trigger = reinterpret_cast<const TriggerData*>(fcinfo->context);
    if (!TRIGGER_FIRED_BEFORE(trigger->tg_event) || !TRIGGER_FIRED_FOR_ROW(trigger->tg_event))
        refuse_trigger("function \"luuid_guard\" must be fired BEFORE ROW");
    if (!TRIGGER_FIRED_BY_INSERT(trigger->tg_event) && !TRIGGER_FIRED_BY_UPDATE(trigger->tg_event))
        refuse_trigger("function \"luuid_guard\" must be fired for INSERT or UPDATE");
    if (trigger->tg_trigger->tgnargs != 1 && trigger->tg_trigger->tgnargs != 2)
        refuse_trigger("function \"luuid_guard\" must be given the name of one column, and at most one limit");
    return trigger;
}

bool is_id_type(Oid type) { return type == UUIDOID || type == luuid_type(); }

// What the trigger's arguments say, and up to which time it accepts ids, by its last reading of the clock.
struct Guard {
    int column;
    const Interval* limit;
    TimestampTz latest;
};

// A clock that is set by the network is right within seconds. What readers get late is at most this late.
constexpr Interval default_limit{USECS_PER_MINUTE, 0, 0};

const Interval* limit_of(const char* argument) {
    const auto* limit = DatumGetIntervalP(
        DirectFunctionCall3(interval_in, CStringGetDatum(argument), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)));
    Interval zero{};
    if (DatumGetBool(DirectFunctionCall2(interval_lt, PointerGetDatum(limit), PointerGetDatum(&zero))))
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("limit of a luuid guard must not be negative: \"%s\"", argument),
                        errdetail("It is how far ids may be ahead of the clock. NULL is no limit.")));
    return limit;
}

int column_of(const TriggerData* trigger) {
    const char* name = trigger->tg_trigger->tgargs[0];
    const char* table = RelationGetRelationName(trigger->tg_relation);
    const int column = SPI_fnumber(RelationGetDescr(trigger->tg_relation), name);
    if (column <= 0)
        ereport(ERROR, (errcode(ERRCODE_UNDEFINED_COLUMN),
                        errmsg("column \"%s\" of relation \"%s\" does not exist", name, table)));
    const auto* attribute = TupleDescAttr(RelationGetDescr(trigger->tg_relation), column - 1);
    if (!is_id_type(attribute->atttypid) && !is_id_type(getBaseType(attribute->atttypid)))
        ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                        errmsg("column \"%s\" of relation \"%s\" is not of type luuid or uuid", name, table)));
    if (attribute->attgenerated != '\0')
        ereport(ERROR, (errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
                        errmsg("cannot guard column \"%s\" of relation \"%s\"", name, table),
                        errdetail("It is a generated column, which has no value before the row is stored.")));
    return column;
}

// Found once for all rows of a statement.
Guard& guard_of(FunctionCallInfo fcinfo, const TriggerData* trigger) {
    void*& found = fcinfo->flinfo->fn_extra;
    if (found == nullptr) {
        check_is_preloaded();
        const MemoryContext former = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
        auto* guard = static_cast<Guard*>(palloc(sizeof(Guard)));
        *guard = {column_of(trigger), &default_limit, DT_NOBEGIN};
        const char* limit = trigger->tg_trigger->tgnargs == 2 ? trigger->tg_trigger->tgargs[1] : nullptr;
        if (limit != nullptr && pg_strcasecmp(limit, "null") == 0)
            guard->latest = DT_NOEND;
        else if (limit != nullptr)
            guard->limit = limit_of(limit);
        MemoryContextSwitchTo(former);
        found = guard;
    }
    return *static_cast<Guard*>(found);
}

// Whether an id is further ahead of the clock than the limit, and than this session's own.
bool is_ahead(Guard& guard, TimestampTz time) {
    if (time <= guard.latest)
        return false;
    guard.latest = DatumGetTimestampTz(DirectFunctionCall2(
        timestamptz_pl_interval, TimestampTzGetDatum(GetCurrentTimestamp()), PointerGetDatum(guard.limit)));
    if (time <= guard.latest)
        return false;
    const auto own = std::chrono::ceil<std::chrono::microseconds>(generator.ahead()).count();
    return time > GetCurrentTimestamp() + own;
}

const char* text_of(const Id& id) {
    auto* text = static_cast<char*>(palloc0(text_size + 1));
    format(id, text);
    return text;
}

void check_is_accepted(const Id& id, Guard& guard, Relation table) {
    const auto time = luuid::time_of(id);
    const TimestampTz at = time ? timestamptz_from_time(*time) : DT_NOBEGIN;
    const std::int64_t millisecond = time ? milliseconds_since_1970(*time) : -1;
    const bool is_too_far_ahead = is_ahead(guard, at);
    if (!is_too_far_ahead && millisecond >= 0 && accept(static_cast<std::uint64_t>(millisecond)))
        return;
    ++cluster()->stats.rows_refused;
    if (!time)
        ereport(ERROR, (errcode(ERRCODE_CHECK_VIOLATION), errmsg("luuid \"%s\" has no time", text_of(id)),
                        errdetail("Readers of new rows never come to it."), errtablecol(table, guard.column)));
    const char* when = pstrdup(timestamptz_to_str(at));
    if (is_too_far_ahead)
        ereport(
            ERROR,
            (errcode(ERRCODE_CHECK_VIOLATION), errmsg("luuid \"%s\" is too far ahead of the clock", text_of(id)),
             errdetail("Its time is %s, and the guard accepts ids up to %s.", when, timestamptz_to_str(guard.latest)),
             errhint("Correct the clock that the id was generated by, or give the guard a longer limit, as in "
                     "luuid_guard('id', '10 min')."),
             errtablecol(table, guard.column)));
    const TimestampTz horizon = timestamptz_from_time(time_of_millisecond(database().horizon.floor()));
    ereport(
        ERROR,
        (errcode(ERRCODE_CHECK_VIOLATION), errmsg("luuid \"%s\" is older than a horizon already returned", text_of(id)),
         errdetail("Its time is %s, and readers of new rows may have read up to %s.", when,
                   timestamptz_to_str(horizon)),
         errhint("Generate ids in the transaction that stores them, or let every reader of this database use "
                 "luuid_horizon(lag), with a lag longer than ids take to arrive."),
         errtablecol(table, guard.column)));
}

}  // namespace

// luuid_guard(column, limit interval): BEFORE INSERT OR UPDATE, for each row; 23514 for an id of this column that
// readers may have passed, for one that is ahead of the clock by more than the limit, which is a minute if none is
// given, and for one without a time. NULL, and the id that the updated row has already, are accepted. 22023 for a
// negative limit.
LUUID_FUNCTION(luuid_guard) {
    const TriggerData* trigger = trigger_of(fcinfo);
    Guard& guard = guard_of(fcinfo, trigger);
    const TupleDesc descriptor = RelationGetDescr(trigger->tg_relation);
    const bool is_update = TRIGGER_FIRED_BY_UPDATE(trigger->tg_event);
    const HeapTuple row = is_update ? trigger->tg_newtuple : trigger->tg_trigtuple;
    bool is_null = false;
    const Datum datum = SPI_getbinval(row, descriptor, guard.column, &is_null);
    if (!is_null) {
        const Id id = id_from_datum(datum);
        const Datum former =
            is_update ? SPI_getbinval(trigger->tg_trigtuple, descriptor, guard.column, &is_null) : Datum{0};
        if (!is_update || is_null || !(id_from_datum(former) == id))
            check_is_accepted(id, guard, trigger->tg_relation);
    }
    return PointerGetDatum(row);
}
