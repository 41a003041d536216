// Counts the entries of a B-tree in a range by reading some of its pages, which access/nbtree/README describes. Locks
// one page at a time, and none while it waits for another. So a page may have been split or deleted since its downlink
// was read: then the search goes on to the right. An estimate may miss one half of a page that was split.
#include "../../datum.hpp"
#include "estimate.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

constexpr int most_pages = 24;                     // to read of an index for one range
constexpr int pages_of_statement = 192;            // of which the first range may read an eighth
constexpr int first_looks = 12, most_looks = 100;  // at rows of the table
constexpr int enough_points = 100;  // for a distribution: they tell the nights of some months from the days
constexpr int most_points = 250;
constexpr Id highest_id{~0ULL, ~0ULL};
constexpr Size id_size = sizeof(IndexTupleData) + UUID_LEN;  // of an entry with one row

// A downlink, or an entry of a leaf: its place, its child, and how many of its level are before it in the range.
struct Separator {
    double place;
    BlockNumber child;  // an entry leads to the table
    double before;
};

// The separators of one level of the tree that are within the range, or some of them.
struct Level {
    Separator separators[most_points + 3 * most_pages + 1];
    int count = 0;
    unsigned height = 0;  // above the leaves
    double all = 0;       // how many the level has, with those of pages that were not read
};

IndexTuple tuple_at(Page page, int offset) {
    return reinterpret_cast<IndexTuple>(PageGetItem(page, PageGetItemId(page, offset)));
}

// Rows that the planner may look at in the table, and how many rows of the range each represents.
struct Sample {
    struct {
        ItemPointerData row;
        double weight;
    } rows[most_looks + most_pages];
    int count = 0;
};

// What is counted: the entries of an index between two bounds. In a descending index, the first is the upper bound.
struct Search {
    const IndexOptInfo& info;
    Relation index;
    Bound ends[2];
    bool has_nulls;
    const Prefix& prefix;

    // A page that was split since its downlink was read may have entries, or downlinks, without an id. These count as
    // after all times.
    double place_at(Page page, int offset) const {
        bool is_null = BTreeTupleGetNAtts(tuple_at(page, offset), index) <= prefix.count;
        const Datum id =
            is_null ? Datum{0}
                    : index_getattr(tuple_at(page, offset), prefix.count + 1, RelationGetDescr(index), &is_null);
        return place_of(is_null ? highest_id : id_from_datum(id));
    }

    // Whether an entry or downlink is before an end, which is between two ids and never at one. A downlink that lacks
    // a column is before all that have it.
    bool is_before(Page page, int offset, int end) const {
        IndexTuple entry = tuple_at(page, offset);
        for (int i = 0; i < BTreeTupleGetNAtts(entry, index); ++i) {
            bool is_null = false;
            const Datum value = index_getattr(entry, i + 1, RelationGetDescr(index), &is_null);
            const bool is_id = i == prefix.count;
            if (is_null)
                return is_id && has_nulls ? end == 1 : info.nulls_first[i];
            const int order = is_id ? (compare({id_from_datum(value)}, ends[end]) < 0 ? -1 : 1)
                                    : DatumGetInt32(FunctionCall2Coll(prefix.keys[i].order, index->rd_indcollation[i],
                                                                      value, prefix.keys[i].value));
            if (order != 0)
                return (order < 0) != info.reverse_sort[i];
        }
        return true;
    }

    // Finds the page that has an end now, from the block that its downlink named, or the root; none in an empty index.
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
    int offset_of(Page page, int low, int end) const {
        for (int high = PageGetMaxOffsetNumber(page) + 1; low < high;) {
            const int middle = (low + high) / 2;
            const bool before = is_before(page, middle, end);
            (before ? low : high) = before ? middle + 1 : middle;
        }
        return low;
    }
};

// The rows of an entry of a leaf: it may be marked as dead, or have the rows of several equal ids, such as the versions
// of a row.
int rows_of(Page page, int offset) {
    IndexTuple entry = tuple_at(page, offset);
    return ItemIdIsDead(PageGetItemId(page, offset)) ? 0
           : BTreeTupleIsPosting(entry)              ? BTreeTupleGetNPosting(entry)
                                                     : 1;
}

// Counts downlinks, or the rows of a leaf.
int count_of(Page page, int begin, int end) {
    const BTPageOpaque special = BTPageGetOpaque(page);
    const auto* header = reinterpret_cast<PageHeader>(page);
    const auto size = static_cast<Size>(header->pd_special - header->pd_upper);
    // Each entry has one row if the page's flag says that none is marked, and they take no more space than as many
    // entries of one row. VACUUM may clear the flag too early.
    if (!P_ISLEAF(special) || (!P_HAS_GARBAGE(special) && size <= PageGetMaxOffsetNumber(page) * id_size))
        return end - begin;
    int rows = 0;
    for (int offset = begin; offset < end; ++offset)
        rows += rows_of(page, offset);
    return rows;
}

// Chooses a number from `begin` to `end` - 1. Its relative position is another one at each `turn`, and has no period:
// if each third day had few rows, evenly spaced pages could all be of such days.
int one_between(int turn, int begin, int end) {
    constexpr std::uint32_t golden_section = 0x9e37'79b9;  // of 2^32
    return begin + static_cast<int>(golden_section * static_cast<std::uint32_t>(turn) / 0x1p32 * (end - begin));
}

// Adds rows of a leaf to a sample, evenly spaced among those of its entries from `begin` to `end`. Other sessions may
// mark entries as dead meanwhile.
void add_rows(Sample& sample, Page page, int begin, int end, double weight, int most) {
    const int count = count_of(page, begin, end), looks = std::min(most, count);
    int offset = begin, before = 0;
    for (int look = 0; look < looks; ++look) {
        const int number = (2 * look + 1) * count / (2 * looks);
        if (count == end - begin) {  // each entry has one row
            offset = begin + number;
            before = number;
        }
        for (int rows = 0; offset < end - 1 && before + (rows = rows_of(page, offset)) <= number; ++offset)
            before += rows;
        IndexTuple entry = tuple_at(page, offset);
        const bool has_several = BTreeTupleIsPosting(entry) && number - before < BTreeTupleGetNPosting(entry);
        sample.rows[sample.count++] = {
            *(has_several ? BTreeTupleGetPostingN(entry, number - before) : BTreeTupleGetHeapTID(entry)),
            weight * count / looks};
    }
}

// Reads at most `most` pages below a level, and replaces the level by the one below. Returns how many pages it has
// read: the first of the range, the last, and one of each of so many equal parts between, which represents its part. So
// if it reads four of ten leaves, and the second has 200 rows, it is taken for one of four such leaves. The first and
// the last page represent no others: either may be filled only in part, or may hold nulls, of which a page has several
// times as many as of ids. If it reads these two alone, the first represents those between.
int read_below(Level& level, const Search& search, int most, bool has_places, Sample& sample) {
    struct {
        Separator downlink;
        double before, behind;  // how many pages of its part are not read
    } pages[most_pages];
    const int count = std::min(level.count, most);
    const auto begin_of = [&level, count](int part) {
        return part == 0           ? 0
               : part < count - 1  ? 1 + (part - 1) * (level.count - 2) / (count - 2)
               : part == count - 1 ? level.count - 1
                                   : level.count;
    };
    for (int i = 0; i < count; ++i) {
        const int begin = begin_of(i), end = begin_of(i + 1);
        const Separator& chosen = level.separators[one_between(i, begin, end)];
        pages[i] = {chosen, chosen.before - level.separators[begin].before,
                    level.separators[end].before - chosen.before - 1};
    }
    level.all = level.count = 0;
    for (int i = 0; i < count; ++i) {
        const bool is_first = i == 0, is_last = i == count - 1;
        Buffer buffer = search.page_from(pages[i].downlink.child, is_last && !is_first ? 1 : 0);
        if (!BufferIsValid(buffer))
            break;
        Page page = BufferGetPage(buffer);
        level.height = BTPageGetOpaque(page)->btpo_level;
        const bool is_leaf = level.height == 0;
        const int first = P_FIRSTDATAKEY(BTPageGetOpaque(page)), behind = PageGetMaxOffsetNumber(page) + 1;
        const int skip = is_leaf ? 0 : 1;  // the first downlink of a page is before every bound
        const int begin = is_first ? search.offset_of(page, first + skip, 0) - skip : first;
        const int end = is_last ? search.offset_of(page, begin + skip, 1) : behind;
        const double unread = pages[i].before + pages[i].behind;
        const double whole = unread > 0 ? count_of(page, first, behind) : 0;
        level.all += pages[i].before * whole;
        const int most_here = is_leaf ? most_points / 4 : most_points;
        const int stride = is_leaf && !has_places ? behind : 1 + (end - begin) * count / most_here;
        for (int offset = begin, next = begin; offset < end; offset = next) {
            // The first and the last separator of a level are always kept.
            const bool is_alone = is_first && offset == begin;
            next = std::min(offset + (is_alone ? 1 : stride), is_last && offset < end - 1 ? end - 1 : end);
            // The first downlink of a page has no id: it has the page's place, or that of the range's first bound.
            const bool has_id = has_places && (is_leaf || offset > begin);
            level.separators[level.count++] = {has_id ? search.place_at(page, offset) : pages[i].downlink.place,
                                               BTreeTupleGetDownLink(tuple_at(page, offset)), level.all};
            level.all += count_of(page, offset, next);
        }
        level.all += pages[i].behind * whole;
        if (is_leaf)
            add_rows(sample, page, begin, end, 1 + unread, most_looks / count + 1);
        _bt_relbuf(search.index, buffer);
    }
    level.separators[level.count] = {place_of(search.ends[1].id), P_NONE, level.all};
    return count;
}

// The fraction of the rows of a sample that the statement sees. An entry may be of a row that was deleted or updated
// but that an older snapshot still sees, or whose transaction has not committed: of 500 rows beside another session's
// load of 99 500, one in 200 is visible. If the first rows of the sample are, all count as visible. Otherwise it looks
// at `most` pages of the table at most, whose number it adds to `pages`.
double visible_part(Relation index, const Sample& sample, int most, int& pages) {
    Relation table = table_open(index->rd_index->indrelid, NoLock);
    Buffer map = InvalidBuffer;
    BlockNumber last = InvalidBlockNumber;
    double seen = 0, all = 0;
    int looked = 0, read = 0;
    // A serializable transaction would conflict with the writers of the rows that it looks at.
    const bool may_look =
        table->rd_rel->relam == HEAP_TABLE_AM_OID && ActiveSnapshotSet() && !IsolationIsSerializable();
    const int stride = may_look ? std::max(sample.count / first_looks, 1) : 0;
    for (int first = 0; first < stride && read < most && (first == 0 || seen < all); ++first)
        for (int i = first; i < sample.count && read < most; i += stride, ++looked) {
            auto [row, weight] = sample.rows[i];
            const BlockNumber block = ItemPointerGetBlockNumber(&row);
            bool is_visible = VM_ALL_VISIBLE(table, block, &map);
            if (!is_visible) {
                is_visible = table_index_fetch_tuple_check(table, &row, GetActiveSnapshot(), nullptr);
                read += block != last ? 1 : 0;
                last = block;
            }
            all += weight;
            seen += is_visible ? weight : 0;
        }
    if (BufferIsValid(map))
        ReleaseBuffer(map);
    table_close(table, NoLock);
    pages += read + (BufferIsValid(map) ? 1 : 0);
    return looked == 0 ? 1 : std::max(seen / all, 0.5 / looked);
}

}  // namespace

// The planner tells no function which statement it plans. A statement has one PlannerGlobal, whose memory the next one
// may have at the same address.
int& luuid::pg::pages_left(PlannerInfo* root) {
    static const PlannerGlobal* statement = nullptr;
    static int left = 0;
    if (statement != root->glob) {
        MemoryContext context = GetMemoryChunkContext(root->glob);
        auto* callback =
            static_cast<MemoryContextCallback*>(MemoryContextAllocZero(context, sizeof(MemoryContextCallback)));
        callback->func = [](void*) { statement = nullptr; };
        MemoryContextRegisterResetCallback(context, callback);
        statement = root->glob;
        left = pages_of_statement;
    }
    return left;
}

// Goes down to both ends of the range at once, so that the two pages are of one level. In a level of inner pages it
// reads half of the pages that are left to it, and in the leaves all that are left. If the points are asked for, they
// are the separators of the highest level that has enough. The planner has locked the index already.
double luuid::pg::rows_by_index(PlannerInfo* root, const IndexOptInfo& info, const Prefix& prefix, const IdRange& range,
                                std::span<Point>* points) {
    const bool is_reverse = info.reverse_sort[prefix.count], is_all = points == nullptr && !range.lower && !range.upper;
    const Bound lower = range.lower.value_or(Bound{nil_id}), upper = range.upper.value_or(Bound{highest_id, true});
    const Bound &first = is_reverse ? upper : lower, &last = is_reverse ? lower : upper;
    const Search search{info, index_open(info.indexoid, NoLock), {first, last}, is_all, prefix};
    Level level;
    level.separators[level.count++] = {place_of(first.id), P_NONE, 0};
    level.separators[level.count].before = level.all = 1;
    Sample sample;
    int read = 0;
    const int most = std::max(pages_left(root) / 8, 2);
    do {
        const int left = most - read;
        read += read_below(level, search, std::max(level.height > 1 ? left / 2 : left, 2), points != nullptr, sample);
        if (points != nullptr && (level.height == 0 || level.count == 0 || level.all >= enough_points)) {
            const auto count = static_cast<std::size_t>(level.count) + 1;
            *points = {static_cast<Point*>(palloc(sizeof(Point) * count)), count};
            std::ranges::transform(std::span(level.separators, count), points->begin(), [&](const auto& each) {
                return Point{each.place,
                             (is_reverse ? level.all - each.before : each.before) / std::max(level.all, 1.0)};
            });
            std::ranges::sort(*points);
            points = nullptr;
        }
    } while (level.height > 0 && level.count > 0);
    // So few rows that a plan for none would be no other one.
    if (level.all >= enough_points)
        level.all *= visible_part(search.index, sample, pages_left(root) / 2, read);
    pages_left(root) -= read;
    index_close(search.index, NoLock);
    return level.all;
}
