// By ratios of points, of which the median counts: single points may be restated, but not by any factor.
#include "server/ingest/prices/measured_guard.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "model/performance/rate_table.hpp"
#include "model/performance/stated_shape.hpp"
#include "server/documents/records.hpp"
#include "server/import/benchmarks/rate_rows.hpp"
#include "server/ingest/prices/price_history.hpp"

namespace costcurve::ingest {

namespace {

constexpr double kBeyondModel = 10.0;
constexpr double kBeyondPoint = 4.0; // of a single one: newer software makes twice of it

template <class T> std::optional<T> stored_of(const storage::Snapshot& snapshot, storage::Kind kind, const std::string& id) {
    const auto revision = snapshot.load({kind, id});
    const auto document = revision ? documents::decode_readable(*revision) : std::nullopt;
    return document ? std::optional(std::get<T>(*document)) : std::nullopt;
}

double at(const std::vector<double>& values, std::size_t i) { return i < values.size() ? values[i] : 0.0; }

// What tells points apart.
using Place = std::tuple<double, double, double, double, double>;
std::map<Place, double> rates_of(const model::MeasuredPoints& points) {
    const std::vector<double>& rates = points.output_per_s.empty() ? points.tokens_per_s : points.output_per_s;
    std::map<Place, double> found;
    for (std::size_t i = 0; i < rates.size(); ++i) {
        found[{at(points.input, i), at(points.cached_input, i), at(points.output, i), at(points.concurrency, i),
               at(points.sequence, i)}] = rates[i];
    }
    return found;
}

// Where its model and device are known, and a rate can be made of its points.
std::string reason_of_model(const storage::Snapshot& snapshot, const model::Measurement& measured) {
    const auto model = stored_of<model::Model>(snapshot, storage::Kind::model, measured.model);
    const auto device = stored_of<model::Device>(snapshot, storage::Kind::device, measured.device);
    const auto shape = model ? model::shape_of(*model) : std::nullopt;
    if (!shape || !device) {
        return "";
    }
    const imports::ModelShapes shapes{{measured.model, *shape}};
    imports::RateRows rows(shapes, {*device});
    imports::read_points(measured, [&](imports::MeasuredRate&& rate) { static_cast<void>(rows.add(rate)); });
    std::vector<double> ratios;
    ratios.reserve(rows.rows().size());
    for (const model::RateRow& row : rows.rows()) {
        ratios.push_back(std::exp(-model::rate_error(row, model::kStepParameters)));
    }
    const std::size_t count = ratios.size();
    const double ratio = count == 0 ? 1.0 : median_of(std::move(ratios));
    return std::isfinite(ratio) && is_beyond(ratio, kBeyondModel)
               ? fmt::format(
                     "its rates are {:.3g} times what {} make at those {} points by the model that all others are fitted by", ratio,
                     measured.device, count)
               : "";
}

double level_of_rate(const model::Performance& performance) {
    if (!performance.units_per_s) {
        return 0.0;
    }
    const model::Rate& rate = *performance.units_per_s;
    return rate.curve ? (rate.curve->y.empty() ? 0.0 : median_of(rate.curve->y)) : rate.number;
}

} // namespace

std::string reason_of_points(const model::Measurement& stored, const model::Measurement& measured) {
    const std::map<Place, double> before = rates_of(stored.points);
    std::vector<double> ratios;
    for (const auto& [place, rate] : rates_of(measured.points)) {
        if (const auto found = before.find(place); found != before.end() && found->second > 0.0 && rate > 0.0) {
            ratios.push_back(rate / found->second);
        }
    }
    const std::size_t count = ratios.size();
    const auto furthest = std::ranges::max_element(ratios, {}, [](double it) { return std::abs(std::log(it)); });
    if (furthest != ratios.end() && is_beyond(*furthest, kBeyondPoint)) {
        return fmt::format("a rate of it is {:.3g} times what is stored of the same point", *furthest);
    }
    const double ratio = count == 0 ? 1.0 : median_of(std::move(ratios));
    return is_beyond(ratio, kJump) ? fmt::format("its rates are {:.3g} times what is stored of the same {} points", ratio, count)
                                   : "";
}

std::string reason_of_units(const model::Performance& stored, const model::Performance& performance) {
    const double before = level_of_rate(stored);
    const double now = level_of_rate(performance);
    return before > 0.0 && now > 0.0 && is_beyond(now / before, kJump)
               ? fmt::format("its units/s of {:.4g} are {:.3g} times what they were, {:.4g}", now, now / before, before)
               : "";
}

std::map<storage::DocumentKey, std::string> reasons_of_measurements(const storage::Snapshot& snapshot,
                                                                    const std::vector<model::Measurement>& listed) {
    std::map<storage::DocumentKey, std::string> reasons;
    for (const model::Measurement& measured : listed) {
        if (!measured.doubt.empty()) {
            continue;
        }
        const auto stored = stored_of<model::Measurement>(snapshot, storage::Kind::measurement, measured.id);
        std::string reason = stored ? reason_of_points(*stored, measured) : reason_of_model(snapshot, measured);
        if (!reason.empty()) {
            reasons.emplace(storage::DocumentKey{storage::Kind::measurement, measured.id}, std::move(reason));
        }
    }
    return reasons;
}

std::map<storage::DocumentKey, std::string> reasons_of_performances(const storage::Snapshot& snapshot,
                                                                    const std::vector<model::Performance>& listed) {
    std::map<storage::DocumentKey, std::string> reasons;
    for (const model::Performance& performance : listed) {
        const auto stored = stored_of<model::Performance>(snapshot, storage::Kind::performance, performance.id);
        if (std::string reason = stored ? reason_of_units(*stored, performance) : ""; !reason.empty()) {
            reasons.emplace(storage::DocumentKey{storage::Kind::performance, performance.id}, std::move(reason));
        }
    }
    return reasons;
}

} // namespace costcurve::ingest
