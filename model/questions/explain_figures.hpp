// The figures of a result: one row each, with the result's value and the tree that explains it.
#pragma once

#include <span>

#include "model/questions/explain_parts.hpp"

namespace costcurve::model::terms {

/// Which pool, workload, month and category a figure is of.
struct Place {
    std::optional<std::size_t> pool;
    std::optional<std::size_t> workload;
    std::optional<std::size_t> month;
    std::optional<Category> category;
};

/// The objects of a result that hold figures, told apart by which ones.
enum class Holder {
    result,
    total,
    amounts,
    month,
    pool,
    owned_pool,
    workload,
    inference,
    split_units,
    training,
    hours_per_epoch,
    batch
};

struct Figure {
    Holder holder;
    std::string_view name; ///< in the result; of hours_per_epoch and batch, where pools' ids stand, that of the list
    std::optional<double> (*value)(const Question& question, const Place& place); ///< the result's; nothing where it is null
    Term (*make)(const Question& question, const Place& place);                   ///< its tree
};
[[nodiscard]] std::span<const Figure> figures();

/// The money at a place.
[[nodiscard]] const Amounts& amounts_at(const Summary& summary, const Place& place);

} // namespace costcurve::model::terms
