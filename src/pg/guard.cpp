// The trigger function that keeps out of a table what readers of new rows may have passed already.
#include "catalog.hpp"
#include "cluster/flights.hpp"
#include "datum.hpp"

#include <luuid/layout.hpp>
#include <luuid/text.hpp>

using namespace luuid;
using namespace luuid::pg;

namespace {

// As ri_triggers.c has it.
const TriggerData* trigger_of(FunctionCallInfo fcinfo) {
    const auto check = [](bool is_right, const char* rule) {
        if (!is_right)
            ereport(
                ERROR,
                (errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED), errmsg("function \"%s\" %s", "luuid_guard", rule),
                 errhint("Write CREATE TRIGGER ... BEFORE INSERT OR UPDATE OF id ON ... FOR EACH ROW EXECUTE "
                         "FUNCTION luuid_guard('id').")));
    };
    check(CALLED_AS_TRIGGER(fcinfo), "was not called by trigger manager");
    const auto* trigger = reinterpret_cast<const TriggerData*>(fcinfo->context);
    check(TRIGGER_FIRED_BEFORE(trigger->tg_event) && TRIGGER_FIRED_FOR_ROW(trigger->tg_event),
          "must be fired BEFORE ROW");
    check(TRIGGER_FIRED_BY_INSERT(trigger->tg_event) || TRIGGER_FIRED_BY_UPDATE(trigger->tg_event),
          "must be fired for INSERT or UPDATE");
    check(trigger->tg_trigger->tgnargs == 1, "must be given the name of one column");
    return trigger;
}

bool is_id_type(Oid type) { return type == UUIDOID || type == luuid_type(); }

int find_column(const TriggerData* trigger) {
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
int column_of(FunctionCallInfo fcinfo, const TriggerData* trigger) {
    auto column = reinterpret_cast<std::intptr_t>(fcinfo->flinfo->fn_extra);
    if (column == 0) {
        check_is_preloaded();
        column = find_column(trigger);
        fcinfo->flinfo->fn_extra = reinterpret_cast<void*>(column);
    }
    return static_cast<int>(column);
}

std::array<char, text_size + 1> text_of(const Id& id) noexcept {
    std::array<char, text_size + 1> text{};
    format(id, text.data());
    return text;
}

[[noreturn]] void refuse_untimed(const Id& id, Relation table, int column) {
    ++cluster()->figures.rows_refused;
    ereport(ERROR, (errcode(ERRCODE_CHECK_VIOLATION), errmsg("luuid \"%s\" has no time", text_of(id).data()),
                    errdetail("Readers of new rows never come to it."), errtablecol(table, column)));
}

[[noreturn]] void refuse_late(const Id& id, TickTime time, Relation table, int column) {
    ++cluster()->figures.rows_refused;
    const TimestampTz horizon = timestamptz_from_time(time_of_millisecond(database().horizon.floor()));
    const char* latest = pstrdup(timestamptz_to_str(horizon));
    ereport(ERROR,
            (errcode(ERRCODE_CHECK_VIOLATION),
             errmsg("luuid \"%s\" is behind a horizon that was handed out", text_of(id).data()),
             errdetail("Its time is %s, and readers of new rows may have read up to %s.",
                       timestamptz_to_str(timestamptz_from_time(time)), latest),
             errhint("Generate ids in the transaction that stores them, or let every reader of this database use "
                     "luuid_horizon(lag), with a lag longer than ids take to arrive."),
             errtablecol(table, column)));
}

void check_may_enter(const Id& id, Relation table, int column) {
    const auto time = luuid::time_of(id);
    if (!time)
        refuse_untimed(id, table, column);
    const auto since_1970 = std::chrono::floor<std::chrono::milliseconds>(*time).time_since_epoch().count();
    if (since_1970 < 0 || !admit(static_cast<std::uint64_t>(since_1970)))
        refuse_late(id, *time, table, column);
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
            check_may_enter(id, trigger->tg_relation, column);
    }
    return PointerGetDatum(row);
}
