// Counts over the prices of a list; their reasons one by one are price_guard's.
#include "server/ingest/prices/whole_list.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
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

} // namespace costcurve::ingest
