// Which hours read the same: of two horizons, so that a table is taken over, and of a set, so that load is reckoned once.
#include <algorithm>
#include <numeric>

#include "model/hours/dense_ids.hpp"
#include "model/hours/hours.hpp"
#include "model/hours/tables.hpp"
#include "model/kernels.hpp"

namespace costcurve::model {

namespace {

// Values numbered in the order in which each is first seen.
std::vector<std::uint32_t> numbered(const std::vector<double>& values) {
    DenseIds ids;
    std::vector<std::uint32_t> numbers;
    numbers.reserve(values.size());
    for (const double value : values) {
        numbers.push_back(ids.id(0, value));
    }
    return numbers;
}

// Whether values rise and stay the same along the order of those before, as they do when a curve is scaled: they have the same
// numbers then, and nothing needs to be looked up.
bool keep_order(const std::vector<double>& before, const std::vector<double>& values, std::vector<std::uint32_t>& ascending) {
    if (ascending.empty()) {
        ascending.resize(before.size());
        std::iota(ascending.begin(), ascending.end(), 0U);
        std::sort(ascending.begin(), ascending.end(), [&](std::uint32_t a, std::uint32_t b) { return before[a] < before[b]; });
    }
    for (std::size_t k = 0; k + 1 < ascending.size(); ++k) {
        const std::uint32_t a = ascending[k];
        const std::uint32_t b = ascending[k + 1];
        if (before[a] == before[b] ? values[a] != values[b] : !(values[a] < values[b])) {
            return false;
        }
    }
    return true;
}

// Curves of the same axis and zone. `ascending` is that of the curve before, and of this one where they tell the same apart.
bool tell_the_same_apart(const HourlyCurve& before, const HourlyCurve& curve, std::vector<std::uint32_t>& ascending) {
    if (before.values == curve.values || keep_order(before.values, curve.values, ascending)) {
        return true;
    }
    ascending.clear();
    return numbered(before.values) == numbered(curve.values);
}

bool split_the_same(const DemandBurst& a, const DemandBurst& b) { return a.curve == b.curve && a.share == b.share; }

Fold fold_of(std::size_t set, const HourTable& table) {
    Fold fold;
    const auto read_the_same = [&](std::size_t a, std::size_t b) {
        return std::all_of(table.fold_curves.begin(), table.fold_curves.end(), [&](std::size_t curve) {
            const double* const values = table.values_of(set, curve);
            return std::equal(values + a, values + a + kernels::kLanes, values + b);
        });
    };
    for (std::size_t hour = 0; hour < table.sets[set].size; hour += kernels::kLanes) {
        const auto same =
            std::find_if(fold.from.begin(), fold.from.end(), [&](std::size_t first) { return read_the_same(first, hour); });
        fold.at.push_back(static_cast<std::uint32_t>((same - fold.from.begin()) * static_cast<std::ptrdiff_t>(kernels::kLanes)));
        if (same == fold.from.end()) {
            fold.from.push_back(static_cast<std::uint32_t>(hour));
        }
    }
    return 2 * fold.from.size() <= fold.at.size() ? fold : Fold{};
}

} // namespace

bool tell_the_same_hours_apart(const HorizonHours& a, HourTable& table) {
    const HorizonHours& b = table.made_from;
    const bool each_hour_alone = read_the_year(a.curves);
    bool is_same = a.start.year == b.start.year && a.start.month == b.start.month && a.months == b.months &&
                   a.time_zone == b.time_zone && a.curves.size() == b.curves.size() &&
                   std::equal(a.bursts.begin(), a.bursts.end(), b.bursts.begin(), b.bursts.end(), split_the_same);
    table.ascending.resize(b.curves.size());
    for (std::size_t c = 0; is_same && c < a.curves.size(); ++c) {
        const HourlyCurve& curve = a.curves[c];
        const HourlyCurve& before = b.curves[c];
        is_same = curve.from == before.from && curve.to == before.to && curve.axis == before.axis &&
                  curve.time_zone == before.time_zone && curve.values.size() == before.values.size() &&
                  (each_hour_alone || tell_the_same_apart(before, curve, table.ascending[c]));
    }
    return is_same;
}

void fold_hours(std::vector<std::size_t> curves, HourTable& table) {
    const bool is_folded = !table.folds.empty() && table.fold_curves == curves;
    const bool has_whole_hours = kernels::kLanes % table.per_hour() == 0; // in each block
    // Over a year hours are too many to compare, and seldom alike.
    if (is_folded || read_the_year(table.made_from.curves) || !has_whole_hours) {
        return;
    }
    table.fold_curves = std::move(curves);
    table.folds.clear();
    for (std::size_t set = 0; set < table.sets.size(); ++set) {
        table.folds.push_back(fold_of(set, table));
    }
}

} // namespace costcurve::model
