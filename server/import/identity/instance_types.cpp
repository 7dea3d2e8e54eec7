// Instance types whose name says which accelerators they have and how many.
#include <algorithm>
#include <array>

#include "server/import/identity/added_names.hpp"
#include "server/import/identity/aliases.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

struct InstanceRow {
    std::string_view name;
    std::string_view device;
    int devices;
};
// Source: the providers' pages of instance types.
constexpr auto kInstances = std::to_array<InstanceRow>({
    {"a2-highgpu-1g", "nvidia.a100-sxm4-40gb", 1},
    {"a2-highgpu-2g", "nvidia.a100-sxm4-40gb", 2},
    {"a2-highgpu-4g", "nvidia.a100-sxm4-40gb", 4},
    {"a2-highgpu-8g", "nvidia.a100-sxm4-40gb", 8},
    {"a2-megagpu-16g", "nvidia.a100-sxm4-40gb", 16},
    {"a2-ultragpu-1g", "nvidia.a100-sxm4-80gb", 1},
    {"a2-ultragpu-2g", "nvidia.a100-sxm4-80gb", 2},
    {"a2-ultragpu-4g", "nvidia.a100-sxm4-80gb", 4},
    {"a2-ultragpu-8g", "nvidia.a100-sxm4-80gb", 8},
    {"a3-highgpu-1g", "nvidia.h100-sxm5-80gb", 1},
    {"a3-highgpu-2g", "nvidia.h100-sxm5-80gb", 2},
    {"a3-highgpu-4g", "nvidia.h100-sxm5-80gb", 4},
    {"a3-highgpu-8g", "nvidia.h100-sxm5-80gb", 8},
    {"a3-edgegpu-8g", "nvidia.h100-sxm5-80gb", 8},
    {"a3-megagpu-8g", "nvidia.h100-sxm5-80gb", 8},
    {"a3-ultragpu-8g", "nvidia.h200-sxm-141gb", 8},
    {"a4-highgpu-8g", "nvidia.b200-sxm-180gb", 8},
    {"g2-standard-4", "nvidia.l4", 1},
    {"g2-standard-8", "nvidia.l4", 1},
    {"g2-standard-12", "nvidia.l4", 1},
    {"g2-standard-16", "nvidia.l4", 1},
    {"g2-standard-24", "nvidia.l4", 2},
    {"g2-standard-32", "nvidia.l4", 1},
    {"g2-standard-48", "nvidia.l4", 4},
    {"g2-standard-96", "nvidia.l4", 8},
    {"g4-standard-48", "nvidia.rtx-pro-6000-bse", 1},
    {"g4-standard-96", "nvidia.rtx-pro-6000-bse", 2},
    {"g4-standard-192", "nvidia.rtx-pro-6000-bse", 4},
    {"g4-standard-384", "nvidia.rtx-pro-6000-bse", 8},
    {"ecs.gn5i-c8g1.2xlarge", "nvidia.p4", 1},
    {"ecs.gn6e-c12g1.24xlarge", "nvidia.v100-sxm2-32gb", 8},
    {"g3.4xlarge", "nvidia.m60", 1},
    {"g3.8xlarge", "nvidia.m60", 2},
    {"g3.16xlarge", "nvidia.m60", 4},
    {"g4dn.xlarge", "nvidia.t4", 1},
    {"g4dn.2xlarge", "nvidia.t4", 1},
    {"g4dn.4xlarge", "nvidia.t4", 1},
    {"g4dn.8xlarge", "nvidia.t4", 1},
    {"g4dn.16xlarge", "nvidia.t4", 1},
    {"g4dn.12xlarge", "nvidia.t4", 4},
    {"g4dn.metal", "nvidia.t4", 8},
    {"g5.xlarge", "nvidia.a10g", 1},
    {"g5.2xlarge", "nvidia.a10g", 1},
    {"g5.4xlarge", "nvidia.a10g", 1},
    {"g5.8xlarge", "nvidia.a10g", 1},
    {"g5.16xlarge", "nvidia.a10g", 1},
    {"g5.12xlarge", "nvidia.a10g", 4},
    {"g5.24xlarge", "nvidia.a10g", 4},
    {"g5.48xlarge", "nvidia.a10g", 8},
    {"g6.xlarge", "nvidia.l4", 1},
    {"g6.2xlarge", "nvidia.l4", 1},
    {"g6.4xlarge", "nvidia.l4", 1},
    {"g6.8xlarge", "nvidia.l4", 1},
    {"g6.16xlarge", "nvidia.l4", 1},
    {"g6.12xlarge", "nvidia.l4", 4},
    {"g6.24xlarge", "nvidia.l4", 4},
    {"g6.48xlarge", "nvidia.l4", 8},
    {"g6e.xlarge", "nvidia.l40s", 1},
    {"g6e.2xlarge", "nvidia.l40s", 1},
    {"g6e.4xlarge", "nvidia.l40s", 1},
    {"g6e.8xlarge", "nvidia.l40s", 1},
    {"g6e.16xlarge", "nvidia.l40s", 1},
    {"g6e.12xlarge", "nvidia.l40s", 4},
    {"g6e.24xlarge", "nvidia.l40s", 4},
    {"g6e.48xlarge", "nvidia.l40s", 8},
    {"p2.xlarge", "nvidia.k80", 1},
    {"p2.8xlarge", "nvidia.k80", 8},
    {"p2.16xlarge", "nvidia.k80", 16},
    {"p3.2xlarge", "nvidia.v100-sxm2-16gb", 1},
    {"p3.8xlarge", "nvidia.v100-sxm2-16gb", 4},
    {"p3.16xlarge", "nvidia.v100-sxm2-16gb", 8},
    {"p3dn.24xlarge", "nvidia.v100-sxm2-32gb", 8},
    {"p4d.24xlarge", "nvidia.a100-sxm4-40gb", 8},
    {"p4de.24xlarge", "nvidia.a100-sxm4-80gb", 8},
    {"p5.4xlarge", "nvidia.h100-sxm5-80gb", 1},
    {"p5.48xlarge", "nvidia.h100-sxm5-80gb", 8},
    {"p5e.48xlarge", "nvidia.h200-sxm-141gb", 8},
    {"p5en.48xlarge", "nvidia.h200-sxm-141gb", 8},
    {"p6-b200.48xlarge", "nvidia.b200-sxm-180gb", 8},
    {"p6-b300.48xlarge", "nvidia.b300-sxm-288gb", 8},
    {"standard_nc24ads_a100_v4", "nvidia.a100-pcie-80gb", 1},
    {"standard_nc48ads_a100_v4", "nvidia.a100-pcie-80gb", 2},
    {"standard_nc96ads_a100_v4", "nvidia.a100-pcie-80gb", 4},
    {"standard_nc40ads_h100_v5", "nvidia.h100-nvl-94gb", 1},
    {"standard_ncc40ads_h100_v5", "nvidia.h100-nvl-94gb", 1},
    {"standard_nc80adis_h100_v5", "nvidia.h100-nvl-94gb", 2},
    {"standard_nc4as_t4_v3", "nvidia.t4", 1},
    {"standard_nc8as_t4_v3", "nvidia.t4", 1},
    {"standard_nc16as_t4_v3", "nvidia.t4", 1},
    {"standard_nc64as_t4_v3", "nvidia.t4", 4},
    {"standard_nc6s_v3", "nvidia.v100-pcie-16gb", 1},
    {"standard_nc12s_v3", "nvidia.v100-pcie-16gb", 2},
    {"standard_nc24s_v3", "nvidia.v100-pcie-16gb", 4},
    {"standard_nc24rs_v3", "nvidia.v100-pcie-16gb", 4},
    {"standard_nd40rs_v2", "nvidia.v100-sxm2-32gb", 8},
    {"standard_nd96asr_v4", "nvidia.a100-sxm4-40gb", 8},
    {"standard_nd96amsr_a100_v4", "nvidia.a100-sxm4-80gb", 8},
    {"standard_nd96isr_h100_v5", "nvidia.h100-sxm5-80gb", 8},
    {"standard_nd96isr_h200_v5", "nvidia.h200-sxm-141gb", 8},
    {"standard_nd96isr_mi300x_v5", "amd.mi300x", 8},
    // Parts of a card, which catalogues list with a fraction or with a whole one: devices of the catalogue of their own.
    {"standard_nv6ads_a10_v5", "nvidia.a10-4q", 1},
    {"standard_nv12ads_a10_v5", "nvidia.a10-8q", 1},
    {"standard_nv18ads_a10_v5", "nvidia.a10-12q", 1},
    {"standard_nv4as_v4", "amd.mi25-2gb", 1},
    {"standard_nv8as_v4", "amd.mi25-4gb", 1},
    {"standard_nv16as_v4", "amd.mi25-8gb", 1},
    {"gpu_1x_h100_pcie", "nvidia.h100-pcie-80gb", 1},
});

} // namespace

std::optional<Machine> instance_of(std::string_view name) {
    if (const AddedNames* const added = NamesInUse::current()) {
        if (std::optional<Machine> machine = added->find_instance(folded_name(name))) {
            return machine;
        }
    }
    const std::string text = lower(name);
    const auto found = std::find_if(kInstances.begin(), kInstances.end(), [&](const InstanceRow& row) { return row.name == text; });
    return found == kInstances.end() ? std::nullopt : std::optional(Machine{std::string(found->device), found->devices});
}

} // namespace costcurve::imports
