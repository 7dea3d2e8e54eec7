// Lowest prices of a list for stored offers without a zone or region. Ids are those of importers: provider, SKU, place, purchase.
#include "server/ingest/prices/least_prices.hpp"

#include <fmt/format.h>

#include "server/documents/records.hpp"
#include "server/import/prices/prices.hpp"
#include "server/ingest/prices/other_sellers.hpp"

namespace costcurve::ingest {

namespace {

bool is_of_one_day(const model::Rate& price) {
    return price.curve && price.curve->axis == model::Axis::date && price.curve->x.size() == 1;
}

std::optional<model::Offer> stored_offer(const storage::Snapshot& snapshot, const std::string& id) {
    const std::optional<storage::Revision> stored = snapshot.load({storage::Kind::offer, id});
    const auto document = stored ? documents::decode_readable(*stored) : std::nullopt;
    return document ? std::optional(std::get<model::Offer>(*document)) : std::nullopt;
}

} // namespace

void LeastPrices::add(const model::Offer& offer) {
    if (is_private(offer.id, offer.provider)) {
        return; // what one buyer paid is in no list
    }
    if (offer.region.empty()) {
        imported_.insert(offer.id);
    }
    if (offer.region.empty() || offer.sku.empty() || offer.upfront != 0.0 || !is_of_one_day(offer.hourly_price)) {
        return;
    }
    const std::string word = imports::purchase_word(offer);
    const std::string what = fmt::format("{}\n{}\n{}", offer.provider, offer.sku, word);
    const auto id_of = [&](const std::string& key, const std::string& region) -> const std::string& {
        const auto [found, is_new] = ids_.try_emplace(key);
        if (is_new) {
            found->second = imports::offer_id(offer, region);
        }
        return found->second;
    };
    add_to(id_of(what, ""), offer);
    add_to(id_of(fmt::format("{}\n{}", what, offer.region), offer.region), offer);
}

void LeastPrices::add_to(const std::string& id, const model::Offer& offer) {
    if (id == offer.id) {
        imported_.insert(id);
        return;
    }
    Least& least = least_[id];
    if (least.offers > 0 && offer.hourly_price.curve->x != least.offer.hourly_price.curve->x) {
        imported_.insert(id); // prices of several days are not compared
        return;
    }
    if (++least.offers == 1 || offer.hourly_price.curve->y[0] < least.offer.hourly_price.curve->y[0]) {
        least.offer = offer;
    }
}

std::vector<model::Offer> LeastPrices::of_stored(const storage::DocumentStore& store) const {
    const std::unique_ptr<storage::Snapshot> snapshot = store.snapshot();
    std::vector<model::Offer> found;
    for (const auto& [id, least] : least_) {
        const std::optional<model::Offer> stored = imported_.contains(id) ? std::nullopt : stored_offer(*snapshot, id);
        if (!stored || !stored->zone.empty()) {
            continue; // with a zone of its own it is no region's
        }
        model::Offer offer = least.offer;
        const std::string& place = offer.zone.empty() ? offer.region : offer.zone;
        offer.source += fmt::format("{}the least of {} places, that of {}", offer.source.empty() ? "" : ": ", least.offers, place);
        offer.region = stored->region;
        offer.zone.clear();
        offer.id = id;
        offer.note.clear();
        found.push_back(std::move(offer));
    }
    return found;
}

} // namespace costcurve::ingest
