// Counts entries of a B-tree by its pages, as access/nbtree/README describes these. One page is locked at a time, and
// none while another is waited for. So a page may have been split since its downlink was read, or deleted: what is
// asked for is then in a page to its right. Of a page that was split so, an estimate may miss one half.
#include "../../datum.hpp"
#include "column.hpp"

#include <bit>

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace {

// A distribution is the separators of the highest level that has so many, or the entries of leaves. At most so many
// pages of a level are read, and about so many points kept: enough to tell the nights of some months from the days.
constexpr int enough_separators = 100;
constexpr int most_pages = 30;
constexpr int most_points = 250;
constexpr Size id_size = sizeof(IndexTupleData) + UUID_LEN;  // of the entry of one id

// A downlink or an entry: its place, the page that it leads to, and how many of its level are before it in the range.
struct Separator {
    double place;
    BlockNumber child;
    double before;
};

// Those of a level that are within the range, or some of them.
struct Level {
    Separator separators[most_points + 2 * most_pages + 2];
    int count = 0;
    bool is_leaf = false;
    double all = 0, rows = 0;  // with those of pages that were not read; rows are not gone
};

IndexTuple tuple_at(Page page, int offset) {
    return reinterpret_cast<IndexTuple>(PageGetItem(page, PageGetItemId(page, offset)));
}

// Null has none.
[[gnu::always_inline]] inline std::optional<Id> id_of(IndexTuple entry, Relation index) {
    bool is_null = false;
    const Datum id = index_getattr(entry, 1, RelationGetDescr(index), &is_null);
    return is_null ? std::nullopt : std::optional(id_from_datum(id));
}

// Whether an entry is before a bound, in the order of the index.
bool is_before(const IndexOptInfo& info, Relation index, Page page, int offset, const Bound& bound) {
    IndexTuple entry = tuple_at(page, offset);
    const auto id = id_of(entry, index);
    if (!id)
        return info.nulls_first[0];
    const auto order = compare(*id, bound.id);
    // A separator of the id alone is before all rows of that id, as _bt_compare() has it.
    if (order == 0 && BTreeTupleIsPivot(entry) && BTreeTupleGetNAtts(entry, index) == 1 &&
        BTreeTupleGetHeapTID(entry) == nullptr)
        return true;
    return (order == 0 ? bound.after : order < 0) != info.reverse_sort[0];
}

// The page of a bound in a level, from one on that was so once. Without a bound it only looks for one that is not gone.
Buffer moved_right(const IndexOptInfo& info, Relation index, const Bound* bound, Buffer buffer) {
    for (;;) {
        Page page = BufferGetPage(buffer);
        const BTPageOpaque special = BTPageGetOpaque(page);
        if (!P_IGNORE(special) &&
            (P_RIGHTMOST(special) || bound == nullptr || !is_before(info, index, page, P_HIKEY, *bound)))
            return buffer;
        if (P_RIGHTMOST(special))
            elog(ERROR, "fell off the end of index \"%s\"", RelationGetRelationName(index));
        buffer = _bt_relandgetbuf(index, buffer, special->btpo_next, BT_READ);
    }
}

// The first offset from `low` on that is not before a bound, if there is one; it is expected at most `step` away.
int offset_of(const IndexOptInfo& info, Relation index, Page page, const Bound& bound, int low, int step) {
    int high = PageGetMaxOffsetNumber(page) + 1;
    for (; low < high; step *= 2) {
        const int middle = low + std::min(step, (high - low) / 2);
        if (is_before(info, index, page, middle, bound))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Downlinks, or the rows of a leaf: several equal ids may share an entry, and a scan marks entries whose rows are gone.
int count_of(Page page, int begin, int end, double* gone = nullptr) {
    std::uint32_t bits = 0;  // of all line pointers: a length that is no less than any, and LP_DEAD if one has it
    for (const ItemIdData *item = PageGetItemId(page, begin), *behind = PageGetItemId(page, end); item < behind; ++item)
        bits |= std::bit_cast<std::uint32_t>(*item);
    // If none is marked, or longer than an entry of one id, each is of one row, and need not be read.
    const auto any = std::bit_cast<ItemIdData>(bits);
    if (!P_ISLEAF(BTPageGetOpaque(page)) || (ItemIdGetLength(&any) <= id_size && !ItemIdIsDead(&any)))
        return std::max(end - begin, 0);
    int all = 0;
    for (int offset = begin; offset < end; ++offset) {
        IndexTuple entry = tuple_at(page, offset);
        const int rows = BTreeTupleIsPosting(entry) ? BTreeTupleGetNPosting(entry) : 1;
        all += rows;
        if (gone != nullptr && ItemIdIsDead(PageGetItemId(page, offset)))
            *gone += rows;
    }
    return all;
}

// Reads so many of the pages to which the level above leads: the first and the last, and others between. A page that is
// left out counts as those that are read beside it do, but for the last of a level, which is being filled; and a leaf
// the more as those of the whole index, the more of them are left out.
void read_below(Level& level, const IndexOptInfo& info, Relation index, const Bound (&ends)[2], int count, int most) {
    Separator pages[most_pages];
    for (int i = 0; i < count; ++i)
        pages[i] = level.separators[count == 1 ? 0 : i * (level.count - 1) / (count - 1)];
    level.all = level.count = 0;
    const double left_out = std::max(pages[count - 1].before - pages[0].before + 1 - count, 0.0);
    double skipped = 0, read = 0, last_read = 0, gone = 0;
    for (int i = 0; i < count; ++i) {
        const bool is_first = i == 0, is_last = i == count - 1;
        Buffer buffer = pages[i].child == P_NONE ? luuid_bt_getroot(index) : _bt_getbuf(index, pages[i].child, BT_READ);
        if (!BufferIsValid(buffer))
            break;
        buffer = moved_right(info, index, is_first ? &ends[0] : is_last ? &ends[1] : nullptr, buffer);
        Page page = BufferGetPage(buffer);
        level.is_leaf = P_ISLEAF(BTPageGetOpaque(page));
        const int first = P_FIRSTDATAKEY(BTPageGetOpaque(page)), behind = PageGetMaxOffsetNumber(page) + 1;
        const int skip = level.is_leaf ? 0 : 1;  // the first downlink of a page is before every bound
        const int begin = is_first ? offset_of(info, index, page, ends[0], first + skip, behind) - skip : first;
        const int end = is_last ? offset_of(info, index, page, ends[1], begin + skip, is_first ? 1 : behind) : behind;
        if (left_out > 0) {
            // In an index on the id alone, nulls share entries: where ids meet them, a leaf counts as full of ids.
            const bool is_shared = level.is_leaf && info.ncolumns == 1 && first < behind &&
                                   !id_of(tuple_at(page, info.nulls_first[0] ? first : behind - 1), index);
            const double whole = is_shared ? (BLCKSZ - PageGetExactFreeSpace(page)) / (id_size + sizeof(ItemIdData))
                                           : count_of(page, first, behind);
            const double beside =
                P_RIGHTMOST(BTPageGetOpaque(page)) ? std::max(last_read, whole) : (last_read + whole) / 2;
            skipped += is_first ? 0 : (pages[i].before - pages[i - 1].before - 1) * beside;
            read += whole;
            last_read = whole;
        }
        const int stride = 1 + std::max(end - begin, 0) * count / (1 + (level.is_leaf ? most / 5 : most));
        for (int offset = begin, next = begin; offset < end; offset = next) {
            next = std::min(offset + stride, is_last && offset < end - 1 ? end - 1 : end);
            // The place of a page is in the downlink to it; that of the range's beginning is the bound.
            const bool is_own = level.is_leaf || (offset > first && !(is_first && offset == begin));
            const auto id = is_own ? id_of(tuple_at(page, offset), index) : std::nullopt;
            const BlockNumber child = level.is_leaf ? P_NONE : BTreeTupleGetDownLink(tuple_at(page, offset));
            level.separators[level.count++] = {id ? place_of(*id) : pages[i].place, child, skipped + level.all};
            level.all += count_of(page, offset, next, &gone);
        }
        _bt_relbuf(index, buffer);
        CHECK_FOR_INTERRUPTS();
    }
    level.rows = level.all - gone;
    if (level.is_leaf && left_out > 0) {
        // Without the root and the page before all others.
        const double others = std::max(info.pages - count - 2.0, 1.0), part = std::min(left_out / others, 1.0);
        const double mean = std::max(info.tuples - read, 0.0) / others;
        level.rows += (level.all > 0 ? level.rows / level.all : 1) * ((1 - part) * skipped + part * left_out * mean);
    }
    level.all += skipped;
}

}  // namespace

// Goes down to both ends of the range at once, so that the two pages are of one level. If the points are asked for, it
// reads more pages of each level until one has enough. The planner has locked the index already. A range without bounds
// has all ids, but no nulls.
double luuid::pg::rows_by_index(const IndexOptInfo& info, const IdRange& range, std::span<Point>* points) {
    Bound ends[] = {range.lower.value_or(Bound{nil_id}), range.upper.value_or(Bound{Id{~0ULL, ~0ULL}, true})};
    if (info.reverse_sort[0])
        std::swap(ends[0], ends[1]);
    Relation index = index_open(info.indexoid, NoLock);
    Level level;
    level.separators[level.count++] = {place_of(ends[0].id), P_NONE, 0};
    do {
        read_below(level, info, index, ends, std::min(level.count, points != nullptr ? most_pages : 2),
                   points != nullptr ? most_points : 2);
        if (points != nullptr && (level.is_leaf || level.count == 0 || level.all >= enough_separators)) {
            const auto count = static_cast<std::size_t>(level.count);
            *points = {static_cast<Point*>(palloc(sizeof(Point) * (count + 1))), count + 1};
            const auto share = [&](double before) { return info.reverse_sort[0] ? 1 - before : before; };
            for (std::size_t n = 0; n < count; ++n)
                (*points)[n] = {level.separators[n].place, share(level.separators[n].before / level.all)};
            points->back() = {level.is_leaf && count > 0 ? (*points)[count - 1].place : place_of(ends[1].id), share(1)};
            std::ranges::sort(*points);
            points = nullptr;
        }
    } while (!level.is_leaf && level.count > 0);
    index_close(index, NoLock);
    return level.rows;
}
