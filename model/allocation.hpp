// Who bears what: the shares of workloads in the costs and cash of pools (model.md, section 8).
#pragma once

#include "model/summary.hpp"

namespace costcurve::model {

/// Categories that all workloads of a pool bear.
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

/// Shares of workloads, and of nobody, in what each pool bears: in a month, and over the horizon, by the scenario's rule.
/// Device-hours reserved or busy (of an API pool units served) over those of all, or, where idle ones are apart, over those
/// available; else the stated shares. Where nothing used the pool, and of "no pool", all is nobody's.
class Shares {
public:
    Shares(const ScenarioDocument& scenario, const Ledger& ledger);
    /// `w` is a workload, or nobody().
    [[nodiscard]] double month(std::size_t m, std::size_t p, std::size_t w) const { return shares_(m, p, w); }
    [[nodiscard]] double horizon(std::size_t p, std::size_t w) const { return shares_(months_, p, w); }
    [[nodiscard]] std::size_t nobody() const { return workloads_; }

private:
    /// Use becomes shares; `available` device-hours are 0 where idle ones are spread.
    void divide(std::size_t row, std::size_t p, double available);

    std::size_t months_;
    std::size_t workloads_;
    Cube shares_; ///< [m][p][w], use at first; the row after the months is the horizon's, the last workload nobody
};

/// Of a month and pool, over shared categories: what the month's use bears.
struct MonthlyShare {
    double cost = 0.0;
    double cash = 0.0;
    double start = 0.0; ///< of the cash, where `starts` are given
};
[[nodiscard]] std::vector<MonthlyShare> borne_by_month(const Ledger& ledger, const Cube* starts);

/// What each workload bears, into a summary whose workloads and pools are there, with the idle cost of pools; returns what nobody
/// bears.
Borne allocate(const Compiled& compiled, const Ledger& ledger, const Shares& shares, Summary& summary);

/// The keys of the workloads' tags and their values, ascending; nothing is borne yet.
[[nodiscard]] std::vector<TagSummary> tags_of(const ScenarioDocument& scenario);

/// Shares of the classes in what a workload was billed by an API pool; by units where it was nothing.
[[nodiscard]] ClassValues billed_by_class(const Workload& workload, const Compiled& compiled, const Ledger& ledger, std::size_t w,
                                          std::size_t pool);

/// Shares of the classes in all else that a workload bears: units x cost weights, by units where these come to 0.
[[nodiscard]] ClassValues weighted_by_class(const Workload& workload);

/// Splits the cost of a workload with classes of units: as billed in API pools, else by weighted units.
void split_classes(const Workload& workload, const Compiled& compiled, const Ledger& ledger, std::size_t w,
                   WorkloadSummary& summary);

} // namespace costcurve::model
