// The stored catalogue as values, the candidates of a ranking.
#pragma once

#include "model/performance/rates.hpp"
#include "model/questions/rank/rank.hpp"
#include "server/documents/references.hpp"

namespace costcurve::answers {

/// All offers, servers, sites, performances, models, endpoints and rates of the source's snapshot, references resolved. Documents
/// that can't be read, or whose references can't, are left out. Empty without a store.
[[nodiscard]] model::Catalog read_catalog(documents::Source& source);

/// Issues for names in a ranking's limits, and for regions of its work, that the catalogue doesn't have; with similar names.
[[nodiscard]] model::Failure unknown_names(const model::Catalog& catalog, const model::RankQuestion& question);

/// Models and devices, and rates of models on devices.
struct RatedCatalog {
    std::vector<model::Model> models;
    std::vector<model::Device> devices;
    std::shared_ptr<const model::Rates> rates;
};
/// Reads all of these from the source's snapshot, like `read_catalog`.
[[nodiscard]] RatedCatalog read_rated(documents::Source& source);

} // namespace costcurve::answers
