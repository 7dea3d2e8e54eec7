// Reads the prices that documents had before, in pages of keys.
#include "server/ingest/prices/price_history.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "model/documents/fields.hpp"
#include "model/documents/prices.hpp"
#include "model/documents/text.hpp"
#include "model/hosted/hosted_prices.hpp"
#include "server/documents/records.hpp"

namespace costcurve::ingest {

namespace {

constexpr double kMonth = 30.0;            // days
constexpr double kYear = 365.0;            // days
constexpr double kSamePrice = 1e-9;        // of a ratio
constexpr double kBeyondClass = 10.0;      // of the price of a class, of what a tier or a threshold makes of it
constexpr double kMinDeviceHour = 0.01;    // USD: no card that models run on is rented for less
constexpr double kMinMillionUnits = 0.001; // USD: a tenth of the cheapest listed
constexpr double kMinBatchFraction = 0.1;  // of the price: published lists have a quarter to all of it

// `factor`: devices of the price by devices of what is stored.
PriceHistory history_of(const model::Rate& stored, const JudgedPrice& price, double factor) {
    PriceHistory history;
    if (!stored.curve) {
        history.last = stored.number * factor;
        return history;
    }
    const std::vector<double>& x = stored.curve->x;
    const std::vector<double>& y = stored.curve->y;
    if (y.empty()) {
        return history;
    }
    if (!price.day) {
        history.last = y.back() * factor;
        return history;
    }
    history.last = y.front() * factor;
    history.month_ago = y.front() * factor;
    const auto same_day = std::lower_bound(x.begin(), x.end(), *price.day);
    history.is_stored =
        same_day != x.end() && *same_day == *price.day && y[static_cast<std::size_t>(same_day - x.begin())] == price.price;
    for (std::size_t i = 0; i < x.size() && x[i] <= *price.day; ++i) {
        if (x[i] == *price.day && !history.is_stored) {
            break; // what it restates bears nothing out
        }
        history.last = y[i] * factor;
        history.month_ago = x[i] <= *price.day - kMonth ? y[i] * factor : history.month_ago;
        const bool holds_within_year = i + 1 == x.size() || x[i + 1] >= *price.day - kYear;
        history.returns = history.returns || (holds_within_year && is_about(price.price, y[i] * factor));
        history.is_known = history.is_known || (holds_within_year && std::abs(price.price / (y[i] * factor) - 1.0) <= kSamePrice);
    }
    return history;
}

// What an endpoint states of that price; nothing where it does not.
std::optional<StatedPrice> stated_in(const model::Endpoint& endpoint, const JudgedPrice& price) {
    std::vector<StatedPrice> stated = stated_prices(endpoint);
    const auto found = std::ranges::find(stated, price.sort, &StatedPrice::sort);
    return found == stated.end() ? std::nullopt : std::optional(std::move(*found));
}

// What is stored of that price; nothing where it is not there.
std::optional<StatedPrice> stored_price(const model::AnyDocument& document, const JudgedPrice& price) {
    if (const auto* const offer = std::get_if<model::Offer>(&document)) {
        return StatedPrice{price.sort, &offer->hourly_price, 0.0, false};
    }
    return stated_in(std::get<model::Endpoint>(document), price);
}

std::vector<JudgedPrice> points_of(const model::Rate* rate, const JudgedPrice& last) {
    std::vector<JudgedPrice> points;
    const bool has_points = rate != nullptr && rate->curve && last.day;
    for (std::size_t i = 0; has_points && i + 1 < rate->curve->x.size(); ++i) {
        if (rate->curve->x[i + 1] > *last.day - kYear) {
            JudgedPrice& point = points.emplace_back(last);
            point.day = rate->curve->x[i];
            point.price = rate->curve->y[i];
        }
    }
    points.push_back(last);
    return points;
}

std::string currency_in(const model::AnyDocument& document, const model::Rate* rate) {
    const auto* const offer = std::get_if<model::Offer>(&document);
    const std::string& currency = offer != nullptr ? offer->currency : std::get<model::Endpoint>(document).currency;
    return rate == nullptr ? currency : model::currency_of(*rate, currency);
}

// What the classes of an endpoint cost last; `prices` are those of one list, by their keys.
std::map<std::string, double, std::less<>> classes_of(const model::AnyDocument* stored, const JudgedPrice& price,
                                                      const std::vector<JudgedPrice>& prices) {
    std::map<std::string, double, std::less<>> classes;
    const auto first = std::ranges::lower_bound(prices, price.key, std::less<>(), &JudgedPrice::key);
    for (auto it = first; it != prices.end() && it->key == price.key; ++it) {
        classes[it->sort] = it->price;
    }
    if (stored != nullptr) {
        for (const JudgedPrice& it : prices_of(std::get<model::Endpoint>(*stored))) {
            classes.try_emplace(it.sort, it.price);
        }
    }
    return classes;
}

void set_thing(const std::string& seller, const std::string& thing, const std::string& region, PriceHistory& history) {
    history.seller = seller;
    history.thing = thing;
    history.region = region;
}

} // namespace

PriceHistory history_in(const model::AnyDocument* document, const JudgedPrice& price, const std::vector<JudgedPrice>& prices) {
    const std::optional<StatedPrice> stored = document != nullptr ? stored_price(*document, price) : std::nullopt;
    const model::Rate* const rate = stored ? stored->rate : nullptr;
    const auto* const offer = document != nullptr ? std::get_if<model::Offer>(document) : nullptr;
    const int devices = offer != nullptr ? offer->devices : 1;
    PriceHistory history =
        rate == nullptr ? PriceHistory() : history_of(*rate, price, static_cast<double>(price.devices) / devices);
    if (stored && rate == nullptr) {
        history.last = stored->factor;
    } else if (document != nullptr) {
        history.currency = currency_in(*document, rate);
    }
    if (price.key.kind == storage::Kind::endpoint) {
        history.classes = classes_of(document, price, prices);
    }
    if (offer != nullptr) {
        history.devices = devices;
        set_thing(offer->provider, offer->device.id, offer->region, history);
    } else if (document != nullptr) {
        const auto& endpoint = std::get<model::Endpoint>(*document);
        set_thing(endpoint.provider, endpoint.model, endpoint.region, history);
    }
    return history;
}

std::string reason_of_other_thing(const JudgedPrice& price, const PriceHistory& history) {
    std::string reason;
    const auto compare = [&](const std::string& is, const std::string& was, std::string_view words) {
        if (reason.empty() && !is.empty() && !was.empty() && is != was) {
            reason = fmt::format("{} {}, and was {}{}", words, is, words == "it is of" ? "of " : "", was);
        }
    };
    compare(price.thing, history.thing, "it is of");
    compare(price.seller, history.seller, "its provider is");
    compare(price.region, history.region, "its region is");
    return reason;
}

std::vector<JudgedPrice> with_points(const model::Offer& offer, const JudgedPrice& last) {
    return points_of(&offer.hourly_price, last);
}
std::vector<JudgedPrice> with_points(const model::Endpoint& endpoint, const JudgedPrice& last) {
    const std::optional<StatedPrice> stated = stated_in(endpoint, last);
    return points_of(stated ? stated->rate : nullptr, last);
}

std::vector<JudgedPrice> take_points(std::vector<JudgedPrice>& prices) {
    std::vector<JudgedPrice> points;
    std::vector<JudgedPrice> last;
    for (std::size_t i = 0; i < prices.size(); ++i) {
        const bool is_last = i + 1 == prices.size() || prices[i + 1].key != prices[i].key || prices[i + 1].sort != prices[i].sort;
        (is_last ? last : points).push_back(std::move(prices[i]));
    }
    prices = std::move(last);
    return points;
}

std::vector<PriceHistory> histories_of(const storage::Snapshot& snapshot, const std::vector<JudgedPrice>& prices) {
    std::vector<PriceHistory> histories;
    histories.reserve(prices.size());
    constexpr std::size_t kPage = 500;
    for (std::size_t first = 0; first < prices.size(); first += kPage) {
        const auto page = std::span(prices).subspan(first, std::min(kPage, prices.size() - first));
        std::vector<storage::DocumentKey> keys;
        keys.reserve(page.size());
        for (const JudgedPrice& price : page) {
            keys.push_back(price.key);
        }
        const auto found = snapshot.load_all(keys);
        for (std::size_t i = 0; i < page.size(); ++i) {
            const auto document = found[i] ? documents::decode_readable(*found[i]) : std::nullopt;
            histories.push_back(history_in(document ? &*document : nullptr, page[i], prices));
            histories.back().revisions = found[i] ? found[i]->revision : 0;
        }
    }
    return histories;
}

std::string reason_of_batch(const storage::Snapshot& snapshot, const std::string& id, double fraction) {
    const auto stored = snapshot.load({storage::Kind::endpoint, id});
    const auto before = stored && stored->unreadable.empty()
                            ? model::batch_fraction(std::get<model::Endpoint>(documents::decode_revision(*stored)))
                            : 1.0;
    if (before == 1.0) { // none was stated
        return fraction >= kMinBatchFraction
                   ? ""
                   : fmt::format("batch work costs {:.3g} of its price; less than {:g} is not usual", fraction, kMinBatchFraction);
    }
    return before > 0.0 && !is_beyond(fraction / before, kJump)
               ? ""
               : fmt::format("batch work costs {:.3g} of its price, and did {:.3g}", fraction, before);
}

// "0.5 USD", "output at 0.5 USD".
std::string said(const JudgedPrice& price, double amount) {
    return fmt::format("{}{}{:.4g}{}{}", is_of_offer(price) ? "" : price.sort,
                       is_of_offer(price) || price.sort.empty() ? "" : " at ", amount, price.currency.empty() ? "" : " ",
                       price.currency);
}

namespace {

// What one class of units of a hosted model costs of another, as far as published lists go, and beyond. Of the first other class
// that has a price.
struct ClassShare {
    std::string_view sort; ///< "": all classes
    std::string_view of;
    double least;
    double most;
};
constexpr auto kClassShares = std::to_array<ClassShare>({
    {"cached_input", "input", 1.0 / 200.0, 2.0}, // a 120th to a half
    {"cache_write", "input", 0.2, 5.0},          // 1.25 times
    {"reasoning", "output", 0.2, 5.0},           // as output
    {"input", "output", 0.02, 5.0},
    {"output", "input", 0.2, 50.0}, // once to eight times
    {"cached_input", "", 1.0 / 200.0, 2.0},
    {"cache_write", "", 0.2, 5.0},
    {"reasoning", "", 0.02, 50.0},
    {"input", "", 0.02, 5.0},
    {"output", "", 0.2, 50.0},
    {"", "output", 0.02, 5.0},
    {"", "input", 0.2, 50.0},
});

// Of a class that had no price, or of all where only classes had; "" where it may be.
std::string reason_of_classes(const JudgedPrice& price, const PriceHistory& history) {
    for (const ClassShare& row : kClassShares) {
        const auto other = row.sort == price.sort ? history.classes.find(row.of) : history.classes.end();
        if (other == history.classes.end() || other->second <= 0.0) {
            continue;
        }
        const double share = price.price / other->second;
        return share >= row.least && share <= row.most
                   ? ""
                   : fmt::format("{} is new, and {:.3g} times {}, {:g}", said(price, price.price), share,
                                 row.of.empty() ? "its price of all" : row.of, other->second);
    }
    return "";
}

// Of what is kept: published lists have a half to a 20th of the price of input, vendors that alone sell a model a 50th, and one a
// 120th. "" where the median of the model's other sellers is as low.
std::string reason_of_cached(const JudgedPrice& price, const PriceHistory& history, OtherSellers& sellers) {
    constexpr double kUsualCached = 1.0 / 25.0;
    constexpr double kOwnCached = 1.0 / 60.0; // where nobody else sells it
    const auto input = price.sort == "cached_input" ? history.classes.find("input") : history.classes.end();
    const auto all = price.sort == "cached_input" ? history.classes.find("") : history.classes.end();
    const double whole = input != history.classes.end() ? input->second : all != history.classes.end() ? all->second : 0.0;
    if (whole <= 0.0 || price.price >= whole * kUsualCached) {
        return "";
    }
    JudgedPrice of_input = price;
    of_input.sort = "input";
    const OtherSellers::Median others = sellers.median(price, OtherSellers::Whose::others);
    const OtherSellers::Median others_input = sellers.median(of_input, OtherSellers::Whose::others);
    const bool is_sold = others_input.sellers > 0;
    const bool is_usual =
        is_sold ? others.sellers > 0 && others.price < others_input.price * kUsualCached : price.price >= whole * kOwnCached;
    return is_usual ? ""
                    : fmt::format("{} is new, and {:.3g} times its price of input, {:g}: less than a {} is not usual",
                                  said(price, price.price), price.price / whole, whole, is_sold ? "25th" : "60th");
}

// US dollars of a fee, from which on it is held where it is new, twice the dearest published: 0.014 of a request, 0.05 of a search
// (gpt-4o-search-preview), 0.25 of an image, 0.03 of a tool's call.
struct FeeBound {
    std::string_view sort;
    double dollars;
};
constexpr auto kFeeBounds =
    std::to_array<FeeBound>({{"fees.request", 0.03}, {"fees.search", 0.1}, {"fees.image", 0.5}, {"fees.tool_call", 0.1}});

std::string reason_of_fee(const JudgedPrice& price) {
    const auto* const bound = std::ranges::find(kFeeBounds, std::string_view(price.sort), &FeeBound::sort);
    const double dollars = price.price * dollars_of(price.currency);
    if (dollars <= 0.0) {
        return fmt::format("{} is new, and no rate of exchange is known of {}", said(price, price.price), price.currency);
    }
    return bound == kFeeBounds.end() || dollars < bound->dollars
               ? ""
               : fmt::format("{} is new, and {:.3g} USD or more, for which nobody sells", said(price, price.price), bound->dollars);
}

// Of a tier or a threshold against the price of its class, of a factor against 1; "" where it may be.
std::string reason_of_condition(const JudgedPrice& price, const PriceHistory& history) {
    const std::string_view sort = std::string_view(price.sort).substr(0, price.sort.find(' '));
    if (sort.starts_with("fees")) {
        return price.price > 0.0 ? reason_of_fee(price) : "";
    }
    const bool is_factor = sort == "price_factor";
    auto base = history.classes.find(sort == "all" ? "" : sort);
    base = base == history.classes.end() ? history.classes.find("") : base;
    const double usual = is_factor ? 1.0 : base == history.classes.end() ? 0.0 : base->second;
    return usual > 0.0 && is_beyond(price.price / usual, kBeyondClass)
               ? fmt::format("{} is new, and {:.3g} times {}", said(price, price.price), price.price / usual,
                             is_factor ? "1" : fmt::format("its price of {:g}", usual))
               : "";
}

} // namespace

std::string reason_of_new(const JudgedPrice& price, const PriceHistory& history, OtherSellers& sellers) {
    if (price.is_condition) {
        return reason_of_condition(price, history);
    }
    std::string by_classes = is_of_offer(price) ? "" : reason_of_classes(price, history);
    by_classes = by_classes.empty() ? reason_of_cached(price, history, sellers) : by_classes;
    const double dollars = price.per_device() * dollars_of(price.currency);
    const double least = is_of_offer(price) ? kMinDeviceHour : kMinMillionUnits;
    return !by_classes.empty() || dollars <= 0.0 || dollars >= least
               ? by_classes
               : fmt::format("{} {} is below {:g} USD, for which nobody sells",
                             is_of_offer(price) ? "a device-hour of" : "a million units of", said(price, price.per_device()),
                             least);
}

} // namespace costcurve::ingest
