// The answer of a calibration: all curves are fitted from one reading of the window and stored together.
#include "server/actuals/calibration_answer.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/documents/calendar.hpp"
#include "model/documents/field_check.hpp"
#include "server/documents/encode.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/records.hpp"
#include "server/documents/rules.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::actuals {

namespace {

using model::Code;
using nlohmann::json;

// A curve that was fitted, as a document.
struct Fitted {
    FittedCurve kind;
    Fit fit;
};

// Raw samples are deleted after their window; a fit of the rest would not cover the requested period.
std::optional<model::Failure> beyond_raw(const storage::Store& store, const CalibrationRequest& request) {
    const std::int64_t oldest = store.telemetry_window().oldest_ms;
    const bool raw = std::any_of(request.curves.begin(), request.curves.end(),
                                 [](FittedCurve curve) { return curve != FittedCurve::utilization; });
    if (!raw || request.from.unix_ms >= oldest) {
        return std::nullopt;
    }
    return model::Failure{
        {"/from", Code::out_of_range,
         fmt::format("from is {}; raw samples, which power and throughput are fitted to, are kept from {} on: begin "
                     "there, or keep them for longer (--telemetry-days)",
                     storage::format_milliseconds(request.from.unix_ms), storage::format_milliseconds(oldest))}};
}

model::Result<Fit> fitted(model::Result<Fit> fit, std::size_t index) {
    return std::move(fit).map_error([&](model::Failure issues) {
        for (model::Issue& issue : issues) {
            issue.pointer = fmt::format("/curves/{}", index);
        }
        return issues;
    });
}

// One source's measurements of an hour; reported rates take precedence over counters.
struct HourOfSource {
    HourMean reported;
    HourMean counted;
};

std::vector<std::string> metrics_of(const CalibrationRequest& request) {
    return request.full_units_per_s ? std::vector<std::string>{"units_per_s", "input_tokens", "output_tokens"}
                                    : std::vector<std::string>{request.full_batch ? "batch" : "utilization"};
}

void add_mean(const storage::HourRow& row, HourOfSource& hour) {
    const bool is_counter = row.key.metric.ends_with("_tokens");
    if (row.count == 0 || (is_counter ? row.count < 2 || !row.increase : !row.sum)) { // a counter's first has nothing to subtract
        return;
    }
    HourMean& of = is_counter ? hour.counted : hour.reported;
    of.hour = row.hour;
    of.count += row.count;
    of.mean += is_counter ? *row.increase / model::kHour : *row.sum / static_cast<double>(row.count);
}

model::Result<Fit> fit_hours(const storage::Store& store, const CalibrationRequest& request, std::size_t index) {
    // Whole hours inside of the window.
    const std::int64_t from = (request.from.unix_ms + storage::kMillisecondsPerHour - 1) / storage::kMillisecondsPerHour;
    const std::int64_t to = std::max(from, request.to.unix_ms / storage::kMillisecondsPerHour);
    std::map<std::pair<std::int64_t, std::string>, HourOfSource> by_source;
    auto visited = visit_hours(store, request.loaded(), metrics_of(request), from, to, [&](const storage::HourRow& row) {
        add_mean(row, by_source[{row.hour, row.key.source}]);
    });
    if (!visited) {
        return tl::unexpected(std::move(visited.error()));
    }
    std::vector<HourMean> hours;
    for (const auto& [place, hour] : by_source) {
        HourMean mean = hour.reported.count > 0 ? hour.reported : hour.counted;
        mean.mean = share_of(mean.mean, request.full());
        if (mean.count > 0) {
            hours.push_back(mean);
        }
    }
    return fitted(fit_utilization(hours, to - from, request.time_zone, request.utilization_of()), index);
}

// Readings whose utilization is the share of the largest rate, where that is given.
model::Result<std::vector<SourceReadings>> readings_of(const storage::Store& store, const CalibrationRequest& request) {
    auto readings = load_readings(store, request, request.from.unix_ms, request.to.unix_ms);
    if (!readings || !request.full().is_stated()) {
        return readings;
    }
    std::vector<Reading> of_server;
    if (!request.served_by.empty()) {
        const auto server = load_readings(store, request.loaded(), request.from.unix_ms, request.to.unix_ms);
        if (!server) {
            return tl::unexpected(server.error());
        }
        of_server = server->empty() ? std::vector<Reading>() : throughput_shares(server->front(), request.full());
    }
    for (SourceReadings& source : *readings) {
        source.utilization = request.served_by.empty() ? throughput_shares(source, request.full()) : of_server;
    }
    return readings;
}

// All requested curves, or all issues.
model::Result<std::vector<Fitted>> fit_all(const storage::Store& store, const CalibrationRequest& request) {
    if (auto failure = beyond_raw(store, request)) {
        return tl::unexpected(std::move(*failure));
    }
    std::vector<Fitted> all;
    model::Failure issues;
    std::optional<std::vector<SourceReadings>> readings;
    for (std::size_t i = 0; i < request.curves.size(); ++i) {
        const FittedCurve kind = request.curves[i];
        if (kind != FittedCurve::utilization && !readings) {
            auto loaded = readings_of(store, request);
            if (!loaded) {
                return tl::unexpected(std::move(loaded.error()));
            }
            readings = std::move(*loaded);
        }
        model::Result<Fit> fit = kind == FittedCurve::utilization ? fit_hours(store, request, i)
                                 : kind == FittedCurve::power
                                     ? fitted(fit_power(*readings, request.tolerance_ms(), request.utilization_of()), i)
                                     : fitted(fit_throughput(*readings, request.tolerance_ms()), i);
        if (fit) {
            all.push_back({kind, std::move(*fit)});
        } else {
            issues.add_all(fit.error());
        }
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    return all;
}

// ---- documents ----

std::string note_of(const CalibrationRequest& request, const Fitted& fitted) {
    const Fit& fit = fitted.fit;
    const Dropped& out = fit.dropped;
    std::string note = request.full_units_per_s ? fmt::format("share of {:g} units/s; ", *request.full_units_per_s)
                       : request.full_batch     ? fmt::format("share of {:g} requests at a time; ", *request.full_batch)
                                                : std::string();
    note += fmt::format("{} to {}; {} samples used; left out: {} unmatched, {} out of range, {} of a stuck sensor, {} "
                        "outliers, {} thin; R2 {}; residual sd {:.4g}",
                        storage::format_milliseconds(request.from.unix_ms), storage::format_milliseconds(request.to.unix_ms),
                        fit.samples_used, out.unmatched, out.out_of_range, out.stuck, out.outliers, out.thin,
                        fit.r_squared ? fmt::format("{:.4f}", *fit.r_squared) : "unknown", fit.residual_sd);
    if (!fit.spread.empty()) {
        double widest = 0.0;
        for (const Spread& spread : fit.spread) {
            widest = std::max(widest, spread.p90 - spread.p10);
        }
        note += fmt::format("; {} time; widest p10 to p90 of an hour {:.4g}", request.time_zone, widest);
    }
    return note;
}

std::string id_of(const CalibrationRequest& request, const Fitted& fitted) {
    return fmt::format("{}.{}", request.id_prefix, model::name_of(fitted.kind));
}

model::Curve curve_of(const CalibrationRequest& request, const Fitted& fitted) {
    model::Curve curve = fitted.fit.curve;
    curve.id = id_of(request, fitted);
    curve.source = "telemetry of " + text_of(request);
    curve.note = note_of(request, fitted);
    model::Failure broken = model::check_fields(curve);
    broken.add_all(documents::check_rules(curve));
    if (!broken.empty()) {
        throw std::logic_error("a fitted curve breaks a rule: " + broken.front().message);
    }
    return curve;
}

double highest(const model::Curve& curve) { return curve.y.empty() ? 0.0 : *std::ranges::max_element(curve.y); }

template <class T> std::optional<T> stored(const storage::Store& store, const std::string& id) {
    const auto revision = id.empty() ? std::nullopt : store.snapshot()->load({model::kind_of<T>, id});
    const auto document = revision ? documents::decode_readable(*revision) : std::nullopt;
    return document ? std::optional(std::get<T>(*document)) : std::nullopt;
}

// Why a curve isn't stored: its unit differs from the stored curve's, or from the one its device needs.
std::string other_unit(const storage::Store& store, const CalibrationRequest& request, const Fitted& fitted,
                       const model::Curve& curve) {
    constexpr double kOfStored = 5.0;
    constexpr double kBelowTdp = 10.0;
    constexpr double kAboveTdp = 2.0;
    constexpr double kNoDevice = 1.5; // W; the smallest accelerators draw 2
    const double high = highest(curve);
    const std::optional<model::Curve> before = stored<model::Curve>(store, curve.id);
    const double was = before ? highest(*before) : 0.0;
    if (was > 0.0 && (high * kOfStored < was || high > was * kOfStored)) {
        return fmt::format(
            "the highest of {} would be {:.4g}, and is {:.4g}: are the samples in another unit? delete the curve, or "
            "give another id_prefix, where they are right",
            curve.id, high, was);
    }
    if (fitted.kind == FittedCurve::power && high < kNoDevice) {
        return fmt::format(
            "the highest of {} would be {:.4g} W, and every accelerator takes more: are the samples in another unit?", curve.id,
            high);
    }
    const std::optional<model::Device> device =
        fitted.kind == FittedCurve::power ? stored<model::Device>(store, request.device) : std::nullopt;
    return device && (high * kBelowTdp < device->tdp_w || high > device->tdp_w * kAboveTdp)
               ? fmt::format("the highest of {} would be {:.4g} W, and {} takes up to {:g} W: are the samples in another unit?",
                             curve.id, high, device->id, device->tdp_w)
               : "";
}

CalibratedCurve answer_of(const CalibrationRequest& request, const Fitted& fitted, const storage::Saved& saved,
                          const model::Curve& curve) {
    const Fit& fit = fitted.fit;
    return {.kind = fitted.kind,
            .id = id_of(request, fitted),
            .what = static_cast<SaveWord>(saved.what),
            .revision = request.dry_run ? std::nullopt : std::optional(saved.revision),
            .fit = {fit.samples_used, fit.dropped, fit.r_squared, fit.residual_sd},
            .spread = fit.spread,
            .curve = {documents::encode_document(curve)}};
}

// The suffix of the longest word, ".utilization", must fit behind it.
void check_prefix(CalibrationRequest& request, model::Failure& issues) {
    constexpr std::size_t kLongestSuffix = 12;
    constexpr std::size_t kMaxId = 128;
    if (request.id_prefix.empty()) {
        request.id_prefix = request.device;
    }
    if (request.id_prefix.empty()) {
        issues.push_back({"/id_prefix", Code::missing,
                          "id_prefix is required: the curves' ids begin with it; without one they begin with device"});
    } else if (!model::is_slug(request.id_prefix) || request.id_prefix.size() + kLongestSuffix > kMaxId) {
        issues.push_back({"/id_prefix", Code::bad_format,
                          fmt::format("id_prefix is \"{}\"; ids match [a-z0-9][a-z0-9._-]{{0,127}}, and .utilization must fit "
                                      "behind it",
                                      shortened(request.id_prefix, 60))});
    }
}

} // namespace

void decode_member(documents::Decoder& decoder, const JsonValue& value, const documents::Pointer& pointer,
                   const model::FieldSpec& /*spec*/, Instant& instant) {
    constexpr std::int64_t kMicroseconds = 1000;
    const auto moment = value.is_string() ? storage::parse_time(value.text()) : std::nullopt;
    if (!moment || *moment < 0) {
        decoder.add(pointer, value.is_string() ? Code::bad_format : Code::wrong_type,
                    fmt::format("{} is {}; give a time of RFC 3339 from 1970, such as 2026-11-21T10:00:00Z", pointer.last(),
                                documents::shown(value)));
        return;
    }
    instant.unix_ms = *moment / kMicroseconds;
}

void check(CalibrationRequest& request, const answers::QuestionLimits& /*limits*/, model::Failure& issues) {
    check_filter(request, "", issues);
    if (request.from.unix_ms >= request.to.unix_ms) {
        issues.push_back({"/to", Code::out_of_range,
                          fmt::format("to is {}; it must come after from", storage::format_milliseconds(request.to.unix_ms))});
    }
    for (std::size_t i = 0; i < request.curves.size(); ++i) {
        if (std::find(request.curves.begin(), request.curves.end(), request.curves[i]) !=
            request.curves.begin() + static_cast<std::ptrdiff_t>(i)) {
            issues.push_back(
                {fmt::format("/curves/{}", i), Code::duplicate, fmt::format("{} stands twice", model::name_of(request.curves[i]))});
        }
    }
    check_prefix(request, issues);
    if (request.full_units_per_s && request.full_batch) {
        issues.push_back({"/full_batch", Code::not_allowed, "give full_units_per_s or full_batch, one of the two"});
    }
    if (!request.served_by.empty() && !request.full().is_stated()) {
        issues.push_back({"/served_by", Code::missing,
                          "give full_units_per_s or full_batch too: what the server does at most, of which its counters or batch "
                          "are a share"});
    }
    if (!model::is_time_zone(request.time_zone)) {
        issues.push_back(
            {"/time_zone", Code::unknown_value,
             fmt::format("time_zone is {}; give an IANA zone such as Europe/Berlin", shortened(request.time_zone, 60))});
    }
}

model::Result<CalibrationAnswer> calibrate(const CalibrationRequest& request, storage::Store& store,
                                           const storage::Author& author) {
    const model::Result<std::vector<Fitted>> fits = fit_all(store, request);
    if (!fits) {
        return tl::unexpected(fits.error());
    }
    std::vector<model::Curve> curves;
    std::vector<storage::Record> records;
    curves.reserve(fits->size());
    records.reserve(fits->size());
    model::Failure issues;
    for (const Fitted& fitted : *fits) {
        curves.push_back(curve_of(request, fitted));
        if (std::string reason = other_unit(store, request, fitted, curves.back()); !reason.empty()) {
            issues.push_back({fmt::format("/curves/{}", curves.size() - 1), Code::out_of_range, std::move(reason)});
        }
        records.push_back(documents::encode_record(curves.back(), curves.back().id));
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    storage::SaveOptions options;
    options.dry_run = request.dry_run;
    options.action = "calibrate";
    const auto outcome = store.save_all(author, records, options);
    const auto& saved = std::get<std::vector<storage::Saved>>(outcome); // curves refer to nothing
    CalibrationAnswer answer{
        request.dry_run, storage::format_milliseconds(request.from.unix_ms), storage::format_milliseconds(request.to.unix_ms), {}};
    for (std::size_t i = 0; i < fits->size(); ++i) {
        answer.curves.push_back(answer_of(request, (*fits)[i], saved[i], curves[i]));
    }
    return answer;
}

} // namespace costcurve::actuals
