// Stored offers of the SKUs of a price list that none of its rows reaches, because they are stored under other ids.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/documents/documents.hpp"
#include "server/storage/roles.hpp"

namespace costcurve::ingest {

/// Takes the offers of one import.
class UnreachedOffers {
public:
    void add(const model::Offer& offer);

    /// A sentence for each stored offer of the same provider, SKU, purchase and term as an offer of the import, whose id the import
    /// does not have, and whose region the list does not have, or sells the SKU in under the id that importers make. An offer in a
    /// region or zone where the list does not sell the SKU is no such one, nor are prices of another kind (`paid.…`). Looks at SKUs
    /// that come in for the first time, so it is called before the import is stored: it reads all offers of their providers.
    [[nodiscard]] std::vector<std::string> warnings(const storage::DocumentStore& store) const;

private:
    struct Sku {
        std::set<std::string> regions;
        std::string example; ///< an id of the import
    };
    using Skus = std::unordered_map<std::string, const Sku*>;
    [[nodiscard]] std::map<std::string, Skus> new_skus(const storage::Snapshot& snapshot) const; ///< by provider

    std::unordered_map<std::string, Sku> skus_;            ///< by provider, SKU and purchase
    std::map<std::string, std::set<std::string>> regions_; ///< of the list, by provider
    std::unordered_set<std::string> ids_;
};

} // namespace costcurve::ingest
