// What must hold of tax losses, failures by age and exchange rates by month.
#include <cmath>

#include <fmt/format.h>

#include "model/scenario.hpp"
#include "tests/property/invariants.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {

using namespace costcurve::model;

namespace {

double gross_cost(const Summary& summary) {
    double sum = std::fabs(summary.npv) + std::fabs(summary.npv_after_tax);
    for (const Amounts& amounts : summary.by_category) {
        sum += std::fabs(amounts.cost) + std::fabs(amounts.cash);
    }
    return sum;
}

bool is_near(double a, double b, const Summary& scale) { return std::fabs(a - b) <= 1e-9 * gross_cost(scale); }

} // namespace

Breaches losses_are_only_put_off(const ScenarioDocument& document) {
    if (document.finance.tax_rate == 0.0) {
        return {};
    }
    Breaches breaches;
    ScenarioDocument changed = document;
    changed.finance.taxable_income_per_year.reset();
    changed.finance.loss_offset_fraction = 1.0;
    const Summary all = evaluate_document(changed).summary;
    changed.finance.taxable_income_per_year = 1e15;
    const Summary ample = evaluate_document(changed).summary;
    if (ample.npv_after_tax != all.npv_after_tax || ample.terminal.tax_loss != 0.0) {
        breaches.push_back(fmt::format("with income for all of it {} after tax, else {}", ample.npv_after_tax, all.npv_after_tax));
    }
    changed.finance.taxable_income_per_year = 0.0;
    const Summary none = evaluate_document(changed).summary;
    if (none.npv_after_tax < all.npv_after_tax - 1e-9 * gross_cost(all)) {
        breaches.push_back(fmt::format("without income {} after tax, less than {}", none.npv_after_tax, all.npv_after_tax));
    }
    return breaches;
}

Breaches a_shape_of_one_is_no_age(const ScenarioDocument& document) {
    ScenarioDocument plain = document;
    ScenarioDocument shaped = document;
    bool fails = false;
    for (std::size_t p = 0; p < document.pools.size(); ++p) {
        if (plain.pools[p].server && plain.pools[p].server->failures_per_hour) {
            plain.pools[p].server->failure_shape.reset();
            plain.pools[p].server->failure_factor.reset();
            shaped.pools[p].server->failure_factor.reset();
            shaped.pools[p].server->failure_shape = 1.0;
            fails = true;
        }
    }
    if (!fails) {
        return {};
    }
    const Summary a = evaluate_document(plain).summary;
    const Summary b = evaluate_document(shaped).summary;
    Breaches breaches;
    for (std::size_t w = 0; w < a.workloads.size(); ++w) {
        const double served = a.workloads[w].units_served;
        if (std::fabs(b.workloads[w].units_served - served) > 1e-9 * a.workloads[w].units_demanded) {
            breaches.push_back(
                fmt::format("workload {}: {} served with a shape of 1, {} without", w, b.workloads[w].units_served, served));
        }
    }
    return breaches;
}

Breaches a_flat_forward_is_a_rate(const ScenarioDocument& document) {
    ScenarioDocument flat = document;
    ScenarioDocument rated = document;
    for (ExchangeForward& forward : flat.exchange_forwards) {
        forward.rates.y.assign(forward.rates.y.size(), forward.rates.y.front());
        rated.exchange_rates[forward.currency] = forward.rates.y.front();
    }
    rated.exchange_forwards.clear();
    if (flat.exchange_forwards.empty()) {
        return {};
    }
    const Summary a = evaluate_document(flat).summary;
    const Summary b = evaluate_document(rated).summary;
    const bool is_same =
        is_near(a.total.cost, b.total.cost, b) && is_near(a.total.cash, b.total.cash, b) && is_near(a.npv, b.npv, b);
    return is_same ? Breaches() : Breaches{fmt::format("{} at flat forwards, {} at the rate", a.total.cost, b.total.cost)};
}

} // namespace costcurve::tests
