// Counts entries of a B-tree by its pages, as access/nbtree/README describes these. One page is locked at a time, and
// none while another is waited for. So a page may have been split since its downlink was read, or deleted: what is
// asked for is then in a page to its right.
#include "index_rows.hpp"

#include "../../catalog.hpp"
#include "../../datum.hpp"

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace {

// A distribution has what separates the pages of the highest level that has so many, or the entries of leaves, of few
// rows. At most so many pages of a level are read, and so many points of these kept: to tell the nights of a year from
// the days, if that matters.
constexpr int enough_separators = 100, enough_if_coarse = 10;
constexpr int most_pages = 30;
constexpr int most_points = 500;

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
    double rows = 0, gone = 0;

    Count(Page page, OffsetNumber begin, OffsetNumber end) {
        if (!P_ISLEAF(special_of(page))) {
            rows = end - begin;
            return;
        }
        for (OffsetNumber offset = begin; offset < end; ++offset) {
            IndexTuple entry = tuple_at(page, offset);
            (ItemIdIsDead(PageGetItemId(page, offset)) ? gone : rows) +=
                BTreeTupleIsPosting(entry) ? BTreeTupleGetNPosting(entry) : 1;
        }
    }

    double all() const noexcept { return rows + gone; }
};

// Where an end of the range is in a level: the first entry behind it or, above the leaves, the downlink to its page.
// And what that page has of the range, if this goes on beyond it.
struct Place {
    BlockNumber block, child;
    OffsetNumber offset;
    Count part;
    double all;  // with what is outside of the range, or gone; 0 if no page is between
    bool is_last;
};

Place place_of(Relation index, BTScanInsert key, Buffer buffer, bool is_begin, bool is_far) {
    Page page = BufferGetPage(buffer);
    BTPageOpaque special = special_of(page);
    const OffsetNumber first = first_of(page), end = PageGetMaxOffsetNumber(page) + 1;
    OffsetNumber offset = offset_of(index, key, page);
    BlockNumber child = P_NONE;
    if (!P_ISLEAF(special)) {
        // The first downlink of a page is before every key.
        offset = OffsetNumberPrev(offset);
        child = BTreeTupleGetDownLink(tuple_at(page, offset));
    }
    return {BufferGetBlockNumber(buffer),
            child,
            offset,
            Count(page, is_begin ? offset : first, is_begin ? end : offset),
            is_far ? Count(page, first, end).all() : 0,
            P_RIGHTMOST(special)};
}

// Goes down to both ends of the range at once, so that the two pages are of one level. A page between them counts as
// they do, but for the last of a level, which is being filled; and a leaf the more as those of the whole index, the
// more of them are between.
double rows_of(const Search& search, const IndexOptInfo& info) {
    Relation index = search.index;
    Buffer buffer = luuid_bt_getroot(index);
    if (!BufferIsValid(buffer))
        return 0;
    BlockNumber low_block = BufferGetBlockNumber(buffer), high_block = low_block;
    double between = 0;  // pages
    for (;;) {
        buffer = moved_right(index, search.first, buffer);
        const Place low = place_of(index, search.first, buffer, true, between > 0);
        if (high_block != low_block)
            buffer = page_after(index, buffer, high_block);
        buffer = moved_right(index, search.last, buffer);
        const Place high = place_of(index, search.last, buffer, false, between > 0);
        Page page = BufferGetPage(buffer);
        const double ends =
            low.block == high.block ? Count(page, low.offset, high.offset).rows : low.part.rows + high.part.rows;
        const double all = high.is_last ? std::max(low.all, high.all) : (low.all + high.all) / 2;
        if (P_ISLEAF(special_of(page))) {
            _bt_relbuf(index, buffer);
            const double gone = low.part.gone + high.part.gone, left = gone > 0 ? ends / (ends + gone) : 1;
            // Without these two, the root and the page before all others.
            const double others = std::max<double>(info.pages, 5) - 4, part = std::min(between / others, 1.0);
            const double mean = std::max(info.tuples - low.all - high.all, 0.0) / others;
            return ends + between * left * ((1 - part) * all + part * mean);
        }
        // The page of the beginning is not between.
        between = std::max(ends + between * all - 1, 0.0);
        low_block = low.child;
        high_block = high.child;
        buffer = page_after(index, buffer, low_block);
    }
}

// A downlink or an entry: its key, the page that it leads to, and how many of its level are before it in the range.
struct Separator {
    std::uint64_t key;
    BlockNumber child;
    double before;
};

// Reads evenly chosen pages of a level, to which the downlinks above lead. A page counts for those too that are left
// out between it and the next one read.
struct Level {
    Separator* separators = nullptr;
    int count = 0;
    double all = 0, rows = 0;  // with those that were not read
    bool is_leaf = false;
};

Level level_of(const Search& search, const Separator* pages, int page_count, bool is_fine) {
    Relation index = search.index;
    Level level;
    for (int i = 0; i < page_count; ++i) {
        Buffer buffer = pages[i].child == P_NONE ? luuid_bt_getroot(index) : _bt_getbuf(index, pages[i].child, BT_READ);
        if (!BufferIsValid(buffer))
            break;
        buffer = moved_right(index, i == 0 ? search.first : nullptr, buffer);
        Page page = BufferGetPage(buffer);
        level.is_leaf = P_ISLEAF(special_of(page));
        const OffsetNumber first = first_of(page);
        OffsetNumber begin = first, end = PageGetMaxOffsetNumber(page) + 1;
        if (i == 0)
            begin = level.is_leaf ? offset_of(index, search.first, page)
                                  : OffsetNumberPrev(offset_of(index, search.first, page));
        if (i == page_count - 1)
            end = offset_of(index, search.last, page);
        const int here = std::max(end - begin, 0), most = is_fine && !level.is_leaf ? most_points : most_points / 10;
        const int stride = 1 + here * page_count / (most + 1);
        const Size size = sizeof(Separator) * static_cast<Size>(level.count + here / stride + 1);
        level.separators =
            static_cast<Separator*>(level.separators == nullptr ? palloc(size) : repalloc(level.separators, size));
        for (int entry = 0; entry < here; entry += stride) {
            const OffsetNumber offset = begin + entry;
            IndexTuple tuple = tuple_at(page, offset);
            // That of a page is in the downlink to it; that of the range's beginning is the bound. A page that took the
            // place of one that is gone may have nulls.
            std::uint64_t key = pages[i].key;
            if (level.is_leaf || (offset > first && !(i == 0 && entry == 0))) {
                bool is_null = false;
                const Datum id = index_getattr(tuple, 1, RelationGetDescr(index), &is_null);
                key = is_null ? key : abbreviate(id_from_datum(id));
            }
            level.separators[level.count++] = {key, level.is_leaf ? P_NONE : BTreeTupleGetDownLink(tuple),
                                               level.all + entry};
        }
        const double stands_for = i + 1 < page_count ? pages[i + 1].before - pages[i].before : 1;
        level.rows += stands_for * Count(page, begin, begin + here).rows;
        level.all += stands_for * here;
        _bt_relbuf(index, buffer);
        CHECK_FOR_INTERRUPTS();
    }
    return level;
}

// As fractions of the rows of the whole index.
std::span<Point> points_of(const Search& search, const IndexOptInfo& info, std::uint64_t begin, std::uint64_t end,
                           bool is_fine) {
    Separator pages[most_pages] = {{begin, P_NONE, 0}};
    int page_count = 1;
    Level level;
    do {
        level = level_of(search, pages, page_count, is_fine);
        page_count = std::min(level.count, most_pages);
        for (int i = 0; i < page_count; ++i)
            pages[i] = level.separators[page_count == 1 ? 0 : i * (level.count - 1) / (page_count - 1)];
    } while (!level.is_leaf && level.count > 0 && level.all < (is_fine ? enough_separators : enough_if_coarse));

    const double rows = level.is_leaf || level.count == 0 ? level.rows : rows_of(search, info);
    const double fraction = std::min(rows / info.tuples, 1.0);
    const auto count = static_cast<std::size_t>(std::max(level.count, 1));
    const std::span<Point> points{static_cast<Point*>(palloc(sizeof(Point) * (count + 1))), count + 1};
    points[0] = {begin, 0};
    for (int i = 0; i < level.count; ++i)
        points[i] = {level.separators[i].key, level.separators[i].before / level.all * fraction};
    points.back() = {level.is_leaf && level.count > 0 ? points[count - 1].key : end, fraction};
    return points;
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

double luuid::pg::rows_by_index(const IndexOptInfo& info, const IdRange& range) {
    if (range.is_empty())
        return 0;
    const Search search = search_of(info, range);
    const double rows = rows_of(search, info);
    index_close(search.index, NoLock);
    return rows;
}

std::span<Point> luuid::pg::points_by_index(const IndexOptInfo& info, const IdRange& range, bool is_fine) {
    std::uint64_t begin = range.lower ? abbreviate(range.lower->id) : 0;
    std::uint64_t end = range.upper ? abbreviate(range.upper->id) : ~std::uint64_t{0};
    const bool is_descending = info.reverse_sort[0];
    if (is_descending)
        std::swap(begin, end);
    const Search search = search_of(info, range);
    const std::span<Point> points = points_of(search, info, begin, end, is_fine);
    index_close(search.index, NoLock);
    if (is_descending) {
        const double whole = points.back().fraction;
        std::ranges::reverse(points);
        for (Point& point : points)
            point.fraction = whole - point.fraction;
    }
    // What was in a page that is gone was read in the next one, twice.
    for (std::size_t i = 1; i < points.size(); ++i)
        points[i] = {std::max(points[i - 1].key, points[i].key), points[i].fraction};
    return points;
}
