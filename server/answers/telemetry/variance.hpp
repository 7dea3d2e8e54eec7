// A pool of a scenario against what telemetry and bills say of the same months, and why the cost differs: POST /v1/variances.
#pragma once

#include "server/answers/answer.hpp"
#include "server/answers/telemetry/variance_sides.hpp"

namespace costcurve::answers {

struct VarianceRequest : VarianceOf {
    using Answer = struct VarianceAnswer;
    static constexpr QuestionNames names{"/v1/variances", "a pool as planned against measured and billed, and why",
                                         "variance_request", "variance"};
    ScenarioInput scenario;
    Actual actual;
    WhatIf set;
    Scaling scale;
    Moment as_of;
};
/// Months in order; something to compare with.
void check(VarianceRequest& request, const QuestionLimits& limits, model::Failure& issues);

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

} // namespace costcurve::answers

namespace costcurve::model {

inline constexpr FieldSpec kBilledSpec{.format = Format::name};
template <>
inline constexpr auto fields<storage::BillQuery> =
    Rows{Field{"provider", &storage::BillQuery::provider, kBilledSpec}, Field{"region", &storage::BillQuery::region, kBilledSpec},
         Field{"sku", &storage::BillQuery::sku, kBilledSpec}, Field{"purchase", &storage::BillQuery::purchase, kBilledSpec},
         Field{"device", &storage::BillQuery::device, kBilledSpec}};
inline constexpr FieldSpec amount(std::string_view unit) { return {.unit = unit, .min = 0, .max = kLargest}; }
inline constexpr auto given_figures =
    Rows{Field{"cost", &answers::Side::cost, {.min = -kLargest, .max = kLargest, .help = "in the scenario's currency"}},
         Field{"device_hours", &answers::Side::device_hours, amount("device-hours")},
         Field{"units", &answers::Side::units, amount("units")}, Field{"energy_kwh", &answers::Side::energy_kwh, amount("kWh")},
         Field{"utilization_fraction", &answers::Side::utilization_fraction, {.min = 0, .max = 1}}};
template <>
inline constexpr auto fields<answers::Actual> =
    join(Rows{Field{"telemetry", &answers::Actual::telemetry, {.help = "whose"}},
              Field{"bill", &answers::Actual::bill, {.help = "lines of imported bills that fit; all of the months for {}"}}},
         given_figures);
template <>
inline constexpr auto fields<answers::VarianceRequest> =
    join(Rows{Field{"scenario", &answers::VarianceRequest::scenario, answers::kScenarioSpec},
              Field{"pool",
                    &answers::VarianceOf::pool,
                    {.required = true, .format = Format::name, .help = "the id of a pool of the scenario"}},
              Field{"from", &answers::MonthsOf::from, answers::kFromSpec}, Field{"to", &answers::MonthsOf::to, answers::kToSpec},
              Field{"actual",
                    &answers::VarianceRequest::actual,
                    {.required = true,
                     .help = "what was measured, or where it is: a figure that is given wins over what is measured or billed"}}},
         answers::what_if_fields<answers::VarianceRequest>);
inline constexpr auto ratio_figures =
    Rows{Field{"price_per_device_hour", &answers::SideAnswer::price_per_device_hour, {}},
         Field{"hours_per_unit", &answers::SideAnswer::hours_per_unit, {}},
         Field{"device_energy_kwh", &answers::Side::device_energy_kwh, {.help = "of devices alone: what their sensors measure"}}};
template <> inline constexpr auto fields<answers::SideAnswer> = join(given_figures, ratio_figures);
template <>
inline constexpr auto fields<answers::MeasuredAnswer> =
    join(fields<answers::SideAnswer>,
         Rows{Field{"telemetry_device_hours", &answers::Side::telemetry_device_hours, {.help = "in which any sample came"}},
              Field{"basis", &answers::Side::basis, {.help = "of each figure: given, telemetry or bill"}}});
template <>
inline constexpr auto fields<answers::DifferenceOfSides> =
    join(given_figures, Rows{Field{"device_energy_kwh", &answers::Side::device_energy_kwh, {}}});
template <>
inline constexpr auto fields<answers::CostVarianceAnswer> =
    Rows{Field{"total", &answers::CostVarianceAnswer::total, {}}, Field{"price", &answers::CostVarianceAnswer::price, {}},
         Field{"volume", &answers::CostVarianceAnswer::volume, {}},
         Field{"efficiency", &answers::CostVarianceAnswer::efficiency, {}}};
template <>
inline constexpr auto fields<answers::VarianceAnswer> =
    Rows{Field{"pool", &answers::VarianceAnswer::pool, {}},
         Field{"from", &answers::VarianceAnswer::from, {}},
         Field{"to", &answers::VarianceAnswer::to, {}},
         Field{"currency", &answers::VarianceAnswer::currency, {.format = Format::currency}},
         Field{"predicted", &answers::VarianceAnswer::predicted, {}},
         Field{"measured", &answers::VarianceAnswer::measured, {}},
         Field{"difference", &answers::VarianceAnswer::difference, {}},
         Field{"cost_variance",
               &answers::VarianceAnswer::cost_variance,
               {.help = "above 0 costs more than planned; the parts add up to the total"}},
         Field{"notes", &answers::VarianceAnswer::notes, {.help = "why a figure is null"}}};

} // namespace costcurve::model
