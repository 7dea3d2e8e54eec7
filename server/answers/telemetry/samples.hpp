// Telemetry as answers give it: what became of the samples of a request, and what samples come to by hour.
#pragma once

#include "server/answers/complaints.hpp"
#include "server/storage/measurement.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::answers {

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

} // namespace costcurve::answers

namespace costcurve::model {

template <>
inline constexpr auto fields<answers::TelemetrySummary> = Rows{
    Field{"samples", &answers::TelemetrySummary::samples, {.min = 0, .help = "readings that are in the format"}},
    Field{"accepted", &answers::TelemetrySummary::accepted, {.min = 0}},
    Field{"duplicates", &answers::TelemetrySummary::duplicates, {.min = 0}},
    Field{"rejected", &answers::TelemetrySummary::rejected, {}},
    Field{"warnings", &answers::TelemetrySummary::warnings, {}},
};
template <> inline constexpr std::string_view document_name<answers::HourAnswer> = "telemetry_hour";
template <>
inline constexpr auto fields<answers::HourAnswer> = Rows{
    Field{"source", &answers::HourAnswer::source, {}},
    Field{"device", &answers::HourAnswer::device, {.null_if_empty = true}},
    Field{"metric", &answers::HourAnswer::metric, {}},
    Field{"hour", &answers::HourAnswer::hour, {.format = Format::date_time}},
    Field{"count",
          &answers::HourAnswer::count,
          {.min = 0, .help = "samples; 0 where only a counter's difference reaches across the hour"}},
    Field{"mean", &answers::HourAnswer::mean, {}},
    Field{"sd", &answers::HourAnswer::sd, {}},
    Field{"minimum", &answers::HourAnswer::minimum, {}},
    Field{"maximum", &answers::HourAnswer::maximum, {}},
    Field{"sum", &answers::HourAnswer::sum, {}},
    Field{"increase", &answers::HourAnswer::increase, {.help = "of counters: what they gained in the hour"}},
};

} // namespace costcurve::model
