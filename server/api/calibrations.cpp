// POST /v1/calibrations: a window of telemetry becomes curves, stored as the next revisions of their documents, with how well they
// fit.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/calendar.hpp"
#include "server/api/decode.hpp"
#include "server/api/decode_value.hpp"
#include "server/api/encode.hpp"
#include "server/api/handlers.hpp"
#include "server/api/json_text.hpp"
#include "server/api/measured.hpp"
#include "server/api/problem.hpp"
#include "server/api/records.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::api {

namespace {

using model::Code;
using nlohmann::json;

constexpr std::int64_t kMicroseconds = 1000; // of a millisecond
constexpr auto kCurves = std::to_array<std::string_view>({"power", "utilization", "throughput"});

struct Calibration {
    MeasuredOf of;
    std::int64_t from_ms = 0;
    std::int64_t to_ms = 0;
    std::vector<std::string> curves;
    std::string id_prefix;
    std::string time_zone = "UTC";
    std::int64_t tolerance_ms = work::kUsualToleranceMs;
    bool dry_run = false;
};

// A curve that was fitted, as a document.
struct Fitted {
    std::string kind;
    work::Fit fit;
};

std::string time_text(std::int64_t time_ms) { return storage::format_time(time_ms * kMicroseconds); }

void read_curves(Members& members, Calibration& asked) {
    members.require("curves", "a list of power, utilization and throughput");
    asked.curves = members.texts("curves", kCurves.size());
    for (const std::string& curve : asked.curves) {
        if (std::find(kCurves.begin(), kCurves.end(), curve) == kCurves.end()) {
            members.add(
                "curves", Code::unknown_value,
                fmt::format("{} is no curve of telemetry; there are power, utilization and throughput", shortened(curve, 60)));
        }
    }
}

void read_window(Members& members, Calibration& asked) {
    members.require("from", "when the window begins, RFC 3339");
    members.require("to", "when it ends");
    const auto from = members.time_ms("from");
    const auto to = members.time_ms("to");
    if (from && to && *from >= *to) {
        members.add("to", Code::out_of_range, fmt::format("to is {}; it must come after from", time_text(*to)));
    }
    asked.from_ms = from.value_or(0);
    asked.to_ms = to.value_or(0);
}

void read_prefix(Members& members, Calibration& asked) {
    constexpr std::size_t kLongestSuffix = 12; // ".utilization"
    constexpr std::size_t kMostId = 128;
    asked.id_prefix = members.text("id_prefix").value_or(asked.of.device);
    const bool bad = !is_slug(asked.id_prefix) || asked.id_prefix.size() + kLongestSuffix > kMostId;
    if (asked.id_prefix.empty() && members.find("id_prefix") == nullptr) {
        members.require("id_prefix", "the curves' ids begin with it; without one they begin with device");
    } else if (bad) {
        members.add("id_prefix", Code::bad_format,
                    fmt::format("id_prefix is \"{}\"; ids match [a-z0-9][a-z0-9._-]{{0,127}}, and .utilization must fit behind it",
                                shortened(asked.id_prefix, 60)));
    }
}

Attempt<Calibration> read_calibration(const json& body) {
    constexpr double kMostTolerance = 3600;
    constexpr double kMilliseconds = 1000;
    Members members(body, "", {"device", "sources", "from", "to", "curves", "id_prefix", "time_zone", "tolerance_s", "dry_run"});
    Calibration asked;
    asked.of = read_measured_of(members);
    read_window(members, asked);
    read_curves(members, asked);
    read_prefix(members, asked);
    asked.time_zone = members.text("time_zone").value_or("UTC");
    if (!model::is_time_zone(asked.time_zone)) {
        members.add("time_zone", Code::unknown_value,
                    fmt::format("time_zone is {}; give an IANA zone such as Europe/Berlin", shortened(asked.time_zone, 60)));
    }
    if (const auto tolerance = members.number("tolerance_s", 0, kMostTolerance, "s")) {
        asked.tolerance_ms = static_cast<std::int64_t>(*tolerance * kMilliseconds);
    }
    asked.dry_run = members.flag("dry_run");
    if (!members.issues.empty()) {
        return tl::unexpected(Refusal{kUnprocessable, "", std::move(members.issues)});
    }
    return asked;
}

// Raw samples are gone beyond their window; a fit of what is left of it would not be what was asked for.
std::optional<Refusal> beyond_raw(const Service& service, const Calibration& asked) {
    const std::int64_t oldest = service.store.telemetry_window().oldest_ms;
    const bool raw = std::any_of(asked.curves.begin(), asked.curves.end(), [](const std::string& c) { return c != "utilization"; });
    if (!raw || asked.from_ms >= oldest) {
        return std::nullopt;
    }
    return Refusal{kUnprocessable,
                   "",
                   {{"/from", Code::out_of_range,
                     fmt::format("from is {}; raw samples, which power and throughput are fitted to, are kept from {} on: begin "
                                 "there, or keep them for longer (--telemetry-days)",
                                 time_text(asked.from_ms), time_text(oldest))}}};
}

Attempt<work::Fit> fitted(model::Result<work::Fit> fit, std::size_t index) {
    return std::move(fit).map_error([&](model::Failure issues) {
        for (model::Issue& issue : issues) {
            issue.pointer = fmt::format("/curves/{}", index);
        }
        return Refusal{kUnprocessable, "", std::move(issues)};
    });
}

Attempt<work::Fit> fit_hours(const Service& service, const Calibration& asked, std::size_t index) {
    // Whole hours inside of the window.
    const std::int64_t from = (asked.from_ms + storage::kMillisecondsPerHour - 1) / storage::kMillisecondsPerHour;
    const std::int64_t to = std::max(from, asked.to_ms / storage::kMillisecondsPerHour);
    std::vector<work::HourMean> hours;
    auto visited = visit_hours(service.store, asked.of, {"utilization"}, from, to, [&](const storage::HourRow& row) {
        if (row.count > 0 && row.sum) {
            hours.push_back({row.hour, row.count, *row.sum / static_cast<double>(row.count)});
        }
    });
    if (!visited) {
        return tl::unexpected(std::move(visited.error()));
    }
    return fitted(work::fit_utilization(hours, to - from, asked.time_zone), index);
}

// Every curve that was asked for, or everything that is in the way.
Attempt<std::vector<Fitted>> fit_all(const Service& service, const Calibration& asked) {
    if (auto refusal = beyond_raw(service, asked)) {
        return tl::unexpected(std::move(*refusal));
    }
    std::vector<Fitted> all;
    model::Failure issues;
    std::optional<std::vector<work::SourceReadings>> readings;
    for (std::size_t i = 0; i < asked.curves.size(); ++i) {
        const std::string& kind = asked.curves[i];
        if (kind != "utilization" && !readings) {
            auto loaded = load_readings(service.store, asked.of, asked.from_ms, asked.to_ms);
            if (!loaded) {
                return tl::unexpected(std::move(loaded.error()));
            }
            readings = std::move(*loaded);
        }
        Attempt<work::Fit> fit = kind == "utilization" ? fit_hours(service, asked, i)
                                 : kind == "power"     ? fitted(work::fit_power(*readings, asked.tolerance_ms), i)
                                                       : fitted(work::fit_throughput(*readings, asked.tolerance_ms), i);
        if (fit) {
            all.push_back({kind, std::move(*fit)});
        } else {
            issues.insert(issues.end(), fit.error().issues.begin(), fit.error().issues.end());
        }
    }
    if (!issues.empty()) {
        return tl::unexpected(Refusal{kUnprocessable, "", std::move(issues)});
    }
    return all;
}

// ---- documents ----

std::string note_of(const Calibration& asked, const Fitted& fitted) {
    const work::Fit& fit = fitted.fit;
    const work::Dropped& out = fit.dropped;
    std::string note =
        fmt::format("{} to {}; {} samples used; left out: {} unmatched, {} out of range, {} of a stuck sensor, {} "
                    "outliers, {} thin; R2 {}; residual sd {:.4g}",
                    time_text(asked.from_ms), time_text(asked.to_ms), fit.samples_used, out.unmatched, out.out_of_range, out.stuck,
                    out.outliers, out.thin, fit.r_squared ? fmt::format("{:.4f}", *fit.r_squared) : "unknown", fit.residual_sd);
    if (!fit.spread.empty()) {
        double widest = 0.0;
        for (const work::Spread& spread : fit.spread) {
            widest = std::max(widest, spread.p90 - spread.p10);
        }
        note += fmt::format("; {} time; widest p10 to p90 of an hour {:.4g}", asked.time_zone, widest);
    }
    return note;
}

std::string id_of(const Calibration& asked, const Fitted& fitted) { return fmt::format("{}.{}", asked.id_prefix, fitted.kind); }

// The same way as a PUT: encoded, decoded with every range checked, and encoded for the store.
storage::Record record_of(const Calibration& asked, const Fitted& fitted) {
    model::Curve curve = fitted.fit.curve;
    curve.id = id_of(asked, fitted);
    curve.source = "telemetry of " + text_of(asked.of);
    curve.note = note_of(asked, fitted);
    Decoded<work::AnyDocument> decoded = decode_document(storage::Kind::curve, *parse_json(encode_document(curve)));
    const model::Failure broken = check_rules(decoded.document);
    if (!decoded.issues.empty() || !broken.empty()) {
        throw std::logic_error("a fitted curve breaks a rule: " + (broken.empty() ? decoded.issues : broken).front().message);
    }
    return encode_record(std::move(decoded.document), curve.id);
}

void write_fit(JsonWriter& out, const work::Fit& fit) {
    const auto count = [](std::size_t number) { return static_cast<double>(number); };
    out.begin_object().member("samples_used", count(fit.samples_used)).key("dropped").begin_object();
    out.member("unmatched", count(fit.dropped.unmatched)).member("out_of_range", count(fit.dropped.out_of_range));
    out.member("stuck", count(fit.dropped.stuck)).member("outliers", count(fit.dropped.outliers));
    out.member("thin", count(fit.dropped.thin)).end_object();
    out.member("r_squared", fit.r_squared).member("residual_sd", fit.residual_sd).end_object();
}

void write_curve(JsonWriter& out, const Calibration& asked, const Fitted& fitted, const storage::Saved& saved,
                 const storage::Record& record) {
    constexpr auto kWhat = std::to_array<std::string_view>({"added", "changed", "unchanged"});
    out.begin_object().member("kind", fitted.kind).member("id", id_of(asked, fitted));
    out.member("what", kWhat.at(static_cast<std::size_t>(saved.what))).key("revision");
    if (asked.dry_run) {
        out.null();
    } else {
        out.value(static_cast<double>(saved.revision));
    }
    out.key("fit");
    write_fit(out, fitted.fit);
    out.key("spread").begin_array();
    for (const work::Spread& spread : fitted.fit.spread) {
        out.begin_object().member("x", spread.x).member("samples", static_cast<double>(spread.samples));
        out.member("sd", spread.sd).member("p10", spread.p10).member("p90", spread.p90).end_object();
    }
    out.end_array();
    storage::Revision shown;
    shown.record = record;
    out.key("curve").raw(encode_document(decode_revision(shown))).end_object();
}

std::string store_all(Service& service, const Call& call, const Calibration& asked, const std::vector<Fitted>& all) {
    std::vector<storage::Record> records;
    records.reserve(all.size());
    for (const Fitted& fitted : all) {
        records.push_back(record_of(asked, fitted));
    }
    storage::SaveOptions options;
    options.dry_run = asked.dry_run;
    const auto outcome = service.store.save_all({call.author, call.request.request_id}, records, options);
    const auto& saved = std::get<std::vector<storage::Saved>>(outcome); // curves refer to nothing
    JsonWriter out;
    out.begin_object().member("dry_run", asked.dry_run).member("from", time_text(asked.from_ms));
    out.member("to", time_text(asked.to_ms)).key("curves").begin_array();
    for (std::size_t i = 0; i < all.size(); ++i) {
        write_curve(out, asked, all[i], saved[i], records[i]);
    }
    return out.end_array().end_object().take();
}

} // namespace

Attempt<http::Response> post_calibrations(Service& service, const Call& call) {
    const Attempt<json> body = read_body(call.request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    const Attempt<Calibration> asked = read_calibration(*body);
    if (!asked) {
        return tl::unexpected(asked.error());
    }
    return fit_all(service, *asked).map([&](const std::vector<Fitted>& all) {
        return json_answer(store_all(service, call, *asked, all));
    });
}

} // namespace costcurve::api
