// Takes a change's points out of a curve. A point is the change's where it has the value that the change gave it.
#include "server/ingest/undone_points.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>

namespace costcurve::ingest {

namespace {

using storage::Series;

std::optional<double> value_at(const Series* series, double x) {
    if (series == nullptr) {
        return std::nullopt;
    }
    const auto found = std::lower_bound(series->x.begin(), series->x.end(), x);
    return found == series->x.end() || *found != x ? std::nullopt
                                                   : std::optional(series->y[static_cast<std::size_t>(found - series->x.begin())]);
}

Series series_from(const std::string& pointer, const std::map<double, double>& points) {
    Series series{pointer, {}, {}};
    for (const auto& [x, y] : points) {
        series.x.push_back(x);
        series.y.push_back(y);
    }
    return series;
}

} // namespace

const Series* series_of(const storage::Record& record, std::string_view pointer) {
    const auto found =
        std::find_if(record.series.begin(), record.series.end(), [&](const Series& series) { return series.pointer == pointer; });
    return found == record.series.end() ? nullptr : &*found;
}

Series points_with_change(const std::string& pointer, const Series* points, const Series* before, const Series* after) {
    std::map<double, double> replayed;
    for (std::size_t i = 0; points != nullptr && i < points->x.size(); ++i) {
        replayed[points->x[i]] = points->y[i];
    }
    for (std::size_t i = 0; before != nullptr && i < before->x.size(); ++i) {
        if (!value_at(after, before->x[i])) {
            replayed.erase(before->x[i]);
        }
    }
    for (std::size_t i = 0; after != nullptr && i < after->x.size(); ++i) {
        if (value_at(before, after->x[i]) != after->y[i]) {
            replayed[after->x[i]] = after->y[i];
        }
    }
    return series_from(pointer, replayed);
}

Series points_without_change(const Series& now, const Series* before, const Series& after) {
    std::map<double, double> left;
    for (std::size_t i = 0; i < now.x.size(); ++i) {
        const std::optional<double> was = value_at(before, now.x[i]);
        const std::optional<double> made = value_at(&after, now.x[i]);
        const bool is_the_changes = made && made != was && *made == now.y[i];
        if (!is_the_changes || was) {
            left[now.x[i]] = is_the_changes ? *was : now.y[i];
        }
    }
    return series_from(now.pointer, left);
}

} // namespace costcurve::ingest
