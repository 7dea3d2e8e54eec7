// What the store said of documents a month ago, whatever days the lists since then have named: against steps that are each small.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/measurement.hpp"
#include "server/ingest/plausible/stated_facts.hpp"
#include "server/ingest/prices/other_sellers.hpp"
#include "server/ingest/prices/price_history.hpp"
#include "server/storage/store.hpp"

namespace costcurve::ingest {

/// What one list brings: its prices, by their keys, with what they were, and its curves, devices, models, measurements,
/// performances and other numbers.
struct ListedFacts {
    const std::vector<JudgedPrice>& prices;
    const std::vector<PriceHistory>& histories;
    const std::vector<model::Curve>& curves;
    const std::vector<model::Device>& devices;
    const std::vector<model::Model>& models;
    const std::vector<model::Measurement>& measurements;
    const std::vector<model::Performance>& performances;
    const StatedNumbers& stated;
};

/// Why documents are held whose numbers are far from what the store said of them a month before `today`, in days since 1970, or
/// when somebody has stated or accepted it since, or at first, where they are younger: a price or a curve's level a tenth or ten
/// times, of spot a twentieth or twenty times, whatever days the lists name, a
/// fact of a device or a model one and a half times or two thirds, measured and stated rates and other numbers twice or half. Of
/// documents with three revisions or more: fewer come from one step. A price that is stored already is none to be held. Takes
/// snapshots: keep none meanwhile.
[[nodiscard]] std::map<storage::DocumentKey, std::string> reasons_since_month(const storage::Store& store,
                                                                              const ListedFacts& listed, double today);

} // namespace costcurve::ingest
