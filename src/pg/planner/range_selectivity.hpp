// The fraction of a table's rows whose id in a column lies in a range.
#pragma once

#include "index_rows.hpp"
#include "statistics.hpp"

namespace luuid::pg {

// Of one column, for as many ranges as are asked about. To be closed.
class RangeSelectivity {
public:
    // `estimator` is the function by which operators of this order are known.
    RangeSelectivity(PlannerInfo* root, const VariableStatData& variable, detail::Order order, Oid estimator);
    void close();

    // `narrowed` is what the next clause leaves of the range, if there is one: of the rows that it takes away, the
    // answer is a guess.
    double of(const detail::IdRange& range, const std::optional<detail::IdRange>& narrowed);

private:
    // Rows whose time is later than all that the histogram knows of: their fraction of all rows, and that of those in
    // the range.
    struct Later {
        double all = 0;
        double within = 0;
    };

    double of_uncommon(const detail::IdRange& range, const std::optional<detail::IdRange>& narrowed);
    Later later_than_histogram(const detail::IdRange& range, double known,
                               const std::optional<detail::IdRange>& narrowed);
    Later counted(const detail::IdRange& range, double grown) const;
    Later guessed(const detail::IdRange& range, double grown) const;
    void open_index();

    PlannerInfo* root_;
    const VariableStatData& variable_;
    detail::Order order_;
    const Sample& sample_;
    detail::Distribution histogram_;
    bool is_index_asked_ = false;
    std::optional<TimeIndex> index_;
};

}  // namespace luuid::pg
