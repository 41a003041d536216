// Counts entries of a B-tree by its pages, as access/nbtree/README describes these. One page is locked at a time, and
// none while another is waited for. So a page may have been split since its downlink was read, or deleted: what is
// asked for is then in a page to its right. Of a page that was split so, an estimate may miss one half.
#include "index_rows.hpp"

#include "../../catalog.hpp"
#include "../../datum.hpp"

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace {

// A distribution has what separates the pages of the highest level that has so many, or the entries of leaves, of few
// rows. At most so many pages of a level are read, and about so many points of these kept: to tell the nights of some
// months from the days.
constexpr int enough_separators = 100;
constexpr int most_pages = 30;
constexpr int most_points = 250;

BTPageOpaque special_of(Page page) { return reinterpret_cast<BTPageOpaque>(PageGetSpecialPointer(page)); }

OffsetNumber first_of(Page page) { return P_FIRSTDATAKEY(special_of(page)); }

IndexTuple tuple_at(Page page, OffsetNumber offset) {
    return reinterpret_cast<IndexTuple>(PageGetItem(page, PageGetItemId(page, offset)));
}

// An open index, and its keys for the two ends of a range, in its own order.
struct Search {
    Relation index;
    BTScanInsert first, last;
};

BTScanInsert key_of(Relation index, const Bound& bound, bool is_descending) {
    BTScanInsert key = _bt_mkscankey(index, nullptr);
    _bt_metaversion(index, &key->heapkeyspace, &key->allequalimage);
    key->keysz = 1;
    key->anynullkeys = false;
    key->nextkey = bound.after != is_descending;
    key->scankeys[0].sk_flags &= ~SK_ISNULL;
    key->scankeys[0].sk_argument = datum_from_id(bound.id);
    return key;
}

// The planner has locked it already. A range without bounds has all ids, but no nulls.
Search search_of(const IndexOptInfo& info, const IdRange& range) {
    constexpr Id greatest{~std::uint64_t{0}, ~std::uint64_t{0}};
    const bool is_descending = info.reverse_sort[0];
    Bound lower = range.lower.value_or(Bound{nil_id, false}), upper = range.upper.value_or(Bound{greatest, true});
    if (is_descending)
        std::swap(lower, upper);
    Relation index = index_open(info.indexoid, NoLock);
    return {index, key_of(index, lower, is_descending), key_of(index, upper, is_descending)};
}

Buffer page_after(Relation index, Buffer buffer, BlockNumber block) {
    _bt_relbuf(index, buffer);
    CHECK_FOR_INTERRUPTS();
    return _bt_getbuf(index, block, BT_READ);
}

bool is_before(Relation index, BTScanInsert key, Page page, OffsetNumber offset) {
    return _bt_compare(index, key, page, offset) >= (key->nextkey ? 0 : 1);
}

// The page of the key's place in a level, from one on that was so once. A null key only looks for one that is not gone.
Buffer moved_right(Relation index, BTScanInsert key, Buffer buffer) {
    for (;;) {
        Page page = BufferGetPage(buffer);
        BTPageOpaque special = special_of(page);
        const bool is_gone = P_IGNORE(special);
        if (P_RIGHTMOST(special) && is_gone)
            elog(ERROR, "fell off the end of index \"%s\"", RelationGetRelationName(index));
        if (P_RIGHTMOST(special) || (!is_gone && (key == nullptr || !is_before(index, key, page, P_HIKEY))))
            return buffer;
        buffer = page_after(index, buffer, special->btpo_next);
    }
}

OffsetNumber offset_of(Relation index, BTScanInsert key, Page page) {
    OffsetNumber low = first_of(page), high = PageGetMaxOffsetNumber(page) + 1;
    while (low < high) {
        const OffsetNumber middle = low + (high - low) / 2;
        if (is_before(index, key, page, middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Downlinks, or the rows of a leaf's entries: a scan marks those of rows that it finds to be gone, and duplicates may
// be folded into one.
struct Count {
    double all = 0, gone = 0;

    Count(Page page, OffsetNumber begin, OffsetNumber end) {
        if (!P_ISLEAF(special_of(page))) {
            all = std::max(end - begin, 0);
            return;
        }
        for (OffsetNumber offset = begin; offset < end; ++offset) {
            IndexTuple entry = tuple_at(page, offset);
            const double rows = BTreeTupleIsPosting(entry) ? BTreeTupleGetNPosting(entry) : 1;
            all += rows;
            gone += ItemIdIsDead(PageGetItemId(page, offset)) ? rows : 0;
        }
    }
};

// A downlink or an entry: its key, the page that it leads to, and how many of its level are before it in the range.
struct Separator {
    std::uint64_t key;
    BlockNumber child;
    double before;
};

struct Level {
    bool is_leaf;
    int count;         // of the separators that are kept
    double all, rows;  // with those of pages that were not read; rows are not gone
};

// Reads pages of a level, to which some downlinks of the level above lead: the first and the last, and others between.
// A page that is left out counts as those that are read beside it do, but for the last of a level, which is being
// filled; and a leaf the more as those of the whole index, the more of them are left out.
Level level_of(const Search& search, const IndexOptInfo& info, const Separator* pages, int page_count,
               Separator* separators, int most) {
    Relation index = search.index;
    Level level{};
    const double left_out = std::max(pages[page_count - 1].before - pages[0].before + 1 - page_count, 0.0);
    double skipped = 0, read = 0, last_read = 0, gone = 0;
    for (int i = 0; i < page_count; ++i) {
        const bool is_first = i == 0, is_last = i == page_count - 1;
        Buffer buffer = pages[i].child == P_NONE ? luuid_bt_getroot(index) : _bt_getbuf(index, pages[i].child, BT_READ);
        if (!BufferIsValid(buffer))
            break;
        buffer = moved_right(index, is_first ? search.first : is_last ? search.last : nullptr, buffer);
        Page page = BufferGetPage(buffer);
        level.is_leaf = P_ISLEAF(special_of(page));
        const OffsetNumber first = first_of(page), behind = PageGetMaxOffsetNumber(page) + 1;
        // The first downlink of a page is before every key.
        const OffsetNumber begin = is_first ? offset_of(index, search.first, page) - (level.is_leaf ? 0 : 1) : first;
        const OffsetNumber end = is_last ? offset_of(index, search.last, page) : behind;
        if (left_out > 0) {
            const double whole = Count(page, first, behind).all;
            const double beside = P_RIGHTMOST(special_of(page)) ? std::max(last_read, whole) : (last_read + whole) / 2;
            if (!is_first)
                skipped += (pages[i].before - pages[i - 1].before - 1) * beside;
            read += whole;
            last_read = whole;
        }
        const int stride = 1 + std::max(end - begin, 0) * page_count / (1 + (level.is_leaf ? most / 5 : most));
        for (int offset = begin, next = begin; offset < end; offset = next) {
            next = std::min(offset + stride, is_last && offset < end - 1 ? end - 1 : +end);
            IndexTuple tuple = tuple_at(page, static_cast<OffsetNumber>(offset));
            // That of a page is in the downlink to it; that of the range's beginning is the bound. A page that took the
            // place of one that is gone may have nulls.
            std::uint64_t key = pages[i].key;
            if (level.is_leaf || (offset > first && !(is_first && offset == begin))) {
                bool is_null = false;
                const Datum id = index_getattr(tuple, 1, RelationGetDescr(index), &is_null);
                key = is_null ? key : abbreviate(id_from_datum(id));
            }
            separators[level.count++] = {key, level.is_leaf ? P_NONE : BTreeTupleGetDownLink(tuple),
                                         skipped + level.all};
            const Count here(page, static_cast<OffsetNumber>(offset), static_cast<OffsetNumber>(next));
            level.all += here.all;
            gone += here.gone;
        }
        _bt_relbuf(index, buffer);
        CHECK_FOR_INTERRUPTS();
    }
    level.rows = level.all - gone;
    if (level.is_leaf && left_out > 0) {
        // Without the root and the page before all others.
        const double others = std::max<double>(info.pages - page_count - 2.0, 1),
                     part = std::min(left_out / others, 1.0);
        const double mean = std::max(info.tuples - read, 0.0) / others;
        level.rows += (level.all > 0 ? level.rows / level.all : 1) * ((1 - part) * skipped + part * left_out * mean);
    }
    level.all += skipped;
    return level;
}

// Goes down to both ends of the range at once, so that the two pages are of one level, and counts the rows. If the
// points are asked for, it reads more pages of each level until one has enough.
double rows_of(const Search& search, const IndexOptInfo& info, std::uint64_t begin, std::uint64_t end,
               std::span<Point>* points) {
    Separator separators[most_points + 2 * most_pages + 2];
    Separator pages[most_pages] = {{begin, P_NONE, 0}};
    int page_count = 1;
    for (bool is_sought = points != nullptr;;) {
        const Level level = level_of(search, info, pages, page_count, separators, is_sought ? most_points : 2);
        const bool is_lowest = level.is_leaf || level.count == 0;
        if (is_sought && (is_lowest || level.all >= enough_separators)) {
            is_sought = false;
            const auto count = static_cast<std::size_t>(std::max(level.count, 1));
            *points = {static_cast<Point*>(palloc(sizeof(Point) * (count + 1))), count + 1};
            points->front() = {begin, 0};
            for (int i = 0; i < level.count; ++i)
                (*points)[i] = {separators[i].key, separators[i].before / level.all};
            points->back() = {level.is_leaf && level.count > 0 ? (*points)[count - 1].key : end, 1};
        }
        if (is_lowest)
            return level.rows;
        page_count = std::min(level.count, is_sought ? most_pages : 2);
        for (int i = 0; i < page_count; ++i)
            pages[i] = separators[page_count == 1 ? 0 : i * (level.count - 1) / (page_count - 1)];
    }
}

}  // namespace

const IndexOptInfo* luuid::pg::time_index_of(const VariableStatData& variable) {
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

double luuid::pg::rows_by_index(const IndexOptInfo& info, const IdRange& range, std::span<Point>* points) {
    std::uint64_t begin = range.lower ? abbreviate(range.lower->id) : 0;
    std::uint64_t end = range.upper ? abbreviate(range.upper->id) : ~std::uint64_t{0};
    const bool is_descending = info.reverse_sort[0];
    if (is_descending)
        std::swap(begin, end);
    const Search search = search_of(info, range);
    const double rows = rows_of(search, info, begin, end, points);
    index_close(search.index, NoLock);
    if (points == nullptr)
        return rows;
    if (is_descending) {
        std::ranges::reverse(*points);
        for (Point& point : *points)
            point.fraction = 1 - point.fraction;
    }
    // What was in a page that is gone was read in the next one, twice.
    for (std::size_t i = 1; i < points->size(); ++i)
        if ((*points)[i].key < (*points)[i - 1].key)
            (*points)[i] = {(*points)[i - 1].key, (*points)[i].fraction};
    return rows;
}
