// The order of ways by the figure that decides, and which of them may lead.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/questions/rank/entries.hpp"
#include "model/questions/rank/rank.hpp"

namespace costcurve::model {

/// Ascending by the figure; equal ones by way and name.
[[nodiscard]] bool comes_before(const Entry& a, const Entry& b);

/// What keeps a way from the first place where another is known better, however little it costs; "" where nothing does.
[[nodiscard]] std::string_view unknown_of(const Entry& entry, const RankQuestion& question);

/// The same, or what is assumed of it: why it is not the first though its figure is the least; "" where nothing is.
[[nodiscard]] std::string_view doubt_of(const Entry& entry, const RankQuestion& question);

/// An entry's scenario with its summary.
using WholePlan = std::function<SizedPlan(const Entry&)>;

/// Entries in order: before all comes the first of which nothing is unknown or assumed, but for one that has a lower figure even
/// where what is assumed of its rates and prices is off by as much as once in ten (1.57 times), and its hosts take 575 W a device.
/// Where something is assumed of all, the first that is known. An evaluation for each before it.
void put_known_first(std::vector<Entry>& entries, const RankQuestion& question, const WholePlan& whole);

/// Of the runs of training that end too late, the one that is in time most often; one that loses all its work never ends.
[[nodiscard]] std::optional<NearestRun> nearest_run(const std::vector<Entry>& entries, const RankQuestion& question);

/// Whether what decides is an amount of money, not energy or carbon.
[[nodiscard]] bool is_money(Objective objective);

/// The price of a plan's first pool at which it equals the first plan, of this figure: what decides is linear in a price.
[[nodiscard]] std::optional<WinsAt> wins_at(const ScenarioPlan& plan, double least, Objective objective);

/// Which plans of a ranking with samples are level, and which benchmark would tell them apart; "" where the first leads.
[[nodiscard]] std::string level_text(const Ranking& ranking, const std::string& currency);

} // namespace costcurve::model
