// Small complete scenarios that tests start from and change, and one call that evaluates them.
#pragma once

#include "model/documents/documents.hpp"
#include "model/evaluate.hpp"
#include "model/summary.hpp"

namespace costcurve::tests {

/// One month, January 2026 (744 hours, UTC), in USD. One inference workload, `work`, of 1 request/s, runs on one cloud
/// pool, `pool`, of on-demand instances at 3.6 USD/h with one device that does 1 unit/s; 1 unit a request.
[[nodiscard]] model::ScenarioDocument cloud_scenario();

/// The same workload on an owned pool of one server with one device: 36,500 USD, 48 months, no residual, at a site with
/// 0.1 USD/kWh. Device: a line from 100 W idle to 500 W at full load. Host: 50 to 100 W.
[[nodiscard]] model::ScenarioDocument owned_scenario();

/// The same workload on a pool of a hosted model: 100 USD a million units, input or output.
[[nodiscard]] model::ScenarioDocument api_scenario();

/// A training workload of 1000 units an epoch, 36 epochs a month, on the cloud pool: one gang of one device, 1 unit/s.
[[nodiscard]] model::ScenarioDocument training_scenario();

struct Answer {
    model::Scenario scenario;
    model::Compiled compiled;
    model::Ledger ledger;
    model::Summary summary;
};

/// Evaluates; fails the test with the issues where the scenario breaks a rule.
[[nodiscard]] Answer evaluate_document(model::ScenarioDocument document);

[[nodiscard]] inline double cost_by_category(const Answer& answer, model::Category category) {
    return answer.summary.by_category[static_cast<std::size_t>(category)].cost;
}

/// The codes of the issues that make_scenario finds, with pointers: "code pointer", in order. Empty where there are none.
[[nodiscard]] std::vector<std::string> issues_of(model::ScenarioDocument document);

/// idle_w and tdp_w, and a power curve that is the line between them: for sums by hand, whatever the default shape is.
void draw_in_a_line(model::Device& device, double idle_w, double full_w);

/// A flat rate, and a rate from a curve.
[[nodiscard]] model::Rate flat(double number);
[[nodiscard]] model::Rate curve(model::CurveKind kind, model::Axis axis, std::vector<double> x, std::vector<double> y,
                                model::Interpolation interpolation = model::Interpolation::linear);
/// Of a class that the workload's requests have.
[[nodiscard]] inline const model::ClassCost& class_cost(const model::WorkloadSummary& workload, model::UnitClass unit_class) {
    return *workload.by_class[static_cast<std::size_t>(unit_class)];
}
/// Units of a request by class.
[[nodiscard]] model::UnitsPerRequest units(double input, double cached_input, double output);
[[nodiscard]] inline model::UnitsPerRequest in_and_out(double input, double output) { return units(input, 0.0, output); }
/// One price of all classes, and one by class.
[[nodiscard]] inline model::UnitPrice one_price(model::Rate price) { return {{}, false, std::move(price)}; }
[[nodiscard]] model::UnitPrice in_and_out(model::Rate input, model::Rate output);
[[nodiscard]] model::Estimate decode_roofline(double mfu, double mbu, double active_parameters, double weight_bytes,
                                              double kv_bytes_per_sequence);

} // namespace costcurve::tests
