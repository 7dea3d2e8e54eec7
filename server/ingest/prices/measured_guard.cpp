// Judges measurements by the median of their points' ratios: single points may be restated, within a bound.
#include "server/ingest/prices/measured_guard.hpp"

#include <algorithm>
#include <array>
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
#include "server/ingest/plausible/measured_alike.hpp"
#include "server/ingest/prices/measured_neighbours.hpp"
#include "server/ingest/prices/measured_times.hpp"
#include "server/ingest/prices/new_rates.hpp"
#include "server/ingest/prices/price_history.hpp"
#include "server/ingest/prices/stated_rates.hpp"

namespace costcurve::ingest {

namespace {

constexpr double kBeyondModel = 8.0; // single published rates come to seven
constexpr double kBeyondModelOfPoint = 20.0;
constexpr double kBeyondPoint = 4.0; // of a single one: newer software makes twice of it
constexpr double kBeyondTime = 3.0;  // times vary more than rates do
constexpr double kBeyondTimeOfPoint = 10.0;

// What is measured at a point, and what restates it too far: the median, and a single one.
struct MeasuredFigure {
    std::vector<double> model::MeasuredPoints::*values;
    const char* name;
    double median, single;
};
constexpr auto kMeasuredFigures = std::to_array<MeasuredFigure>({
    {&model::MeasuredPoints::output_per_s, "rate", kJump, kBeyondPoint},
    {&model::MeasuredPoints::tokens_per_s, "rate", kJump, kBeyondPoint},
    {&model::MeasuredPoints::ttft_s, "first token", kBeyondTime, kBeyondTimeOfPoint},
    {&model::MeasuredPoints::itl_s, "time between tokens", kBeyondTime, kBeyondTimeOfPoint},
    {&model::MeasuredPoints::e2e_s, "time of a request", kBeyondTime, kBeyondTimeOfPoint},
});

template <class T> std::optional<T> stored_of(const storage::Snapshot& snapshot, storage::Kind kind, const std::string& id) {
    const auto revision = snapshot.load({kind, id});
    const auto document = revision ? documents::decode_readable(*revision) : std::nullopt;
    return document ? std::optional(std::get<T>(*document)) : std::nullopt;
}

double at(const std::vector<double>& values, std::size_t i) { return i < values.size() ? values[i] : 0.0; }

// What tells points apart.
using Place = std::tuple<double, double, double, double, double>;
std::map<Place, double> by_place(const model::MeasuredPoints& points, const std::vector<double>& values) {
    std::map<Place, double> found;
    for (std::size_t i = 0; i < values.size(); ++i) {
        found[{at(points.input, i), at(points.cached_input, i), at(points.output, i), at(points.concurrency, i),
               at(points.sequence, i)}] = values[i];
    }
    return found;
}

bool shares_points(const model::Measurement& stored, const model::Measurement& measured) {
    return std::ranges::any_of(kMeasuredFigures, [&](const MeasuredFigure& figure) {
        const std::map<Place, double> before = by_place(stored.points, stored.points.*figure.values);
        return std::ranges::any_of(by_place(measured.points, measured.points.*figure.values),
                                   [&](const auto& it) { return before.contains(it.first); });
    });
}

std::string reason_of_figure(const MeasuredFigure& figure, const model::Measurement& stored, const model::Measurement& measured) {
    const std::map<Place, double> before = by_place(stored.points, stored.points.*figure.values);
    std::vector<double> ratios;
    for (const auto& [place, value] : by_place(measured.points, measured.points.*figure.values)) {
        if (const auto found = before.find(place); found != before.end() && found->second > 0.0 && value > 0.0) {
            ratios.push_back(value / found->second);
        }
    }
    const std::size_t count = ratios.size();
    const auto furthest = std::ranges::max_element(ratios, {}, [](double it) { return std::abs(std::log(it)); });
    if (furthest != ratios.end() && is_beyond(*furthest, figure.single)) {
        return fmt::format("a {} of it is {:.3g} times what is stored of the same point", figure.name, *furthest);
    }
    const double ratio = count == 0 ? 1.0 : median_of(std::move(ratios));
    return is_beyond(ratio, figure.median)
               ? fmt::format("its {}s are {:.3g} times what is stored of the same {} points", figure.name, ratio, count)
               : "";
}

// Where its model and device are known, and a rate can be made of its points.
std::string reason_of_model(const storage::Snapshot& snapshot, const model::Measurement& measured) {
    const auto model = stored_of<model::Model>(snapshot, storage::Kind::model, measured.model);
    const auto device = stored_of<model::Device>(snapshot, storage::Kind::device, measured.device);
    if (!model || !device) {
        return "";
    }
    const imports::ModelShapes shapes{{measured.model, model::shape_of(*model).value_or(model::assumed_shape(*model))}};
    imports::RateRows rows(shapes, {*device});
    imports::read_points(measured, [&](imports::MeasuredRate&& rate) { static_cast<void>(rows.add(rate)); });
    std::vector<double> ratios;
    ratios.reserve(rows.rows().size());
    for (const model::RateRow& row : rows.rows()) {
        ratios.push_back(std::exp(-model::rate_error(row, model::kStepParameters)));
    }
    const std::size_t count = ratios.size();
    const auto furthest = std::ranges::max_element(ratios, {}, [](double it) { return std::abs(std::log(it)); });
    const double of_point = count == 0 ? 1.0 : *furthest;
    double ratio = count == 0 ? 1.0 : median_of(std::move(ratios));
    ratio = is_beyond(of_point, kBeyondModelOfPoint) && !is_beyond(ratio, kBeyondModel) ? of_point : ratio;
    return !std::isfinite(ratio) || !is_beyond(ratio, kBeyondModel)
               ? reason_of_times(rows.rows(), *device) + reason_of_power(measured, *device)
               : fmt::format(
                     "its rates are {:.3g} times what {} make at those {} points by the model that all others are fitted by", ratio,
                     measured.device, count);
}

std::string reason_of_levels(double before, double now) {
    return before > 0.0 && now > 0.0 && is_beyond(now / before, kJump)
               ? fmt::format("its units/s of {:.4g} are {:.3g} times what they were, {:.4g}", now, now / before, before)
               : "";
}

} // namespace

std::optional<model::Curve> listed_or_stored(const storage::Snapshot& snapshot, const std::vector<model::Curve>& listed,
                                             const std::string& id) {
    const auto found = std::ranges::find(listed, id, &model::Curve::id);
    return found != listed.end() ? std::optional(*found) : stored_of<model::Curve>(snapshot, storage::Kind::curve, id);
}

std::string reason_of_points(const model::Measurement& stored, const model::Measurement& measured) {
    for (const MeasuredFigure& figure : kMeasuredFigures) {
        if (std::string reason = reason_of_figure(figure, stored, measured); !reason.empty()) {
            return reason;
        }
    }
    return "";
}

std::string reason_of_units(const model::Performance& stored, const model::Performance& performance) {
    const FindCurve nowhere = [](const std::string& /*id*/) { return std::optional<model::Curve>(); };
    return reason_of_levels(level_of_rate(stored.units_per_s, nowhere), level_of_rate(performance.units_per_s, nowhere));
}

namespace {

std::string reason_of_measurement(const storage::Snapshot& snapshot, NewRates& new_rates, MeasuredAlike& alike,
                                  const model::Measurement& measured) {
    std::string reason = measured.doubt.empty() ? reason_of_little(measured) : "";
    if (!reason.empty() || !measured.doubt.empty()) {
        return reason;
    }
    const auto stored = stored_of<model::Measurement>(snapshot, storage::Kind::measurement, measured.id);
    const model::Measurement before = stored ? *stored : model::Measurement{};
    reason = stored && shares_points(before, measured) ? reason_of_points(before, measured) : "";
    const model::Measurement added = new_points(before, measured);
    if (reason.empty()) {
        reason = measured.kind == model::MeasurementKind::training ? new_rates.reason_of_training(added)
                                                                   : reason_of_model(snapshot, added);
    }
    reason = reason.empty() ? alike.reason(added) : std::move(reason);
    return reason.empty() ? reason_of_neighbours(before, added) : reason;
}

// Against the medians of the times that it stated before; "" where they may be.
std::string reason_of_stated_levels(const model::Performance& stored, const FindCurve& find_stored,
                                    const model::Performance& performance, const FindCurve& find) {
    using Time = std::optional<model::Rate> model::Performance::*;
    for (const auto& [name, time] : {std::pair<const char*, Time>("ttft_s", &model::Performance::ttft_s),
                                     std::pair<const char*, Time>("itl_s", &model::Performance::itl_s)}) {
        const double before = level_of_rate(stored.*time, find_stored);
        const double now = level_of_rate(performance.*time, find);
        if (before > 0.0 && now > 0.0 && is_beyond(now / before, kBeyondTime)) {
            return fmt::format("its {} of {:.4g} is {:.3g} times what it was, {:.4g}", name, now, now / before, before);
        }
    }
    return "";
}

// Of its rate and times at the loads that it states, as of a measurement's points.
std::string reason_of_stated(const storage::Snapshot& snapshot, const model::Performance& performance, const FindCurve& find,
                             const std::optional<model::Performance>& stored, const FindCurve& find_stored) {
    std::string moved = stored ? reason_of_stated_levels(*stored, find_stored, performance, find) : "";
    const std::vector<model::Measurement> readings = points_of_performance(performance, find);
    if (!moved.empty() || readings.empty()) {
        return moved;
    }
    if (std::string reason = reason_of_stated_times(readings); !reason.empty()) {
        return reason;
    }
    const std::vector<model::Measurement> before =
        stored ? points_of_performance(*stored, find_stored) : std::vector<model::Measurement>();
    const model::Measurement known = before.empty() ? model::Measurement{} : before.back();
    if (std::string reason = reason_of_points(known, readings.back()); !reason.empty()) {
        return reason;
    }
    std::string reason;
    // What shares the devices is not said: a measurement beside it says that, and is judged by itself.
    if (performance.measurement.empty() && performance.mix && model::value_of<model::NumberFormat>(performance.precision)) {
        for (const model::Measurement& reading : readings) {
            std::string of_reading = reason_of_model(snapshot, new_points(known, reading));
            reason = &reading == readings.data() || of_reading.empty() ? std::move(of_reading) : reason;
            if (reason.empty()) {
                break;
            }
        }
    }
    return reason.empty() ? reason_of_neighbours(known, new_points(known, readings.back())) : reason;
}

} // namespace

namespace {

// Of a curve of power that stands beside a performance, against its device; where hosts are counted in, too.
std::string reason_of_watts(const storage::Snapshot& snapshot, const model::Performance& performance, const model::Curve& curve) {
    constexpr double kBelowTdp = 0.1;
    constexpr double kAboveTdp = 1.5;
    const auto device = stored_of<model::Device>(snapshot, storage::Kind::device, performance.device.id);
    const double share = device && device->tdp_w > 0.0 && !curve.y.empty() ? std::ranges::max(curve.y) / device->tdp_w : 1.0;
    return share > kBelowTdp && share < kAboveTdp
               ? ""
               : fmt::format("its power is {:.3g} times the TDP of {}", share, performance.device.id);
}

} // namespace

RateReasons reasons_of_rates(const storage::Snapshot& snapshot, const ListedRates& listed) {
    RateReasons found;
    const FindCurve find_stored = [&](const std::string& id) {
        return stored_of<model::Curve>(snapshot, storage::Kind::curve, id);
    };
    const FindCurve find = [&](const std::string& id) { return listed_or_stored(snapshot, listed.curves, id); };
    NewRates new_rates(snapshot, find);
    MeasuredAlike alike(snapshot);
    for (const model::Measurement& measured : listed.measurements) {
        if (std::string reason = reason_of_measurement(snapshot, new_rates, alike, measured); !reason.empty()) {
            found.held.emplace(storage::DocumentKey{storage::Kind::measurement, measured.id}, std::move(reason));
        }
    }
    for (const model::Performance& performance : listed.performances) {
        const auto stored = stored_of<model::Performance>(snapshot, storage::Kind::performance, performance.id);
        const auto beside = found.held.find({storage::Kind::measurement, performance.measurement});
        std::string reason = beside != found.held.end() ? "its measurement is held: " + beside->second
                             : stored                   ? reason_of_levels(level_of_rate(stored->units_per_s, find_stored),
                                                                           level_of_rate(performance.units_per_s, find))
                                                        : new_rates.reason_of_performance(performance);
        const auto power = std::ranges::find(listed.curves, "power." + performance.id, &model::Curve::id);
        std::string of_power = power == listed.curves.end() ? "" : reason_of_watts(snapshot, performance, *power);
        if (!of_power.empty()) {
            found.held.emplace(storage::DocumentKey{storage::Kind::curve, power->id}, std::move(of_power));
        }
        reason = reason.empty() ? reason_of_stated(snapshot, performance, find, stored, find_stored) : reason;
        const bool is_compared = stored || new_rates.has_compared() || !performance.measurement.empty();
        found.compared_with_nothing += is_compared || !performance.units_per_s ? 0U : 1U;
        if (!reason.empty()) {
            found.held.emplace(storage::DocumentKey{storage::Kind::performance, performance.id}, std::move(reason));
        }
    }
    return found;
}

} // namespace costcurve::ingest
