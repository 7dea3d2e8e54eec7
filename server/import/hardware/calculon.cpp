// System files of Calculon (JSON): a device each, with its efficiency by size of operation in the note. They state no power.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/import/identity/aliases.hpp"
#include "server/import/identity/device_name.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

constexpr double kFlopsPerTflops = 1e12;
constexpr double kMaxTflops = 1e6;
constexpr std::size_t kMaxSizes = 20; // of an efficiency table that a note has room for

struct PrecisionRow {
    std::string_view spelling;
    const char* precision;
};
constexpr auto kCalculonPrecisions = std::to_array<PrecisionRow>({{"float64", "fp64"},
                                                                  {"float32", "fp32"},
                                                                  {"tfloat32", "tf32"},
                                                                  {"float16", "fp16"},
                                                                  {"bfloat16", "bf16"},
                                                                  {"bfloat", "bf16"},
                                                                  {"float8", "fp8"},
                                                                  {"float4", "fp4"},
                                                                  {"int8", "int8"}});

// "0.1 from 0, 0.6 from 1, …" of [[128, 0.95], …], smallest first; "" where it is no such table.
std::string efficiency_text(const Json& unit, std::string_view name) {
    const auto sizes = list_of(unit, name);
    if (!sizes || sizes->size() > kMaxSizes) {
        return "";
    }
    std::string text;
    for (const Json& pair : *sizes) {
        double size = 0.0;
        double efficiency = 0.0;
        if (pair.at(0).get(size) != simdjson::SUCCESS || pair.at(1).get(efficiency) != simdjson::SUCCESS) {
            return "";
        }
        text = fmt::format("{:g} from {:g}{}{}", efficiency, size, text.empty() ? "" : ", ", text);
    }
    return text;
}

// A peak of the matrix units, with its efficiency as a sentence; `sizes` is where the table of the efficiency stands.
std::string read_peak(std::string_view spelling, const Number& tflops, const Json& unit, std::string_view sizes,
                      model::Device& device, Report& report) {
    const auto* const row = std::ranges::find(kCalculonPrecisions, spelling, &PrecisionRow::spelling);
    if (row == kCalculonPrecisions.end() || !tflops || tflops.value <= 0.0 || tflops.value > kMaxTflops) {
        report.warnings.add(1, fmt::format("matrix.{} is left out: {}", spelling,
                                           row == kCalculonPrecisions.end() ? "its precision is unknown"
                                                                            : "tflops is no number above 0, up to 1000000"));
        return "";
    }
    device.peak_flops[row->precision] = tflops.value * kFlopsPerTflops;
    const std::string efficiency = efficiency_text(unit, sizes);
    return efficiency.empty() ? "" : fmt::format(" Efficiency of {} by GFLOP of an operation: {}.", row->precision, efficiency);
}

// Peaks by precision: {"float16": {"tflops", "gflops_efficiency"}}; in files of 2022 {"tflops", "gflops_efficiency": {"float16":
// …}}, one peak for all precisions that have an efficiency.
std::string read_matrix(const Json& matrix, const simdjson::dom::object& units, model::Device& device, Report& report) {
    std::string note;
    const Number shared = number_of(matrix, "tflops");
    const std::optional<Json> efficiencies = member(matrix, "gflops_efficiency");
    const auto precisions = efficiencies ? object_of(*efficiencies) : std::nullopt;
    if (shared && precisions) {
        for (const auto& [spelling, sizes] : *precisions) {
            note += read_peak(spelling, shared, *efficiencies, spelling, device, report);
        }
        return note;
    }
    for (const auto& [spelling, unit] : units) {
        note += read_peak(spelling, number_of(unit, "tflops"), unit, "gflops_efficiency", device, report);
    }
    return note;
}

std::string calculon_vendor(std::string_view id) { return id.starts_with("nvidia.") ? "NVIDIA" : ""; }

} // namespace

HardError read_calculon(Bytes& bytes, const Options& options, Report& report) {
    const JsonFile file(bytes);
    if (!file.root()) {
        return file.error();
    }
    const std::optional<Json> matrix = member(*file.root(), "matrix");
    const std::optional<Json> memory = member(*file.root(), "mem1");
    const auto units = matrix ? object_of(*matrix) : std::nullopt;
    if (!units || !memory) {
        return hard_error(Code::missing, 0, "it has no \"matrix\" or \"mem1\": a system file of Calculon is needed");
    }
    report.rows = 1;
    std::optional<std::string> id = device_option(options);
    if (!id) {
        id = device_of(stem_of(options.name));
    }
    const Number gib = number_of(*memory, "GiB");
    if (!id || (options.device.empty() && gib && contradicts_memory(*id, gib.value))) {
        return hard_error(Code::unknown_value, 0,
                          fmt::format("\"{}\" with {:g} GiB is no device that is known; give the option device",
                                      stem_of(options.name), gib.value));
    }
    model::Device device;
    device.id = *id;
    device.vendor = calculon_vendor(*id);
    device.tdp_w = parse_number(options.tdp_w).value;
    if (gib && gib.value > 0.0) {
        device.memory_gib = gib.value;
    }
    if (const Number bandwidth = number_of(*memory, "GBps"); bandwidth && bandwidth.value > 0.0) {
        device.memory_bandwidth_gb_per_s = bandwidth.value;
    }
    const std::string efficiencies = read_matrix(*matrix, *units, device, report);
    if (device.peak_flops.empty()) {
        return hard_error(Code::missing, 0, "matrix has no precision with its tflops");
    }
    device.source = source_of(options, "matrix and mem1");
    device.note = "tdp_w is given, not of the file." + efficiencies;
    if (const std::string text = efficiency_text(*memory, "MB_efficiency"); !text.empty()) {
        device.note += fmt::format(" Efficiency of memory by MB of an access: {}.", text);
    }
    report.add(std::move(device));
    return std::nullopt;
}

} // namespace costcurve::imports
