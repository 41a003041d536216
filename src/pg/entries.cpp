// Counts the entries of a B-tree by its pages, as access/nbtree/README describes these.
#include "entries.hpp"

#include "datum.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// Where the entries after a cut begin: their leaf, how many of its entries are before and behind, and the way there.
struct Place {
    BlockNumber leaf = InvalidBlockNumber;
    BlockNumber next_leaf = InvalidBlockNumber;
    double before = 0;
    double behind = 0;
    BTStack way = nullptr;
};

BTPageOpaque special_of(Page page) { return reinterpret_cast<BTPageOpaque>(PageGetSpecialPointer(page)); }

OffsetNumber first_of(Page page) { return P_FIRSTDATAKEY(special_of(page)); }

// The first and the last offset of a page's entries, which for one above the leaves are the pages that it leads to.
struct Offsets {
    int first;
    int last;

    int count() const noexcept { return Max(last - first + 1, 0); }
};

Offsets offsets_of(Relation index, BlockNumber block) {
    const Buffer buffer = _bt_getbuf(index, block, BT_READ);
    Page page = BufferGetPage(buffer);
    const Offsets offsets{first_of(page), static_cast<int>(PageGetMaxOffsetNumber(page))};
    _bt_relbuf(index, buffer);
    return offsets;
}

// The empty index has no leaf.
Place place_of([[maybe_unused]] Relation table, Relation index, const Id& id, bool after) {
    BTScanInsert key = _bt_mkscankey(index, nullptr);
    _bt_metaversion(index, &key->heapkeyspace, &key->allequalimage);
    key->keysz = 1;
    key->anynullkeys = false;
    key->nextkey = after;
    key->scankeys[0].sk_flags &= ~SK_ISNULL;
    key->scankeys[0].sk_argument = datum_from_id(id);

    Place place;
    Buffer leaf = InvalidBuffer;
    place.way = luuid_bt_search(index, table, key, &leaf);
    if (BufferIsValid(leaf)) {
        Page page = BufferGetPage(leaf);
        place.leaf = BufferGetBlockNumber(leaf);
        place.next_leaf = special_of(page)->btpo_next;
        const OffsetNumber last = PageGetMaxOffsetNumber(page);
        OffsetNumber low = first_of(page), high = last + 1;
        while (low < high) {
            const OffsetNumber middle = low + (high - low) / 2;
            if (_bt_compare(index, key, page, middle) >= (after ? 0 : 1))
                low = middle + 1;
            else
                high = middle;
        }
        place.before = low - first_of(page);
        place.behind = last + 1 - low;
        _bt_relbuf(index, leaf);
    }
    pfree(key);
    return place;
}

// How many pages lie between those of one level that these ways lead to. Where they come by different pages of the
// level above, those between are taken to lead to as many as the first.
double pages_between(Relation index, BTStack lower, BTStack upper) {
    if (lower == nullptr || upper == nullptr)
        return 0;
    if (lower->bts_blkno == upper->bts_blkno)
        return Max(upper->bts_offset - lower->bts_offset - 1, 0);

    const Offsets low = offsets_of(index, lower->bts_blkno), high = offsets_of(index, upper->bts_blkno);
    return Max(low.last - lower->bts_offset, 0) + Max(upper->bts_offset - high.first, 0) +
           pages_between(index, lower->bts_parent, upper->bts_parent) * low.count();
}

void release(Place* place) {
    while (place->way != nullptr) {
        BTStack parent = place->way->bts_parent;
        pfree(place->way);
        place->way = parent;
    }
}

}  // namespace

double luuid::pg::entries_between(Relation table, Relation index, bool is_descending, const Cut& lower,
                                  const Cut& upper) {
    const Cut& first = is_descending ? upper : lower;
    const Cut& last = is_descending ? lower : upper;
    Place begin = place_of(table, index, first.id, first.after != is_descending);
    Place end = place_of(table, index, last.id, last.after != is_descending);
    double entries = Max(end.before - begin.before, 0);
    if (begin.leaf != end.leaf) {
        entries = begin.behind + end.before;
        // Old leaves are as full as they were filled; new ones may be half empty, as they were split.
        if (const double leaves = pages_between(index, begin.way, end.way); leaves > 0 && begin.next_leaf != P_NONE)
            entries += leaves * offsets_of(index, begin.next_leaf).count();
    }
    release(&begin);
    release(&end);
    return entries;
}
