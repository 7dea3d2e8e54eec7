// Peaks by precision, and the families of devices by their ids.
#include "model/performance/device_facts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <string>

namespace costcurve::model {

namespace {

struct DeviceFamily {
    std::string_view within; ///< how the id begins
    std::string_view family;
};
constexpr auto kDeviceFamilies = std::to_array<DeviceFamily>({
    {"nvidia.h100", "hopper"},
    {"nvidia.h200", "hopper"},
    {"nvidia.gh200", "hopper"},
    {"nvidia.b200", "blackwell"},
    {"nvidia.b300", "blackwell"},
    {"nvidia.gb", "blackwell"},
    {"nvidia.rtx-pro", "blackwell-workstation"},
    {"nvidia.a100", "ampere"},
    {"nvidia.a10", "ampere"},
    {"nvidia.a40", "ampere"},
    {"nvidia.rtx-a", "ampere"},
    {"nvidia.l4", "ada"},
    {"nvidia.rtx-4", "ada"},
    {"nvidia.v100", "volta"},
    {"nvidia.t4", "turing"},
    {"amd.mi300", "cdna3"},
    {"amd.mi325", "cdna3"},
    {"amd.mi35", "cdna4"},
    {"amd.mi250", "cdna2"},
    {"google.tpu", "tpu"},
    {"intel.gaudi", "gaudi"},
    {"aws.trainium", "trainium"},
});

// FLOP/s of the largest products that the maker measured, where these are less than kPeakCeiling of the peak.
struct AchievedPeak {
    std::string_view within; ///< how the id begins
    double in_16, in_8;      ///< FLOP/s of operands of so many bits; infinite where not published
};
// AMD, "Measuring Max-Achievable FLOPs, part 2" (ROCm blogs, February 2025): bf16 and fp8 by hipBLASLt at sustained clocks.
constexpr auto kAchievedPeaks = std::to_array<AchievedPeak>({
    {"amd.mi300x", 708e12, 1273e12},
    {"amd.mi325x", 843e12, HUGE_VAL},
});

struct PrecisionWord {
    std::string_view word;
    WeightPrecision precision;
};
constexpr auto kPrecisionWords = std::to_array<PrecisionWord>({{"bf16", WeightPrecision::bf16},
                                                               {"fp16", WeightPrecision::bf16},
                                                               {"fp8", WeightPrecision::fp8},
                                                               {"int8", WeightPrecision::fp8},
                                                               {"fp4", WeightPrecision::fp4},
                                                               {"int4", WeightPrecision::fp4}});

double peak_of(const Device& device, std::initializer_list<std::string_view> precisions) {
    for (const std::string_view precision : precisions) {
        const auto found = device.peak_flops.find(std::string(precision));
        if (found != device.peak_flops.end()) {
            return found->second;
        }
    }
    return 0.0;
}

// At which kPeakCeiling of it is what products reach.
double reached(const Device& device, double peak, bool is_16) {
    const auto row = std::ranges::find_if(kAchievedPeaks, [&](const AchievedPeak& of) { return device.id.starts_with(of.within); });
    return row == kAchievedPeaks.end() ? peak : std::min(peak, (is_16 ? row->in_16 : row->in_8) / kPeakCeiling);
}

// Of products whose operands have it; 0 where the device does not state it.
double stated_peak(const Device& device, WeightPrecision precision) {
    switch (precision) {
    case WeightPrecision::fp4:
        return peak_of(device, {"fp4"});
    case WeightPrecision::fp8:
        return peak_of(device, {"fp8"});
    case WeightPrecision::bf16:
        break;
    }
    return peak_16(device);
}

} // namespace

std::optional<WeightPrecision> weight_precision(std::string_view word) {
    const auto found = std::ranges::find(kPrecisionWords, word, &PrecisionWord::word);
    return found == kPrecisionWords.end() ? std::nullopt : std::optional(found->precision);
}

DeviceLink link_of(const Device& device) {
    constexpr double kPcie4 = 32.0; // GB/s one way
    if (!device.links || !device.links->intra_gb_per_s) {
        return {kPcie4 * kBytesPerGb, true, false};
    }
    return {*device.links->intra_gb_per_s * kBytesPerGb, device.links->kind == LinkKind::pcie, true};
}

std::string_view device_family(std::string_view device) {
    const auto found =
        std::ranges::find_if(kDeviceFamilies, [&](const DeviceFamily& row) { return device.starts_with(row.within); });
    return found == kDeviceFamilies.end() ? device : found->family;
}

double peak_16(const Device& device) {
    const double peak = peak_of(device, {"bf16", "fp16"});
    return peak > 0.0 ? peak : peak_of(device, {"fp8", "int8"}) / 2.0;
}

double products_peak(const Device& device, WeightPrecision precision) {
    const double peak = stated_peak(device, precision);
    return peak > 0.0 ? peak : peak_16(device);
}

bool computes_in(const Device& device, WeightPrecision precision) {
    return (precision == WeightPrecision::fp4 ? peak_16(device) : stated_peak(device, precision)) > 0.0;
}

bool trains_in(const Device& device, WeightPrecision precision) { return stated_peak(device, precision) > 0.0; }

std::optional<StepDevice> step_device(const Device& device, const DeviceLink& link, WeightPrecision precision) {
    const double bandwidth = device.memory_bandwidth_gb_per_s.value_or(0.0) * kBytesPerGb;
    const double memory = device.memory_gib.value_or(0.0) * kBytesPerGib;
    const bool is_16 = products_peak(device, precision) == peak_16(device);
    const double peak = reached(device, products_peak(device, precision), is_16);
    if (!(bandwidth > 0.0) || !(memory > 0.0) || !(peak > 0.0)) {
        return std::nullopt;
    }
    return StepDevice{bandwidth, memory, peak, reached(device, peak_16(device), true), link.bytes_per_s, link.is_pcie};
}

} // namespace costcurve::model
