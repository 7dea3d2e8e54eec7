// Price moves by device: medians of the ratios of the last points of two curves.
#include "server/ingest/prices/price_moves.hpp"

#include "server/ingest/prices/other_sellers.hpp"
#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace costcurve::ingest {

namespace {

const storage::Series* price_of(const storage::Record& record) {
    const auto found = std::find_if(record.series.begin(), record.series.end(),
                                    [](const storage::Series& series) { return series.pointer == "/hourly_price"; });
    return found == record.series.end() || found->x.empty() ? nullptr : &*found;
}

} // namespace

void PriceMoves::add(const storage::Record& before, const storage::Record& now) {
    if (!now.offer || !before.offer || !before.offer->hourly_price || *before.offer->hourly_price <= 0.0) {
        return;
    }
    const storage::Series* const old_price = price_of(before);
    const storage::Series* const new_price = price_of(now);
    if (new_price == nullptr || (old_price != nullptr && new_price->x.back() < old_price->x.back())) {
        return; // history, not news
    }
    const bool is_newer = old_price == nullptr || new_price->x.back() > old_price->x.back();
    const double fraction = new_price->y.back() / *before.offer->hourly_price - 1.0;
    if (!std::isfinite(fraction)) {
        return; // of a price so near 0 none is known, as of 0
    }
    if (is_newer || fraction != 0.0) {
        moves_.push_back({now.offer->device, now.offer->purchase, fraction});
    }
}

std::vector<PriceMove> PriceMoves::by_device(double threshold_fraction) const {
    struct Group {
        std::vector<double> moved;
        std::size_t seen = 0;
    };
    std::map<std::pair<std::string, std::string>, Group> groups;
    for (const Move& move : moves_) {
        Group& group = groups[{move.device, move.purchase}];
        ++group.seen;
        if (std::abs(move.fraction) > threshold_fraction) {
            group.moved.push_back(move.fraction);
        }
    }
    std::vector<PriceMove> found;
    for (auto& [key, group] : groups) {
        if (!group.moved.empty()) {
            const std::size_t offers = group.moved.size();
            found.push_back({key.first, key.second, offers, group.seen, median_of(std::move(group.moved))});
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const PriceMove& a, const PriceMove& b) { return a.offers > b.offers; });
    return found;
}

} // namespace costcurve::ingest
