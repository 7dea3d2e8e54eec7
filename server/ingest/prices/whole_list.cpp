// Counts over the prices of a list; their reasons one by one are price_guard's.
#include "server/ingest/prices/whole_list.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include <fmt/format.h>

namespace costcurve::ingest {

std::string same_number(const std::vector<JudgedPrice>& prices, const std::vector<PriceHistory>& histories) {
    struct Kind {
        double price = 0.0;
        std::optional<double> last;
    };
    std::map<std::tuple<std::string, int, std::string>, Kind> kinds;
    std::map<double, std::size_t> counts;
    for (std::size_t i = 0; i < prices.size(); ++i) {
        const JudgedPrice& price = prices[i];
        if (price.is_condition || (!is_of_offer(price) && !histories[i].last)) {
            continue; // a host may sell all models at one price
        }
        if (kinds.try_emplace({price.thing, price.devices, price.sort}, Kind{price.price, histories[i].last}).second) {
            ++counts[price.price];
        }
    }
    constexpr std::size_t kMinKinds = 4;
    if (kinds.size() < kMinKinds) {
        return "";
    }
    const auto most =
        std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    std::set<std::optional<double>> before; // of the kinds that come to that price
    for (const auto& [kind, found] : kinds) {
        if (found.price == most->first) {
            before.insert(found.last);
        }
    }
    const bool was_so = before.size() == 1 && before.begin()->has_value();
    return most->second * 2 <= kinds.size() || was_so
               ? ""
               : fmt::format("{} of {} kinds of {} come to the same price, {:g}", most->second, kinds.size(),
                             is_of_offer(prices.front()) ? "machines" : "units", most->first);
}

std::string moved_list(const std::vector<double>& jumps, std::size_t compared) {
    if (jumps.size() * 2 <= compared) {
        return "";
    }
    const double factor = median_of(jumps);
    const auto about = std::count_if(jumps.begin(), jumps.end(), [&](double ratio) { return is_about(ratio, factor); });
    return static_cast<std::size_t>(about) * 2 > compared
               ? fmt::format("{} of {} prices moved by about the same factor, {:.3g}", about, compared, factor)
               : fmt::format("{} of {} prices are twice or half their last, or beyond", jumps.size(), compared);
}

namespace {

constexpr double kCommonFactor = 1.85;        // of what they were: honest lists cut by 45 % or less
constexpr double kCommonFactorAbroad = 2.2;   // of a whole list: no seller is half as dear as all others
constexpr double kCommonFactorOfOthers = 3.0; // sellers of the same device ask up to about 2.5 times another's price

struct CommonRatio {
    double median = 1.0;
    std::size_t count = 0;
    std::size_t about = 0; // within a twentieth of it
};

// Nothing of a few prices or things.
CommonRatio common_ratio(const std::vector<ComparedPrice>& compared) {
    constexpr std::size_t kMinPrices = 4;
    constexpr std::size_t kMinThings = 3;
    constexpr double kNear = 0.05;
    std::set<std::string> things;
    std::vector<double> ratios;
    ratios.reserve(compared.size());
    for (const ComparedPrice& one : compared) {
        things.insert(one.thing);
        ratios.push_back(one.ratio);
    }
    if (ratios.size() < kMinPrices || things.size() < kMinThings) {
        return {};
    }
    const double median = median_of(ratios);
    const auto about = std::ranges::count_if(ratios, [&](double ratio) { return std::abs(ratio - median) <= kNear * median; });
    return {median, ratios.size(), static_cast<std::size_t>(about)};
}

std::string reason_of_common(const CommonRatio& common, double beyond, std::string_view whose) {
    constexpr std::size_t kOf = 4;
    constexpr std::size_t kParts = 3;
    return common.about * kOf >= common.count * kParts && is_beyond(common.median, beyond)
               ? fmt::format("{} of {} prices are about {:.3g} times {}, the same factor for most rows: wrong currency or unit?",
                             common.about, common.count, common.median, whose)
               : "";
}

} // namespace

void compare_price(const JudgedPrice& price, const PriceHistory& history, OtherSellers& sellers, ComparedPrices& compared) {
    if (price.has_history_alone() || price.price <= 0.0) {
        return;
    }
    if (history.last) {
        const bool is_compared = *history.last > 0.0 && !history.is_stored && !history.returns &&
                                 (history.currency.empty() || history.currency == price.currency);
        if (is_compared) {
            compared.history.push_back({price.thing, price.price / *history.last});
        }
        return;
    }
    if (const OtherSellers::Median others = sellers.median(price, OtherSellers::Whose::others); others.price > 0.0) {
        compared.others.push_back({price.thing, price.per_device() / others.price});
    } else if (const auto abroad = sellers.median(price, OtherSellers::Whose::abroad); abroad.price > 0.0) {
        compared.abroad.push_back({price.thing, price.per_device() / abroad.price});
    }
}

std::string common_factor(const ComparedPrices& compared) {
    if (std::string reason = reason_of_common(common_ratio(compared.history), kCommonFactor, "what they were"); !reason.empty()) {
        return reason;
    }
    if (std::string reason = reason_of_common(common_ratio(compared.others), kCommonFactorOfOthers, "what others ask");
        !reason.empty()) {
        return reason;
    }
    const CommonRatio abroad = common_ratio(compared.abroad);
    const bool is_most = compared.abroad.size() > compared.history.size() + compared.others.size();
    return is_most && is_beyond(abroad.median, kCommonFactorAbroad)
               ? fmt::format(
                     "nobody else sells in its currency, and the median of its {} prices is {:.3g} times what others ask in "
                     "other currencies, by rough rates: wrong currency or unit?",
                     abroad.count, abroad.median)
               : "";
}

} // namespace costcurve::ingest
