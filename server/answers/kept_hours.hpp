// Cache of calendar hours between evaluations.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "model/hours/hours.hpp"

namespace costcurve::answers {

/// Repeated what-ifs, and batches of variants, share months and curves. An evaluation takes a table and gives it back updated.
/// Thread-safe. (Each thread of a recalculation run has its own.)
class KeptHours {
public:
    KeptHours() { kept_.reserve(kMaxTables); }

    /// The table given back last; an empty one if none is left.
    [[nodiscard]] model::HourTable take();
    /// Keeps a table for reuse, unless enough are kept or the table is large (a year with many curves). A kept table takes up to 1
    /// MiB.
    void give(model::HourTable hours) noexcept;

private:
    static constexpr std::size_t kMaxTables = 16;
    static constexpr std::size_t kMaxValues = 65536;

    std::mutex mutex_; ///< guards what follows
    std::vector<model::HourTable> kept_;
};

} // namespace costcurve::answers
