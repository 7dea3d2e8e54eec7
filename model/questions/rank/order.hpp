// Orders entries by the deciding figure, and finds which of them may lead.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/questions/rank/entries.hpp"
#include "model/questions/rank/rank.hpp"

namespace costcurve::model {

/// Ascending by figure, then by way and name.
[[nodiscard]] bool comes_before(const Entry& a, const Entry& b);

/// The unknown fact that keeps an entry from the first place while another entry has none; "" if all is known.
[[nodiscard]] std::string_view unknown_of(const Entry& entry, const RankQuestion& question);

/// The unknown or assumed fact that keeps the entry with the lowest figure from the first place; "" if there is none.
[[nodiscard]] std::string_view doubt_of(const Entry& entry, const RankQuestion& question);

/// Evaluates an entry's whole scenario.
using WholePlan = std::function<SizedPlan(const Entry&)>;

/// Moves one entry to the front: the first without unknowns or assumptions. A cheaper entry that has only assumptions leads instead
/// if it stays cheaper with its assumed rates and prices off by their p90 (1.57 times) and 575 W of hosts per device. If all
/// entries have assumptions, the first without unknowns leads. Evaluates each entry before it.
void put_known_first(std::vector<Entry>& entries, const RankQuestion& question, const WholePlan& whole);

/// The training run that is most likely to end in time, of those that end too late. A run that loses all its work never ends.
[[nodiscard]] std::optional<NearestRun> nearest_run(const std::vector<Entry>& entries, const RankQuestion& question);

/// Whether money is what decides, not energy or carbon.
[[nodiscard]] bool is_money(Objective objective);

/// The price of the plan's first pool at which the plan equals the first, whose figure is `least`. Figures are linear in a price.
[[nodiscard]] std::optional<WinsAt> wins_at(const ScenarioPlan& plan, double least, Objective objective);

/// Says which plans of a sampled ranking are level and which benchmark would separate them; "" if the first one leads clearly.
[[nodiscard]] std::string level_text(const Ranking& ranking, const std::string& currency);

} // namespace costcurve::model
