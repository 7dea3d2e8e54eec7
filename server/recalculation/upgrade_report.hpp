// Which stored scenarios have another figure by this version of the model than by the one that made their results, and why.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/answers/answer.hpp"
#include "server/storage/store.hpp"

namespace costcurve::recalculation {

/// A scenario as it was for its newest result of another version, by that version and by this one.
struct UpgradedScenario {
    std::string scenario;
    std::int64_t result = 0;
    std::string from_model_version;
    std::string figure; ///< the one that decides: npv, say
    std::string currency;
    std::optional<double> before; ///< nothing where that version did not know it, as the next
    std::optional<double> now;
    std::optional<double> change_fraction; ///< of `before`; nothing where that is 0, or either is not known
    std::optional<bool> feasible_before;
    bool feasible = false;
    answers::ByName<double> by_category; ///< of the cost, what changed, the largest change first
    std::vector<std::string> reasons;    ///< what the two results show of why
};
/// A scenario that can't be evaluated as it was.
struct NotUpgraded {
    std::string scenario;
    std::int64_t result = 0;
    std::string from_model_version;
};
struct UpgradeReport {
    std::string model_version;
    std::size_t compared = 0;
    std::vector<UpgradedScenario> moved; ///< the largest change first
    std::vector<NotUpgraded> not_evaluated;
};

/// Scenarios whose newest result of another version of the model differs from this version's: by more than `threshold` of it,
/// or in whether the scenario can do its work. Cost: an evaluation a scenario.
[[nodiscard]] UpgradeReport upgrade_report(const storage::Store& store, double threshold);

} // namespace costcurve::recalculation

namespace costcurve::model {

template <>
inline constexpr auto fields<recalculation::UpgradedScenario> = Rows{
    Field{"scenario", &recalculation::UpgradedScenario::scenario, {.format = Format::slug}},
    Field{"result", &recalculation::UpgradedScenario::result, {.min = 1, .help = "the number of the result"}},
    Field{"from_model_version", &recalculation::UpgradedScenario::from_model_version, {}},
    Field{"figure", &recalculation::UpgradedScenario::figure, {.help = "the one that decides"}},
    Field{"currency", &recalculation::UpgradedScenario::currency, {.format = Format::currency}},
    Field{"before", &recalculation::UpgradedScenario::before, {.help = "null where it was not known"}},
    Field{"now", &recalculation::UpgradedScenario::now, {.help = "null where it is not known"}},
    Field{"change_fraction", &recalculation::UpgradedScenario::change_fraction, {.help = "null where it was 0 or is not known"}},
    Field{"feasible_before", &recalculation::UpgradedScenario::feasible_before, {}},
    Field{"feasible", &recalculation::UpgradedScenario::feasible, {}},
    Field{"by_category", &recalculation::UpgradedScenario::by_category, {.help = "of the cost, what changed"}},
    Field{"reasons", &recalculation::UpgradedScenario::reasons, {}},
};
template <>
inline constexpr auto fields<recalculation::NotUpgraded> = Rows{
    Field{"scenario", &recalculation::NotUpgraded::scenario, {.format = Format::slug}},
    Field{"result", &recalculation::NotUpgraded::result, {.min = 1}},
    Field{"from_model_version", &recalculation::NotUpgraded::from_model_version, {}},
};
template <>
inline constexpr auto fields<recalculation::UpgradeReport> = Rows{
    Field{"model_version", &recalculation::UpgradeReport::model_version, {}},
    Field{"compared", &recalculation::UpgradeReport::compared, {.min = 0}},
    Field{"moved", &recalculation::UpgradeReport::moved, {}},
    Field{"not_evaluated", &recalculation::UpgradeReport::not_evaluated, {}},
};

} // namespace costcurve::model
