// The cases of published_2.json, and the scenarios they are made of: JSON, decoded and evaluated as the program does.
// Where a source reckons by whole years and no rule goes by months, a month of the scenario stands for a year ("a period").
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/questions/investment.hpp"
#include "tests/golden/published.hpp"

namespace costcurve::golden {

using nlohmann::json;

/// A case of published_2.json, by its id: id, source, inputs, published.
[[nodiscard]] const json& published_case(const std::string& id);

[[nodiscard]] model::ScenarioDocument decoded(const json& scenario);
[[nodiscard]] inline tests::Answer answer_to(const json& scenario) { return tests::evaluate_document(decoded(scenario)); }

/// One server (no price, 60 months, a device of 1 kW that draws nothing idle) at a site that charges nothing, and work of one
/// request a second, which fills it. Members of `pool` are merged into its pool: server, site, purchases, extra_costs.
[[nodiscard]] json one_server(const json& pool, int months, const json& finance = json::object());

/// The rate a year that is `rate` a period of one month.
[[nodiscard]] double period_rate(double rate);

/// Each amount is paid out at the end of its month, `apart` months apart; money that comes in is negative.
[[nodiscard]] json extra_costs_of(const std::vector<double>& amounts, int apart);

/// What comes back on the first of `flows`, an outlay, against doing nothing: a server bought at that price, the others as negative
/// extra costs.
[[nodiscard]] model::Investment investment_in(const std::vector<double>& flows, double discount_rate, int apart);

/// The scenario's cash in time, after tax.
[[nodiscard]] model::TimedCash cash_after_tax(const tests::Answer& answer);

/// A site whose facility draws `kw`: a number, or a step curve of kW over `axis`. 60 servers of 10 kW follow the demand.
[[nodiscard]] json load(const json& site, const json& kw, int months);
[[nodiscard]] json step_curve(const std::string& axis, const json& points);

/// What a category costs in a month.
[[nodiscard]] double cost_in(const tests::Answer& answer, std::size_t month, model::Category category);

/// Each figure to its printed one; names count from 1.
void expect_published(const std::string& name, const std::vector<double>& figures, const std::vector<double>& printed_ones,
                      Tolerance tolerance);

} // namespace costcurve::golden
