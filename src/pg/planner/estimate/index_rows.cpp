// Counts entries of a B-tree by its pages, as access/nbtree/README describes these. One page is locked at a time, and
// none while another is waited for. So a page may have been split since its downlink was read, or deleted: what is
// asked for is then in a page to its right. An estimate may miss one half of a page that was split so.
#include "../../datum.hpp"
#include "estimate.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

constexpr int most_pages = 24;      // that are read for one range
constexpr int enough_points = 100;  // for a distribution: they tell the nights of some months from the days
constexpr int most_points = 250;
constexpr Id highest_id{~0ULL, ~0ULL};
constexpr Size id_size = sizeof(IndexTupleData) + UUID_LEN;  // of the entry of one id

// A downlink or an entry: its place, the page that it leads to, and how many of its level are before it in the range.
struct Separator {
    double place;
    BlockNumber child;  // an entry leads to the table
    double before;
};

// Those of a level that are within the range, or some of them.
struct Level {
    Separator separators[most_points + 3 * most_pages + 1];
    int count = 0;
    unsigned height = 0;  // above the leaves
    double all = 0;       // with those of pages that were not read
};

IndexTuple tuple_at(Page page, int offset) {
    return reinterpret_cast<IndexTuple>(PageGetItem(page, PageGetItemId(page, offset)));
}

// What is counted: the entries of an index between two bounds, which are in its order.
struct Search {
    const IndexOptInfo& info;
    Relation index;
    Bound ends[2];
    bool has_nulls;

    std::optional<Id> id_at(Page page, int offset) const {
        bool is_null = false;
        const Datum id = index_getattr(tuple_at(page, offset), 1, RelationGetDescr(index), &is_null);
        return is_null ? std::nullopt : std::optional(id_from_datum(id));
    }

    // A null, which a page may have that was split since, is after all times.
    double place_at(Page page, int offset) const { return place_of(id_at(page, offset).value_or(highest_id)); }

    // At a separator's own id, a bound before the id leads to the page before, and one after it to the page after.
    bool is_before(Page page, int offset, int end) const {
        if (const auto id = id_at(page, offset))
            return (compare({*id}, ends[end]) < 0) != info.reverse_sort[0];
        return has_nulls ? end == 1 : info.nulls_first[0];
    }

    // The page of an end in a level, from one on that was so once: from a block, or the root. None in an empty index.
    Buffer page_from(BlockNumber block, int end) const {
        Buffer buffer = block == P_NONE ? luuid_bt_getroot(index) : _bt_getbuf(index, block, BT_READ);
        while (BufferIsValid(buffer)) {
            Page page = BufferGetPage(buffer);
            const BTPageOpaque special = BTPageGetOpaque(page);
            if (!P_IGNORE(special) && (P_RIGHTMOST(special) || !is_before(page, P_HIKEY, end)))
                break;
            if (P_RIGHTMOST(special))
                elog(ERROR, "fell off the end of index \"%s\"", RelationGetRelationName(index));
            buffer = _bt_relandgetbuf(index, buffer, special->btpo_next, BT_READ);
        }
        return buffer;
    }

    // The first offset from `low` on that is not before an end. Not by _bt_compare(), which calls a function for each.
    // An entry in another part of the page is a cache miss. So the search begins where the end would be if the ids were
    // spread evenly over time, and steps away from there, twice as far each time, until it has passed the end.
    int offset_of(Page page, int low, int end) const {
        int high = PageGetMaxOffsetNumber(page) + 1;
        const double least = low < high ? place_at(page, low) : 0, most = low < high ? place_at(page, high - 1) : 0;
        const double part = (place_of(ends[end].id) - least) / (most - least);
        int at = !(part > 0) ? low : part < 1 ? low + static_cast<int>(part * (high - low)) : high - 1;
        for (int step = 4; low < high; step *= 2) {
            if (at < low || at >= high)
                at = (low + high) / 2;
            const bool before = is_before(page, at, end);
            (before ? low : high) = before ? at + 1 : at;
            at += before ? step : -step;
        }
        return low;
    }
};

// Downlinks, or the rows of a leaf: several equal ids may share an entry, and a scan marks entries whose rows are gone.
int count_of(Page page, int begin, int end) {
    const BTPageOpaque special = BTPageGetOpaque(page);
    const auto* header = reinterpret_cast<PageHeader>(page);
    const auto size = static_cast<Size>(header->pd_special - header->pd_upper);
    // Each is of one row if the page says that none is marked, and they take no more space than entries of one id.
    // VACUUM may have the page say so too early.
    if (!P_ISLEAF(special) || (!P_HAS_GARBAGE(special) && size <= PageGetMaxOffsetNumber(page) * id_size))
        return end - begin;
    int rows = 0;
    for (int offset = begin; offset < end; ++offset)
        if (IndexTuple entry = tuple_at(page, offset); !ItemIdIsDead(PageGetItemId(page, offset)))
            rows += BTreeTupleIsPosting(entry) ? BTreeTupleGetNPosting(entry) : 1;
    return rows;
}

// One of the numbers from `begin` on and before `end`. As `turn` grows, it stands where none before it stood, without a
// period: if each third day has few rows, evenly spaced pages may all be of such days.
int one_between(int turn, int begin, int end) {
    constexpr std::uint32_t golden_section = 0x9e37'79b9;  // of 2^32
    return begin + static_cast<int>(golden_section * static_cast<std::uint32_t>(turn) / 0x1p32 * (end - begin));
}

// The pages that are read of those to which a level leads: the first, the last, and so many between. Those between are
// divided into equal parts, and one of each part is read.
int chosen_below(const Level& level, int most, Separator* pages) {
    const int between = level.count - 2, parts = std::min(between, most - 2);
    Separator* next = std::copy_n(level.separators, 1, pages);
    for (int part = 0; part < parts; ++part)
        *next++ = level.separators[1 + one_between(part, part * between / parts, (part + 1) * between / parts)];
    if (level.count > 1)
        *next++ = level.separators[level.count - 1];
    return static_cast<int>(next - pages);
}

// Reads at most so many pages below a level, and replaces it by what is within the range. Returns how many it has read.
// A page that is left out counts as the mean of the two that are read beside it: between leaves of 200 and of 100 rows
// each has 150. But the first and the last page of the range stand for themselves alone, since one may be being filled,
// and nulls that share entries give another several times the rows of a leaf of ids. So if leaves 1, 4 and 9 are read,
// and 4 has 200 rows, 2 and 3 have 200 each, and so have 5 to 8.
int read_below(Level& level, const Search& search, int most, bool has_places) {
    Separator pages[most_pages];
    const int count = chosen_below(level, most, pages);
    const bool are_all = pages[count - 1].before < count;
    level.all = level.count = 0;
    int last_read = 0;
    for (int i = 0; i < count; ++i) {
        const bool is_first = i == 0, is_last = i == count - 1;
        Buffer buffer = search.page_from(pages[i].child, is_last && !is_first ? 1 : 0);
        if (!BufferIsValid(buffer))
            break;
        Page page = BufferGetPage(buffer);
        level.height = BTPageGetOpaque(page)->btpo_level;
        const bool is_leaf = level.height == 0;
        const int first = P_FIRSTDATAKEY(BTPageGetOpaque(page)), behind = PageGetMaxOffsetNumber(page) + 1;
        const int skip = is_leaf ? 0 : 1;  // the first downlink of a page is before every bound
        const int begin = is_first ? search.offset_of(page, first + skip, 0) - skip : first;
        const int end = is_last ? search.offset_of(page, begin + skip, 1) : behind;
        const int whole = are_all || (is_last && i > 1) ? last_read : count_of(page, first, behind);
        if (!is_first)
            level.all += (pages[i].before - pages[i - 1].before - 1) * (i == 1 ? whole : (last_read + whole) / 2.0);
        last_read = whole;
        const int most_here = is_leaf ? most_points / 4 : most_points;
        const int stride = is_leaf && !has_places ? behind : 1 + (end - begin) * count / most_here;
        for (int offset = begin, next = begin; offset < end; offset = next) {
            // The first and the last of a level are not left out.
            const bool is_alone = is_first && offset == begin;
            next = std::min(offset + (is_alone ? 1 : stride), is_last && offset < end - 1 ? end - 1 : end);
            const int one = is_leaf ? offset : one_between(offset, offset, next);
            // The place of a page is in the downlink to it; that of the range's beginning is the bound.
            const bool is_own = has_places && (is_leaf || one > begin);
            level.separators[level.count++] = {is_own ? search.place_at(page, one) : pages[i].place,
                                               BTreeTupleGetDownLink(tuple_at(page, one)), level.all + one - offset};
            level.all += count_of(page, offset, next);
        }
        _bt_relbuf(search.index, buffer);
    }
    return count;
}

}  // namespace

// Goes down to both ends of the range at once, so that the two pages are of one level. Below an inner page it keeps
// half of the pages that are left to it for the levels below. If the points are asked for, they are the separators of
// the highest level that has enough. The planner has locked the index already. A range of one bound has no nulls.
double luuid::pg::rows_by_index(const IndexOptInfo& info, const IdRange& range, std::span<Point>* points) {
    const bool is_reverse = info.reverse_sort[0], is_all = points == nullptr && !range.lower && !range.upper;
    const Bound lower = range.lower.value_or(Bound{nil_id}), upper = range.upper.value_or(Bound{highest_id, true});
    const Bound &first = is_reverse ? upper : lower, &last = is_reverse ? lower : upper;
    const Search search{info, index_open(info.indexoid, NoLock), {first, last}, is_all};
    Level level;
    level.separators[level.count++] = {place_of(first.id), P_NONE, 0};
    int left = most_pages;
    do {
        left -= read_below(level, search, std::max(level.height > 1 ? left / 2 : left, 2), points != nullptr);
        if (points != nullptr && (level.height == 0 || level.count == 0 || level.all >= enough_points)) {
            level.separators[level.count] = {place_of(last.id), P_NONE, level.all};
            const auto count = static_cast<std::size_t>(level.count) + 1;
            *points = {static_cast<Point*>(palloc(sizeof(Point) * count)), count};
            std::ranges::transform(std::span(level.separators, count), points->begin(), [&](const auto& each) {
                return Point{each.place, (is_reverse ? level.all - each.before : each.before) / level.all};
            });
            std::ranges::sort(*points);
            points = nullptr;
        }
    } while (level.height > 0 && level.count > 0);
    index_close(search.index, NoLock);
    return level.all;
}
