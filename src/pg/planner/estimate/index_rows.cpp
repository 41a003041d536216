// Counts entries of a B-tree by its pages, as access/nbtree/README describes these. One page is locked at a time, and
// none while another is waited for. So a page may have been split since its downlink was read, or deleted: what is
// asked for is then in a page to its right. An estimate may miss one half of a page that was split so.
#include "../../datum.hpp"
#include "estimate.hpp"

#include <cmath>

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
    BlockNumber child;
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

// The place of a null, which a page may have that was split since, is the end.
double place_at(Relation index, Page page, int offset) {
    bool is_null = false;
    const Datum id = index_getattr(tuple_at(page, offset), 1, RelationGetDescr(index), &is_null);
    return place_of(is_null ? highest_id : id_from_datum(id));
}

bool is_before(Relation index, Page page, int offset, BTScanInsert key) {
    return _bt_compare(index, key, page, static_cast<OffsetNumber>(offset)) >= (key->nextkey ? 0 : 1);
}

// The page of a bound in a level, from one on that was so once.
Buffer moved_right(Relation index, BTScanInsert key, Buffer buffer) {
    for (;;) {
        Page page = BufferGetPage(buffer);
        const BTPageOpaque special = BTPageGetOpaque(page);
        if (!P_IGNORE(special) && (P_RIGHTMOST(special) || !is_before(index, page, P_HIKEY, key)))
            return buffer;
        if (P_RIGHTMOST(special))
            elog(ERROR, "fell off the end of index \"%s\"", RelationGetRelationName(index));
        buffer = _bt_relandgetbuf(index, buffer, special->btpo_next, BT_READ);
    }
}

// The first offset from `low` on that is not before a bound; it is expected at most `step` away.
int offset_of(Relation index, Page page, BTScanInsert key, int low, int step) {
    for (int high = PageGetMaxOffsetNumber(page) + 1; low < high; step *= 2) {
        const int middle = low + std::min(step, (high - low) / 2);
        if (is_before(index, page, middle, key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Downlinks, or the rows of a leaf: several equal ids may share an entry, and a scan marks entries whose rows are gone.
int count_of(Page page, int begin, int end) {
    const BTPageOpaque special = BTPageGetOpaque(page);
    const auto* header = reinterpret_cast<PageHeader>(page);
    const auto size = static_cast<Size>(header->pd_special - header->pd_upper);
    // Each is of one row if the page says that none is marked, and they take no more space than entries of one id.
    // VACUUM may have the page say so too early.
    if (!P_ISLEAF(special) || (!P_HAS_GARBAGE(special) && size <= PageGetMaxOffsetNumber(page) * id_size))
        return std::max(end - begin, 0);
    int rows = 0;
    for (int offset = begin; offset < end; ++offset)
        if (IndexTuple entry = tuple_at(page, offset); !ItemIdIsDead(PageGetItemId(page, offset)))
            rows += BTreeTupleIsPosting(entry) ? BTreeTupleGetNPosting(entry) : 1;
    return rows;
}

// Fractions of 1 that are as far apart as can be, and have no period: multiples of the golden section.
double spread(int number) {
    const double multiple = number * 0.6180339887498949;
    return multiple - std::floor(multiple);
}

// The pages that are read of those to which a level leads: the first, the last, and so many between. Those between are
// divided into equal parts, and one of each part is read, each time at another position in it: if each third day has
// few rows, evenly spaced pages may all be of such days.
int chosen_below(const Level& level, int most, Separator* pages) {
    if (level.count <= most)
        return static_cast<int>(std::copy_n(level.separators, level.count, pages) - pages);
    const double size = (level.separators[level.count - 1].before - 1) / (most - 2);
    int count = 0;
    pages[count++] = level.separators[0];
    for (int i = 1, part = 0; part < most - 2; ++part) {
        const int last = i;
        while (i < level.count - 1 && level.separators[i].before <= 1 + (part + spread(part)) * size)
            ++i;
        if (i > last)
            pages[count++] = level.separators[i - 1];
    }
    pages[count++] = level.separators[level.count - 1];
    return count;
}

// Reads at most so many pages below a level, and replaces it by what is within the range. Returns how many it has read.
// A page that is left out counts as the mean of the two that are read beside it: between leaves of 200 and of 100 rows
// each has 150. But the first and the last page of the range stand for themselves alone, since one may be being filled,
// and nulls that share entries give another several times the rows of a leaf of ids. So if leaves 1, 4 and 9 are read,
// and 4 has 200 rows, 2 and 3 have 200 each, and so have 5 to 8.
int read_below(Level& level, Relation index, BTScanInsert (&ends)[2], int most, bool has_places) {
    Separator pages[most_pages];
    const int count = chosen_below(level, most, pages);
    const bool are_all = pages[count - 1].before < count;
    level.all = level.count = 0;
    int last_read = 0;
    for (int i = 0; i < count; ++i) {
        const bool is_first = i == 0, is_last = i == count - 1;
        Buffer buffer = pages[i].child == P_NONE ? luuid_bt_getroot(index) : _bt_getbuf(index, pages[i].child, BT_READ);
        if (!BufferIsValid(buffer))
            break;
        buffer = moved_right(index, ends[is_last && !is_first ? 1 : 0], buffer);
        Page page = BufferGetPage(buffer);
        level.height = BTPageGetOpaque(page)->btpo_level;
        const bool is_leaf = level.height == 0;
        const int first = P_FIRSTDATAKEY(BTPageGetOpaque(page)), behind = PageGetMaxOffsetNumber(page) + 1;
        const int skip = is_leaf ? 0 : 1;  // the first downlink of a page is before every bound
        const int begin = is_first ? offset_of(index, page, ends[0], first + skip, behind) - skip : first;
        const int end = is_last ? offset_of(index, page, ends[1], begin + skip, is_first ? 1 : behind) : behind;
        const int whole = are_all || (is_last && i > 1) ? last_read : count_of(page, first, behind);
        if (!is_first)
            level.all += (pages[i].before - pages[i - 1].before - 1) * (i == 1 ? whole : (last_read + whole) / 2.0);
        last_read = whole;
        const int stride = is_leaf && !has_places
                               ? behind
                               : 1 + std::max(end - begin, 0) * count / (is_leaf ? most_points / 4 : most_points);
        for (int offset = begin, next = begin; offset < end; offset = next) {
            // The first and the last of a level are not left out.
            next = is_first && offset == begin ? begin + 1 : std::min(offset + stride, end);
            if (is_last && next == end && offset < end - 1)
                next = end - 1;
            const int one = is_leaf ? offset : offset + static_cast<int>(spread(offset) * (next - offset));
            // The place of a page is in the downlink to it; that of the range's beginning is the bound.
            const bool is_own = has_places && (is_leaf || (one > first && !(is_first && one == begin)));
            level.separators[level.count++] = {is_own ? place_at(index, page, one) : pages[i].place,
                                               is_leaf ? P_NONE : BTreeTupleGetDownLink(tuple_at(page, one)),
                                               level.all + one - offset};
            level.all += count_of(page, offset, next);
        }
        _bt_relbuf(index, buffer);
        CHECK_FOR_INTERRUPTS();
    }
    return count;
}

}  // namespace

// Goes down to both ends of the range at once, so that the two pages are of one level. Below an inner page it keeps
// half of the pages that are left to it for the levels below. If the points are asked for, they are the separators of
// the highest level that has enough. The planner has locked the index already. A range of one bound has no nulls.
double luuid::pg::rows_by_index(const IndexOptInfo& info, const IdRange& range, std::span<Point>* points) {
    const bool is_reverse = info.reverse_sort[0], is_all = points == nullptr && !range.lower && !range.upper;
    Bound bounds[] = {range.lower.value_or(Bound{nil_id}), range.upper.value_or(Bound{highest_id, true})};
    if (is_reverse)
        std::swap(bounds[0], bounds[1]);
    Relation index = index_open(info.indexoid, NoLock);
    // As _bt_compare() has it. With no key, all entries are between the two.
    const auto key_of = [&](const Bound& bound) {
        BTScanInsert key = _bt_mkscankey(index, nullptr);
        _bt_metaversion(index, &key->heapkeyspace, &key->allequalimage);
        key->nextkey = bound.after != is_reverse;
        key->keysz = is_all ? 0 : 1;
        key->scankeys[0].sk_flags &= ~SK_ISNULL;
        key->scankeys[0].sk_argument = datum_from_id(bound.id);
        return key;
    };
    BTScanInsert ends[] = {key_of(bounds[0]), key_of(bounds[1])};
    Level level;
    level.separators[level.count++] = {place_of(bounds[0].id), P_NONE, 0};
    int left = most_pages;
    do {
        left -= read_below(level, index, ends, std::max(level.height > 1 ? left / 2 : left, 2), points != nullptr);
        if (points != nullptr && (level.height == 0 || level.count == 0 || level.all >= enough_points)) {
            const int count = level.count;
            const bool is_last_exact = level.height == 0 && count > 0;
            level.separators[count] = {is_last_exact ? level.separators[count - 1].place : place_of(bounds[1].id),
                                       P_NONE, level.all};
            *points = {static_cast<Point*>(palloc(sizeof(Point) * (count + 1))), static_cast<std::size_t>(count + 1)};
            std::ranges::transform(
                level.separators, level.separators + count + 1, points->begin(), [&](const auto& each) {
                    return Point{each.place, is_reverse ? 1 - each.before / level.all : each.before / level.all};
                });
            std::ranges::sort(*points);
            points = nullptr;
        }
    } while (level.height > 0 && level.count > 0);
    index_close(index, NoLock);
    return level.all;
}
