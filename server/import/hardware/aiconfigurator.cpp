// System files of aiconfigurator (YAML): a device each.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/import/identity/aliases.hpp"
#include "server/import/identity/device_name.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/yaml.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

constexpr double kMaxFlops = 1e18;

// Keys of rates on tensor cores, FLOP/s dense.
struct RateRow {
    const char* key;
    const char* precision;
};
constexpr auto kRates = std::to_array<RateRow>({{"bfloat16_tc_flops", "bf16"},
                                                {"float16_tc_flops", "fp16"},
                                                {"tf32_tc_flops", "tf32"},
                                                {"int8_tc_flops", "int8"},
                                                {"int4_tc_flops", "int4"},
                                                {"fp8_tc_flops", "fp8"},
                                                {"fp4_tc_flops", "fp4"}});

// The device of the option, or of the file's name with its memory ("h100_sxm", 80 GiB), or of the name alone.
std::optional<std::string> device_id(const Options& options, std::string_view spelling, double gib) {
    if (std::optional<std::string> given = device_option(options)) {
        return given;
    }
    if (std::optional<std::string> with_memory = device_of(fmt::format("{} {:.0f}gb", spelling, gib))) {
        return with_memory;
    }
    std::optional<std::string> device = device_of(spelling);
    return device && gib > 0.0 && contradicts_memory(*device, gib) ? std::nullopt : device;
}

std::string vendor_of(const std::string& id) {
    struct VendorRow {
        std::string_view id;
        const char* name;
    };
    constexpr auto kVendors =
        std::to_array<VendorRow>({{"nvidia", "NVIDIA"}, {"amd", "AMD"}, {"intel", "Intel"}, {"google", "Google"}});
    const auto* const row = std::ranges::find(kVendors, id.substr(0, id.find('.')), &VendorRow::id);
    return row == kVendors.end() ? "" : row->name;
}

HardError fill(model::Device& device, const YAML::Node& gpu) {
    const auto positive = [](const Number& number) { return number && number.value > 0.0; };
    const Number power = yaml_number(gpu, "power");
    if (!positive(power) || power.value > kMaxTdpW) {
        return hard_error(Code::missing, 0,
                          power.state == Number::State::blank ? "gpu.power is missing; a device needs its watts"
                                                              : "gpu.power is no number of watts from 1 to 20000");
    }
    device.tdp_w = power.value;
    if (const Number memory = yaml_number(gpu, "mem_capacity"); positive(memory)) {
        device.memory_gib = memory.value / kBytesPerGib;
    }
    if (const Number bandwidth = yaml_number(gpu, "mem_bw"); positive(bandwidth)) {
        device.memory_bandwidth_gb_per_s = bandwidth.value / kBytesPerGb;
    }
    for (const RateRow& row : kRates) {
        if (const Number flops = yaml_number(gpu, row.key); positive(flops) && flops.value <= kMaxFlops) {
            device.peak_flops[row.precision] = flops.value;
        }
    }
    return std::nullopt;
}

std::string system_note(const YAML::Node& root) {
    std::string note = "Dense peaks of tensor cores.";
    const YAML::Node node = yaml_member(root, "node");
    if (!node || !node.IsMap()) {
        return note;
    }
    if (const Number gpus = yaml_number(node, "num_gpus_per_node")) {
        note += fmt::format(" {:g} a node.", gpus.value);
    }
    if (const Number links = yaml_number(node, "intra_node_bw")) {
        note += fmt::format(" {:g} GB/s between GPUs of a node, one way.", links.value / kBytesPerGb);
    }
    if (const Number network = yaml_number(node, "inter_node_bw")) {
        note += fmt::format(" {:g} GB/s a GPU between nodes, one way.", network.value / kBytesPerGb);
    }
    return note;
}

HardError read_tree(const YAML::Node& root, const Options& options, Report& report) {
    const YAML::Node gpu = yaml_member(root, "gpu");
    if (!gpu || !gpu.IsMap()) {
        return hard_error(Code::missing, 0, "it has no map \"gpu\": a system file of aiconfigurator is needed");
    }
    report.rows = 1;
    model::Device device;
    if (HardError error = fill(device, gpu)) {
        return error;
    }
    const std::optional<std::string> id = device_id(options, stem_of(options.name), device.memory_gib.value_or(0.0));
    if (!id) {
        return hard_error(Code::unknown_value, 0,
                          fmt::format("\"{}\" with {:.4g} GiB is no device that is known; give the option device",
                                      stem_of(options.name), device.memory_gib.value_or(0.0)));
    }
    for (const auto& item : gpu) {
        const std::string key = item.first.Scalar();
        const auto known = std::find_if(kRates.begin(), kRates.end(), [&](const RateRow& row) { return key == row.key; });
        if (key.ends_with("_flops") && (known == kRates.end() || !device.peak_flops.contains(known->precision))) {
            report.warnings.add(1, fmt::format("gpu.{} of {} is left out: {}", key, yaml_text(gpu, key.c_str()),
                                               known == kRates.end() ? "its precision is unknown" : "a number above 0 is needed"));
        }
    }
    device.id = *id;
    device.vendor = vendor_of(*id);
    device.source = source_of(options, "gpu");
    device.note = system_note(root);
    report.add(std::move(device));
    return std::nullopt;
}

} // namespace

HardError read_aiconfigurator(Bytes& bytes, const Options& options, Report& report) {
    return read_yaml(bytes, [&](const YAML::Node& root) { return read_tree(root, options, report); });
}

} // namespace costcurve::imports
