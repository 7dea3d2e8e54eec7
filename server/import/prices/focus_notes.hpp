// What is odd in rows of a bill that are read all the same: each sort is counted, and warned of once, at its first row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "server/import/report.hpp"

namespace costcurve::imports {

enum class FocusNote { unspread, list_below, repeated, cost_below_zero, several_months, count_ };

class FocusNotes {
public:
    void add(FocusNote note, std::size_t row) {
        Count& count = counts_[static_cast<std::size_t>(note)];
        count.first_row = ++count.rows == 1 ? row : count.first_row;
    }
    /// Whether a row has the cells of an earlier one, of the first `kMaxRows`: memory does not grow beyond them.
    [[nodiscard]] bool is_repeated(std::uint64_t hash) {
        return rows_.contains(hash) || (rows_.size() < kMaxRows && !rows_.insert(hash).second);
    }
    void give(Complaints& warnings) const {
        for (std::size_t i = 0; i < counts_.size(); ++i) {
            if (counts_[i].rows > 0) {
                warnings.add(counts_[i].first_row, fmt::format("{} {}", counts_[i].rows, kTexts[i]));
            }
        }
    }

private:
    struct Count {
        std::size_t rows = 0;
        std::size_t first_row = 0;
    };
    static constexpr std::size_t kMaxRows = 250'000;
    static constexpr std::size_t kNotes = static_cast<std::size_t>(FocusNote::count_);
    static constexpr std::array<std::string_view, kNotes> kTexts = {
        "rows without a commitment have EffectiveCost 0 at a BilledCost above 0; prices paid come out too low",
        "rows of usage have a ListCost below their EffectiveCost: no provider's list price is below what is paid",
        "rows are the same as an earlier one in every column; they count each: take copies out of the file if they are the same "
        "charge",
        "rows of instances have a cost below 0 for hours above 0: the hours are not counted, as the charge that is corrected has "
        "them",
        "rows of usage have a charge period that reaches another month; their whole cost is in the month of their first day: take "
        "an "
        "export by day or by month where months are compared",
    };
    std::array<Count, kNotes> counts_{};
    std::unordered_set<std::uint64_t> rows_;
};

} // namespace costcurve::imports
