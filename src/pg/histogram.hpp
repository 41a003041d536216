// Where a bound stands among the values of a column, by the sample of them that the statistics hold.
//
// A position is the part of the values that come before a cut. Between two values of the sample it is interpolated, in
// time for the chronological order and by the first 8 bytes for the byte order.
#pragma once

#include <luuid/detail/sort_keys.hpp>
#include <luuid/order.hpp>

#include <limits>
#include <optional>

namespace luuid::pg {

enum class Order { time, bytes };

constexpr std::strong_ordering compare(Order order, const Id& a, const Id& b) noexcept {
    return order == Order::time ? luuid::compare(a, b) : compare_bytes(a, b);
}

// Never contradicts the order, and is proportional to time, or to the first bytes, as far as 64 bits allow.
constexpr std::uint64_t key_of(Order order, const Id& id) noexcept {
    return order == Order::time ? detail::abbreviate(id) : id.msb;
}

// A place between ids: before one, or after it.
struct Cut {
    Id id;
    bool after = false;
};

constexpr std::strong_ordering compare(Order order, const Cut& a, const Cut& b) noexcept {
    const auto by_id = compare(order, a.id, b.id);
    return by_id != 0 ? by_id : a.after <=> b.after;
}

// The ids between two cuts; a cut that is missing is at the end of all ids.
struct Stretch {
    std::optional<Cut> lower;
    std::optional<Cut> upper;

    // Leaves what is above, or below, another cut as well.
    constexpr void raise(Order order, const Cut& cut) noexcept {
        if (!lower || compare(order, *lower, cut) < 0)
            lower = cut;
    }
    constexpr void lower_to(Order order, const Cut& cut) noexcept {
        if (!upper || compare(order, cut, *upper) < 0)
            upper = cut;
    }

    constexpr bool is_empty(Order order) const noexcept {
        return lower && upper && compare(order, *upper, *lower) <= 0;
    }
    constexpr bool holds(Order order, const Id& id) const noexcept {
        const Cut before{id, false}, behind{id, true};
        return (!lower || compare(order, *lower, before) <= 0) && (!upper || compare(order, behind, *upper) <= 0);
    }
};

// Ids that lie one after another in memory that somebody else owns.
class Ids {
public:
    constexpr Ids() noexcept = default;
    constexpr Ids(const unsigned char* bytes, int size) noexcept : bytes_(bytes), size_(size) {}

    constexpr int size() const noexcept { return size_; }
    constexpr Id operator[](int index) const noexcept { return load(bytes_ + id_size * index); }

private:
    const unsigned char* bytes_ = nullptr;
    int size_ = 0;
};

// A sample of at least two values.
//
// Of one that is in the asked order, as ANALYZE makes a histogram in its own, the first and the last value are at the
// ends, and between any two values are equally many. Of one that is not, such as a uuid column's where time is asked
// for, the values lie by chance. So it is sorted, and of n values every √n-th is taken, which evens that out; of those
// with a time and of those without one by themselves, which are worlds apart. And as much as is between two values lies
// before the first, and beyond the last.
class Histogram {
public:
    // `is_in_order` where that is known; otherwise it is seen, as with times that lead in a uuid's bytes.
    Histogram(Ids values, Order order, bool is_in_order) noexcept
        : values_(values), order_(order), in_order_(is_in_order || are_keys_in_order(values, order)) {
        if (order == Order::time && is_in_order)
            find_times();
        else if (order == Order::time)
            look_for_times();
        if (!in_order_)
            sort();
    }

    // Nothing lies beyond the last value: that is known from elsewhere.
    void close() noexcept { beyond_last_ = 0; }

    // The part of the values before a cut, 0 to 1.
    double position(const Cut& cut) const noexcept {
        const std::uint64_t key = key_of(order_, cut.id);
        const int begin = index_of([&](std::uint64_t value) { return value < key; });
        // Of values that are equal to the cut's id, all, or none, are before it.
        if (begin < size() && value(begin) == key) {
            const int end = index_of([&](std::uint64_t value) { return value <= key; });
            return rank(cut.after ? end - 1 : begin);
        }
        if (begin == 0)
            return in_order_ ? 0 : rank(0) * before_first(key);
        if (begin == size())
            return in_order_ ? 1
                             : 1 - beyond_last_ * rank(0) *
                                       (1 - part(key - value(size() - 1),
                                                 mean_bin(untimed_ < size() ? untimed_ : 0, size())));
        // Between the values of which the rest are left out.
        const int first = begin > untimed_ ? untimed_ : 0;
        const int below = begin == untimed_ ? begin - 1 : first + (begin - 1 - first) / stride_ * stride_;
        const int above = std::min(below + stride_, begin < untimed_ ? untimed_ - 1 : size() - 1);
        const double between = static_cast<double>(value(above) - value(below));
        return rank(below) + (rank(above) - rank(below)) * part(key - value(below), between);
    }

    // How many parts of equal size the values make.
    double bins() const noexcept { return size() + (in_order_ ? -1 : beyond_last_); }

    // Whether there are times to go by, and the last of them, as a key and as the id that has it.
    bool has_times() const noexcept { return order_ == Order::time && first_timed_ < last_timed_; }
    std::uint64_t last_timed() const noexcept { return last_timed_; }
    Id last_timed_id() const noexcept { return last_timed_id_; }

    // The part of the values per unit of key, in the last quarter of their time.
    double recent_rate() const noexcept {
        const std::uint64_t span = (last_timed_ - first_timed_) / 4 + 1;
        int recent = 0;
        for (int i = 0; i < size(); ++i)
            recent += is_timed(value(i)) && last_timed_ - value(i) < span;
        return recent / (static_cast<double>(size()) * static_cast<double>(span));
    }

private:
    static constexpr int most_sorted = 1024;

    static constexpr bool is_beyond_times(std::uint64_t key) noexcept { return key >> 62 == 3; }
    static constexpr bool is_timed(std::uint64_t key) noexcept { return key > 0 && !is_beyond_times(key); }

    static bool are_keys_in_order(Ids values, Order order) noexcept {
        for (int i = 1; i < values.size(); ++i)
            if (key_of(order, values[i]) < key_of(order, values[i - 1]))
                return false;
        return true;
    }

    static double part(std::uint64_t distance, double of) noexcept {
        return of > 0 ? std::min(1.0, static_cast<double>(distance) / of) : 0.5;
    }

    int size() const noexcept { return in_order_ ? values_.size() : std::min(values_.size(), most_sorted); }
    std::uint64_t value(int index) const noexcept {
        return in_order_ ? key_of(order_, values_[index]) : sorted_[index];
    }
    // The part of all values before a value of the sample.
    double rank(int index) const noexcept { return (index + (in_order_ ? 0 : 1)) / bins(); }
    // Of the values from one up to before another.
    double mean_bin(int begin, int end) const noexcept {
        return end - begin < 2 ? 0 : static_cast<double>(value(end - 1) - value(begin)) / (end - begin - 1);
    }

    // The first value that is not before, of values that are ordered by that.
    template <typename Predicate>
    int index_of(Predicate is_before) const noexcept {
        int low = 0, high = size();
        while (low < high) {
            const int middle = low + (high - low) / 2;
            if (is_before(value(middle)))
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    }

    // Of what lies before the first value, the part before a key. Times begin somewhere before, and may begin sparsely:
    // they thin out as the first ones do. Bytes begin with 0.
    double before_first(std::uint64_t key) const noexcept {
        if (order_ == Order::bytes)
            return part(key, static_cast<double>(value(0)));
        const double bin = mean_bin(0, std::min({stride_ + 1, untimed_, size()}));
        return bin / (bin + static_cast<double>(value(0) - key));
    }

    // Mostly all of them have one.
    void find_times() noexcept {
        if (size() == 0)
            return;
        const bool are_all = is_timed(value(0)) && is_timed(value(size() - 1));
        const int begin = are_all ? 0 : index_of([](std::uint64_t key) { return key == 0; });
        const int end = are_all ? size() : index_of([](std::uint64_t key) { return !is_beyond_times(key); });
        if (begin < end) {
            first_timed_ = value(begin);
            last_timed_ = value(end - 1);
            last_timed_id_ = values_[end - 1];
        }
    }

    // Ids whose keys are equal may be in any order.
    void look_for_times() noexcept {
        for (int i = 0; i < values_.size(); ++i) {
            const std::uint64_t key = key_of(order_, values_[i]);
            if (!is_timed(key))
                continue;
            first_timed_ = std::min(first_timed_, key);
            if (key >= last_timed_ && (key > last_timed_ || compare(order_, last_timed_id_, values_[i]) < 0))
                last_timed_id_ = values_[i];
            last_timed_ = std::max(last_timed_, key);
        }
    }

    void sort() noexcept {
        for (int i = 0; i < size(); ++i)
            sorted_[i] = key_of(order_, values_[static_cast<int>(std::int64_t{i} * values_.size() / size())]);
        std::sort(sorted_, sorted_ + size());
        if (order_ == Order::time)
            untimed_ = static_cast<int>(std::find_if(sorted_, sorted_ + size(), is_beyond_times) - sorted_);
        while ((stride_ + 1) * (stride_ + 1) <= size())
            ++stride_;
    }

    Ids values_;
    Order order_;
    bool in_order_;
    int beyond_last_ = 1;
    int stride_ = 1;
    int untimed_ = std::numeric_limits<int>::max();  // the first of the sorted values beyond all times
    std::uint64_t first_timed_ = ~std::uint64_t{0}, last_timed_ = 0;
    Id last_timed_id_;
    std::uint64_t sorted_[most_sorted];
};

}  // namespace luuid::pg
