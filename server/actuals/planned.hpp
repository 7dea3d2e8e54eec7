// What a scenario plans for some of its months: by pool, and by the values of a tag.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/actuals/variance_sides.hpp"
#include "server/answers/encode_result.hpp"

namespace costcurve::actuals {

/// Of one pool; nothing where it has none, or it is not known.
struct PlannedPool {
    double cost = 0.0;                  ///< in the scenario's currency
    std::optional<double> device_hours; ///< paid, of pools with devices
    std::optional<double> tokens;       ///< served, where all workloads that it serves count tokens
};
/// One more than the scenario has: the last is what no pool bears, such as engineering.
[[nodiscard]] std::vector<PlannedPool> planned_by_pool(const answers::Evaluated& evaluated, MonthRange months);

/// The keys of the tags of workloads, of pools, and of the scenario, ascending.
[[nodiscard]] std::vector<std::string> tag_keys(const model::ScenarioDocument& scenario);

/// Cost of the months by the values of a tag's key; the values add up to the whole. Where a workload has the key, cost is that
/// of workloads, by the scenario's allocation, and cost that no workload bears is (idle); otherwise it is that of pools. A
/// workload or pool without the key counts under the scenario's own value, or else under (untagged).
[[nodiscard]] std::map<std::string, double> planned_by_tag(const answers::Evaluated& evaluated, MonthRange months,
                                                           const std::string& key);

/// Tokens that workloads of each value of a key are served; nothing of a value with a workload that counts no tokens.
[[nodiscard]] std::map<std::string, std::optional<double>> planned_tokens_by_tag(const answers::Evaluated& evaluated,
                                                                                 MonthRange months, const std::string& key);

} // namespace costcurve::actuals
