// Laws for the fraction before a bound, computed by counting a sample's values one by one. Define REQUIRE_LAW before
// including this.
#pragma once

#include <luuid/detail/histogram.hpp>

#include <cmath>
#include <vector>

namespace laws {

// As the statistics hold them.
class Packed {
public:
    explicit Packed(const std::vector<luuid::Id>& ids)
        : bytes_(ids.size() * luuid::id_size), count_(static_cast<int>(ids.size())) {
        for (std::size_t i = 0; i < ids.size(); ++i)
            luuid::store(ids[i], bytes_.data() + i * luuid::id_size);
    }

    luuid::detail::Ids ids() const { return {bytes_.data(), count_}; }

private:
    std::vector<unsigned char> bytes_;
    int count_;
};

// At most 1024 values, the limit for sorting another order.
class Sampled {
public:
    Sampled(const std::vector<luuid::Id>& values, luuid::detail::Order order, bool is_in_order)
        : packed_(values), order_(order), distribution_(packed_.ids(), order, is_in_order) {
        for (const luuid::Id& id : values)
            keys_.push_back(luuid::detail::key_of(order, id));
        is_histogram_ = is_in_order || std::is_sorted(keys_.begin(), keys_.end());
    }

    void has_a_fraction_as_counted(const luuid::detail::Bound& bound) const {
        const std::uint64_t key = luuid::detail::key_of(order_, bound.id);
        int less = 0, equal = 0;
        for (const std::uint64_t other : keys_) {
            less += other < key;
            equal += other == key;
        }
        const double fraction = distribution_.fraction_before(bound);
        REQUIRE_LAW(fraction >= 0 && fraction <= 1, bound.id, fraction);
        if (is_histogram_)
            is_within_its_bin(bound, fraction, less, equal);
        else
            is_near_its_place(bound, fraction, less, equal);
    }

    const luuid::detail::Distribution& distribution() const { return distribution_; }

private:
    // Processors with wider registers round differently.
    static bool is_about(double fraction, double expected) { return std::abs(fraction - expected) <= 1e-12; }

    void is_within_its_bin(const luuid::detail::Bound& bound, double fraction, int less, int equal) const {
        const int last = static_cast<int>(keys_.size()) - 1;
        if (equal > 0) {
            const int place = bound.after ? less + equal - 1 : less;
            REQUIRE_LAW(is_about(fraction, place / static_cast<double>(last)), bound.id, fraction);
            return;
        }
        const double low = std::max(less - 1, 0) / static_cast<double>(last);
        const double high = std::min(less, last) / static_cast<double>(last);
        REQUIRE_LAW(fraction >= low - 1e-12 && fraction <= high + 1e-12, bound.id, fraction, low, high);
    }

    // As many values precede the first and follow the last as lie between two.
    void is_near_its_place(const luuid::detail::Bound& bound, double fraction, int less, int equal) const {
        const double bins = static_cast<double>(keys_.size()) + 1;
        if (equal > 0) {
            const int place = bound.after ? less + equal : less + 1;
            REQUIRE_LAW(is_about(fraction, place / bins), bound.id, fraction);
            return;
        }
        // Ends are exact; in between, only every √n-th value is used.
        const bool is_inside = less > 0 && less < static_cast<int>(keys_.size());
        const double error = is_inside ? std::sqrt(static_cast<double>(keys_.size())) : 0;
        REQUIRE_LAW(fraction >= (less - error) / bins - 1e-12 && fraction <= (less + 1 + error) / bins + 1e-12,
                    bound.id, fraction, less);
    }

    Packed packed_;
    luuid::detail::Order order_;
    luuid::detail::Distribution distribution_;
    std::vector<std::uint64_t> keys_;
    bool is_histogram_ = false;
};

}  // namespace laws
