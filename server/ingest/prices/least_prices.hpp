// What an imported price list says of stored offers that name no zone, or no region: the least of its prices there.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/documents/documents.hpp"
#include "server/storage/roles.hpp"

namespace costcurve::ingest {

/// Takes the offers of one import. Memory grows with SKUs and regions, not with zones.
class LeastPrices {
public:
    /// Adds an offer that has a region, a SKU and a price of one day; leaves others alone.
    void add(const model::Offer& offer);

    /// The stored offers of the same SKU, purchase and term whose id has no zone, or neither zone nor region, each with the least
    /// price that was added and, in its source, whose it is. What the import has itself is not among them, nor what has a zone.
    [[nodiscard]] std::vector<model::Offer> of_stored(const storage::DocumentStore& store) const;

private:
    struct Least {
        model::Offer offer;
        std::size_t offers = 0;
    };
    void add_to(const std::string& id, const model::Offer& offer);

    std::unordered_map<std::string, std::string> ids_; ///< by what is sold, so that an id is made once
    std::unordered_map<std::string, Least> least_;     ///< by id
    std::unordered_set<std::string> imported_;         ///< ids that would be found
};

} // namespace costcurve::ingest
