// The order of ways by the figure that decides, and which of them may lead.
#pragma once

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

/// Entries in order: the first that is known comes before all; of what is known, one whose rate is assumed is not the first where
/// one that is known better costs no more than the assumption may be off by.
void put_known_first(std::vector<Entry>& entries, const RankQuestion& question);

/// Whether what decides is an amount of money, not energy or carbon.
[[nodiscard]] bool is_money(Objective objective);

/// Which plans of a ranking with samples are level, and which benchmark would tell them apart; "" where the first leads.
[[nodiscard]] std::string level_text(const Ranking& ranking, const std::string& currency);

} // namespace costcurve::model
