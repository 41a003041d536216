// The times of replayed transactions, by the function that replays them: GetLatestXTime() knows them in archive
// recovery and on a standby, but not after a crash.
#include "recovery.hpp"

#include "../datum.hpp"
#include "memory.hpp"
#include "server.hpp"

namespace luuid::pg {

namespace {

void (*redo_next)(XLogReaderState*) = nullptr;

// Of a record of a transaction's end, or of its preparation; its ids are not later.
std::optional<TimestampTz> end_of_ids(XLogReaderState* record) noexcept {
    const char* data = XLogRecGetData(record);
    switch (XLogRecGetInfo(record) & XLOG_XACT_OPMASK) {
        case XLOG_XACT_COMMIT:
        case XLOG_XACT_COMMIT_PREPARED:
            return reinterpret_cast<const xl_xact_commit*>(data)->xact_time;
        case XLOG_XACT_ABORT:
        case XLOG_XACT_ABORT_PREPARED:
            return reinterpret_cast<const xl_xact_abort*>(data)->xact_time;
        case XLOG_XACT_PREPARE:
            return reinterpret_cast<const xl_xact_prepare*>(data)->prepared_at;
        default:
            return std::nullopt;
    }
}

void redo(XLogReaderState* record) {
    redo_next(record);
    const auto end = end_of_ids(record);
    if (cluster() == nullptr || !end)
        return;
    const auto millisecond = millisecond_of(time_from_timestamptz(*end));
    if (millisecond)
        cluster()->replayed.go_on_from(*millisecond + 1);
}

}  // namespace

void watch_recovery() {
    redo_next = RmgrTable[RM_XACT_ID].rm_redo;
    RmgrTable[RM_XACT_ID].rm_redo = redo;
}

}  // namespace luuid::pg
