// A table of labels by what each names, and the machine that several of them name together.
#include "server/gate/deployed/node_labels.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/gate/deployed/machine_types.hpp"

namespace costcurve::gate::deployed {

namespace {

// Sources: the providers' and operators' pages of node labels.
enum class Names { type, family, size, category, device, devices, region, zone, spot };
struct LabelRow {
    std::string_view label;
    Names names;
    std::string_view provider = {};
    std::string_view spot = {}; ///< the label's value of spot machines
};
constexpr auto kLabels = std::to_array<LabelRow>({
    {"node.kubernetes.io/instance-type", Names::type},
    {"beta.kubernetes.io/instance-type", Names::type},
    {"karpenter.azure.com/sku-name", Names::type, "azure"},
    {"karpenter.k8s.aws/instance-family", Names::family, "aws"},
    {"eks.amazonaws.com/instance-family", Names::family, "aws"},
    {"karpenter.k8s.aws/instance-size", Names::size, "aws"},
    {"eks.amazonaws.com/instance-size", Names::size, "aws"},
    {"karpenter.k8s.aws/instance-category", Names::category, "aws"},
    {"eks.amazonaws.com/instance-category", Names::category, "aws"},
    {"cloud.google.com/gke-accelerator", Names::device, "gcp"},
    {"cloud.google.com/gke-tpu-accelerator", Names::device, "gcp"},
    {"nvidia.com/gpu.product", Names::device},
    {"gpu.nvidia.com/class", Names::device, "coreweave"},
    {"gpu.nvidia.com/model", Names::device, "coreweave"},
    {"amd.com/gpu.product-name", Names::device},
    {"k8s.amazonaws.com/accelerator", Names::device, "aws"},
    {"karpenter.k8s.aws/instance-gpu-name", Names::device, "aws"},
    {"eks.amazonaws.com/instance-gpu-name", Names::device, "aws"},
    {"karpenter.k8s.aws/instance-gpu-count", Names::devices, "aws"},
    {"eks.amazonaws.com/instance-gpu-count", Names::devices, "aws"},
    {"karpenter.k8s.aws/instance-gpu-manufacturer", Names::devices, "aws"},
    {"eks.amazonaws.com/instance-gpu-manufacturer", Names::devices, "aws"},
    {"topology.kubernetes.io/region", Names::region},
    {"failure-domain.beta.kubernetes.io/region", Names::region},
    {"topology.kubernetes.io/zone", Names::zone},
    {"failure-domain.beta.kubernetes.io/zone", Names::zone},
    {"cloud.google.com/gke-spot", Names::spot, "gcp", "true"},
    {"cloud.google.com/gke-preemptible", Names::spot, "gcp", "true"},
    {"karpenter.sh/capacity-type", Names::spot, "", "spot"},
    {"eks.amazonaws.com/capacityType", Names::spot, "aws", "SPOT"},
    {"kubernetes.azure.com/scalesetpriority", Names::spot, "azure", "spot"},
});

// Google's names of TPUs on nodes. Source: cloud.google.com/kubernetes-engine/docs/concepts/tpus, 2026-11.
struct TpuRow {
    std::string_view name;
    std::string_view device;
};
constexpr auto kTpus = std::to_array<TpuRow>({
    {"tpu-v4-podslice", "google.tpu-v4"},
    {"tpu-v5-lite-device", "google.tpu-v5e"},
    {"tpu-v5-lite-podslice", "google.tpu-v5e"},
    {"tpu-v5p-slice", "google.tpu-v5p"},
    {"tpu-v6e-slice", "google.tpu-v6e"},
    {"tpu7x", "google.tpu-v7"},
});

const LabelRow* row_of_label(std::string_view label) {
    const auto row = std::ranges::find(kLabels, label, &LabelRow::label);
    return row == kLabels.end() ? nullptr : &*row;
}

// us-central1-a and eastus-1 end in a part of their own, us-east-1a in a letter.
std::string region_of_zone(const std::string& zone) {
    const std::size_t dash = zone.rfind('-');
    const bool is_part = dash != std::string::npos && dash + 2 == zone.size();
    return is_part ? zone.substr(0, dash) : zone.substr(0, zone.empty() ? 0 : zone.size() - 1);
}

struct NamedMachine {
    Machines machines;
    std::string family;
    std::string size;
};

void take_label(const LabelRow& row, const std::string& value, NamedMachine& named) {
    Machines& on = named.machines;
    on.provider = on.provider.empty() ? std::string(row.provider) : on.provider;
    switch (row.names) {
    case Names::type:
        on.type = value;
        break;
    case Names::family:
        named.family = value;
        break;
    case Names::size:
        named.size = value;
        break;
    case Names::region:
        on.region = value;
        break;
    case Names::zone:
        on.region = on.region.empty() ? region_of_zone(value) : on.region;
        break;
    case Names::spot:
        on.is_spot = value == row.spot;
        break;
    case Names::device: {
        const auto tpu = std::ranges::find(kTpus, value, &TpuRow::name);
        on.device = tpu == kTpus.end() ? value : std::string(tpu->device);
        break;
    }
    case Names::category:
    case Names::devices:
        break;
    }
}

// The one region of zones; "" where they are of several.
std::string region_of_zones(const std::vector<std::string>& zones) {
    const std::string region = zones.empty() ? "" : region_of_zone(zones.front());
    return std::ranges::all_of(zones, [&](const std::string& zone) { return region_of_zone(zone) == region; }) ? region : "";
}

bool is_accelerated_value(Names names, const std::string& value) {
    constexpr auto kCategories = std::to_array<std::string_view>({"g", "p", "gr", "trn", "inf", "dl", "vt"});
    switch (names) {
    case Names::type:
        return accelerators_of_type(value).has_value() || is_accelerated_family("aws", value) ||
               is_accelerated_family("azure", value);
    case Names::family:
        return is_accelerated_family("aws", value);
    case Names::category:
        return std::ranges::find(kCategories, value) != kCategories.end();
    default:
        return names == Names::device || names == Names::devices;
    }
}

} // namespace

void add_labels(const JsonValue* labels, LabelValues& values) {
    for (const JsonMember& member : labels == nullptr ? std::span<const JsonMember>() : labels->members()) {
        const std::string_view flag = member.value.boolean() ? "true" : "false";
        values[std::string(member.name)] = {std::string(member.value.is_boolean() ? flag : member.value.text())};
    }
}

bool is_machine_label(std::string_view label) { return row_of_label(label) != nullptr; }

bool is_template(std::string_view text) {
    constexpr auto kMarks = std::to_array<std::string_view>({"{{", "${", "<no value>", "%!s("});
    return std::ranges::any_of(kMarks, [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; });
}

Machines machine_by_labels(const LabelValues& labels) {
    NamedMachine named;
    for (const auto& [label, values] : labels) {
        const LabelRow* const row = row_of_label(label);
        const bool is_zone = row != nullptr && row->names == Names::zone && !region_of_zones(values).empty();
        if (row != nullptr && !values.empty() && (values.size() == 1 || is_zone) && !values.front().empty()) {
            take_label(*row, values.front(), named);
        }
    }
    Machines& on = named.machines;
    if (on.type.empty() && !named.family.empty() && !named.size.empty()) {
        on.type = named.family + "." + named.size;
    }
    if (const auto known = on.type.empty() ? std::nullopt : priced_by_device(on.type)) {
        on.device = known->device;
        on.devices = known->devices;
        on.provider = is_coreweave_type(on.type) ? "coreweave" : "gcp";
    }
    return std::move(on);
}

std::string unsettled_labels(const LabelValues& labels) {
    for (const auto& [label, values] : labels) {
        const LabelRow* const row = row_of_label(label);
        const bool is_zone = row != nullptr && row->names == Names::zone && !region_of_zones(values).empty();
        const bool is_open = row != nullptr && row->names != Names::category && row->names != Names::devices && !is_zone;
        if (is_open && values.size() > 1) {
            return fmt::format("{} may be {}", label, fmt::join(values, ", "));
        }
    }
    return "";
}

bool allow_accelerators(const LabelValues& labels) {
    return std::ranges::any_of(labels, [](const auto& entry) {
        const LabelRow* const row = row_of_label(entry.first);
        return row != nullptr &&
               std::ranges::any_of(entry.second, [&](const std::string& value) { return is_accelerated_value(row->names, value); });
    });
}

std::string unrendered_label(const LabelValues& labels) {
    for (const auto& [label, values] : labels) {
        if (is_machine_label(label) && std::ranges::any_of(values, [](const std::string& value) { return is_template(value); })) {
            return label;
        }
    }
    return "";
}

} // namespace costcurve::gate::deployed
