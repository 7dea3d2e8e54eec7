// Prices of other sellers: each counts once, by the median of its own.
#include "server/ingest/prices/other_sellers.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "model/documents/fields.hpp"
#include "model/documents/prices.hpp"
#include "model/documents/text.hpp"
#include "server/documents/records.hpp"
#include "server/ingest/prices/every_document.hpp"

namespace costcurve::ingest {

namespace {

// Units of a currency for a US dollar, rounded, of 2025: for orders of magnitude, where what has moved since is forgiven.
struct RoughRate {
    std::string_view currency;
    double per_dollar;
};
constexpr auto kRoughRates = std::to_array<RoughRate>({
    {"USD", 1},    {"EUR", 0.87}, {"GBP", 0.75}, {"CHF", 0.8},   {"JPY", 150},  {"CNY", 7.1},  {"HKD", 7.8},  {"TWD", 31},
    {"KRW", 1400}, {"INR", 87},   {"SGD", 1.3},  {"AUD", 1.5},   {"NZD", 1.7},  {"CAD", 1.4},  {"SEK", 9.6},  {"NOK", 10},
    {"DKK", 6.5},  {"PLN", 3.7},  {"CZK", 21},   {"HUF", 340},   {"RON", 4.4},  {"BGN", 1.7},  {"ISK", 125},  {"TRY", 41},
    {"ILS", 3.4},  {"ZAR", 17.5}, {"BRL", 5.4},  {"MXN", 18.5},  {"CLP", 950},  {"COP", 4000}, {"ARS", 1400}, {"IDR", 16500},
    {"MYR", 4.2},  {"PHP", 57},   {"THB", 32.5}, {"VND", 26000}, {"AED", 3.67}, {"SAR", 3.75}, {"QAR", 3.64}, {"KZT", 520},
    {"UAH", 41},   {"RUB", 80},   {"EGP", 48},   {"NGN", 1500},  {"KES", 129},
});

// 0: not known.
double per_dollar(std::string_view currency) {
    const auto* const row = std::ranges::find(kRoughRates, currency, &RoughRate::currency);
    return row == kRoughRates.end() ? 0.0 : row->per_dollar;
}

struct PlaceRow {
    std::string_view part; // of a region's name
    std::string_view place;
    bool only_first = false;
};
// In this order: "australiaeast" has "us" in it.
constexpr auto kPlaces = std::to_array<PlaceRow>({
    {"southamerica", "south america"},
    {"brazil", "south america"},
    {"chile", "south america"},
    {"sa-", "south america", true},
    {"northamerica", "north america"},
    {"china", "china"},
    {"cn-", "china", true},
    {"asia", "asia pacific"},
    {"australia", "asia pacific"},
    {"japan", "asia pacific"},
    {"korea", "asia pacific"},
    {"india", "asia pacific"},
    {"ap-", "asia pacific", true},
    {"europe", "europe"},
    {"austria", "europe"},
    {"france", "europe"},
    {"germany", "europe"},
    {"italy", "europe"},
    {"norway", "europe"},
    {"poland", "europe"},
    {"spain", "europe"},
    {"sweden", "europe"},
    {"switzerland", "europe"},
    {"uk", "europe", true},
    {"eu", "europe", true},
    {"africa", "middle east and africa"},
    {"israel", "middle east and africa"},
    {"qatar", "middle east and africa"},
    {"uae", "middle east and africa"},
    {"af-", "middle east and africa", true},
    {"il-", "middle east and africa", true},
    {"me-", "middle east and africa", true},
    {"canada", "north america"},
    {"ca-", "north america", true},
    {"mexico", "north america"},
    {"mx-", "north america", true},
    {"us", "north america"},
});

// The part of the world that a region's name is of; "" where it does not say.
std::string_view place_of(std::string_view region) {
    const std::string name = model::lower(std::string(region));
    const auto row = std::find_if(kPlaces.begin(), kPlaces.end(), [&](const PlaceRow& it) {
        const std::size_t at = name.find(it.part);
        return at != std::string::npos && (!it.only_first || at == 0);
    });
    return row == kPlaces.end() ? "" : row->place;
}

// Sets the last price and its day; false where it is not known here.
bool set_price(const model::Rate& rate, JudgedPrice& price) {
    if (!rate.curve) {
        price.price = rate.number;
        return true;
    }
    if (rate.curve->y.empty() || rate.curve->axis != model::Axis::date) {
        return false; // of a curve that is stored apart
    }
    price.price = rate.curve->y.back();
    price.day = rate.curve->x.back();
    return true;
}

// Of an id that an importer made, not of a seller of that name.
bool has_prefix(std::string_view prefix, std::string_view id, std::string_view provider) {
    return id.starts_with(prefix) && !model::lower(provider).starts_with(prefix.substr(0, prefix.size() - 1));
}

} // namespace

std::vector<JudgedPrice> prices_of(const model::Offer& offer) {
    JudgedPrice price{{storage::Kind::offer, offer.id},
                      offer.provider,
                      offer.device.id,
                      std::string(model::name_of(offer.purchase)),
                      model::currency_of(offer.hourly_price, offer.currency),
                      place_of(offer.region),
                      offer.devices,
                      offer.upfront > 0.0,
                      false,
                      0.0,
                      std::nullopt,
                      offer.region};
    const bool is_judged = !has_prefix("paid.", offer.id, offer.provider) && set_price(offer.hourly_price, price);
    return is_judged ? std::vector{std::move(price)} : std::vector<JudgedPrice>();
}

double dollars_of(std::string_view currency) {
    const double rate = currency.empty() ? 1.0 : per_dollar(currency);
    return rate > 0.0 ? 1.0 / rate : 0.0;
}

bool is_private(std::string_view id, std::string_view provider) {
    return has_prefix("paid.", id, provider) || has_prefix("contract.", id, provider);
}

namespace {

// The classes of a price; `of` says of which condition.
void add_classes(const std::optional<model::UnitPrice>& stated, const std::string& of, std::vector<StatedPrice>& prices) {
    if (stated && !stated->split) {
        prices.push_back({of.empty() ? "" : "all" + of, &stated->total, 0.0, !of.empty()});
    }
    for (std::size_t i = 0; stated && stated->split && i < model::kUnitClasses; ++i) {
        const auto unit_class = static_cast<model::UnitClass>(i);
        if (const std::optional<model::Rate>& rate = (*stated)[unit_class]) {
            prices.push_back({std::string(model::name_of(unit_class)) + of, &*rate, 0.0, !of.empty()});
        }
    }
}

void add_above(const std::vector<model::PriceAbove>& above, const std::string& of, std::vector<StatedPrice>& prices) {
    for (const model::PriceAbove& one : above) {
        add_classes(one.price_per_million_units, fmt::format("{} above {} tokens", of, one.input_tokens), prices);
    }
}

} // namespace

std::vector<StatedPrice> stated_prices(const model::Endpoint& endpoint) {
    std::vector<StatedPrice> prices;
    add_classes(endpoint.price_per_million_units, "", prices);
    add_above(endpoint.above, "", prices);
    model::for_each_field<model::ServiceTiers>([&](const auto& field) {
        if (!endpoint.service_tiers || !((*endpoint.service_tiers).*field.member)) {
            return;
        }
        const model::TierPrices& tier = *((*endpoint.service_tiers).*field.member); // prices refer to it
        const std::string of = fmt::format(" in tier {}", field.name);
        add_classes(tier.price_per_million_units, of, prices);
        add_above(tier.above, of, prices);
        if (tier.price_factor) {
            prices.push_back({"price_factor" + of, nullptr, *tier.price_factor, true});
        }
    });
    model::for_each_field<model::HostedFees>([&](const auto& field) {
        if (endpoint.fees && (*endpoint.fees).*field.member) {
            prices.push_back({fmt::format("fees.{}", field.name), &*((*endpoint.fees).*field.member), 0.0, true});
        }
    });
    for (std::size_t i = 0; endpoint.cache && i < endpoint.cache->write_lifetimes.size(); ++i) {
        const model::CacheLifetime& lifetime = endpoint.cache->write_lifetimes[i];
        if (lifetime.price_factor) {
            prices.push_back(
                {fmt::format("price_factor of a cache of {} s", lifetime.seconds), nullptr, *lifetime.price_factor, true});
        }
    }
    return prices;
}

std::vector<JudgedPrice> prices_of(const model::Endpoint& endpoint) {
    std::vector<JudgedPrice> prices;
    for (StatedPrice& stated : stated_prices(endpoint)) {
        JudgedPrice price{{storage::Kind::endpoint, endpoint.id},
                          endpoint.provider,
                          endpoint.model,
                          std::move(stated.sort),
                          stated.rate == nullptr ? "" : model::currency_of(*stated.rate, endpoint.currency),
                          place_of(endpoint.region),
                          1,
                          false,
                          stated.is_condition,
                          stated.factor,
                          std::nullopt,
                          endpoint.region};
        if (stated.rate == nullptr || set_price(*stated.rate, price)) {
            prices.push_back(std::move(price));
        }
    }
    return prices;
}

double median_of(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2.0;
}

OtherSellers::Median OtherSellers::median(const JudgedPrice& price, Whose whose) {
    const auto [found, is_new] = medians_.try_emplace(
        {price.key.kind, price.thing, price.sort, price.currency, std::string(price.place), price.seller, whose});
    if (is_new) {
        found->second = find_median(price, whose);
    }
    return found->second;
}

std::string OtherSellers::other_currency(const JudgedPrice& price) {
    std::string other;
    for (const Ask& ask : asks(price)) {
        if (ask.seller == price.seller && !ask.currency.empty()) {
            if (ask.currency == price.currency) {
                return "";
            }
            other = ask.currency;
        }
    }
    const std::set<std::string>& all = currencies_of(price);
    return !other.empty() || all.empty() || all.contains(price.currency) ? other : *all.begin();
}

const std::set<std::string>& OtherSellers::currencies_of(const JudgedPrice& price) {
    const auto [found, is_new] = currencies_.try_emplace({price.key.kind, price.seller});
    std::set<std::string>& currencies = found->second;
    if (!is_new) {
        return currencies;
    }
    if (price.key.kind == storage::Kind::endpoint) {
        for (const auto& [thing, asks_of_thing] : *endpoints_) { // which asks() has read
            for (const Ask& ask : asks_of_thing) {
                if (ask.seller == price.seller && !ask.currency.empty()) {
                    currencies.insert(ask.currency);
                }
            }
        }
        return currencies;
    }
    storage::ListQuery query; // one page tells
    query.kind = storage::Kind::offer;
    query.provider = price.seller;
    for (const storage::Revision& revision : snapshot_.list(query).items) {
        const auto document =
            is_private(revision.record.key.id, price.seller) ? std::nullopt : documents::decode_readable(revision);
        const auto* const offer = document ? std::get_if<model::Offer>(&*document) : nullptr;
        if (offer == nullptr || offer->provider != price.seller) {
            continue;
        }
        if (std::string currency{model::currency_of(offer->hourly_price, offer->currency)}; !currency.empty()) {
            currencies.insert(std::move(currency));
        }
    }
    return currencies;
}

OtherSellers::Median OtherSellers::find_median(const JudgedPrice& price, Whose whose) {
    std::map<std::string, std::vector<double>> by_seller;
    for (const Ask& ask : asks(price)) {
        const bool is_near = ask.place == price.place || ask.place.empty() || price.place.empty();
        const bool is_own = ask.seller == price.seller;
        if (whose == Whose::abroad) {
            if (!is_own && ask.currency != price.currency && per_dollar(ask.currency) > 0.0) {
                by_seller[ask.seller].push_back(ask.price * per_dollar(price.currency) / per_dollar(ask.currency));
            }
        } else if (is_own == (whose != Whose::others) && ask.currency == price.currency &&
                   (is_near || whose == Whose::own_anywhere)) {
            by_seller[ask.seller].push_back(ask.price);
        }
    }
    std::vector<double> medians;
    medians.reserve(by_seller.size());
    for (auto& [seller, prices] : by_seller) {
        medians.push_back(median_of(std::move(prices)));
    }
    const std::size_t sellers = medians.size();
    return {sellers == 0 ? 0.0 : median_of(std::move(medians)), sellers};
}

const std::vector<OtherSellers::Ask>& OtherSellers::asks(const JudgedPrice& price) {
    if (price.key.kind == storage::Kind::endpoint) {
        if (!endpoints_) {
            read_endpoints();
        }
        return (*endpoints_)[{price.thing, price.sort}];
    }
    const auto [found, is_new] = offers_.try_emplace({price.thing, price.sort});
    if (is_new) {
        read_offers(price.thing, price.sort, found->second);
    }
    return found->second;
}

void OtherSellers::read_offers(const std::string& device, const std::string& purchase, std::vector<Ask>& asks) const {
    storage::ListQuery query;
    query.kind = storage::Kind::offer;
    query.device = device;
    query.purchase = purchase;
    for_each_page(snapshot_, query, [&](const storage::Page& page) {
        for (const storage::Revision& revision : page.items) {
            const auto& facts = revision.record.offer; // its last price, without its points
            if (!revision.unreadable.empty() || !facts || !facts->hourly_price || *facts->hourly_price <= 0.0 ||
                facts->provider == kEstimator || is_private(revision.record.key.id, facts->provider)) {
                continue;
            }
            const auto document = documents::decode_readable(revision);
            if (!document) {
                continue;
            }
            const auto& offer = std::get<model::Offer>(*document);
            if (offer.upfront == 0.0) {
                asks.push_back({offer.provider, model::currency_of(offer.hourly_price, offer.currency), place_of(offer.region),
                                *facts->hourly_price / static_cast<double>(offer.devices)});
            }
        }
    });
}

void OtherSellers::read_endpoints() {
    endpoints_.emplace();
    for_each_document<model::Endpoint>(snapshot_, storage::Kind::endpoint, [&](const model::Endpoint& endpoint) {
        for (JudgedPrice& price : prices_of(endpoint)) {
            if (price.price > 0.0 && !price.is_condition) {
                (*endpoints_)[{price.thing, price.sort}].push_back(
                    {std::move(price.seller), std::move(price.currency), price.place, price.price});
            }
        }
    });
}

} // namespace costcurve::ingest
