// The trigger function that refuses a row with an id that readers of new rows may have passed, or will not reach soon.
#include "catalog.hpp"
#include "datum.hpp"
#include "generate/backend.hpp"
#include "horizon/slots.hpp"

#include <luuid/layout.hpp>

using namespace luuid;
using namespace luuid::pg;

namespace {

// Checks how the function was called and its trigger declared, as ri_triggers.c does.
const TriggerData* trigger_of(FunctionCallInfo fcinfo) {
    const auto* trigger = reinterpret_cast<const TriggerData*>(fcinfo->context);
    const char* fault = nullptr;
    if (!CALLED_AS_TRIGGER(fcinfo))
        fault = "No trigger called it.";
    else if (!TRIGGER_FIRED_BY_INSERT(trigger->tg_event) && !TRIGGER_FIRED_BY_UPDATE(trigger->tg_event))
        fault = "The trigger is not for INSERT or UPDATE alone.";
    else if (trigger->tg_trigger->tgnargs < 1 || trigger->tg_trigger->tgnargs > 2)
        fault = "The trigger does not have one or two arguments.";
    else if (TRIGGER_FIRED_FOR_ROW(trigger->tg_event) && !TRIGGER_FIRED_AFTER(trigger->tg_event))
        fault = "The trigger is FOR EACH ROW, but not AFTER.";
    else if (TRIGGER_FIRED_FOR_STATEMENT(trigger->tg_event) && !TRIGGER_FIRED_BEFORE(trigger->tg_event))
        fault = "The trigger is FOR EACH STATEMENT, but not BEFORE.";
    if (fault != nullptr)
        ereport(ERROR, (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
                        errmsg("function \"luuid_guard\" must be called by a trigger AFTER INSERT OR UPDATE, FOR EACH "
                               "ROW, with a column and at most a limit, or by one BEFORE INSERT OR UPDATE, FOR EACH "
                               "STATEMENT"),
                        errdetail("%s", fault),
                        errhint("Write CREATE TRIGGER ... AFTER INSERT OR UPDATE OF id ON ... FOR EACH ROW EXECUTE "
                                "FUNCTION luuid_guard('id').")));
    return trigger;
}

// The arguments of a trigger, and the latest time of the ids that it accepts, by the last reading of the clock.
struct Guard {
    int column;
    const Interval* limit;
    TimestampTz latest;
};

// Clocks that are set by the network are right within seconds. Readers reach a row that is accepted at most this late.
constexpr Interval default_limit{USECS_PER_MINUTE, 0, 0};

// Null for no limit. A longer one than 10 000 years would be past all times of ids, and may be past all of timestamptz.
const Interval* limit_of(const char* argument) {
    if (pg_strcasecmp(argument, "null") == 0)
        return nullptr;
    const auto* limit = DatumGetIntervalP(
        DirectFunctionCall3(interval_in, CStringGetDatum(argument), ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)));
    const Interval least{}, most{0, 0, 10'000 * MONTHS_PER_YEAR};
    if (DatumGetBool(DirectFunctionCall2(interval_lt, PointerGetDatum(limit), PointerGetDatum(&least))) ||
        DatumGetBool(DirectFunctionCall2(interval_gt, PointerGetDatum(limit), PointerGetDatum(&most))))
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("limit of a luuid guard out of range: \"%s\"", argument),
                        errdetail("Valid values are 0 to 10000 years, which ids may be ahead of the clock, and NULL "
                                  "for no limit.")));
    return limit;
}

int column_of(const char* name, Relation relation) {
    const char* table = RelationGetRelationName(relation);
    const int column = SPI_fnumber(RelationGetDescr(relation), name);
    if (column <= 0)
        ereport(ERROR, (errcode(ERRCODE_UNDEFINED_COLUMN),
                        errmsg("column \"%s\" of relation \"%s\" does not exist", name, table)));
    const auto* attribute = TupleDescAttr(RelationGetDescr(relation), column - 1);
    if (const Oid type = getBaseType(attribute->atttypid); type != UUIDOID && type != luuid_type())
        ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
                        errmsg("column \"%s\" of relation \"%s\" is not of type luuid or uuid", name, table)));
    if (attribute->attgenerated == 'v')
        ereport(ERROR, (errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
                        errmsg("cannot guard column \"%s\" of relation \"%s\"", name, table),
                        errdetail("It is a virtual generated column, which is not stored.")));
    return column;
}

// Reads the trigger's arguments once for all rows of a statement.
Guard& guard_of(FunctionCallInfo fcinfo, const Trigger& trigger, Relation table) {
    void*& found = fcinfo->flinfo->fn_extra;
    if (found == nullptr) {
        check_is_preloaded();
        const MemoryContext former = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
        auto* guard = static_cast<Guard*>(palloc0(sizeof(Guard)));
        guard->column = column_of(trigger.tgargs[0], table);
        guard->limit = trigger.tgnargs == 2 ? limit_of(trigger.tgargs[1]) : &default_limit;
        if (guard->limit == nullptr)
            guard->latest = DT_NOEND;
        MemoryContextSwitchTo(former);
        found = guard;
    }
    return *static_cast<Guard*>(found);
}

// The present plus the limit, or this session's latest own id if that is later.
TimestampTz latest_accepted(const Interval* limit) {
    const auto own = std::chrono::ceil<std::chrono::microseconds>(generator.ahead()).count();
    const TimestampTz now = GetCurrentTimestamp();
    return std::max(now + own, DatumGetTimestampTz(DirectFunctionCall2(
                                   timestamptz_pl_interval, TimestampTzGetDatum(now), PointerGetDatum(limit))));
}

void check_is_accepted(const Id& id, Guard& guard, Relation table) {
    const auto time = luuid::time_of(id);
    const TimestampTz at = time ? timestamptz_from_time(*time) : DT_NOBEGIN;
    const std::int64_t millisecond = time ? milliseconds_since_1970(*time) : -1;
    if (at > guard.latest)
        guard.latest = latest_accepted(guard.limit);
    if (at <= guard.latest && millisecond >= 0 && accept(static_cast<std::uint64_t>(millisecond)))
        return;
    ++cluster()->stats.rows_refused;
    const char* text = DatumGetCString(DirectFunctionCall1(uuid_out, datum_from_id(id)));
    if (!time)
        ereport(ERROR, (errcode(ERRCODE_CHECK_VIOLATION), errmsg("luuid \"%s\" has no time", text),
                        errdetail("Readers of new rows read by time, and would never see the row."),
                        errhint("Generate the id by luuid_generate_v7()."), errtablecol(table, guard.column)));
    const char* when = pstrdup(timestamptz_to_str(at));
    if (at > guard.latest)
        ereport(
            ERROR,
            (errcode(ERRCODE_CHECK_VIOLATION), errmsg("luuid \"%s\" is too far ahead of the clock", text),
             errdetail("Its time is %s, and the guard accepts ids up to %s.", when, timestamptz_to_str(guard.latest)),
             errhint("Correct the clock that the id was generated by, or give the guard a longer limit, as in "
                     "luuid_guard('id', '10 min')."),
             errtablecol(table, guard.column)));
    const TimestampTz horizon = timestamptz_from_time(time_of_millisecond(database().horizon.floor()));
    ereport(ERROR,
            (errcode(ERRCODE_CHECK_VIOLATION), errmsg("luuid \"%s\" is older than a horizon already returned", text),
             errdetail("Its time is %s, and readers of new rows may have read up to %s.", when,
                       timestamptz_to_str(horizon)),
             errhint("For a new row, let the server generate the key in the transaction that stores it, and keep the "
                     "id of an application in another column; or let every reader of this database use "
                     "luuid_horizon(lag), with a lag longer than ids take to arrive. Restore rows of a dump without "
                     "triggers, as by pg_restore --disable-triggers."),
             errtablecol(table, guard.column)));
}

}  // namespace

// luuid_guard(column, limit interval): AFTER INSERT OR UPDATE, for each row; 23514 for a stored id of this column that
// readers may have passed, that is ahead of the clock by more than the limit (a minute if none is given), or that has
// no time. Accepts NULL, and an id that an UPDATE does not change. 22023 for a limit out of range. BEFORE, for each
// statement: holds the horizon where it is until the transaction ends, so that what can be stored at the statement's
// begin can be at its end, when the rows are judged.
LUUID_FUNCTION(luuid_guard);
Datum luuid_guard(PG_FUNCTION_ARGS) {
    const TriggerData* trigger = trigger_of(fcinfo);
    const Relation table = trigger->tg_relation;
    Guard& guard = guard_of(fcinfo, *trigger->tg_trigger, table);
    if (!TRIGGER_FIRED_FOR_ROW(trigger->tg_event)) {
        hold_horizon();
        return Datum{0};
    }
    const auto id_of = [&](HeapTuple row) {
        bool is_null = false;
        const Datum id = SPI_getbinval(row, RelationGetDescr(table), guard.column, &is_null);
        return is_null ? std::nullopt : std::optional(id_from_datum(id));
    };
    const bool is_update = TRIGGER_FIRED_BY_UPDATE(trigger->tg_event);
    const auto id = id_of(is_update ? trigger->tg_newtuple : trigger->tg_trigtuple);
    if (id && !(is_update && id == id_of(trigger->tg_trigtuple)))
        check_is_accepted(*id, guard, table);
    return Datum{0};
}
