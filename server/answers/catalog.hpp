// The stored catalogue as values: what a ranking looks through.
#pragma once

#include "model/performance/rates.hpp"
#include "model/questions/rank/rank.hpp"
#include "server/documents/references.hpp"

namespace costcurve::answers {

/// All offers, servers, sites, performances, models and endpoints of the source's snapshot, and its rates, without references;
/// documents that can't be read, or whose references can't, are left out. Empty where there is no store.
[[nodiscard]] model::Catalog read_catalog(documents::Source& source);

/// Issues at the names in a ranking's limits, and at regions of its work, that nothing in the catalogue has; with near ones.
[[nodiscard]] model::Failure unknown_names(const model::Catalog& catalog, const model::RankQuestion& question);

/// Models and devices by their names, and the rates of one on the other.
struct RatedCatalog {
    std::vector<model::Model> models;
    std::vector<model::Device> devices;
    std::shared_ptr<const model::Rates> rates;
};
/// All that the source's snapshot has of these, read as `read_catalog` does.
[[nodiscard]] RatedCatalog read_rated(documents::Source& source);

} // namespace costcurve::answers
