// Documents are read by pages of keys.
#include "server/answers/store/price_history.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <variant>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/documents/prices.hpp"
#include "model/documents/text.hpp"
#include "model/hosted/hosted_prices.hpp"
#include "server/documents/records.hpp"

namespace costcurve::answers {

namespace {

constexpr double kMonth = 30.0;           // days
constexpr double kYear = 365.0;           // days
constexpr double kSamePrice = 1e-9;       // of a ratio
constexpr double kMinBatchFraction = 0.1; // of the price: published lists have a quarter to all of it

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
std::optional<StatedPrice> stored_price(const documents::AnyDocument& document, const JudgedPrice& price) {
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

std::string currency_in(const documents::AnyDocument& document, const model::Rate* rate) {
    const auto* const offer = std::get_if<model::Offer>(&document);
    const std::string& currency = offer != nullptr ? offer->currency : std::get<model::Endpoint>(document).currency;
    return rate == nullptr ? currency : model::currency_of(*rate, currency);
}

// What the classes of an endpoint cost last; `prices` are those of one list, by their keys.
std::map<std::string, double, std::less<>> classes_of(const documents::AnyDocument* stored, const JudgedPrice& price,
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

// Of what is stored under its key, if anything.
PriceHistory history_in(const std::optional<documents::AnyDocument>& document, const JudgedPrice& price,
                        const std::vector<JudgedPrice>& prices) {
    const std::optional<StatedPrice> stored = document ? stored_price(*document, price) : std::nullopt;
    const model::Rate* const rate = stored ? stored->rate : nullptr;
    const auto* const offer = document ? std::get_if<model::Offer>(&*document) : nullptr;
    const int devices = offer != nullptr ? offer->devices : 1;
    PriceHistory history =
        rate == nullptr ? PriceHistory() : history_of(*rate, price, static_cast<double>(price.devices) / devices);
    if (stored && rate == nullptr) {
        history.last = stored->factor;
    } else if (document) {
        history.currency = currency_in(*document, rate);
    }
    if (price.key.kind == storage::Kind::endpoint) {
        history.classes = classes_of(document ? &*document : nullptr, price, prices);
    }
    if (offer != nullptr) {
        history.device = offer->device.id;
        history.devices = devices;
    }
    return history;
}

} // namespace

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
            histories.push_back(history_in(found[i] ? documents::decode_readable(*found[i]) : std::nullopt, page[i], prices));
        }
    }
    return histories;
}

namespace {

constexpr double kCurveJump = 10.0;   // of a tariff or a grid's carbon from one year to the next, crises among them
constexpr double kMinTariff = 0.0005; // a kWh, as a year's mean, of any currency: a twentieth of the cheapest wholesale power
constexpr double kMaxCarbon = 2500.0; // g/kWh: twice what burning lignite gives

// Its last value over date, else the mean of its points.
double level_of(const model::Curve& curve) {
    return curve.axis == model::Axis::date
               ? curve.y.back()
               : std::accumulate(curve.y.begin(), curve.y.end(), 0.0) / static_cast<double>(curve.y.size());
}

// "tariff.be-2024.hour-of-week" of "tariff.be-2025.hour-of-week"; "" of an id without a year.
std::string id_of_year_before(const std::string& id) {
    constexpr std::size_t kDigits = 4;
    for (std::size_t at = id.rfind('-'); at != std::string::npos && at > 0; at = id.rfind('-', at - 1)) {
        const std::string digits = id.substr(at + 1, id.find('.', at) - at - 1);
        const auto year = model::read_number<int>(digits);
        if (digits.size() == kDigits && year && *year > 1000) {
            return fmt::format("{}-{}{}", id.substr(0, at), *year - 1, id.substr(at + 1 + kDigits));
        }
    }
    return "";
}

// What is stored of the curve, else of the year before; nothing where that is another kind of curve.
std::optional<model::Curve> stored_curve(const storage::Snapshot& snapshot, const model::Curve& curve) {
    for (const std::string& id : {curve.id, id_of_year_before(curve.id)}) {
        const auto revision = id.empty() ? std::nullopt : snapshot.load({storage::Kind::curve, id});
        const auto document = revision ? documents::decode_readable(*revision) : std::nullopt;
        if (!document) {
            continue;
        }
        const auto& stored = std::get<model::Curve>(*document);
        return stored.kind == curve.kind && stored.axis == curve.axis && !stored.y.empty() ? std::optional(stored) : std::nullopt;
    }
    return std::nullopt;
}

} // namespace

std::string reason_of_curve(const storage::Snapshot& snapshot, const model::Curve& curve, double today) {
    const bool is_over_date = curve.axis == model::Axis::date;
    if (curve.kind == model::CurveKind::price && is_over_date && curve.x.back() > today + 1.0) {
        return fmt::format("its last price is of {}, a day to come", model::date_text(curve.x.back()));
    }
    const double level = level_of(curve);
    const std::string said = fmt::format("its {} of {:.4g}", is_over_date ? "last value" : "mean", level);
    if (curve.kind == model::CurveKind::tariff && level < kMinTariff) {
        return fmt::format("{} a kWh is below {:g}: no grid sells for that, in any currency", said, kMinTariff);
    }
    if (curve.kind == model::CurveKind::carbon && level > kMaxCarbon) {
        return fmt::format("{} g/kWh is above {:g}, which no grid has", said, kMaxCarbon);
    }
    const std::optional<model::Curve> stored = stored_curve(snapshot, curve);
    if (stored && !stored->currency.empty() && !curve.currency.empty() && stored->currency != curve.currency) {
        return fmt::format("currency_changed: it is in {}, and {} in {}", curve.currency,
                           stored->id == curve.id ? "it was" : stored->id + " is", stored->currency);
    }
    const std::optional<double> before = stored ? std::optional(level_of(*stored)) : std::nullopt;
    return before && *before > 0.0 && is_beyond(level / *before, kCurveJump)
               ? fmt::format("{} is {:.3g} times what it was, {:.4g}", said, level / *before, *before)
               : "";
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

std::string reason_of_device(const storage::Snapshot& snapshot, const model::Device& device) {
    const auto revision = snapshot.load({storage::Kind::device, device.id});
    const auto document = revision ? documents::decode_readable(*revision) : std::nullopt;
    if (!document) {
        return "";
    }
    const auto& stored = std::get<model::Device>(*document);
    std::string reason;
    const auto judge = [&](std::string_view what, double now, double before) {
        if (now > 0.0 && before > 0.0 && is_beyond(now / before, kJump)) {
            reason += fmt::format("{}its {} of {:.4g} is {:.3g} times what it was, {:.4g}", reason.empty() ? "" : "; ", what, now,
                                  now / before, before);
        }
    };
    judge("memory_gib", device.memory_gib.value_or(0.0), stored.memory_gib.value_or(0.0));
    judge("memory_bandwidth_gb_per_s", device.memory_bandwidth_gb_per_s.value_or(0.0),
          stored.memory_bandwidth_gb_per_s.value_or(0.0));
    judge("tdp_w", device.tdp_w, stored.tdp_w);
    for (const auto& [precision, flops] : device.peak_flops) {
        const auto before = stored.peak_flops.find(precision);
        judge("peak_flops of " + precision, flops, before == stored.peak_flops.end() ? 0.0 : before->second);
    }
    return reason;
}

} // namespace costcurve::answers
