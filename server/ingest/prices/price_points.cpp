// Judges the points of a new offer's history by one another.
#include "server/ingest/prices/price_history.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"

namespace costcurve::ingest {

namespace {

constexpr double kDaysOfDouble = 90.0;
constexpr double kPointBeyondAsks = 10.0;

double factor_of_point(const JudgedPrice& point) {
    return is_of_offer(point) && point.sort == model::name_of(model::Purchase::spot) ? kSpotJump : kJump;
}

// The next of the same price; null for none.
const JudgedPrice* next_of_point(const std::vector<JudgedPrice>& points, std::size_t i, const std::vector<JudgedPrice>& prices) {
    const auto is_same = [&](const JudgedPrice& other) { return other.key == points[i].key && other.sort == points[i].sort; };
    if (i + 1 < points.size() && is_same(points[i + 1])) {
        return &points[i + 1];
    }
    auto last = std::ranges::lower_bound(prices, points[i].key, std::less<>(), &JudgedPrice::key);
    while (last != prices.end() && last->key == points[i].key && !is_same(*last)) {
        ++last;
    }
    return last != prices.end() && is_same(*last) ? &*last : nullptr;
}

std::string reason_of_day(const JudgedPrice& point, double other, const std::string& whose) {
    return fmt::format("{} of {} is {:.3g} times {}, {:g}", said(point, point.price), model::date_text(*point.day),
                       point.price / other, whose, other);
}

std::string reason_of_new_point(const JudgedPrice& point, const JudgedPrice* next, OtherSellers& sellers) {
    if (next != nullptr && next->day && next->price > 0.0 && point.price > 0.0) {
        const double step = is_of_offer(point) ? factor_of_point(point) : kSpotJump; // hosts have halved prices in a day
        const double factor = step * std::exp2((*next->day - *point.day) / kDaysOfDouble);
        if (is_beyond(point.price / next->price, factor)) {
            return reason_of_day(point, next->price, "its next");
        }
    }
    const OtherSellers::Median others =
        point.has_history_alone() ? OtherSellers::Median() : sellers.median(point, OtherSellers::Whose::others);
    return others.sellers > 1 && is_beyond(point.per_device() / others.price, kPointBeyondAsks)
               ? reason_of_day(point, others.price * point.devices, "the median of other sellers")
               : "";
}

} // namespace

std::map<storage::DocumentKey, std::string> reasons_of_points(const storage::Snapshot& snapshot,
                                                              const std::vector<JudgedPrice>& points,
                                                              const std::vector<JudgedPrice>& prices, OtherSellers& sellers) {
    const std::vector<PriceHistory> histories = histories_of(snapshot, points);
    std::map<storage::DocumentKey, std::string> reasons;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const PriceHistory& history = histories[i];
        std::string reason;
        if (!history.last) {
            reason = reason_of_new_point(points[i], next_of_point(points, i, prices), sellers);
        } else if (!history.is_stored && !history.returns && *history.last > 0.0 &&
                   is_beyond(points[i].price / *history.last, factor_of_point(points[i]))) {
            reason = fmt::format("{} is {:.3g} times what it was on {}, {:g}", said(points[i], points[i].price),
                                 points[i].price / *history.last, model::date_text(*points[i].day), *history.last);
        }
        if (!reason.empty()) {
            reasons.try_emplace(points[i].key, std::move(reason));
        }
    }
    return reasons;
}

} // namespace costcurve::ingest
