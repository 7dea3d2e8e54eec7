// Compares curves point by point: both sides ascend, so one pass over each is enough.
#include "server/storage/writes/curve_rows.hpp"

#include <algorithm>

namespace costcurve::storage {

namespace {

// The point rows that turn `before` into `after`; both ascend in x.
std::vector<PointRow> points_between(const Series& before, const Series& after) {
    std::vector<PointRow> rows;
    std::size_t b = 0;
    std::size_t a = 0;
    while (b < before.x.size() || a < after.x.size()) {
        const bool gone = a == after.x.size() || (b < before.x.size() && before.x[b] < after.x[a]);
        if (gone) {
            rows.push_back({before.x[b++], std::nullopt});
            continue;
        }
        const bool both = b < before.x.size() && before.x[b] == after.x[a];
        if (!both || before.y[b] != after.y[a]) {
            rows.push_back({after.x[a], after.y[a]});
        }
        b += both ? 1 : 0;
        ++a;
    }
    return rows;
}

} // namespace

std::vector<const Series*> by_pointer(const std::vector<Series>& series) {
    std::vector<const Series*> sorted;
    sorted.reserve(series.size());
    for (const Series& curve : series) {
        sorted.push_back(&curve);
    }
    std::sort(sorted.begin(), sorted.end(), [](const Series* a, const Series* b) { return a->pointer < b->pointer; });
    return sorted;
}

std::vector<CurveRows> rows_between(const std::vector<Series>& before, const std::vector<Series>& after) {
    std::vector<CurveRows> curves;
    const Series none;
    const auto old_curves = by_pointer(before);
    const auto new_curves = by_pointer(after);
    std::size_t b = 0;
    std::size_t a = 0;
    while (b < old_curves.size() || a < new_curves.size()) {
        const bool gone = a == new_curves.size() || (b < old_curves.size() && old_curves[b]->pointer < new_curves[a]->pointer);
        const bool both = !gone && b < old_curves.size() && old_curves[b]->pointer == new_curves[a]->pointer;
        const Series& old_points = gone || both ? *old_curves[b++] : none;
        const Series& new_points = gone ? none : *new_curves[a++];
        if (std::vector<PointRow> rows = points_between(old_points, new_points); !rows.empty()) {
            curves.push_back({gone ? old_points.pointer : new_points.pointer, std::move(rows)});
        }
    }
    return curves;
}

std::vector<CurveRows> rows_of(const std::vector<Series>& series) { return rows_between({}, series); }

std::vector<Series> CurveFold::take() {
    std::erase_if(series_, [](const Series& series) { return series.x.empty(); });
    std::sort(series_.begin(), series_.end(), [](const Series& a, const Series& b) { return a.pointer < b.pointer; });
    return std::move(series_);
}

} // namespace costcurve::storage
