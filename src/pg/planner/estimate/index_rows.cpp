// Finds an index in chronological order, and counts its entries by its pages, as access/nbtree/README describes these.
#include "index_rows.hpp"

#include "../../catalog.hpp"
#include "../../datum.hpp"

#include <algorithm>

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace {

BTPageOpaque special_of(Page page) { return reinterpret_cast<BTPageOpaque>(PageGetSpecialPointer(page)); }

OffsetNumber first_of(Page page) { return P_FIRSTDATAKEY(special_of(page)); }

// How many entries a leaf has room taken up by, and how many rows these are of.
struct Content {
    double entries = 0;
    double rows = 0;
};

// From an offset up to before another. A scan marks what it found to be gone, and duplicates may be folded into one
// entry.
Content content_of(Page page, OffsetNumber begin, OffsetNumber end, bool is_unique) {
    const ItemIdData* items = reinterpret_cast<PageHeader>(page)->pd_linp - 1;
    const int entries = end - begin;
    int dead = 0, folded = 0;
    for (int offset = begin; offset < end; ++offset)
        dead += items[offset].lp_flags == LP_DEAD;
    for (int offset = begin; offset < end && !is_unique; ++offset) {
        auto* entry = reinterpret_cast<IndexTuple>(static_cast<char*>(page) + items[offset].lp_off);
        if (items[offset].lp_flags != LP_DEAD && BTreeTupleIsPosting(entry))
            folded += BTreeTupleGetNPosting(entry) - 1;
    }
    return {static_cast<double>(entries), static_cast<double>(entries - dead + folded)};
}

// None of a page that VACUUM has deleted since its neighbour named it, or that has become another one: it holds no
// entries of a leaf.
Content content_of(Relation index, BlockNumber leaf, bool is_unique) {
    const Buffer buffer = _bt_getbuf(index, leaf, BT_READ);
    Page page = BufferGetPage(buffer);
    Content content;
    if (P_ISLEAF(special_of(page)) && !P_IGNORE(special_of(page)))
        content = content_of(page, first_of(page), PageGetMaxOffsetNumber(page) + 1, is_unique);
    _bt_relbuf(index, buffer);
    return content;
}

// The place after a bound: their leaf, what it has before and behind, and the way there. An empty index has
// no leaf.
struct Position {
    BlockNumber leaf = InvalidBlockNumber;
    BlockNumber next_leaf = P_NONE;
    Content before;
    Content behind;
    BTStack way = nullptr;

    double entries() const noexcept { return before.entries + behind.entries; }
};

Position position_of(Relation index, const Id& id, bool after, bool is_unique) {
    BTScanInsert key = _bt_mkscankey(index, nullptr);
    _bt_metaversion(index, &key->heapkeyspace, &key->allequalimage);
    key->keysz = 1;
    key->anynullkeys = false;
    key->nextkey = after;
    key->scankeys[0].sk_flags &= ~SK_ISNULL;
    key->scankeys[0].sk_argument = datum_from_id(id);

    Position position;
    Buffer leaf = InvalidBuffer;
    position.way = luuid_bt_search(index, key, &leaf);
    if (BufferIsValid(leaf)) {
        Page page = BufferGetPage(leaf);
        const OffsetNumber first = first_of(page), end = PageGetMaxOffsetNumber(page) + 1;
        OffsetNumber low = first, high = end;
        while (low < high) {
            const OffsetNumber middle = low + (high - low) / 2;
            if (_bt_compare(index, key, page, middle) >= (after ? 0 : 1))
                low = middle + 1;
            else
                high = middle;
        }
        position.leaf = BufferGetBlockNumber(leaf);
        position.next_leaf = special_of(page)->btpo_next;
        position.before = content_of(page, first, low, is_unique);
        position.behind = content_of(page, low, end, is_unique);
        _bt_relbuf(index, leaf);
    }
    pfree(key);
    return position;
}

// The first and the last offset of what a page above the leaves leads to.
struct Offsets {
    int first;
    int last;

    int count() const noexcept { return std::max(last - first + 1, 0); }
};

Offsets offsets_of(Relation index, BlockNumber block) {
    const Buffer buffer = _bt_getbuf(index, block, BT_READ);
    Page page = BufferGetPage(buffer);
    const int last = P_IGNORE(special_of(page)) ? 0 : PageGetMaxOffsetNumber(page);
    const Offsets offsets{first_of(page), last};
    _bt_relbuf(index, buffer);
    return offsets;
}

// How many pages lie between those of one level that these ways lead to. If they come by different pages of the
// level above, those between count as leading to as many as the fuller of the two.
double pages_between(Relation index, BTStack lower, BTStack upper) {
    if (lower == nullptr || upper == nullptr)
        return 0;
    if (lower->bts_blkno == upper->bts_blkno)
        return std::max(upper->bts_offset - lower->bts_offset - 1, 0);

    const Offsets low = offsets_of(index, lower->bts_blkno), high = offsets_of(index, upper->bts_blkno);
    return std::max(low.last - lower->bts_offset, 0) + std::max(upper->bts_offset - high.first, 0) +
           pages_between(index, lower->bts_parent, upper->bts_parent) * std::max(low.count(), high.count());
}

// How many rows a leaf between two has, by the first of them: new leaves may be fuller or emptier than old ones, as
// they were split. One that was emptied since counts as half full.
double rows_of_leaf(Relation index, const Position& begin, const Position& end, bool is_unique) {
    if (begin.next_leaf == P_NONE)
        return 0;
    const Content content = content_of(index, begin.next_leaf, is_unique);
    const double entries = std::max(content.entries, std::max(begin.entries(), end.entries()) / 2);
    return content.entries > 0 ? entries * content.rows / content.entries : entries;
}

// By the pages between two bounds.
double entries_between(const TimeIndex& index, const Bound& lower, const Bound& upper) {
    const Bound& first = index.is_descending ? upper : lower;
    const Bound& last = index.is_descending ? lower : upper;
    const Position begin = position_of(index.index, first.id, first.after != index.is_descending, index.is_unique);
    const Position end = position_of(index.index, last.id, last.after != index.is_descending, index.is_unique);
    double rows = std::max(end.before.rows - begin.before.rows, 0.0);
    if (begin.leaf != end.leaf) {
        rows = begin.behind.rows + end.before.rows;
        if (const double leaves = pages_between(index.index, begin.way, end.way); leaves > 0)
            rows += leaves * rows_of_leaf(index.index, begin, end, index.is_unique);
    }
    luuid_bt_freestack(begin.way);
    luuid_bt_freestack(end.way);
    return rows;
}

// Of the chronological order on the variable, of all rows.
const IndexOptInfo* index_on(const VariableStatData& variable) {
    const Oid family = time_family();
    ListCell* cell;
    foreach (cell, variable.rel->indexlist) {
        auto* index = static_cast<IndexOptInfo*>(lfirst(cell));
        if (index->relam == BTREE_AM_OID && index->opfamily[0] == family && index->indpred == NIL &&
            !index->hypothetical && match_index_to_operand(variable.var, 0, index))
            return index;
    }
    return nullptr;
}

}  // namespace

std::optional<TimeIndex> luuid::pg::time_index_of(const VariableStatData& variable) {
    const IndexOptInfo* index = index_on(variable);
    if (index == nullptr)
        return std::nullopt;
    // The planner has locked it already.
    const auto* statistics = reinterpret_cast<Form_pg_statistic>(GETSTRUCT(variable.statsTuple));
    return TimeIndex{index_open(index->indexoid, NoLock), index->reverse_sort[0], statistics->stadistinct <= -1};
}

double luuid::pg::timed_rows(const TimeIndex& index, const IdRange& range) {
    IdRange timed{Bound{nil_id, true}, Bound{detail::highest_timed, true}};
    timed.intersect(range);
    return timed.is_empty() ? 0 : entries_between(index, *timed.lower, *timed.upper);
}
