// `costcurve telemetry import FILE…` and `costcurve calibrate`: samples of sensors into the store, and curves out of them.
#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "server/actuals/calibration_answer.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/input.hpp"
#include "server/commands/open_upgraded.hpp"
#include "server/commands/scenarios.hpp"
#include "server/commands/text_table.hpp"
#include "server/ingest/stored_names.hpp"
#include "server/ingest/telemetry_text.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::commands {

int import_telemetry(const TelemetryOptions& options) {
    const auto opened = open_upgraded({.path = options.database.path, .telemetry_days = options.days});
    storage::Store& store = *opened;
    const imports::AddedNames names = ingest::stored_names(store);
    const imports::NamesInUse in_use(&names);
    for (const std::string& path : options.files) {
        const std::optional<std::string> text = read_file(path);
        if (!text) {
            fmt::print(stderr, "{}: can't be read; is the path right?\n", path);
            return kWorldFailed;
        }
        imports::Report report;
        const auto collected =
            ingest::collect_samples(*text, ingest::form_of_file(*text), options.smi, store.telemetry_window().now_ms, report);
        if (!collected) {
            print_issues(path, collected.error());
            return kWrongInput;
        }
        const storage::AddedSamples added = store.add_samples({"cli", ""}, collected->batch());
        print_complaints("rejected", report.rejected);
        print_complaints("warning", report.warnings);
        if (!added.outside.empty()) {
            fmt::print(stderr, "{} samples are not from {} to {}: --days says how old raw ones may be\n", added.outside.size(),
                       storage::format_milliseconds(added.window.oldest_ms), storage::format_milliseconds(added.window.newest_ms));
        }
        fmt::print("{}: {} rows, {} samples: {} added, {} there before; {} rows rejected\n", path, report.rows, collected->count(),
                   added.accepted, added.duplicates, report.rejected.rows);
        if (collected->count() == 0 || added.outside.size() == collected->count()) {
            return kWrongInput;
        }
    }
    return kDone;
}

int calibrate(const CalibrateOptions& options) {
    actuals::CalibrationRequest request;
    request.device = options.device;
    request.sources = options.sources;
    request.id_prefix = options.id_prefix;
    request.time_zone = options.time_zone;
    request.dry_run = options.dry_run;
    request.full_units_per_s = options.full_units_per_s;
    request.full_batch = options.full_batch;
    request.served_by = options.served_by;
    model::Failure issues;
    for (const auto& [name, text, instant] :
         {std::tuple("/from", &options.from, &request.from), std::tuple("/to", &options.to, &request.to)}) {
        constexpr std::int64_t kPerMillisecond = 1000; // microseconds
        const std::optional<std::int64_t> time = storage::parse_time(*text);
        instant->unix_ms = time.value_or(0) / kPerMillisecond;
        if (!time) {
            issues.push_back({name, model::Code::bad_format, "give a time of RFC 3339, such as 2026-11-21T10:00:00Z"});
        }
    }
    for (const std::string& word : options.curves) {
        const auto& words = model::enum_names<actuals::FittedCurve>;
        request.curves.push_back(static_cast<actuals::FittedCurve>(std::ranges::find(words, word) - words.begin()));
    }
    if (issues.empty()) {
        check(request, {}, issues);
    }
    if (!issues.empty()) {
        return refuse(issues);
    }
    const auto opened = open_upgraded({.path = options.database.path});
    const auto answer = actuals::calibrate(request, *opened, {"cli", ""});
    if (!answer) {
        return refuse(answer.error());
    }
    if (options.json) {
        fmt::print("{}\n", answers::encode_answer(*answer));
        return kDone;
    }
    Table table;
    table.row({"curve", "", "samples", "R squared", "residual, sd"});
    for (const actuals::CalibratedCurve& curve : answer->curves) {
        table.row({curve.id, std::string(model::name_of(curve.what)), fmt::format("{}", curve.fit.samples_used),
                   curve.fit.r_squared ? fmt::format("{:.3f}", *curve.fit.r_squared) : std::string(kMissing),
                   fmt::format("{:.4g}", curve.fit.residual_sd)});
    }
    fmt::print("{}", table.text());
    return kDone;
}

} // namespace costcurve::commands
