// Fits curves to a window of telemetry and stores them as next revisions, with the quality of the fit: POST /v1/calibrations.
#pragma once

#include "server/actuals/telemetry_selection.hpp"
#include "server/actuals/throughput_share.hpp"
#include "server/answers/answer.hpp"
#include "server/storage/store.hpp"

namespace costcurve::actuals {

/// Curves that telemetry can be fitted to.
enum class FittedCurve { power, utilization, throughput };

/// An RFC 3339 time since 1970.
struct Instant {
    std::int64_t unix_ms = 0;
};
void decode_member(documents::Decoder& decoder, const JsonValue& value, const documents::Pointer& pointer,
                   const model::FieldSpec& spec, Instant& instant);

struct CalibrationRequest : TelemetryFilter {
    Instant from;
    Instant to;
    std::vector<FittedCurve> curves;
    std::string id_prefix;
    std::string time_zone = "UTC";
    double tolerance_s = static_cast<double>(kUsualToleranceMs) / 1000.0;
    std::optional<double> full_units_per_s;
    std::optional<double> full_batch;
    std::string served_by;
    bool dry_run = false;

    /// Telemetry that gives the utilization: of served_by, otherwise of the devices.
    [[nodiscard]] TelemetryFilter loaded() const {
        return served_by.empty() ? TelemetryFilter(*this) : TelemetryFilter{"", {served_by}};
    }
    [[nodiscard]] FullLoad full() const { return {full_units_per_s, full_batch}; }
    [[nodiscard]] model::UtilizationOf utilization_of() const {
        return full().is_stated() ? model::UtilizationOf::throughput_share : model::UtilizationOf::busy_time;
    }
    [[nodiscard]] std::int64_t tolerance_ms() const { return static_cast<std::int64_t>(tolerance_s * 1000.0); }
};
void check(CalibrationRequest& request, const answers::QuestionLimits& limits, model::Failure& issues);

enum class SaveWord { added, changed, unchanged };
struct FitAnswer {
    std::size_t samples_used = 0;
    Dropped dropped;
    std::optional<double> r_squared;
    double residual_sd = 0.0;
};
struct CalibratedCurve {
    FittedCurve kind{};
    std::string id;
    SaveWord what{};
    std::optional<std::int64_t> revision;
    FitAnswer fit;
    std::vector<Spread> spread;
    answers::RawJson curve;
};
struct CalibrationAnswer {
    bool dry_run = false;
    std::string from;
    std::string to;
    std::vector<CalibratedCurve> curves;
};

/// Fits curves and stores them, unless it is a dry run; all issues at once.
[[nodiscard]] model::Result<CalibrationAnswer> calibrate(const CalibrationRequest& request, storage::Store& store,
                                                         const storage::Author& author);

} // namespace costcurve::actuals

namespace costcurve::model {

template <>
inline constexpr auto enum_names<actuals::FittedCurve> = std::to_array<std::string_view>({"power", "utilization", "throughput"});
template <>
inline constexpr auto enum_names<actuals::SaveWord> = std::to_array<std::string_view>({"added", "changed", "unchanged"});
template <>
inline constexpr auto fields<actuals::CalibrationRequest> = join(
    fields<actuals::TelemetryFilter>,
    Rows{Field{"from", &actuals::CalibrationRequest::from, {.required = true, .help = "when the window begins, RFC 3339"}},
         Field{"to", &actuals::CalibrationRequest::to, {.required = true, .help = "when it ends"}},
         Field{"curves",
               &actuals::CalibrationRequest::curves,
               {.min = 1, .max = 3, .required = true, .help = "a list of power, utilization and throughput, each once"}},
         Field{"id_prefix",
               &actuals::CalibrationRequest::id_prefix,
               {.format = Format::name, .help = "ids are <id_prefix>.power and so on; device where absent"}},
         Field{"time_zone", &actuals::CalibrationRequest::time_zone, {.format = Format::name, .help = "of the hours of a week"}},
         Field{"tolerance_s",
               &actuals::CalibrationRequest::tolerance_s,
               {.unit = "s", .min = 0, .max = 3600, .help = "between readings that are taken for simultaneous"}},
         Field{"full_units_per_s",
               &actuals::CalibrationRequest::full_units_per_s,
               {.unit = "units/s",
                .min = 0,
                .max = kLargest,
                .above_min = true,
                .help = "largest rate of a source, of counters input and output tokens together: curves are by the share of it"}},
         Field{"full_batch",
               &actuals::CalibrationRequest::full_batch,
               {.unit = "requests",
                .min = 0,
                .max = 1e9,
                .above_min = true,
                .help = "largest requests at a time of a source: curves are by the share of it"}},
         Field{"served_by",
               &actuals::CalibrationRequest::served_by,
               {.format = Format::name,
                .help = "the source, a server's, whose counters or batch say so for all devices; each source's own where absent"}},
         Field{"dry_run", &actuals::CalibrationRequest::dry_run, {.help = "fits, and stores nothing"}}});
template <>
inline constexpr auto fields<actuals::Dropped> =
    Rows{Field{"unmatched", &actuals::Dropped::unmatched, {.min = 0}},
         Field{"out_of_range", &actuals::Dropped::out_of_range, {.min = 0}}, Field{"stuck", &actuals::Dropped::stuck, {.min = 0}},
         Field{"outliers", &actuals::Dropped::outliers, {.min = 0}}, Field{"thin", &actuals::Dropped::thin, {.min = 0}}};
template <>
inline constexpr auto fields<actuals::FitAnswer> =
    Rows{Field{"samples_used", &actuals::FitAnswer::samples_used, {.min = 0}}, Field{"dropped", &actuals::FitAnswer::dropped, {}},
         Field{"r_squared", &actuals::FitAnswer::r_squared, {}}, Field{"residual_sd", &actuals::FitAnswer::residual_sd, {}}};
template <>
inline constexpr auto fields<actuals::Spread> =
    Rows{Field{"x", &actuals::Spread::x, {}}, Field{"samples", &actuals::Spread::samples, {.min = 0}},
         Field{"sd", &actuals::Spread::sd, {}}, Field{"p10", &actuals::Spread::p10, {}}, Field{"p90", &actuals::Spread::p90, {}}};
template <>
inline constexpr auto fields<actuals::CalibratedCurve> =
    Rows{Field{"kind", &actuals::CalibratedCurve::kind, {}},
         Field{"id", &actuals::CalibratedCurve::id, {.format = Format::slug}},
         Field{"what", &actuals::CalibratedCurve::what, {}},
         Field{"revision", &actuals::CalibratedCurve::revision, {.help = "null in a dry run"}},
         Field{"fit", &actuals::CalibratedCurve::fit, {}},
         Field{"spread", &actuals::CalibratedCurve::spread, {.help = "of utilization: how hours lie around the mean"}},
         Field{"curve", &actuals::CalibratedCurve::curve, {.help = "the document, as it is stored"}}};
template <>
inline constexpr auto fields<actuals::CalibrationAnswer> =
    Rows{Field{"dry_run", &actuals::CalibrationAnswer::dry_run, {}}, Field{"from", &actuals::CalibrationAnswer::from, {}},
         Field{"to", &actuals::CalibrationAnswer::to, {}}, Field{"curves", &actuals::CalibrationAnswer::curves, {}}};

} // namespace costcurve::model
