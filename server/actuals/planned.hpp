// Planned cost and usage of a scenario in some months: by pool, and by the values of a tag.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/actuals/variance_sides.hpp"
#include "server/answers/encode_result.hpp"

namespace costcurve::actuals {

/// Plan of one pool; empty members don't exist or are unknown.
struct PlannedPool {
    double cost = 0.0;                  ///< in the scenario's currency
    std::optional<double> device_hours; ///< paid, of pools with devices
    std::optional<double> tokens;       ///< tokens served, if all its workloads count tokens
};
/// Plans by pool, with an additional last entry for cost that no pool bears, such as engineering.
[[nodiscard]] std::vector<PlannedPool> planned_by_pool(const answers::Evaluated& evaluated, MonthRange months);

/// The keys of the tags of workloads, of pools, and of the scenario, ascending.
[[nodiscard]] std::vector<std::string> tag_keys(const model::ScenarioDocument& scenario);

/// Cost of the months by the values of a tag key; the values sum to the whole. If a workload has the key, this is workloads'
/// allocated cost, and unallocated cost counts as (idle); otherwise it is pools' cost. A workload or pool without the key counts
/// under the scenario's value, otherwise under (untagged).
[[nodiscard]] std::map<std::string, double> planned_by_tag(const answers::Evaluated& evaluated, MonthRange months,
                                                           const std::string& key);

/// Tokens served by value of a tag key; empty for a value with a workload that counts no tokens.
[[nodiscard]] std::map<std::string, std::optional<double>> planned_tokens_by_tag(const answers::Evaluated& evaluated,
                                                                                 MonthRange months, const std::string& key);

} // namespace costcurve::actuals
