// Stored offers of a price list's SKUs that none of its rows has, as their ids differ. Only those that the import left alone are
// decoded.
#include "server/ingest/unreached_offers.hpp"

#include <fmt/format.h>

#include "server/documents/records.hpp"
#include "server/import/prices/prices.hpp"
#include "server/ingest/prices/other_sellers.hpp"

namespace costcurve::ingest {

namespace {

std::string sku_key(const model::Offer& offer) {
    return fmt::format("{}\n{}\n{}", offer.provider, offer.sku, imports::purchase_word(offer));
}

// Made by an importer: of a zone, where it is not of the region.
bool is_made_by_importer(const model::Offer& offer) {
    const std::string without_place = imports::offer_id(offer, "");
    const std::string word = "." + imports::purchase_word(offer);
    const std::string_view sku = std::string_view(without_place).substr(0, without_place.size() - word.size());
    return offer.id.starts_with(fmt::format("{}.", sku)) && offer.id.ends_with(word);
}

// Visits the readable offers of a provider whose id is not among these.
template <class Visit>
void for_each_other(const storage::Snapshot& snapshot, const std::string& provider, const std::unordered_set<std::string>& ids,
                    const Visit& visit) {
    storage::ListQuery query;
    query.kind = storage::Kind::offer;
    query.limit = 1000;
    query.provider = provider;
    for (bool more = true; more;) {
        const storage::Page page = snapshot.list(query);
        for (const storage::Revision& revision : page.items) {
            if (ids.contains(revision.record.key.id) || !revision.unreadable.empty()) {
                continue;
            }
            auto document = documents::decode_revision(revision);
            auto& offer = std::get<model::Offer>(document);
            offer.id = revision.record.key.id;
            visit(offer);
        }
        more = page.more && !page.items.empty();
        query.after = more ? page.items.back().record.key.id : "";
    }
}

} // namespace

void UnreachedOffers::add(const model::Offer& offer) {
    ids_.insert(offer.id);
    if (offer.sku.empty() || is_private(offer.id, offer.provider)) { // of one buyer: no list replaces another
        return;
    }
    Sku& sku = skus_[sku_key(offer)];
    if (sku.example.empty()) {
        sku.example = offer.id;
    }
    sku.regions.insert(offer.region);
    regions_[offer.provider].insert(offer.region);
}

std::vector<std::string> UnreachedOffers::warnings(const storage::DocumentStore& store) const {
    std::vector<std::string> warnings;
    const std::unique_ptr<storage::Snapshot> snapshot = store.snapshot();
    for (const auto& [provider, skus] : new_skus(*snapshot)) {
        const std::string in_another_list = fmt::format(".{}.", provider); // "paid.aws.…"
        const std::set<std::string>& regions = regions_.at(provider);
        for_each_other(*snapshot, provider, ids_, [&, &added = skus](const model::Offer& offer) {
            const auto found = added.find(sku_key(offer));
            if (found == added.end() || offer.id.find(in_another_list) != std::string::npos) {
                return;
            }
            const Sku& sku = *found->second;
            const bool has_other_region = offer.region.empty() || !regions.contains(offer.region);
            const bool has_other_id = sku.regions.contains(offer.region) && !is_made_by_importer(offer);
            if (has_other_region || has_other_id) {
                warnings.push_back(fmt::format("{} is stored as {} too{}, which no row reaches; store it under an id and a region "
                                               "as the list has them, such as "
                                               "{}, or delete it",
                                               offer.sku, offer.id,
                                               offer.region.empty() ? "" : fmt::format(" (region {})", offer.region), sku.example));
            }
        });
    }
    return warnings;
}

std::map<std::string, UnreachedOffers::Skus> UnreachedOffers::new_skus(const storage::Snapshot& snapshot) const {
    std::map<std::string, Skus> found;
    for (const auto& [key, sku] : skus_) {
        const std::vector<storage::Revision> last = snapshot.history({storage::Kind::offer, sku.example}, 0, 1);
        if (last.empty() || last.front().deleted) {
            found[key.substr(0, key.find('\n'))].emplace(key, &sku);
        }
    }
    return found;
}

} // namespace costcurve::ingest
