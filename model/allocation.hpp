// Who bears what: the shares of workloads in the costs and cash of pools (model.md, section 8).
#pragma once

#include "model/summary.hpp"

namespace costcurve::model {

/// Indices of the categories that all workloads of a pool share: all but the direct ones.
inline constexpr auto kShared = [] {
    std::array<std::size_t, kCategories - kDirect.size()> shared{};
    std::size_t n = 0;
    for (std::size_t c = 0; c < kCategories; ++c) {
        if (!is_direct(c)) {
            shared[n++] = c;
        }
    }
    return shared;
}();

/// Each workload's share of a pool's cost, by month and over the horizon; the rest is "nobody's" (unallocated).
/// A share is the workload's device-hours, reserved or busy by the scenario's rule (API pool: units served), over those of all
/// workloads, or over the available ones if idle hours stay unallocated. The rule may also fix the shares. The cost of a pool that
/// nothing used, and of "no pool", is nobody's.
class Shares {
public:
    Shares(const ScenarioDocument& scenario, const Ledger& ledger);
    /// `w` is a workload, or nobody().
    [[nodiscard]] double month(std::size_t m, std::size_t p, std::size_t w) const { return shares_(m, p, w); }
    [[nodiscard]] double horizon(std::size_t p, std::size_t w) const { return shares_(months_, p, w); }
    [[nodiscard]] std::size_t nobody() const { return workloads_; }

private:
    /// Turns use into shares. `available` is device-hours, or 0 if the workloads share the cost of idle hours.
    void divide(std::size_t row, std::size_t p, double available);

    std::size_t months_;
    std::size_t workloads_;
    Cube shares_; ///< [m][p][w]; use until divide(). The last m is the whole horizon, the last w is nobody
};

/// Shared cost and cash of a pool in one month that are allocated by that month's use.
struct MonthlyShare {
    double cost = 0.0;
    double cash = 0.0;
    double start = 0.0; ///< part of `cash` that is paid at the month's first instant; 0 without `starts`
};
[[nodiscard]] std::vector<MonthlyShare> borne_by_month(const Ledger& ledger, const Cube* starts);

/// Adds to the summary the costs that each workload bears and the idle cost of each pool. Its workloads and pools must exist
/// already. Returns the unallocated part.
Borne allocate(const Compiled& compiled, const Ledger& ledger, const Shares& shares, Summary& summary);

/// One entry for each tag key of the workloads, with its values, both ascending; the costs are still 0.
[[nodiscard]] std::vector<TagSummary> tags_of(const ScenarioDocument& scenario);

/// Share of each unit class (input, output …) in a workload's bill at an API pool; the shares of units if the bill is 0.
[[nodiscard]] ClassValues billed_by_class(const Workload& workload, const Compiled& compiled, const Ledger& ledger, std::size_t w,
                                          std::size_t pool);

/// Share of each unit class in a workload's other costs: units x cost weight, or units alone if all weights come to 0.
[[nodiscard]] ClassValues weighted_by_class(const Workload& workload);

/// Splits a workload's cost by unit class: by billed_by_class in API pools, by weighted_by_class elsewhere.
void split_classes(const Workload& workload, const Compiled& compiled, const Ledger& ledger, std::size_t w,
                   WorkloadSummary& summary);

} // namespace costcurve::model
