// Telemetry in answers: outcome of storing samples, and hourly figures.
#pragma once

#include "server/answers/complaints.hpp"
#include "server/storage/measurement.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::actuals {

inline constexpr std::int64_t kMicrosecondsPerHour = storage::kMicrosecondsPerMillisecond * storage::kMillisecondsPerHour;

struct TelemetrySummary {
    std::size_t samples = 0;
    std::size_t accepted = 0;
    std::size_t duplicates = 0;
    imports::Complaints rejected;
    imports::Complaints warnings;
};

struct HourAnswer {
    std::string source;
    std::string device;
    std::string metric;
    std::string hour;
    std::int64_t count = 0;
    std::optional<double> mean;
    std::optional<double> sd;
    std::optional<double> minimum;
    std::optional<double> maximum;
    std::optional<double> sum;
    std::optional<double> increase;
};
[[nodiscard]] HourAnswer hour_answer(const storage::HourRow& row);

} // namespace costcurve::actuals

namespace costcurve::model {

template <>
inline constexpr auto fields<actuals::TelemetrySummary> = Rows{
    Field{"samples", &actuals::TelemetrySummary::samples, {.min = 0, .help = "readings that are in the format"}},
    Field{"accepted", &actuals::TelemetrySummary::accepted, {.min = 0}},
    Field{"duplicates", &actuals::TelemetrySummary::duplicates, {.min = 0}},
    Field{"rejected", &actuals::TelemetrySummary::rejected, {}},
    Field{"warnings", &actuals::TelemetrySummary::warnings, {}},
};
template <> inline constexpr std::string_view document_name<actuals::HourAnswer> = "telemetry_hour";
template <>
inline constexpr auto fields<actuals::HourAnswer> = Rows{
    Field{"source", &actuals::HourAnswer::source, {}},
    Field{"device", &actuals::HourAnswer::device, {.null_if_empty = true}},
    Field{"metric", &actuals::HourAnswer::metric, {}},
    Field{"hour", &actuals::HourAnswer::hour, {.format = Format::date_time}},
    Field{"count",
          &actuals::HourAnswer::count,
          {.min = 0, .help = "samples; 0 where only a counter's difference reaches across the hour"}},
    Field{"mean", &actuals::HourAnswer::mean, {}},
    Field{"sd", &actuals::HourAnswer::sd, {}},
    Field{"minimum", &actuals::HourAnswer::minimum, {}},
    Field{"maximum", &actuals::HourAnswer::maximum, {}},
    Field{"sum", &actuals::HourAnswer::sum, {}},
    Field{"increase", &actuals::HourAnswer::increase, {.help = "of counters: what they gained in the hour"}},
};

} // namespace costcurve::model
