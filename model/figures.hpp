// Tables of a result's figures: name, unit and getter. Used to encode an answer and to look up a figure by its name.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "model/performance/classes.hpp"
#include "model/summary.hpp"

namespace costcurve::model {

/// A figure of a part of the result. `read` returns empty if the figure has no value (nothing served, no use).
template <class Part> struct Figure {
    std::string_view name;
    std::string_view unit; ///< `currency` is the scenario's
    std::optional<double> (*read)(const Part& part);
    bool may_be_null = false;
};

/// A figure that only some pools or workloads have.
template <class Part, class Document> struct FigureOfSome {
    Figure<Part> figure;
    bool (*applies)(const Document& document) = nullptr; ///< null: all have the figure

    [[nodiscard]] bool is_of(const Document& document) const { return applies == nullptr || applies(document); }
};

inline constexpr auto kAmountFigures = std::to_array<Figure<Amounts>>({
    {"cost", "currency", [](const Amounts& a) { return std::optional(a.cost); }},
    {"cash", "currency", [](const Amounts& a) { return std::optional(a.cash); }},
});

inline constexpr auto kTotalFigures = std::to_array<Figure<Summary>>({
    {"cost", "currency", [](const Summary& s) { return std::optional(s.total.cost); }},
    {"cash", "currency", [](const Summary& s) { return std::optional(s.total.cash); }},
    {"npv", "currency", [](const Summary& s) { return std::optional(s.npv); }},
    {"npv_after_tax", "currency", [](const Summary& s) { return std::optional(s.npv_after_tax); }},
    {"equivalent_annual_cost", "currency/year", [](const Summary& s) { return std::optional(s.equivalent_annual_cost); }},
    {"npv_before_financing", "currency", [](const Summary& s) { return s.npv_before_financing; }, true},
    {"energy_kwh", "kWh", [](const Summary& s) { return s.meters.energy_kwh.value(); }, true},
    {"carbon_kg", "kg", [](const Summary& s) { return s.meters.carbon_kg.value(); }, true},
    {"water_l", "l", [](const Summary& s) { return s.meters.water_l.value(); }, true},
    {"energy_kwh_at_least", "kWh", [](const Summary& s) { return std::optional(s.meters.energy_kwh.at_least); }},
    {"carbon_kg_at_least", "kg", [](const Summary& s) { return std::optional(s.meters.carbon_kg.at_least); }},
});

/// The total figure that an objective names.
[[nodiscard]] inline std::optional<double> figure_of(const Summary& summary, Objective objective) {
    for (const Figure<Summary>& figure : kTotalFigures) {
        if (figure.name == name_of(objective)) {
            return figure.read(summary);
        }
    }
    return std::nullopt;
}

/// Settlement at the horizon's end.
inline constexpr auto kTerminalFigures = std::to_array<Figure<Terminal>>({
    {"sale", "currency", [](const Terminal& t) { return std::optional(t.sale); }},
    {"book", "currency", [](const Terminal& t) { return std::optional(t.book); }},
    {"obligations", "currency", [](const Terminal& t) { return std::optional(t.obligations); }},
    {"commitments_sold", "currency", [](const Terminal& t) { return std::optional(t.commitments_sold); }},
    {"loan_balance", "currency", [](const Terminal& t) { return std::optional(t.loan_balance); }},
    {"tax_loss", "currency", [](const Terminal& t) { return std::optional(t.tax_loss); }},
});

inline constexpr auto kSiteFigures = std::to_array<Figure<SiteSummary>>({
    {"cost", "currency", [](const SiteSummary& s) { return std::optional(s.cost); }},
    {"energy_kwh", "kWh", [](const SiteSummary& s) { return s.meters.energy_kwh.value(); }, true},
    {"carbon_kg", "kg", [](const SiteSummary& s) { return s.meters.carbon_kg.value(); }, true},
    {"peak_kw", "kW", [](const SiteSummary& s) { return std::optional(s.peak_kw); }},
    {"water_l", "l", [](const SiteSummary& s) { return s.meters.water_l.value(); }, true},
});

inline constexpr auto kTagFigures = std::to_array<Figure<Borne>>({
    {"cost", "currency", [](const Borne& b) { return std::optional(b.cost); }},
    {"cash", "currency", [](const Borne& b) { return std::optional(b.cash); }},
    {"energy_kwh", "kWh", [](const Borne& b) { return b.meters.energy_kwh.value(); }, true},
    {"carbon_kg", "kg", [](const Borne& b) { return b.meters.carbon_kg.value(); }, true},
});

inline constexpr auto kMonthFigures = std::to_array<Figure<MonthSummary>>({
    {"cost", "currency", [](const MonthSummary& m) { return std::optional(m.total.cost); }},
    {"cash", "currency", [](const MonthSummary& m) { return std::optional(m.total.cash); }},
    {"energy_kwh", "kWh", [](const MonthSummary& m) { return m.meters.energy_kwh.value(); }, true},
    {"carbon_kg", "kg", [](const MonthSummary& m) { return m.meters.carbon_kg.value(); }, true},
});

namespace figures {
inline bool is_owned(const Pool& pool) { return pool.kind == PoolKind::owned; }
inline bool buys_units(const Pool& pool) { return pool.kind == PoolKind::api && pool.provisioned_units.has_value(); }
inline bool trains(const Workload& workload) { return workload.kind == WorkloadKind::training; }
inline bool has_requests(const Workload& workload) { return !trains(workload); }
inline bool is_split(const Workload& workload) { return has_requests(workload) && has_classes(workload); }
inline bool is_run(const Workload& workload) { return workload.is_run(); }
inline std::optional<double> cost_per_million(const ClassCost& part) {
    return part.units > 0.0 ? std::optional(part.cost / part.units * 1e6) : std::nullopt;
}
/// Cost per million units of the class; empty if a request has none.
template <UnitClass kClass> std::optional<double> cost_per_million_of(const WorkloadSummary& w) {
    const std::optional<ClassCost>& part = w.by_class[static_cast<std::size_t>(kClass)];
    return part ? cost_per_million(*part) : std::nullopt;
}
/// Requests served or epochs done; empty if nothing was served.
inline std::optional<double> quantity(const WorkloadSummary& w) {
    return w.units_served > 0.0 ? std::optional(w.quantity) : std::nullopt;
}
/// A metered quantity per unit served; empty if nothing was served or the quantity isn't known.
inline std::optional<double> by_unit(const Metered& metered, double units, double scale) {
    return metered.is_known && units > 0.0 ? std::optional(metered.at_least * scale / units) : std::nullopt;
}
inline std::optional<double> units_per_kwh(const WorkloadSummary& w) {
    const std::optional<double> kwh = w.meters.energy_kwh.value();
    return kwh && *kwh > 0.0 && w.units_served > 0.0 ? std::optional(w.units_served / *kwh) : std::nullopt;
}
inline std::optional<double> carbon_g_per_unit(const WorkloadSummary& w) {
    return by_unit(w.meters.carbon_kg, w.units_served, 1000);
}
inline std::optional<double> water_l_per_million_units(const WorkloadSummary& w) {
    return by_unit(w.meters.water_l, w.units_served, 1e6);
}
} // namespace figures

inline constexpr auto kClassFigures = std::to_array<Figure<ClassCost>>({
    {"cost", "currency", [](const ClassCost& c) { return std::optional(c.cost); }},
    {"units", "units", [](const ClassCost& c) { return std::optional(c.units); }},
    {"cost_per_million", "currency/million units", figures::cost_per_million, true},
});

inline constexpr auto kPoolFigures = std::to_array<FigureOfSome<PoolSummary, Pool>>({
    {{"cost", "currency", [](const PoolSummary& p) { return std::optional(p.total.cost); }}},
    {{"cash", "currency", [](const PoolSummary& p) { return std::optional(p.total.cash); }}},
    {{"energy_kwh", "kWh", [](const PoolSummary& p) { return p.meters.energy_kwh.value(); }, true}},
    {{"carbon_kg", "kg", [](const PoolSummary& p) { return p.meters.carbon_kg.value(); }, true}},
    {{"available_device_hours", "device-hours", [](const PoolSummary& p) { return std::optional(p.available_device_hours); }}},
    {{"reserved_device_hours", "device-hours", [](const PoolSummary& p) { return std::optional(p.reserved_device_hours); }}},
    {{"busy_device_hours", "device-hours", [](const PoolSummary& p) { return std::optional(p.busy_device_hours); }}},
    {{"utilization_fraction", "fraction", [](const PoolSummary& p) { return p.utilization_fraction; }, true}},
    {{"cost_per_reserved_device_hour", "currency/device-hour", [](const PoolSummary& p) { return p.cost_per_reserved_device_hour; },
      true}},
    {{"idle_cost", "currency", [](const PoolSummary& p) { return std::optional(p.idle_cost); }}},
    {{"obligation", "currency", [](const PoolSummary& p) { return std::optional(p.obligation); }}},
    {{"lease_liability", "currency", [](const PoolSummary& p) { return std::optional(p.lease_liability); }}},
    {{"peak_kw", "kW", [](const PoolSummary& p) { return p.peak_kw; }, true}},
    {{"racks", "racks", [](const PoolSummary& p) { return p.racks; }, true}, figures::is_owned},
    {{"unit_utilization", "fraction", [](const PoolSummary& p) { return p.unit_utilization; }, true}, figures::buys_units},
    {{"break_even_utilization", "fraction", [](const PoolSummary& p) { return p.break_even_utilization; }, true},
     figures::buys_units},
});

/// Totals and unit costs of a workload; an answer lists its `evidence` after these.
inline constexpr auto kWorkloadFigures = std::to_array<FigureOfSome<WorkloadSummary, Workload>>({
    {{"cost", "currency", [](const WorkloadSummary& w) { return std::optional(w.cost); }}},
    {{"cash", "currency", [](const WorkloadSummary& w) { return std::optional(w.cash); }}},
    {{"npv", "currency", [](const WorkloadSummary& w) { return std::optional(w.npv); }}},
    {{"units_demanded", "units", [](const WorkloadSummary& w) { return std::optional(w.units_demanded); }}},
    {{"units_served", "units", [](const WorkloadSummary& w) { return std::optional(w.units_served); }}},
    {{"units_unserved", "units", [](const WorkloadSummary& w) { return std::optional(w.units_unserved); }}},
    {{"units_lost_to_outages", "units", [](const WorkloadSummary& w) { return std::optional(w.units_lost_to_outages); }}},
    {{"energy_kwh", "kWh", [](const WorkloadSummary& w) { return w.meters.energy_kwh.value(); }, true}},
    {{"carbon_kg", "kg", [](const WorkloadSummary& w) { return w.meters.carbon_kg.value(); }, true}},
    {{"units_per_kwh", "units/kWh", figures::units_per_kwh, true}},
    {{"carbon_g_per_unit", "g/unit", figures::carbon_g_per_unit, true}},
    {{"water_l_per_million_units", "l/million units", figures::water_l_per_million_units, true}},
    {{"cost_per_million_units", "currency/million units", [](const WorkloadSummary& w) { return w.cost_per_million_units; }, true}},
    {{"cost_per_million_input_units", "currency/million units", figures::cost_per_million_of<UnitClass::input>, true},
     figures::is_split},
    {{"cost_per_million_output_units", "currency/million units", figures::cost_per_million_of<UnitClass::output>, true},
     figures::is_split},
    {{"days", "days", [](const WorkloadSummary& w) { return w.days; }, true}, figures::is_run},
    {{"levelized_cost_per_million_units", "currency/million units",
      [](const WorkloadSummary& w) { return w.levelized_cost_per_million_units; }, true}},
});

/// Requests or epochs, and the cost of one.
inline constexpr auto kRequestFigures = std::to_array<Figure<WorkloadSummary>>({
    {"requests_served", "requests", figures::quantity, true},
    {"cost_per_inference", "currency/request", [](const WorkloadSummary& w) { return w.cost_per_quantity; }, true},
});
inline constexpr auto kTrainingFigures = std::to_array<Figure<WorkloadSummary>>({
    {"epochs_done", "epochs", figures::quantity, true},
    {"cost_per_epoch", "currency/epoch", [](const WorkloadSummary& w) { return w.cost_per_quantity; }, true},
});

} // namespace costcurve::model
