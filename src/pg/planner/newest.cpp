// Counts the newest rows in an index, by halving the time after the statistics; without one, they follow the rate of
// the statistics' last quarter.
#include "newest.hpp"

#include "../datum.hpp"
#include "index_rows.hpp"
#include "visibility.hpp"

#include <algorithm>
#include <cmath>

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace {

// Each takes microseconds.
constexpr int most_halvings = 12;
// About as many as a page of the index holds.
constexpr double least_halved_rows = 100;
static_assert(2 * (most_halvings + 2) <= newest_points);

// The first and the last time that the statistics know of, and the clock's.
struct Known {
    Points points;
    double first;
    double last;
    double now;

    // Per millisecond.
    double recent_rate() const noexcept {
        const double quarter = (last - first) / 4;
        return (fraction_at(points, first_after(points, last), last) - fraction_before(points, last - quarter)) /
               quarter;
    }

    // How long it takes at that rate until the new rows are such a fraction of all.
    double time_of(double fraction) const noexcept { return fraction / std::max(1 - fraction, 1e-3) / recent_rate(); }
};

Known known_times(Points points) noexcept {
    Known known{points, infinite_distance, -infinite_distance, place_of(time_from_timestamptz(GetCurrentTimestamp()))};
    for (const Point& point : points) {
        if (std::abs(point.place) >= place_of(lowest_untimed))
            continue;
        known.first = std::min(known.first, point.place);
        known.last = std::max(known.last, point.place);
    }
    return known;
}

Bound after(double place) noexcept {
    const std::chrono::duration<double, std::milli> since_1970(place);
    return {ceiling_of(Time(std::chrono::round<std::chrono::microseconds>(since_1970))), true};
}

// A stretch of time, and the rows in it.
struct Part {
    double begin;
    double end;
    double rows;
};

class Parts {
public:
    explicit Parts(const TimeIndex& index) noexcept : index_(index) {}

    // Up to now, and of ids ahead of the clock, as far as they reach at the known rate. Of few rows, it does not
    // matter.
    void begin(const Known& known, double tuples) {
        const double now = std::max(known.last, known.now);
        const double all = timed_rows(index_, {after(known.last), std::nullopt});
        double ahead = all;
        if (now > known.last) {
            ahead = all < least_halved_rows ? 0 : std::min(timed_rows(index_, {after(now), std::nullopt}), all);
            add({known.last, now, all - ahead});
        }
        if (ahead > 0)
            add({now, now + known.time_of(std::min(ahead / tuples, 1.0)), ahead});
    }

    // In two, where the most rows are.
    void halve() {
        int fullest = 0;
        for (int i = 0; i < count_; ++i)
            if (parts_[i].rows > parts_[fullest].rows)
                fullest = i;
        if (count_ == 0 || parts_[fullest].rows < least_halved_rows)
            return;
        const Part whole = parts_[fullest];
        const double middle = whole.begin + (whole.end - whole.begin) / 2;
        const double rows = std::min(timed_rows(index_, {after(whole.begin), after(middle)}), whole.rows);
        for (int i = count_++; i > fullest; --i)
            parts_[i] = parts_[i - 1];
        parts_[fullest] = {whole.begin, middle, rows};
        parts_[fullest + 1] = {middle, whole.end, whole.rows - rows};
    }

    int points(double tuples, Point* points) const noexcept {
        int count = 0;
        double rows = 0;
        for (const Part* part = parts_; part != parts_ + count_; ++part) {
            points[count++] = {part->begin, std::min(rows / tuples, 1.0)};
            rows += part->rows;
            points[count++] = {part->end, std::min(rows / tuples, 1.0)};
        }
        return count;
    }

private:
    void add(const Part& part) noexcept { parts_[count_++] = part; }

    const TimeIndex& index_;
    Part parts_[most_halvings + 2];
    int count_ = 0;
};

int counted(const TimeIndex& index, const Known& known, double end, double tuples, Point* points) {
    Parts parts{index};
    parts.begin(known, tuples);
    if (end > known.last)
        for (int i = 0; i < most_halvings; ++i)
            parts.halve();
    return parts.points(tuples, points);
}

// Not beyond now, and at most twice as fast as before: if there are more rows, some of them are versions of older ones.
int guessed(const Known& known, double grown, Point* points) noexcept {
    const double most = std::max(known.now - known.last, 1.0), fastest = 2 * known.recent_rate() * most;
    points[0] = {known.last, 0};
    points[1] = {known.last + std::min(known.time_of(grown), most), std::min(grown, fastest / (1 + fastest))};
    return 2;
}

}  // namespace

int luuid::pg::newest_of(PlannerInfo* root, const VariableStatData& variable, Points known_points, double end,
                         Point* points, double* others) {
    const Known known = known_times(known_points);
    if (!(known.first < known.last) || distinct_fraction(variable.statsTuple) <= 0 || !(known.recent_rate() > 0))
        return 0;
    const double grown = new_fraction(root, variable.rel);
    int count = 0;
    std::optional<TimeIndex> index;
    if (sees_all_rows(root, variable))
        index = time_index_of(root, variable);
    if (index) {
        count = counted(*index, known, end, variable.rel->tuples, points);
        close(*index);
    } else if (grown > 0) {
        count = guessed(known, grown, points);
    }
    *others = 1 - std::max(grown, count > 0 ? points[count - 1].fraction : 0);
    return count;
}
