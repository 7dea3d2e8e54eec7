// A seller with many zones counts once: by the median of its own prices.
#include "server/answers/store/other_sellers.hpp"

#include <fmt/format.h>

#include "server/documents/records.hpp"
#include "server/import/prices/far_prices.hpp"

namespace costcurve::answers {

namespace {

using model::Purchase;

constexpr std::size_t kFewestSellers = 3;               // two can be dear clouds with an old card
constexpr std::size_t kMinPairs = 3;                    // of prices on demand and as spot, before their sameness means anything
constexpr double kMaxSpotDiscount = 10.0;               // of the price on demand, of what few sell as spot
constexpr std::string_view kEstimator = "semianalysis"; // sells nothing

// The last price of an offer; 0 where it is not known here.
double last_price(const model::Offer& offer) {
    const model::Rate& rate = offer.hourly_price;
    return !rate.curve ? rate.number : rate.curve->y.empty() ? 0.0 : rate.curve->y.back();
}

// Of a bill or a contract: what one buyer pays.
bool is_private(std::string_view id) { return id.starts_with("paid.") || id.starts_with("contract."); }

} // namespace

void OtherSellers::read(const std::string& device) {
    auto& prices = devices_[device];
    const std::unique_ptr<storage::Snapshot> snapshot = store_.snapshot();
    storage::ListQuery query;
    query.kind = storage::Kind::offer;
    query.limit = 1000;
    query.device = device;
    for (bool more = true; more;) {
        const storage::Page page = snapshot->list(query);
        for (const storage::Revision& revision : page.items) {
            const auto& facts = revision.record.offer;
            if (!facts || !facts->hourly_price || *facts->hourly_price <= 0.0 || facts->provider == kEstimator ||
                is_private(revision.record.key.id) || !revision.unreadable.empty()) {
                continue;
            }
            const auto document = documents::decode_revision(revision);
            const auto& offer = std::get<model::Offer>(document);
            if (offer.upfront == 0.0) {
                prices[{offer.purchase, offer.currency}][offer.provider].push_back(*facts->hourly_price / offer.devices);
            }
        }
        more = page.more && !page.items.empty();
        query.after = more ? page.items.back().record.key.id : "";
    }
}

const OtherSellers::Prices& OtherSellers::prices_of(const std::string& device, Purchase purchase, const std::string& currency) {
    if (!devices_.contains(device)) {
        read(device);
    }
    return devices_[device][{purchase, currency}];
}

OtherSellers::Reference OtherSellers::reference(const model::Offer& offer, Purchase purchase) {
    std::vector<double> medians;
    for (const auto& [seller, prices] : prices_of(offer.device.id, purchase, offer.currency)) {
        if (seller != offer.provider) {
            std::vector<double> of_seller = prices;
            medians.push_back(imports::lower_median(of_seller));
        }
    }
    const std::size_t sellers = medians.size();
    return sellers < kFewestSellers ? Reference{} : Reference{imports::lower_median(medians), sellers};
}

std::string OtherSellers::wrong_with(const model::Offer& offer) {
    const double hourly = last_price(offer);
    if (hourly <= 0.0 || offer.upfront != 0.0 || is_private(offer.id) || offer.provider == kEstimator) {
        return "";
    }
    ++judged_;
    note_pair(offer, hourly);
    const double price = hourly / offer.devices;
    Reference others = reference(offer, offer.purchase);
    std::string_view paid = model::name_of(offer.purchase);
    if (others.sellers == 0 && offer.purchase != Purchase::on_demand) {
        others = reference(offer, Purchase::on_demand);
        others.price /= offer.purchase == Purchase::spot ? kMaxSpotDiscount : 1.0;
        paid = "on_demand";
    }
    if (imports::far_from(price, others.price) != imports::FarPrice::below) {
        return "";
    }
    ++refused_;
    return fmt::format(
        "{} is {:.4g} {} a device-hour, below a tenth of {:.4g}, the median of {} other sellers of {} ({}){}: it is no "
        "price, such as the floor of an auction, and is not stored",
        offer.id, price, offer.currency, others.price, others.sellers, offer.device.id, paid,
        paid == model::name_of(offer.purchase) || offer.purchase != Purchase::spot ? "" : " over ten");
}

// Offers of one SKU and place that differ in the purchase alone come one after the other, or not far apart.
void OtherSellers::note_pair(const model::Offer& offer, double price) {
    if (offer.purchase != Purchase::on_demand && offer.purchase != Purchase::spot) {
        return;
    }
    constexpr std::size_t kMaxWaiting = 100'000;
    const auto key = [&](Purchase purchase) {
        return fmt::format("{}\n{}\n{}\n{}\n{}", offer.provider, offer.sku, offer.region, offer.zone, model::name_of(purchase));
    };
    const Purchase other = offer.purchase == Purchase::spot ? Purchase::on_demand : Purchase::spot;
    if (const auto found = waiting_.find(key(other)); found != waiting_.end()) {
        ++pairs_;
        same_ += found->second == price ? 1U : 0U;
        waiting_.erase(found);
    } else if (waiting_.size() < kMaxWaiting) {
        waiting_[key(offer.purchase)] = price;
    }
}

void OtherSellers::warn(imports::Complaints& warnings) const {
    if (refused_ > 0) {
        warnings.add(
            0, fmt::format("{} of {} prices are below a tenth of what other sellers take, and are not stored", refused_, judged_));
    }
    if (pairs_ >= kMinPairs && same_ == pairs_) {
        warnings.add(0,
                     fmt::format("all {} prices on demand are the same as those as spot: perhaps the floors of an auction, or one "
                                 "of the two is no price",
                                 pairs_));
    }
}

} // namespace costcurve::answers
