// Reuses an earlier evaluation: if two scenarios differ only in fixed costs, the ledger's variable part is kept.
#include <algorithm>
#include <cstring>
#include <span>

#include "model/evaluate.hpp"

namespace costcurve::model {

namespace {

// Compares all inputs of evaluate but the fixed ledger. Extra costs and support may be fractions of the bill, so they read that
// too.
bool differ_in_fixed_costs_alone(const Compiled& a, const Compiled& b) {
    const bool reads_bill =
        std::any_of(b.pools.begin(), b.pools.end(), [](const CompiledPool& pool) { return !pool.extras.empty(); });
    return !reads_bill && b.support.empty() && b.hours.is_as_before && a.months == b.months &&
           a.carbon_price_per_kg == b.carbon_price_per_kg && a.pools == b.pools && a.entries == b.entries &&
           a.workloads == b.workloads && a.sites == b.sites && a.spend == b.spend && a.device_hour_tiers == b.device_hour_tiers &&
           a.unit_tiers == b.unit_tiers && a.egress_tiers == b.egress_tiers && a.support == b.support && a.growth == b.growth &&
           a.fixed.direct == b.fixed.direct;
}

// Indices of changed fixed amounts; compares rows of categories first, as few change.
std::vector<std::size_t> changed(const Cube& before, const Cube& now) {
    std::vector<std::size_t> found;
    for (std::size_t row = 0; row < now.numbers().size(); row += kCategories) {
        const auto a = before.numbers().subspan(row, kCategories);
        const auto b = now.numbers().subspan(row, kCategories);
        if (std::memcmp(std::as_bytes(a).data(), std::as_bytes(b).data(), a.size_bytes()) == 0) {
            continue;
        }
        for (std::size_t c = 0; c < kCategories; ++c) {
            if (a[c] != b[c]) {
                found.push_back(row + c);
            }
        }
    }
    return found;
}

// Whether the evaluation added nothing to the fixed amounts at these indices.
bool stand_alone(const std::vector<std::size_t>& places, const Cube& fixed, const Cube& evaluated) {
    return std::all_of(places.begin(), places.end(), [&](std::size_t i) { return fixed.numbers()[i] == evaluated.numbers()[i]; });
}

void replace(const std::vector<std::size_t>& places, const Cube& now, Cube& evaluated) {
    for (const std::size_t i : places) {
        evaluated.numbers()[i] = now.numbers()[i];
    }
}

} // namespace

const Ledger& evaluate_after(const Compiled& before, const Compiled& compiled, Workspace& workspace) {
    if (!differ_in_fixed_costs_alone(before, compiled)) {
        return evaluate(compiled, workspace);
    }
    Ledger& ledger = workspace.ledger;
    const std::vector<std::size_t> costs = changed(before.fixed.cost, compiled.fixed.cost);
    const std::vector<std::size_t> cash = changed(before.fixed.cash, compiled.fixed.cash);
    if (!stand_alone(costs, before.fixed.cost, ledger.cost) || !stand_alone(cash, before.fixed.cash, ledger.cash)) {
        return evaluate(compiled, workspace);
    }
    replace(costs, compiled.fixed.cost, ledger.cost);
    replace(cash, compiled.fixed.cash, ledger.cash);
    ledger.over_horizon = compiled.fixed.over_horizon;
    return ledger;
}

} // namespace costcurve::model
