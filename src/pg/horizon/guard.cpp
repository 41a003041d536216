// The trigger function that keeps out of a table what readers of new rows may have passed already.
#include "../catalog.hpp"
#include "../datum.hpp"
#include "slots.hpp"

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
    if (trigger->tg_trigger->tgnargs != 1)
        refuse_trigger("function \"luuid_guard\" must be given the name of one column");
    return trigger;
}

bool is_id_type(Oid type) { return type == UUIDOID || type == luuid_type(); }

// Found once for all rows of a statement.
int column_of(FunctionCallInfo fcinfo, const TriggerData* trigger) {
    void*& found = fcinfo->flinfo->fn_extra;
    if (found != nullptr)
        return static_cast<int>(reinterpret_cast<std::intptr_t>(found));
    check_is_preloaded();
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
    found = reinterpret_cast<void*>(std::intptr_t{column});
    return column;
}

const char* text_of(const Id& id) {
    auto* text = static_cast<char*>(palloc0(text_size + 1));
    format(id, text);
    return text;
}

void check_is_accepted(const Id& id, Relation table, int column) {
    const auto time = luuid::time_of(id);
    const std::int64_t millisecond = time ? milliseconds_since_1970(*time) : -1;
    if (millisecond >= 0 && accept(static_cast<std::uint64_t>(millisecond)))
        return;
    ++cluster()->stats.rows_refused;
    if (!time)
        ereport(ERROR, (errcode(ERRCODE_CHECK_VIOLATION), errmsg("luuid \"%s\" has no time", text_of(id)),
                        errdetail("Readers of new rows never come to it."), errtablecol(table, column)));
    const TimestampTz horizon = timestamptz_from_time(time_of_millisecond(database().horizon.floor()));
    const char* latest = pstrdup(timestamptz_to_str(horizon));
    ereport(
        ERROR,
        (errcode(ERRCODE_CHECK_VIOLATION), errmsg("luuid \"%s\" is older than a horizon already returned", text_of(id)),
         errdetail("Its time is %s, and readers of new rows may have read up to %s.",
                   timestamptz_to_str(timestamptz_from_time(*time)), latest),
         errhint("Generate ids in the transaction that stores them, or let every reader of this database use "
                 "luuid_horizon(lag), with a lag longer than ids take to arrive."),
         errtablecol(table, column)));
}

}  // namespace

// luuid_guard(column): BEFORE INSERT OR UPDATE, for each row; 23514 for an id of this column that readers may have
// passed, and for one without a time. NULL, and the id that the updated row has already, are accepted.
LUUID_FUNCTION(luuid_guard) {
    const TriggerData* trigger = trigger_of(fcinfo);
    const int column = column_of(fcinfo, trigger);
    const TupleDesc descriptor = RelationGetDescr(trigger->tg_relation);
    const bool is_update = TRIGGER_FIRED_BY_UPDATE(trigger->tg_event);
    const HeapTuple row = is_update ? trigger->tg_newtuple : trigger->tg_trigtuple;
    bool is_null = false;
    const Datum datum = SPI_getbinval(row, descriptor, column, &is_null);
    if (!is_null) {
        const Id id = id_from_datum(datum);
        const Datum former = is_update ? SPI_getbinval(trigger->tg_trigtuple, descriptor, column, &is_null) : Datum{0};
        if (!is_update || is_null || !(id_from_datum(former) == id))
            check_is_accepted(id, trigger->tg_relation, column);
    }
    return PointerGetDatum(row);
}
