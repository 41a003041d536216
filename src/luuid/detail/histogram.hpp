// The fraction of a column's values before a bound, estimated from the sample in its statistics.
//
// Between two values of the sample it interpolates by their keys, which are proportional to time in the chronological
// order. If a histogram's bounds are 10:00, 11:00 and 13:00, three quarters of the values are before 12:00.
#pragma once

#include <luuid/detail/id_range.hpp>

#include <variant>

namespace luuid::detail {

// A view of consecutive ids in memory owned by the caller.
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

// Keys of the chronological order: nil has 0, and untimed ids have the greatest.
constexpr bool is_untimed(std::uint64_t key) noexcept { return key >> 62 == 3; }
constexpr bool is_timed(std::uint64_t key) noexcept { return key > 0 && !is_untimed(key); }

// The number of ordered values before the first for which `is_before` is false.
template <typename Values, typename Predicate>
int count_before(const Values& values, Predicate is_before) noexcept {
    int low = 0, high = values.size();
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (is_before(values.key(middle)))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The position of a key in a bin of this width, 0 to 1; the middle if the width is 0.
inline double fraction_of_bin(std::uint64_t distance, double width) noexcept {
    return width > 0 ? std::min(1.0, static_cast<double>(distance) / width) : 0.5;
}

// The histogram that ANALYZE computed in this order: bounds of equally populated bins. The first and last bound are the
// column's least and greatest value.
class Histogram {
public:
    Histogram(Ids bounds, Order order) noexcept : bounds_(bounds), order_(order) {}

    int size() const noexcept { return bounds_.size(); }
    std::uint64_t key(int index) const noexcept { return key_of(order_, bounds_[index]); }
    double bins() const noexcept { return size() - 1; }
    void end_at_last_value() const noexcept {}

    double fraction_before(const Bound& bound) const noexcept {
        const std::uint64_t key = key_of(order_, bound.id);
        const int before = count_before(*this, [&](std::uint64_t other) { return other < key; });
        if (before == size())
            return 1;
        // The bound is before or after all values equal to its id.
        if (this->key(before) == key) {
            const int up_to = count_before(*this, [&](std::uint64_t other) { return other <= key; });
            return (bound.after ? up_to - 1 : before) / bins();
        }
        if (before == 0)
            return 0;
        const std::uint64_t low = this->key(before - 1);
        return (before - 1 + fraction_of_bin(key - low, static_cast<double>(this->key(before) - low))) / bins();
    }

private:
    Ids bounds_;
    Order order_;
};

// The bounds of another order's histogram are a random sample in this order: those of a uuid column, for a range of
// time. Each is followed by as many values as precede the first. Single values are unevenly spaced, so interpolate only
// between every √n-th of n, and separately for timed and untimed ids, whose keys are far apart.
class SortedSample {
public:
    SortedSample(Ids values, Order order) noexcept : order_(order), size_(std::min(values.size(), most)) {
        for (int i = 0; i < size_; ++i)
            keys_[i] = key_of(order, values[static_cast<int>(std::int64_t{i} * values.size() / size_)]);
        std::sort(keys_, keys_ + size_);
        untimed_ =
            order == Order::time ? count_before(*this, [](std::uint64_t key) { return !is_untimed(key); }) : size_;
        while ((stride_ + 1) * (stride_ + 1) <= size_)
            ++stride_;
    }

    int size() const noexcept { return size_; }
    std::uint64_t key(int index) const noexcept { return keys_[index]; }
    double bins() const noexcept { return size_ + beyond_last_; }
    void end_at_last_value() noexcept { beyond_last_ = 0; }

    double fraction_before(const Bound& bound) const noexcept {
        const std::uint64_t key = key_of(order_, bound.id);
        const int before = count_before(*this, [&](std::uint64_t other) { return other < key; });
        if (before == size_)
            return 1 - beyond_last_ * fraction_at(0) * (1 - fraction_of_bin(key - keys_[size_ - 1], last_bin()));
        if (keys_[before] == key) {
            const int up_to = count_before(*this, [&](std::uint64_t other) { return other <= key; });
            return fraction_at(bound.after ? up_to - 1 : before);
        }
        return before == 0 ? fraction_at(0) * fraction_of_first_bin(key) : interpolated(before, key);
    }

private:
    static constexpr int most = 1024;

    double fraction_at(int index) const noexcept { return (index + 1) / bins(); }

    // Interpolates between values `stride_` apart, around a key with this many values before it.
    double interpolated(int before, std::uint64_t key) const noexcept {
        const int first = before > untimed_ ? untimed_ : 0;
        const int low = before == untimed_ ? before - 1 : first + (before - 1 - first) / stride_ * stride_;
        const int high = std::min(low + stride_, before < untimed_ ? untimed_ - 1 : size_ - 1);
        return fraction_at(low) + (fraction_at(high) - fraction_at(low)) *
                                      fraction_of_bin(key - keys_[low], static_cast<double>(keys_[high] - keys_[low]));
    }

    double mean_bin(int begin, int end) const noexcept {
        return end - begin < 2 ? 0 : static_cast<double>(keys_[end - 1] - keys_[begin]) / (end - begin - 1);
    }

    double last_bin() const noexcept { return mean_bin(untimed_ < size_ ? untimed_ : 0, size_); }

    // Values before the first one may reach far back, sparsely: they thin out as the first ones do. Bytes begin with 0.
    double fraction_of_first_bin(std::uint64_t key) const noexcept {
        if (order_ == Order::bytes)
            return fraction_of_bin(key, static_cast<double>(keys_[0]));
        const double bin = mean_bin(0, std::min({stride_ + 1, untimed_, size_}));
        return bin / (bin + static_cast<double>(keys_[0] - key));
    }

    Order order_;
    int size_;
    int untimed_;  // index of the first untimed id
    int stride_ = 1;
    int beyond_last_ = 1;
    std::uint64_t keys_[most];
};

// The range of the timed ids in a sample: the least and the greatest key, and the last id.
struct TimeSpan {
    std::uint64_t first = ~std::uint64_t{0};
    std::uint64_t last = 0;
    Id last_id;

    constexpr bool is_empty() const noexcept { return first >= last; }

    constexpr void add(const Id& id) noexcept {
        const std::uint64_t key = abbreviate(id);
        if (!is_timed(key))
            return;
        first = std::min(first, key);
        if (key > last || (key == last && compare(last_id, id) < 0))  // equal keys do not order their ids
            last_id = id;
        last = std::max(last, key);
    }
};

// A sample of at least two values, in the order of the range or in another.
class Distribution {
public:
    // `is_in_order` if ANALYZE compared by this order. A sample may also be in order by itself, as uuids that begin
    // with a time.
    Distribution(Ids values, Order order, bool is_in_order) noexcept
        : sample_(is_in_order || are_keys_in_order(values, order) ? Sample{Histogram{values, order}}
                                                                  : Sample{SortedSample{values, order}}) {
        if (order == Order::time && is_in_order)
            add_ends(values, Histogram{values, order});
        else if (order == Order::time)
            for (int i = 0; i < values.size(); ++i)
                times_.add(values[i]);
    }

    // The fraction of the values before a bound.
    double fraction_before(const Bound& bound) const noexcept {
        return std::visit([&](const auto& sample) { return sample.fraction_before(bound); }, sample_);
    }

    double fraction_within(const IdRange& range) const noexcept {
        return (range.upper ? fraction_before(*range.upper) : 1) - (range.lower ? fraction_before(*range.lower) : 0);
    }

    // The caller knows that no value is beyond the sample's last.
    void end_at_last_value() noexcept {
        std::visit([](auto& sample) { sample.end_at_last_value(); }, sample_);
    }

    double bins() const noexcept {
        return std::visit([](const auto& sample) { return sample.bins(); }, sample_);
    }

    // Empty for the byte order.
    const TimeSpan& times() const noexcept { return times_; }

    // The fraction of the values per unit of key, in the last quarter of the time range.
    double recent_rate() const noexcept {
        const std::uint64_t span = (times_.last - times_.first) / 4 + 1;
        return std::visit(
            [&](const auto& sample) {
                int recent = 0;
                for (int i = 0; i < sample.size(); ++i)
                    recent += is_timed(sample.key(i)) && times_.last - sample.key(i) < span;
                return recent / (static_cast<double>(sample.size()) * static_cast<double>(span));
            },
            sample_);
    }

private:
    using Sample = std::variant<Histogram, SortedSample>;

    static bool are_keys_in_order(Ids values, Order order) noexcept {
        for (int i = 1; i < values.size(); ++i)
            if (key_of(order, values[i]) < key_of(order, values[i - 1]))
                return false;
        return true;
    }

    // In order, timed ids lie between nil and the other untimed ids. Mostly there are no others.
    void add_ends(Ids values, const Histogram& histogram) noexcept {
        int begin = 0, end = histogram.size();
        if (end > 0 && !(is_timed(histogram.key(0)) && is_timed(histogram.key(end - 1)))) {
            begin = count_before(histogram, [](std::uint64_t key) { return key == 0; });
            end = count_before(histogram, [](std::uint64_t key) { return !is_untimed(key); });
        }
        if (begin < end) {
            times_.add(values[begin]);
            times_.add(values[end - 1]);
        }
    }

    Sample sample_;
    TimeSpan times_;
};

}  // namespace luuid::detail
