// Ids as importers make them: provider, SKU, place, purchase.
#include "server/answers/store/least_prices.hpp"

#include <fmt/format.h>

#include "server/import/text/numbers.hpp"

namespace costcurve::answers {

namespace {

std::string purchase_word(const model::Offer& offer) {
    if (offer.purchase == model::Purchase::on_demand) {
        return "on-demand";
    }
    const std::string word(model::name_of(offer.purchase));
    return offer.term_months ? fmt::format("{}-{}", word, *offer.term_months) : word;
}

bool is_of_one_day(const model::Rate& price) {
    return price.curve && price.curve->axis == model::Axis::date && price.curve->x.size() == 1;
}

} // namespace

void LeastPrices::add(const model::Offer& offer) {
    if (offer.region.empty()) {
        imported_.insert(offer.id);
    }
    if (offer.region.empty() || offer.sku.empty() || offer.upfront != 0.0 || !is_of_one_day(offer.hourly_price)) {
        return;
    }
    const std::string word = purchase_word(offer);
    const std::string what = fmt::format("{}\n{}\n{}", offer.provider, offer.sku, word);
    const auto id_of = [&](const std::string& key, const std::string& region) -> const std::string& {
        const auto [found, is_new] = ids_.try_emplace(key);
        if (is_new) {
            found->second = imports::make_id({offer.provider, offer.sku, region, word});
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

std::vector<model::Offer> LeastPrices::of_stored(const storage::Store& store) const {
    const std::unique_ptr<storage::Snapshot> snapshot = store.snapshot();
    std::vector<model::Offer> found;
    for (const auto& [id, least] : least_) {
        const std::optional<storage::Revision> stored =
            imported_.contains(id) ? std::nullopt : snapshot->load({storage::Kind::offer, id});
        if (!stored || !stored->unreadable.empty()) {
            continue;
        }
        model::Offer offer = least.offer;
        offer.region = stored->record.offer ? stored->record.offer->region : offer.region;
        offer.id = id;
        offer.source += fmt::format("{}the least of {} places", offer.source.empty() ? "" : ": ", least.offers);
        offer.note.clear();
        found.push_back(std::move(offer));
    }
    return found;
}

} // namespace costcurve::answers
