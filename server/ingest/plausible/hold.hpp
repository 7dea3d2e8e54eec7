// Adds what is held to a judgement.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "server/ingest/prices/price_guard.hpp"

namespace costcurve::ingest {

/// Holds the document of a price; of one with several prices the reasons are put together.
void hold(const JudgedPrice& price, std::string&& reason, PriceJudgement& judgement);
/// Holds a document that is no offer; reasons of one are put together.
void hold_document(storage::Kind kind, const std::string& id, std::string&& reason, PriceJudgement& judgement);

/// Holds each document once, `held` has those that are already: with `names_all` the reason is named beside theirs. `prices` by
/// their keys. Gives how many prices it newly holds.
std::size_t hold_all(std::map<storage::DocumentKey, std::string>&& reasons, const std::vector<JudgedPrice>& prices,
                     std::set<storage::DocumentKey>& held, PriceJudgement& judgement, bool names_all = false);

} // namespace costcurve::ingest
