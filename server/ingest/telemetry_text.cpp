// Samples from text in one of the telemetry formats.
#include "server/ingest/telemetry_text.hpp"

#include <fmt/format.h>

#include "server/import/telemetry/code_carbon.hpp"
#include "server/import/telemetry/prometheus.hpp"
#include "server/import/telemetry/telemetry_lines.hpp"

namespace costcurve::ingest {

std::optional<TelemetryForm> form_of(std::string_view media_type, std::string_view beginning) {
    return media_type == "application/x-ndjson"                     ? std::optional(TelemetryForm::lines)
           : media_type != "text/csv" && media_type != "text/plain" ? std::nullopt
           : imports::is_code_carbon(beginning)                     ? std::optional(TelemetryForm::code_carbon)
           : media_type == "text/csv"                               ? std::optional(TelemetryForm::smi)
           : imports::is_smi(beginning)                             ? std::optional(TelemetryForm::smi)
                                                                    : std::optional(TelemetryForm::prometheus);
}

TelemetryForm form_of_file(std::string_view beginning) {
    const std::size_t first = beginning.find_first_not_of(" \t\r\n");
    const bool is_json = first != std::string_view::npos && beginning[first] == '{';
    return is_json ? TelemetryForm::lines : form_of("text/plain", beginning).value_or(TelemetryForm::prometheus);
}

model::Result<actuals::CollectedSamples> collect_samples(std::string_view text, TelemetryForm form,
                                                         const imports::SmiOptions& options, std::int64_t now_ms,
                                                         imports::Report& report) {
    actuals::CollectedSamples collected;
    report.on_sample = [&](const imports::Sample& sample) { collected.add(sample); };
    imports::Bytes bytes(text);
    const imports::HardError error = form == TelemetryForm::lines         ? imports::read_telemetry_lines(bytes, report)
                                     : form == TelemetryForm::prometheus  ? imports::read_prometheus(bytes, now_ms, report)
                                     : form == TelemetryForm::code_carbon ? imports::read_code_carbon(bytes, options, report)
                                                                          : imports::read_smi(bytes, options, report);
    report.on_sample = nullptr;
    if (error) {
        return tl::unexpected(model::Failure{*error});
    }
    if (collected.count() > actuals::kMaxCollectedSamples) {
        return tl::unexpected(model::Failure{{"", model::Code::too_large,
                                              fmt::format("{} samples; allowed up to {} at once, send them in parts",
                                                          collected.count(), actuals::kMaxCollectedSamples)}});
    }
    return collected;
}

} // namespace costcurve::ingest
