// Judges a measurement's points by their neighbours: n times the concurrent requests give at most n times the throughput, and
// latency doesn't fall.
#include "server/ingest/prices/measured_neighbours.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace costcurve::ingest {

namespace {

using Columns = model::MeasuredPoints;

constexpr auto kColumns = std::to_array<std::vector<double> Columns::*>(
    {&Columns::input, &Columns::cached_input, &Columns::output, &Columns::concurrency, &Columns::output_per_s, &Columns::ttft_s,
     &Columns::itl_s, &Columns::e2e_s, &Columns::watts, &Columns::sequence, &Columns::tokens_per_step, &Columns::tokens_per_s});

struct NeighbourRow {
    std::vector<double> Columns::*values;
    const char* name;
    double factor;
};
constexpr auto kNeighbourRows = std::to_array<NeighbourRow>({
    {&Columns::output_per_s, "rate", 4.0},
    {&Columns::itl_s, "time between tokens", 10.0},
    {&Columns::e2e_s, "time of a request", 10.0},
    {&Columns::watts, "power", 4.0},
});

double value_of_point(const std::vector<double>& values, std::size_t i) { return i < values.size() ? values[i] : 0.0; }

using RequestKind = std::tuple<double, double, double, double>; // what differs but for the load
RequestKind kind_of_point(const Columns& points, std::size_t i) {
    return {value_of_point(points.input, i), value_of_point(points.cached_input, i), value_of_point(points.output, i),
            value_of_point(points.sequence, i)};
}

std::size_t count_of_points(const Columns& points) {
    return std::max({points.output.size(), points.sequence.size(), points.tokens_per_s.size()});
}

struct PointAtLoad {
    double value = 0.0;
    bool is_new = false;
};
using Loads = std::map<double, PointAtLoad>;

void add_loads(const Columns& points, const NeighbourRow& row, bool is_new, std::map<RequestKind, Loads>& all) {
    for (std::size_t i = 0; i < points.concurrency.size(); ++i) {
        if (const double value = value_of_point(points.*row.values, i); value > 0.0 && points.concurrency[i] > 0.0) {
            all[kind_of_point(points, i)].try_emplace(points.concurrency[i], PointAtLoad{value, is_new});
        }
    }
}

std::string reason_of_loads(const NeighbourRow& row, const Loads& loads) {
    for (auto before = loads.begin(), next = loads.begin(); next != loads.end(); before = next++) {
        const double more = next->first / before->first;
        const double ratio = next->second.value / before->second.value;
        if ((before->second.is_new || next->second.is_new) && (ratio <= 1.0 / row.factor || ratio >= row.factor * more)) {
            return fmt::format("its {} of {:.4g} at {:g} requests at a time is {:.3g} times that at {:g}", row.name,
                               next->second.value, next->first, ratio, before->first);
        }
    }
    return "";
}

} // namespace

model::Measurement new_points(const model::Measurement& stored, const model::Measurement& measured) {
    std::set<std::pair<RequestKind, double>> known;
    for (std::size_t i = 0; i < count_of_points(stored.points); ++i) {
        known.emplace(kind_of_point(stored.points, i), value_of_point(stored.points.concurrency, i));
    }
    model::Measurement found = measured;
    found.points = {};
    for (std::size_t i = 0; i < count_of_points(measured.points); ++i) {
        if (known.contains({kind_of_point(measured.points, i), value_of_point(measured.points.concurrency, i)})) {
            continue;
        }
        for (const auto column : kColumns) {
            if (i < (measured.points.*column).size()) {
                (found.points.*column).push_back((measured.points.*column)[i]);
            }
        }
    }
    return found;
}

std::string reason_of_neighbours(const model::Measurement& stored, const model::Measurement& measured) {
    for (const NeighbourRow& row : kNeighbourRows) {
        std::map<RequestKind, Loads> all;
        add_loads(stored.points, row, false, all);
        add_loads(measured.points, row, true, all);
        for (const auto& [kind, loads] : all) {
            if (std::string reason = reason_of_loads(row, loads); !reason.empty()) {
                return reason;
            }
        }
    }
    return "";
}

} // namespace costcurve::ingest
