// A window of telemetry becomes curves, stored as the next revisions of their documents, with how well they fit:
// POST /v1/calibrations.
#pragma once

#include "server/answers/answer.hpp"
#include "server/answers/telemetry/telemetry_selection.hpp"

namespace costcurve::answers {

/// Curves that telemetry can be fitted to.
enum class FittedCurve { power, utilization, throughput };

/// A time of RFC 3339 from 1970.
struct Instant {
    std::int64_t unix_ms = 0;
};
void decode_member(Decoder& decoder, const JsonValue& value, const Pointer& pointer, const model::FieldSpec& spec,
                   Instant& instant);

struct CalibrationRequest : TelemetryFilter {
    Instant from;
    Instant to;
    std::vector<FittedCurve> curves;
    std::string id_prefix;
    std::string time_zone = "UTC";
    double tolerance_s = static_cast<double>(calibration::kUsualToleranceMs) / 1000.0;
    bool dry_run = false;

    [[nodiscard]] std::int64_t tolerance_ms() const { return static_cast<std::int64_t>(tolerance_s * 1000.0); }
};
void check(CalibrationRequest& request, const QuestionLimits& limits, model::Failure& issues);

/// Fits and, but for a dry run, stores; every issue at once.
[[nodiscard]] model::Result<std::string> calibrate(const CalibrationRequest& request, storage::Store& store,
                                                   const storage::Author& author);

enum class SaveWord { added, changed, unchanged };
struct FitAnswer {
    std::size_t samples_used = 0;
    calibration::Dropped dropped;
    std::optional<double> r_squared;
    double residual_sd = 0.0;
};
struct CalibratedCurve {
    FittedCurve kind{};
    std::string id;
    SaveWord what{};
    std::optional<std::int64_t> revision;
    FitAnswer fit;
    std::vector<calibration::Spread> spread;
    RawJson curve;
};
struct CalibrationAnswer {
    bool dry_run = false;
    std::string from;
    std::string to;
    std::vector<CalibratedCurve> curves;
};

} // namespace costcurve::answers

namespace costcurve::model {

template <>
inline constexpr auto enum_names<answers::FittedCurve> = std::to_array<std::string_view>({"power", "utilization", "throughput"});
template <>
inline constexpr auto enum_names<answers::SaveWord> = std::to_array<std::string_view>({"added", "changed", "unchanged"});
template <>
inline constexpr auto fields<answers::CalibrationRequest> = join(
    fields<answers::TelemetryFilter>,
    Rows{Field{"from", &answers::CalibrationRequest::from, {.required = true, .help = "when the window begins, RFC 3339"}},
         Field{"to", &answers::CalibrationRequest::to, {.required = true, .help = "when it ends"}},
         Field{"curves",
               &answers::CalibrationRequest::curves,
               {.min = 1, .max = 3, .required = true, .help = "a list of power, utilization and throughput, each once"}},
         Field{"id_prefix",
               &answers::CalibrationRequest::id_prefix,
               {.format = Format::name, .help = "ids are <id_prefix>.power and so on; device where absent"}},
         Field{"time_zone", &answers::CalibrationRequest::time_zone, {.format = Format::name, .help = "of the hours of a week"}},
         Field{"tolerance_s",
               &answers::CalibrationRequest::tolerance_s,
               {.unit = "s", .min = 0, .max = 3600, .help = "between readings that are taken for simultaneous"}},
         Field{"dry_run", &answers::CalibrationRequest::dry_run, {.help = "fits, and stores nothing"}}});
template <>
inline constexpr auto fields<calibration::Dropped> =
    Rows{Field{"unmatched", &calibration::Dropped::unmatched, {.min = 0}},
         Field{"out_of_range", &calibration::Dropped::out_of_range, {.min = 0}},
         Field{"stuck", &calibration::Dropped::stuck, {.min = 0}}, Field{"outliers", &calibration::Dropped::outliers, {.min = 0}},
         Field{"thin", &calibration::Dropped::thin, {.min = 0}}};
template <>
inline constexpr auto fields<answers::FitAnswer> =
    Rows{Field{"samples_used", &answers::FitAnswer::samples_used, {.min = 0}}, Field{"dropped", &answers::FitAnswer::dropped, {}},
         Field{"r_squared", &answers::FitAnswer::r_squared, {}}, Field{"residual_sd", &answers::FitAnswer::residual_sd, {}}};
template <>
inline constexpr auto fields<calibration::Spread> =
    Rows{Field{"x", &calibration::Spread::x, {}}, Field{"samples", &calibration::Spread::samples, {.min = 0}},
         Field{"sd", &calibration::Spread::sd, {}}, Field{"p10", &calibration::Spread::p10, {}},
         Field{"p90", &calibration::Spread::p90, {}}};
template <>
inline constexpr auto fields<answers::CalibratedCurve> =
    Rows{Field{"kind", &answers::CalibratedCurve::kind, {}},
         Field{"id", &answers::CalibratedCurve::id, {.format = Format::slug}},
         Field{"what", &answers::CalibratedCurve::what, {}},
         Field{"revision", &answers::CalibratedCurve::revision, {.help = "null in a dry run"}},
         Field{"fit", &answers::CalibratedCurve::fit, {}},
         Field{"spread", &answers::CalibratedCurve::spread, {.help = "of utilization: how hours lie around the mean"}},
         Field{"curve", &answers::CalibratedCurve::curve, {.help = "the document, as it is stored"}}};
template <>
inline constexpr auto fields<answers::CalibrationAnswer> =
    Rows{Field{"dry_run", &answers::CalibrationAnswer::dry_run, {}}, Field{"from", &answers::CalibrationAnswer::from, {}},
         Field{"to", &answers::CalibrationAnswer::to, {}}, Field{"curves", &answers::CalibrationAnswer::curves, {}}};

} // namespace costcurve::model
