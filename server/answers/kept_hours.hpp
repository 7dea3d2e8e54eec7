// Hours of the calendar, from one evaluation to the next.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "model/hours/hours.hpp"

namespace costcurve::answers {

/// Who asks what if again and again, or for many variants in a batch, asks of the same months and curves. Thread-safe: whoever
/// evaluates takes a table, and gives it back as it is then. (A run of recalculations has one for each of its threads.)
class KeptHours {
public:
    KeptHours() { kept_.reserve(kMaxTables); }

    /// Those given last; empty ones where none are left.
    [[nodiscard]] model::HourTable take();
    /// Forgets them where enough are kept, or where they are many: of a year and many curves. The rest take up to 1 MiB each.
    void give(model::HourTable hours) noexcept;

private:
    static constexpr std::size_t kMaxTables = 16;
    static constexpr std::size_t kMaxValues = 65536;

    std::mutex mutex_; ///< guards what follows
    std::vector<model::HourTable> kept_;
};

} // namespace costcurve::answers
