// The answer of a variance: both sides, their difference, and its parts by price, volume and efficiency.
#include "server/actuals/variance_answer.hpp"

#include <fmt/format.h>

namespace costcurve::actuals {

namespace {

using model::Code;

SideAnswer side_of(const Side& side) {
    const auto ratio = [](const std::optional<double>& a, const std::optional<double>& b) {
        return a && b && *b > 0.0 ? std::optional(*a / *b) : std::nullopt;
    };
    return {side, ratio(side.cost, side.device_hours), ratio(side.device_hours, side.units)};
}

DifferenceOfSides difference_of(const Side& measured, const Side& predicted) {
    DifferenceOfSides difference;
    model::for_each_field<DifferenceOfSides>([&](const auto& field) {
        const std::optional<double>& a = measured.*field.member;
        const std::optional<double>& b = predicted.*field.member;
        difference.*field.member = a && b ? std::optional(*a - *b) : std::nullopt;
    });
    return difference;
}

} // namespace

void check(VarianceRequest& request, const answers::QuestionLimits& /*limits*/, model::Failure& issues) {
    check_months(request, issues);
    Actual& actual = request.actual;
    bool is_any = actual.telemetry || actual.bill;
    model::given_figures.for_each([&](const auto& field) { is_any = is_any || (actual.*field.member).has_value(); });
    if (!is_any) {
        issues.push_back({"/actual", Code::missing, "give telemetry, bill, or figures: there is nothing to compare with"});
    }
    if (actual.telemetry) {
        check_filter(*actual.telemetry, "/actual/telemetry", issues);
    }
    if (actual.bill) {
        actual.bill->device = device_id(actual.bill->device);
    }
}

model::Result<std::string> answer(const VarianceRequest& request, const model::ScenarioDocument& scenario,
                                  const storage::Store& store) {
    std::vector<std::string> notes;
    const model::Result<Side> predicted = predict(scenario, request, notes);
    if (!predicted) {
        return tl::unexpected(predicted.error());
    }
    const model::Result<Side> measured = measure(store, scenario, request, request.actual, *predicted, notes);
    if (!measured) {
        return tl::unexpected(measured.error());
    }
    const CostVariance variance = cost_variance({predicted->cost, predicted->device_hours, predicted->units},
                                                {measured->cost, measured->device_hours, measured->units});
    if (!variance.missing.empty()) {
        notes.emplace_back(variance.missing);
    }
    if (!predicted->energy_kwh && (measured->energy_kwh || measured->device_energy_kwh)) {
        notes.emplace_back("the predicted energy is not known: the pool's offer states no site, or its hosted model no energy");
    }
    return answers::encode_answer(
        VarianceAnswer{.pool = request.pool,
                       .from = request.from,
                       .to = request.to,
                       .currency = scenario.currency,
                       .predicted = side_of(*predicted),
                       .measured = {side_of(*measured)},
                       .difference = difference_of(*measured, *predicted),
                       .cost_variance = {variance.total, variance.price, variance.volume, variance.efficiency},
                       .notes = std::move(notes)});
}

} // namespace costcurve::actuals
