// The two sides of a variance: a scenario's plan for a pool and months, and the measured or billed values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/documents/calendar.hpp"
#include "model/ledger.hpp"
#include "server/actuals/telemetry_selection.hpp"
#include "server/actuals/variance.hpp"
#include "server/storage/store.hpp"

namespace costcurve::actuals {

/// An inclusive range of months.
struct MonthsOf {
    model::YearMonth from;
    model::YearMonth to;
};
inline constexpr model::FieldSpec kFromSpec{.required = true, .help = "the first month, YYYY-MM"};
inline constexpr model::FieldSpec kToSpec{.required = true, .help = "the last month, YYYY-MM"};

/// A pool in months.
struct VarianceOf : MonthsOf {
    std::string pool;
};

/// The first and the last of some months, 0-based, of a scenario's horizon.
using MonthRange = std::pair<std::size_t, std::size_t>;
/// Converts months to a range of the scenario's horizon; refused if the scenario doesn't cover them.
[[nodiscard]] model::Result<MonthRange> months_of(const model::ScenarioDocument& scenario, const MonthsOf& of);
/// Sum over the months of a row of the ledger.
[[nodiscard]] double sum_over(const model::Cube& cube, MonthRange months, std::size_t at);
/// First day of the months and the day after the last, in days since 1970-01-01; bills use UTC days.
[[nodiscard]] std::pair<std::int64_t, std::int64_t> days_of_months(const MonthsOf& of);
/// An issue where months are not in order.
void check_months(const MonthsOf& of, model::Failure& issues);

/// One side of a variance; empty members are unknown.
struct Side {
    std::optional<double> cost;         ///< in the scenario's currency
    std::optional<double> device_hours; ///< paid
    std::optional<double> units;
    std::optional<double> energy_kwh; ///< of the facility
    std::optional<double> utilization_fraction;
    std::optional<double> busy_time_fraction;     ///< of their time, as devices report it
    std::optional<double> device_energy_kwh;      ///< of devices alone: what their sensors measure
    std::optional<double> telemetry_device_hours; ///< in which any sample came
    std::map<std::string, std::string> basis;     ///< of each measured figure: given, telemetry or bill
};

/// Sources of the measured side. A stated figure takes precedence.
struct Actual : Side {
    std::optional<TelemetryFilter> telemetry;
    std::optional<storage::BillQuery> bill; ///< its days are those of the months
};

/// Months from one to another; below 0 where the other comes first.
[[nodiscard]] int months_between(model::YearMonth from, model::YearMonth to);

/// Evaluates the scenario, without references. Refused where it breaks rules, has no such pool, or doesn't reach over the months.
[[nodiscard]] model::Result<Side> predict(const model::ScenarioDocument& scenario, const VarianceOf& of,
                                          std::vector<std::string>& notes);

/// Measures the side. Months are in the scenario's time zone for telemetry, and in UTC for bills. Utilization is comparable with
/// the plan's: for pools that serve inference the share of the plan's rate, by counted work; otherwise devices' busy time.
[[nodiscard]] model::Result<Side> measure(const storage::Store& store, const model::ScenarioDocument& scenario,
                                          const VarianceOf& of, const Actual& actual, const Side& predicted,
                                          std::vector<std::string>& notes);

} // namespace costcurve::actuals
