// A pool's plan compared with telemetry and bills of the same months, with the causes of the difference: POST /v1/variances.
#pragma once

#include "server/actuals/variance_sides.hpp"
#include "server/answers/answer.hpp"
#include "server/storage/store.hpp"

namespace costcurve::actuals {

struct VarianceRequest : VarianceOf {
    using Answer = struct VarianceAnswer;
    static constexpr answers::QuestionNames names{"/v1/variances", "a pool as planned against measured and billed, and why",
                                                  "variance_request", "variance"};
    answers::ScenarioInput scenario;
    Actual actual;
    answers::WhatIf set;
    answers::Scaling scale;
    answers::Moment as_of;
};
/// Checks that months are in order and that there is something to compare with.
void check(VarianceRequest& request, const answers::QuestionLimits& limits, model::Failure& issues);

[[nodiscard]] model::Result<std::string> answer(const VarianceRequest& request, const model::ScenarioDocument& scenario,
                                                const storage::Store& store);

/// A side with its ratios.
struct SideAnswer : Side {
    std::optional<double> price_per_device_hour;
    std::optional<double> hours_per_unit;
};
struct MeasuredAnswer : SideAnswer {};
struct CostVarianceAnswer {
    std::optional<double> total;
    std::optional<double> price;
    std::optional<double> volume;
    std::optional<double> efficiency;
};
struct DifferenceOfSides : Side {};
struct VarianceAnswer {
    std::string pool;
    model::YearMonth from;
    model::YearMonth to;
    std::string currency;
    SideAnswer predicted;
    MeasuredAnswer measured;
    DifferenceOfSides difference;
    CostVarianceAnswer cost_variance;
    std::vector<std::string> notes;
};

} // namespace costcurve::actuals

namespace costcurve::model {

inline constexpr FieldSpec kBilledSpec{.format = Format::name};
template <>
inline constexpr auto fields<storage::BillQuery> =
    Rows{Field{"provider", &storage::BillQuery::provider, kBilledSpec}, Field{"region", &storage::BillQuery::region, kBilledSpec},
         Field{"sku", &storage::BillQuery::sku, kBilledSpec}, Field{"purchase", &storage::BillQuery::purchase, kBilledSpec},
         Field{"device", &storage::BillQuery::device, kBilledSpec}};
inline constexpr FieldSpec amount(std::string_view unit) { return {.unit = unit, .min = 0, .max = kLargest}; }
inline constexpr auto given_figures =
    Rows{Field{"cost", &actuals::Side::cost, {.min = -kLargest, .max = kLargest, .help = "in the scenario's currency"}},
         Field{"device_hours", &actuals::Side::device_hours, amount("device-hours")},
         Field{"units", &actuals::Side::units, amount("units")}, Field{"energy_kwh", &actuals::Side::energy_kwh, amount("kWh")},
         Field{"utilization_fraction", &actuals::Side::utilization_fraction, {.min = 0, .max = 1}}};
template <>
inline constexpr auto fields<actuals::Actual> =
    join(Rows{Field{"telemetry", &actuals::Actual::telemetry, {.help = "whose"}},
              Field{"bill", &actuals::Actual::bill, {.help = "lines of imported bills that fit; all of the months for {}"}}},
         given_figures);
template <>
inline constexpr auto fields<actuals::VarianceRequest> =
    join(Rows{Field{"scenario", &actuals::VarianceRequest::scenario, answers::kScenarioSpec},
              Field{"pool",
                    &actuals::VarianceOf::pool,
                    {.required = true, .format = Format::name, .help = "the id of a pool of the scenario"}},
              Field{"from", &actuals::MonthsOf::from, actuals::kFromSpec}, Field{"to", &actuals::MonthsOf::to, actuals::kToSpec},
              Field{"actual",
                    &actuals::VarianceRequest::actual,
                    {.required = true,
                     .help = "what was measured, or where it is: a figure that is given wins over what is measured or billed"}}},
         answers::what_if_fields<actuals::VarianceRequest>);
inline constexpr auto ratio_figures =
    Rows{Field{"price_per_device_hour", &actuals::SideAnswer::price_per_device_hour, {}},
         Field{"hours_per_unit", &actuals::SideAnswer::hours_per_unit, {}},
         Field{"device_energy_kwh", &actuals::Side::device_energy_kwh, {.help = "of devices alone: what their sensors measure"}}};
template <> inline constexpr auto fields<actuals::SideAnswer> = join(given_figures, ratio_figures);
template <>
inline constexpr auto fields<actuals::MeasuredAnswer> =
    join(fields<actuals::SideAnswer>,
         Rows{Field{"busy_time_fraction",
                    &actuals::Side::busy_time_fraction,
                    {.help = "of their time, as devices report it: nearly all at a few percent of the rate of serving"}},
              Field{"telemetry_device_hours", &actuals::Side::telemetry_device_hours, {.help = "in which any sample came"}},
              Field{"basis", &actuals::Side::basis, {.help = "of each figure: given, telemetry or bill"}}});
template <>
inline constexpr auto fields<actuals::DifferenceOfSides> =
    join(given_figures, Rows{Field{"device_energy_kwh", &actuals::Side::device_energy_kwh, {}}});
template <>
inline constexpr auto fields<actuals::CostVarianceAnswer> =
    Rows{Field{"total", &actuals::CostVarianceAnswer::total, {}}, Field{"price", &actuals::CostVarianceAnswer::price, {}},
         Field{"volume", &actuals::CostVarianceAnswer::volume, {}},
         Field{"efficiency", &actuals::CostVarianceAnswer::efficiency, {}}};
template <>
inline constexpr auto fields<actuals::VarianceAnswer> =
    Rows{Field{"pool", &actuals::VarianceAnswer::pool, {}},
         Field{"from", &actuals::VarianceAnswer::from, {}},
         Field{"to", &actuals::VarianceAnswer::to, {}},
         Field{"currency", &actuals::VarianceAnswer::currency, {.format = Format::currency}},
         Field{"predicted", &actuals::VarianceAnswer::predicted, {}},
         Field{"measured", &actuals::VarianceAnswer::measured, {}},
         Field{"difference", &actuals::VarianceAnswer::difference, {}},
         Field{"cost_variance",
               &actuals::VarianceAnswer::cost_variance,
               {.help = "above 0 costs more than planned; the parts add up to the total"}},
         Field{"notes", &actuals::VarianceAnswer::notes, {.help = "why a figure is null"}}};

} // namespace costcurve::model
