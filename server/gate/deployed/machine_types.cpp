// Tables of the names of machine types, by prefix or as a whole, with their sources.
#include "server/gate/deployed/machine_types.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "server/import/identity/accelerator_names.hpp"

namespace costcurve::gate::deployed {

namespace {

// Nodes of TPUs on GKE: the last word of the type is the number of chips. Source:
// cloud.google.com/kubernetes-engine/docs/concepts/plan-tpus, 2026-11.
struct TpuNodeRow {
    std::string_view prefix;
    std::string_view device;
};
constexpr auto kTpuNodes = std::to_array<TpuNodeRow>({
    {"ct3-hightpu-", "google.tpu-v3"},
    {"ct3p-hightpu-", "google.tpu-v3"},
    {"ct4p-hightpu-", "google.tpu-v4"},
    {"ct5l-hightpu-", "google.tpu-v5e"},
    {"ct5lp-hightpu-", "google.tpu-v5e"},
    {"ct5p-hightpu-", "google.tpu-v5p"},
    {"ct6e-standard-", "google.tpu-v6e"},
    {"tpu7x-standard-", "google.tpu-v7"},
});

// Source: docs.coreweave.com, "GPU instances", 2026-11.
struct CoreweaveRow {
    std::string_view type;
    std::string_view device;
    int devices;
};
constexpr auto kCoreweave = std::to_array<CoreweaveRow>({
    {"b200-8x", "nvidia.b200-sxm-180gb", 8},
    {"b300-8x", "nvidia.b300-sxm-288gb", 8},
    {"gb200-4x", "nvidia.gb200", 4},
    {"gb300-4x", "nvidia.gb300", 4},
    {"gd-1xgh200", "nvidia.gh200-96gb", 1},
    {"gd-8xa100-i128", "nvidia.a100-sxm4-80gb", 8},
    {"gd-8xh100ib-i128", "nvidia.h100-sxm5-80gb", 8},
    {"gd-8xh200ib-i128", "nvidia.h200-sxm-141gb", 8},
    {"gd-8xl40-i128", "nvidia.l40", 8},
    {"gd-8xl40s-i128", "nvidia.l40s", 8},
    {"rtxp6000-8x", "nvidia.rtx-pro-6000-bse", 8},
});

// Generations as google_tpu_v2_vm has them, and what an accelerator type counts: chips, or TensorCores of which a chip has two.
// Source: cloud.google.com/tpu/docs/supported-tpu-configurations, 2026-11.
struct GenerationRow {
    std::string_view generation;
    std::string_view prefix;
    unsigned per_chip;
};
constexpr auto kGenerations = std::to_array<GenerationRow>({
    {"V2", "v2", 2},
    {"V3", "v3", 2},
    {"V4", "v4", 2},
    {"V5P", "v5p", 2},
    {"V5LITE_POD", "v5litepod", 1},
    {"V6E", "v6e", 1},
});

std::optional<imports::Machine> tpu_node_of(std::string_view type) {
    for (const TpuNodeRow& row : kTpuNodes) {
        if (type.starts_with(row.prefix) && type.ends_with('t')) {
            const std::string_view digits = type.substr(row.prefix.size(), type.size() - row.prefix.size() - 1);
            const auto chips = model::read_number<int>(digits);
            return chips && *chips > 0 ? std::optional(imports::Machine{std::string(row.device), *chips}) : std::nullopt;
        }
    }
    return std::nullopt;
}

std::string_view without_ml(std::string_view type) { return type.starts_with("ml.") ? type.substr(3) : type; }

} // namespace

std::optional<imports::Machine> priced_by_device(std::string_view type) {
    const std::string name = model::lower(type);
    const auto row = std::ranges::find(kCoreweave, name, &CoreweaveRow::type);
    return row != kCoreweave.end() ? std::optional(imports::Machine{std::string(row->device), row->devices}) : tpu_node_of(name);
}

bool is_coreweave_type(std::string_view type) {
    return std::ranges::find(kCoreweave, model::lower(type), &CoreweaveRow::type) != kCoreweave.end();
}

std::optional<imports::Machine> accelerators_of_type(std::string_view type) {
    std::optional<imports::Machine> known = imports::instance_of(without_ml(type));
    known = known ? known : priced_by_device(type);
    return known ? known : imports::tpu_slice_of(type);
}

double devices_of(std::string_view type) {
    const auto known = accelerators_of_type(type);
    return known ? known->devices : 1.0;
}

bool is_accelerated_family(std::string_view provider, std::string_view type) {
    // Source: the providers' pages of instance types. Google's N1 has accelerators attached apart.
    constexpr auto kAws = std::to_array<std::string_view>({"p", "g", "trn", "inf", "dl", "vt"});
    const std::string name = model::lower(without_ml(type));
    if (provider == "aws") {
        return std::ranges::any_of(kAws, [&](std::string_view family) {
            return name.starts_with(family) && name.size() > family.size() &&
                   (std::string_view("0123456789r").find(name[family.size()]) != std::string_view::npos);
        });
    }
    return provider == "azure" ? name.starts_with("standard_n")
                               : imports::is_accelerator_family(name) || name.starts_with("ct") || name.starts_with("tpu");
}

std::string tpu_type_of(std::string_view generation, std::string_view topology) {
    const auto row = std::ranges::find(kGenerations, generation, &GenerationRow::generation);
    unsigned chips = row == kGenerations.end() || topology.empty() ? 0 : 1;
    while (chips > 0 && !topology.empty()) {
        const std::string_view side = topology.substr(0, topology.find('x'));
        const unsigned length = model::read_number<unsigned>(side).value_or(0);
        constexpr unsigned kMaxSide = 1024;
        chips = length <= kMaxSide && chips <= kMaxSide * kMaxSide ? chips * length : 0;
        topology.remove_prefix(std::min(topology.size(), side.size() + 1));
    }
    return chips == 0 ? "" : fmt::format("{}-{}", row->prefix, chips * row->per_chip);
}

} // namespace costcurve::gate::deployed
