// Documents are read by pages of keys.
#include "server/answers/store/price_history.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <variant>

#include "server/documents/records.hpp"

namespace costcurve::answers {

namespace {

constexpr double kMonth = 30.0;     // days
constexpr double kYear = 365.0;     // days
constexpr double kSamePrice = 1e-9; // of a ratio

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
        history.last = y[i] * factor;
        history.month_ago = x[i] <= *price.day - kMonth ? y[i] * factor : history.month_ago;
        const bool holds_within_year = i + 1 == x.size() || x[i + 1] >= *price.day - kYear;
        history.returns = history.returns || (holds_within_year && is_about(price.price, y[i] * factor));
        history.is_known = history.is_known || (holds_within_year && std::abs(price.price / (y[i] * factor) - 1.0) <= kSamePrice);
    }
    return history;
}

// What is stored of that price; nullptr for nothing.
const model::Rate* stored_rate(const documents::AnyDocument& document, const JudgedPrice& price) {
    if (const auto* const offer = std::get_if<model::Offer>(&document)) {
        return &offer->hourly_price;
    }
    const auto& stated = std::get<model::Endpoint>(document).price_per_million_units;
    if (!stated || stated->split == price.sort.empty()) {
        return nullptr;
    }
    for (std::size_t i = 0; stated->split && i < model::kUnitClasses; ++i) {
        const auto unit_class = static_cast<model::UnitClass>(i);
        if (model::name_of(unit_class) == price.sort) {
            const std::optional<model::Rate>& rate = (*stated)[unit_class];
            return rate ? &*rate : nullptr;
        }
    }
    return &stated->total;
}

std::string currency_of(const documents::AnyDocument& document) {
    const auto* const offer = std::get_if<model::Offer>(&document);
    return offer != nullptr ? offer->currency : std::get<model::Endpoint>(document).currency;
}

// What the classes of an endpoint cost last; `prices` are those of one list, by their keys.
std::map<std::string, double, std::less<>> classes_of(const documents::AnyDocument* stored, const JudgedPrice& price,
                                                      const std::vector<JudgedPrice>& prices) {
    std::map<std::string, double, std::less<>> classes;
    const auto [first, last] = std::ranges::equal_range(prices, price.key, std::less<>(), &JudgedPrice::key);
    std::for_each(first, last, [&](const JudgedPrice& it) { classes[it.sort] = it.price; });
    if (stored != nullptr) {
        for (const JudgedPrice& it : prices_of(std::get<model::Endpoint>(*stored))) {
            classes.try_emplace(it.sort, it.price);
        }
    }
    return classes;
}

} // namespace

std::vector<PriceHistory> histories_of(const storage::Snapshot& snapshot, const std::vector<JudgedPrice>& prices) {
    std::vector<PriceHistory> histories;
    histories.reserve(prices.size());
    constexpr std::size_t kPage = 500;
    for (std::size_t first = 0; first < prices.size(); first += kPage) {
        const auto page = std::span(prices).subspan(first, std::min(kPage, prices.size() - first));
        std::vector<storage::DocumentKey> keys;
        for (const JudgedPrice& price : page) {
            keys.push_back(price.key);
        }
        const auto found = snapshot.load_all(keys);
        for (std::size_t i = 0; i < page.size(); ++i) {
            const bool is_there = found[i] && found[i]->unreadable.empty();
            const auto document = is_there ? std::optional(documents::decode_revision(*found[i])) : std::nullopt;
            const model::Rate* const rate = document ? stored_rate(*document, page[i]) : nullptr;
            const auto* const offer = document ? std::get_if<model::Offer>(&*document) : nullptr;
            const int devices = offer != nullptr ? offer->devices : 1;
            histories.push_back(rate == nullptr ? PriceHistory()
                                                : history_of(*rate, page[i], static_cast<double>(page[i].devices) / devices));
            if (document) {
                histories.back().currency = currency_of(*document);
            }
            if (page[i].key.kind == storage::Kind::endpoint) {
                histories.back().classes = classes_of(document ? &*document : nullptr, page[i], prices);
            }
            if (offer != nullptr) {
                histories.back().device = offer->device.id;
                histories.back().devices = devices;
            }
        }
    }
    return histories;
}

} // namespace costcurve::answers
