// The figures of a result: name, unit, and where each is read. One truth for encoding an answer and for naming a figure of it.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "model/summary.hpp"

namespace costcurve::model {

/// A number of a part of the result; empty where there is none (nothing served, no use).
template <class Part> struct Figure {
    std::string_view name;
    std::string_view unit; ///< `currency` is the scenario's
    std::optional<double> (*read)(const Part& part);
};

/// Figures that only some pools or workloads have.
template <class Part, class Document> struct FigureOfSome {
    Figure<Part> figure;
    bool (*applies)(const Document& document);
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
    {"energy_kwh", "kWh", [](const Summary& s) { return std::optional(s.energy_kwh); }},
    {"carbon_kg", "kg", [](const Summary& s) { return std::optional(s.carbon_kg); }},
});

inline constexpr auto kMonthFigures = std::to_array<Figure<MonthSummary>>({
    {"cost", "currency", [](const MonthSummary& m) { return std::optional(m.total.cost); }},
    {"cash", "currency", [](const MonthSummary& m) { return std::optional(m.total.cash); }},
    {"energy_kwh", "kWh", [](const MonthSummary& m) { return std::optional(m.energy_kwh); }},
    {"carbon_kg", "kg", [](const MonthSummary& m) { return std::optional(m.carbon_kg); }},
});

namespace figures {
inline bool any_pool(const Pool& /*pool*/) { return true; }
inline bool is_owned(const Pool& pool) { return pool.kind == PoolKind::owned; }
inline bool any_workload(const Workload& /*workload*/) { return true; }
inline bool infers(const Workload& workload) { return workload.kind == WorkloadKind::inference; }
inline bool trains(const Workload& workload) { return workload.kind == WorkloadKind::training; }
inline bool is_split(const Workload& workload) { return infers(workload) && workload.units_per_request.split; }
/// Requests served or epochs done, where anything was served.
inline std::optional<double> quantity(const WorkloadSummary& w) {
    return w.units_served > 0.0 ? std::optional(w.quantity) : std::nullopt;
}
} // namespace figures

inline constexpr auto kPoolFigures = std::to_array<FigureOfSome<PoolSummary, Pool>>({
    {{"cost", "currency", [](const PoolSummary& p) { return std::optional(p.total.cost); }}, figures::any_pool},
    {{"cash", "currency", [](const PoolSummary& p) { return std::optional(p.total.cash); }}, figures::any_pool},
    {{"energy_kwh", "kWh", [](const PoolSummary& p) { return std::optional(p.energy_kwh); }}, figures::any_pool},
    {{"carbon_kg", "kg", [](const PoolSummary& p) { return std::optional(p.carbon_kg); }}, figures::any_pool},
    {{"available_device_hours", "device-hours", [](const PoolSummary& p) { return std::optional(p.available_device_hours); }},
     figures::any_pool},
    {{"reserved_device_hours", "device-hours", [](const PoolSummary& p) { return std::optional(p.reserved_device_hours); }},
     figures::any_pool},
    {{"busy_device_hours", "device-hours", [](const PoolSummary& p) { return std::optional(p.busy_device_hours); }},
     figures::any_pool},
    {{"utilization_fraction", "fraction", [](const PoolSummary& p) { return p.utilization_fraction; }}, figures::any_pool},
    {{"cost_per_reserved_device_hour", "currency/device-hour",
      [](const PoolSummary& p) { return p.cost_per_reserved_device_hour; }},
     figures::any_pool},
    {{"racks", "racks", [](const PoolSummary& p) { return p.racks; }}, figures::is_owned},
});

/// What a workload took and what it cost a unit; in an answer its evidence stands after these.
inline constexpr auto kWorkloadFigures = std::to_array<FigureOfSome<WorkloadSummary, Workload>>({
    {{"cost", "currency", [](const WorkloadSummary& w) { return std::optional(w.cost); }}, figures::any_workload},
    {{"units_demanded", "units", [](const WorkloadSummary& w) { return std::optional(w.units_demanded); }}, figures::any_workload},
    {{"units_served", "units", [](const WorkloadSummary& w) { return std::optional(w.units_served); }}, figures::any_workload},
    {{"units_unserved", "units", [](const WorkloadSummary& w) { return std::optional(w.units_unserved); }}, figures::any_workload},
    {{"energy_kwh", "kWh", [](const WorkloadSummary& w) { return std::optional(w.energy_kwh); }}, figures::any_workload},
    {{"carbon_kg", "kg", [](const WorkloadSummary& w) { return std::optional(w.carbon_kg); }}, figures::any_workload},
    {{"cost_per_million_units", "currency/million units", [](const WorkloadSummary& w) { return w.cost_per_million_units; }},
     figures::any_workload},
    {{"cost_per_million_input_units", "currency/million units",
      [](const WorkloadSummary& w) { return w.cost_per_million_input_units; }},
     figures::is_split},
    {{"cost_per_million_output_units", "currency/million units",
      [](const WorkloadSummary& w) { return w.cost_per_million_output_units; }},
     figures::is_split},
    {{"levelized_cost_per_million_units", "currency/million units",
      [](const WorkloadSummary& w) { return w.levelized_cost_per_million_units; }},
     figures::any_workload},
});

/// Requests or epochs, and what one cost.
inline constexpr auto kQuantityFigures = std::to_array<FigureOfSome<WorkloadSummary, Workload>>({
    {{"requests_served", "requests", figures::quantity}, figures::infers},
    {{"cost_per_inference", "currency/request", [](const WorkloadSummary& w) { return w.cost_per_quantity; }}, figures::infers},
    {{"epochs_done", "epochs", figures::quantity}, figures::trains},
    {{"cost_per_epoch", "currency/epoch", [](const WorkloadSummary& w) { return w.cost_per_quantity; }}, figures::trains},
});

} // namespace costcurve::model
