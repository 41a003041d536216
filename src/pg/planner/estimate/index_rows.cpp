// Counts the entries of a B-tree in a range by reading some of its pages, which access/nbtree/README describes. Locks
// one page at a time. One that was split or deleted since its downlink was read is taken as it is.
#include "../../datum.hpp"
#include "estimate.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

constexpr int pages_of_statement = 174;                                 // the last range may read up to 26 more
constexpr int most_pages = pages_of_statement / 8 + 2;                  // to read of an index for one range
constexpr int few_pages = 4;                                            // of a level, if these are alike
constexpr int few_looks = 12, most_looks = 100;                         // at rows of the table
constexpr int few_points = 64, enough_points = 100, most_points = 250;  // enough to tell nights from days
constexpr Size id_size = sizeof(IndexTupleData) + UUID_LEN;             // of an entry with one row

// A downlink, or an entry of a leaf: its place, its child, and how many of its level are before it in the range.
struct Separator {
    double place;
    BlockNumber child;  // an entry leads to the table
    double before;
};

// The separators of one level of the tree that are within the range, or some of them. Of the leaves also some rows that
// the planner may look at in the table, and how many rows of the range each represents.
struct Level {
    Separator separators[most_points + 3 * most_pages + 1];
    ItemPointerData rows[most_looks + most_pages];
    double weights[most_looks + most_pages];
    int count = 0, sampled = 0;
    unsigned height = 0;  // above the leaves
    double all = 0;       // how many the level has, with those of pages that were not read
};

IndexTuple tuple_at(Page page, int offset) {
    return reinterpret_cast<IndexTuple>(PageGetItem(page, PageGetItemId(page, offset)));
}

// What is counted: the entries of an index between two ends, which are keys as the server searches by. `column` is that
// of the ids, from 1 on, `average` how many rows the index has to a page, `left` what pages_left() is.
struct Search {
    Relation index;
    BTScanInsert ends[2];
    int column;
    double average;
    int& left;

    // A page that is used anew since its downlink was read may have entries without an id: they are after all times.
    double place_at(Page page, int offset) const {
        IndexTuple entry = tuple_at(page, offset);
        bool is_null = BTreeTupleGetNAtts(entry, index) < column;
        const Datum id = is_null ? Datum{0} : index_getattr(entry, column, RelationGetDescr(index), &is_null);
        return place_of(is_null ? last_id : id_from_datum(id));
    }

    // The first offset from `low` on that is not before an end, or `high`.
    int offset_of(Page page, int low, int high, int end) const {
        while (low < high) {
            const auto middle = static_cast<OffsetNumber>((low + high) / 2);
            const bool is_before = _bt_compare(index, ends[end], page, middle) >= (ends[end]->nextkey ? 0 : 1);
            (is_before ? low : high) = is_before ? middle + 1 : middle;
        }
        return low;
    }
};

// Makes a key of a bound and the constants before it. In a descending index, what is after the bound comes first.
// Without `has_bound` it is a key of the constants alone, for all their entries, with those of nulls.
BTScanInsert key_of(Relation index, const Prefix& prefix, const Bound& bound, bool is_reverse, bool has_bound) {
    BTScanInsert key = _bt_mkscankey(index, nullptr);
    _bt_metaversion(index, &key->heapkeyspace, &key->allequalimage);
    for (int i = 0; i < prefix.count; ++i) {
        fmgr_info(prefix.orders[i], &key->scankeys[i].sk_func);
        key->scankeys[i].sk_argument = prefix.constants[i];
    }
    key->scankeys[prefix.count].sk_argument = datum_from_id(bound.id);
    key->keysz = prefix.count + (has_bound ? 1 : 0);
    for (ScanKeyData& each : std::span(key->scankeys, key->keysz))
        each.sk_flags &= ~SK_ISNULL;
    key->nextkey = bound.after != is_reverse;
    return key;
}

// The rows of an entry of a leaf: it may be marked as dead, or have several of equal ids, such as versions of a row.
int rows_of(Page page, int offset) {
    IndexTuple entry = tuple_at(page, offset);
    const int rows = BTreeTupleIsPosting(entry) ? BTreeTupleGetNPosting(entry) : 1;
    return ItemIdIsDead(PageGetItemId(page, offset)) ? 0 : rows;
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

// Adds rows of a leaf to the sample: one of each of `most` evenly spaced entries. It has the weight of all rows nearby.
void add_rows(Level& level, Page page, int begin, int end, double weight, int most) {
    const int looks = std::min(most, end - begin);
    for (int look = 0; look < looks; ++look) {
        const int offset = begin + (2 * look + 1) * (end - begin) / (2 * looks), rows = rows_of(page, offset);
        IndexTuple entry = tuple_at(page, offset);
        level.weights[level.sampled] = weight * rows * (end - begin) / looks;
        level.rows[level.sampled++] =
            *(rows > 1 ? BTreeTupleGetPostingN(entry, one_between(look, 0, rows)) : BTreeTupleGetHeapTID(entry));
    }
}

// Reads the level below another one, at most `most` pages of it: the first of the range, the last, and one of each of
// so many equal parts between, which represents its part. So if it reads four of ten leaves, and the second has 200
// rows, it is taken for one of four such leaves. The first and the last page represent no others: either may be filled
// only in part, or may hold nulls, of which a page has several times as many as of ids.
//
// Returns whether it read all pages, or those that it read are alike: each but the last of the index has about as many
// downlinks as the first, or rows as the index has to a page, and is two thirds full, so that none has many more.
bool read_level(Level& level, const Level& above, const Search& search, int most, bool has_places) {
    const int looks = most > few_pages ? most_looks : few_looks, points = most > few_pages ? most_points : few_points;
    const int count = std::min(above.count, most);
    level.all = level.count = level.sampled = 0;
    bool are_alike = true;
    double expected = search.average;
    const auto begin_of = [&above, count](int part) {
        const int between = 1 + (part - 1) * (above.count - 2) / std::max(count - 2, 1);
        return part == 0 ? 0 : part == count ? above.count : between;
    };
    search.left -= count;
    for (int i = 0; i < count; ++i) {
        const bool is_first = i == 0, is_last = i == count - 1;
        const int part = begin_of(i), next_part = begin_of(i + 1);
        // If places are asked for, those of its part that are not read are after it.
        const Separator& chosen = above.separators[has_places ? part : one_between(i, part, next_part)];
        Buffer buffer =
            chosen.child == P_NONE ? luuid_bt_getroot(search.index) : _bt_getbuf(search.index, chosen.child, BT_READ);
        if (!BufferIsValid(buffer))
            break;  // an empty index
        Page page = BufferGetPage(buffer);
        const BTPageOpaque special = BTPageGetOpaque(page);
        level.height = special->btpo_level;
        const bool is_leaf = level.height == 0;
        const int first = P_FIRSTDATAKEY(special);
        const int behind = P_IGNORE(special) ? first : PageGetMaxOffsetNumber(page) + 1;  // none if deleted meanwhile
        const int skip = is_leaf ? 0 : 1;  // the first downlink of a page is before every end
        const int begin = is_first ? search.offset_of(page, first + skip, behind, 0) - skip : first;
        const int end = is_last ? search.offset_of(page, begin, behind, 1) : behind;
        const double unread = above.separators[next_part].before - above.separators[part].before - 1;
        const double whole = count_of(page, first, behind);
        expected = is_first && !is_leaf ? whole : expected;
        are_alike &= P_RIGHTMOST(special) ||
                     (std::abs(whole - expected) <= expected / 8 && PageGetExactFreeSpace(page) <= BLCKSZ / 3);
        const int stride = is_leaf && !has_places ? behind : 1 + (end - begin) * count / points;
        for (int offset = begin, next = begin; offset < end; offset = next) {
            // The first and the last separator of a level are always kept.
            next = std::min(is_first && offset == begin ? begin + 1 : offset + stride,
                            is_last && offset < end - 1 ? end - 1 : end);
            // The first downlink of a page has no id: it has the page's place, or that of the range's first bound.
            const bool has_id = has_places && (is_leaf || offset > begin);
            level.separators[level.count++] = {has_id ? search.place_at(page, offset) : chosen.place,
                                               BTreeTupleGetDownLink(tuple_at(page, offset)), level.all};
            level.all += (has_places ? 1 : 1 + unread) * count_of(page, offset, next);
        }
        level.all += has_places ? unread * whole : 0;
        if (is_leaf)
            add_rows(level, page, begin, end, 1 + unread, (looks + count - 1) / count);
        _bt_relbuf(search.index, buffer);
    }
    level.separators[level.count] = {above.separators[above.count].place, P_NONE, level.all};
    return are_alike || above.all <= count;
}

std::span<Point> points_of(const Level& level, bool is_reverse) {
    const auto count = static_cast<std::size_t>(level.count) + 1;
    const std::span points(static_cast<Point*>(palloc(sizeof(Point) * count)), count);
    std::ranges::transform(std::span(level.separators, count), points.begin(), [&](const Separator& each) {
        return Point{each.place, (is_reverse ? level.all - each.before : each.before) / std::max(level.all, 1.0)};
    });
    std::ranges::sort(points);
    return points;
}

// The fraction of the rows of a sample that the statement sees. An entry may be of a row that was deleted or updated,
// or whose transaction has not committed: of 500 rows beside another session's load of 99 500, one in 200 is visible.
// Looks at `looks` rows at most. Each page of the table, or of its visibility map, counts as one of the statement.
double visible_part(const Search& search, const Level& leaves, int looks) {
    Relation table = table_open(search.index->rd_index->indrelid, NoLock);
    Buffer map = InvalidBuffer;
    double seen = 0, all = 0;
    int looked = 0, read = 0;
    const int most = search.left * 3 / 4;
    // A serializable transaction would conflict with the writers of the rows that it looks at.
    const bool is_heap = table->rd_rel->relam == HEAP_TABLE_AM_OID;
    const int sampled = is_heap && ActiveSnapshotSet() && !IsolationIsSerializable() ? leaves.sampled : 0;
    for (int i = 0; i < sampled && read < most; i += std::max(sampled / looks, 1), ++looked) {
        ItemPointerData row = leaves.rows[i];
        const Buffer map_before = map;
        const bool is_known = VM_ALL_VISIBLE(table, ItemPointerGetBlockNumber(&row), &map);
        read += (is_known ? 0 : 1) + (map == map_before ? 0 : 1);
        all += leaves.weights[i];
        if (is_known || table_index_fetch_tuple_check(table, &row, GetActiveSnapshot(), nullptr))
            seen += leaves.weights[i];
    }
    if (BufferIsValid(map))
        ReleaseBuffer(map);
    table_close(table, NoLock);
    search.left -= read;
    return all > 0 ? std::max(seen / all, 1.0 / looked) : 1;
}

}  // namespace

// The planner tells no function which statement it plans. A statement has one PlannerGlobal, whose memory the next one
// may have at the same address.
int& luuid::pg::pages_left(PlannerInfo* root) {
    static const PlannerGlobal* statement = nullptr;
    static int left = 0;
    if (statement != root->glob) {
        MemoryContext context = GetMemoryChunkContext(root->glob);
        auto* callback = new (MemoryContextAlloc(context, sizeof(MemoryContextCallback))) MemoryContextCallback{};
        callback->func = [](void*) { statement = nullptr; };
        MemoryContextRegisterResetCallback(context, callback);
        statement = root->glob;
        left = pages_of_statement;
    }
    return left;
}

// Goes down to both ends of the range at once, so that the two pages are of one level. Of a level it reads the ends and
// two pages between. If these are not alike, or the statement does not see all of their rows, it goes down once more,
// and reads all pages that are left to it: half of them inner ones. If the points are asked for, it does so at once;
// they are the separators of the highest level that has enough. The planner has locked the index already.
double luuid::pg::rows_by_index(PlannerInfo* root, const IndexOptInfo& info, const Prefix& prefix, const IdRange& range,
                                std::span<Point>* points) {
    const bool is_reverse = info.reverse_sort[prefix.count], has_points = points != nullptr;
    const bool is_all = !has_points && !range.has_lower() && !range.has_upper();
    const Bound &first = is_reverse ? range.upper : range.lower, &last = is_reverse ? range.lower : range.upper;
    Relation index = index_open(info.indexoid, NoLock);
    const auto key = [&](const Bound& bound) { return key_of(index, prefix, bound, is_reverse, !is_all); };
    const Search search{index, {key(first), key(last)}, prefix.count + 1, info.tuples / info.pages, pages_left(root)};
    Level levels[2], *level = &levels[0], *above = &levels[1];
    const auto descend = [&](bool is_short) {
        const int kept = search.left * 7 / 8 - 2;
        bool are_alike = true;
        level->separators[0] = {place_of(first.id), P_NONE, 0};
        level->separators[1] = {place_of(last.id), P_NONE, level->all = level->count = 1};
        do {
            std::swap(level, above);
            const int left = is_short ? few_pages : (search.left - kept) / (above->height > 1 ? 2 : 1);
            are_alike &= read_level(*level, *above, search, std::max(left, few_pages), points != nullptr);
            if (points != nullptr && (level->height == 0 || level->count == 0 || level->all >= enough_points)) {
                *points = points_of(*level, is_reverse);
                points = nullptr;
            }
        } while (level->height > 0 && level->count > 0);
        return are_alike;
    };
    const bool is_known = descend(!has_points) || has_points;
    // So few rows that a plan for none would be no other one.
    const bool has_looked = level->all >= enough_points;
    double visible = has_looked ? visible_part(search, *level, few_looks) : 1;
    if ((!is_known || visible < 1) && search.left > 2 * few_looks) {
        if (!has_points)
            descend(false);
        if ((!has_looked || visible < 1) && level->all >= enough_points)
            visible = visible_part(search, *level, most_looks);
    }
    index_close(index, NoLock);
    return level->all * visible;
}
