// What must hold of runs of training that fall back to their last entry.
#include <algorithm>

#include <fmt/format.h>

#include "tests/property/invariants.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {

using namespace costcurve::model;

namespace {

double served_by_last(const Answer& answer, std::size_t w) {
    const std::size_t last = answer.compiled.workloads[w].end_entry - 1;
    double served = 0.0;
    for (std::size_t m = 0; m < answer.ledger.months; ++m) {
        served += answer.ledger.served(m, last);
    }
    return served;
}

} // namespace

Breaches later_fall_backs_leave_less(const ScenarioDocument& document) {
    constexpr double kRounding = 1e-9;
    Breaches breaches;
    for (std::size_t w = 0; w < document.workloads.size(); ++w) {
        if (!document.workloads[w].is_run() || document.workloads[w].runs_on.size() < 2) {
            continue;
        }
        ScenarioDocument changed = document;
        changed.workloads[w].routing = Routing::in_order;
        double before = -1.0;
        for (const double days : {0.0, 0.7, 5.0, 31.0, 50.0, 36600.0}) {
            changed.workloads[w].fall_back_after_days = days;
            const Answer answer = evaluate_document(changed);
            const double now = served_by_last(answer, w);
            const double rounding = kRounding * answer.summary.workloads[w].units_demanded;
            if (before >= 0.0 && now > before + rounding) {
                breaches.push_back(
                    fmt::format("{} leaves {} after {} days, {} before", changed.workloads[w].id, now, days, before));
            }
            before = now;
        }
        if (before > 0.0) {
            breaches.push_back(fmt::format("{} falls back within the horizon after a century", changed.workloads[w].id));
        }
    }
    return breaches;
}

} // namespace costcurve::tests
