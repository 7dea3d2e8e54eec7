// Judges a list as a whole: equal numbers, a common factor, medians over its prices. price_guard judges each price.
#include "server/ingest/prices/whole_list.hpp"

#include <algorithm>
#include <array>
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

std::string cheap_spot(const std::vector<double>& spot_of_on_demand) {
    constexpr double kSpotOfOnDemand = 0.15; // published lists come to 0.18, single prices to 0.094
    constexpr std::size_t kMinPairs = 4;
    if (spot_of_on_demand.size() < kMinPairs) {
        return "";
    }
    const double median = median_of(spot_of_on_demand);
    return median >= kSpotOfOnDemand
               ? ""
               : fmt::format("the median of {} prices as spot is {:.3g} times that on demand of the same machine: wrong "
                             "currency or unit?",
                             spot_of_on_demand.size(), median);
}

std::string held_list(std::size_t held, std::size_t judged, const std::string& first) {
    constexpr std::size_t kMany = 8; // of as many prices half is enough
    const bool is_most = held * 2 > judged || (held * 2 == judged && judged >= kMany);
    return is_most ? fmt::format("{} of {} prices are not plausible, such as {}", held, judged, first) : "";
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
constexpr double kCommonFactorOfSizes = 5.0;  // published lists come to 0.3 to 2 in their medians
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

// New machines, whose medians say whether the list is of another unit; of published lists those by others come to 0.4 to 6.
struct MedianRow {
    std::vector<ComparedPrice> ComparedPrices::*prices;
    double least;
    double most;
    std::string_view whose;
};
constexpr auto kMedianRows = std::to_array<MedianRow>({
    {&ComparedPrices::machines, 0.25, 10.0, "what others ask for the same devices"},
    {&ComparedPrices::spot_machines, 0.25, 10.0, "what others ask for the same devices as spot"},
    {&ComparedPrices::own, 0.45, 2.2, "what the same seller asks elsewhere"},
    {&ComparedPrices::own_spot, 0.33, 3.0, "what the same seller asks elsewhere as spot"},
});

std::string reason_of_medians(const ComparedPrices& compared) {
    for (const auto& [prices, least, most, whose] : kMedianRows) {
        if (const CommonRatio common = common_ratio(compared.*prices); common.median < least || common.median > most) {
            return fmt::format("the median of {} new prices is {:.3g} times {}: wrong currency or unit?", common.count,
                               common.median, whose);
        }
    }
    return "";
}

void compare_machine(const JudgedPrice& price, OtherSellers& sellers, ComparedPrices& compared) {
    const bool is_spot = price.sort == model::name_of(model::Purchase::spot);
    if (const OtherSellers::Median others = sellers.median(price, OtherSellers::Whose::others); others.price > 0.0) {
        (is_spot ? compared.spot_machines : compared.machines).push_back({price.thing, price.per_device() / others.price});
    }
    if (const OtherSellers::Median own = sellers.median(price, OtherSellers::Whose::own_anywhere); own.price > 0.0) {
        (is_spot ? compared.own_spot : compared.own).push_back({price.thing, price.per_device() / own.price});
    }
}

} // namespace

void compare_price(const JudgedPrice& price, const PriceHistory& history, OtherSellers& sellers, RoughRates& rough,
                   ComparedPrices& compared) {
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
    if (is_of_offer(price)) {
        compare_machine(price, sellers, compared);
    }
    if (const OtherSellers::Median others = sellers.median(price, OtherSellers::Whose::others); others.price > 0.0) {
        compared.others.push_back({price.thing, price.per_device() / others.price});
    } else if (const auto abroad = sellers.median(price, OtherSellers::Whose::abroad); abroad.price > 0.0) {
        compared.abroad.push_back({price.thing, price.per_device() / abroad.price});
    } else if (const double ratio = rough.ratio_of_hosted(price); ratio > 0.0) {
        compared.sizes.push_back({price.thing, ratio});
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
    if (const CommonRatio sizes = common_ratio(compared.sizes); is_beyond(sizes.median, kCommonFactorOfSizes)) {
        return fmt::format(
            "nobody else hosts {} of its models, and the median of their prices is {:.3g} times what models of their "
            "active parameters cost about: wrong unit?",
            sizes.count, sizes.median);
    }
    if (std::string reason = reason_of_medians(compared); !reason.empty()) {
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
