// One table a fact: spellings, TPU generations. Spellings are folded, so that case and punctuation don't count.
#include "server/import/identity/aliases.hpp"

#include <algorithm>
#include <array>

#include "model/documents/text.hpp"
#include "server/import/identity/added_names.hpp"
#include "server/import/identity/boards.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

// A bare "H100" or "A100" is what clouds rent under that name: the SXM board; "A100" is the one of 40 GB. Sources: the makers'
// data sheets; names that DCGM, SkyPilot, MLPerf and Epoch AI print for the same boards.
constexpr auto kAliases = std::to_array<AliasRow>({
    {"a10", "nvidia.a10"},
    {"a1024gb", "nvidia.a10"},
    {"a10pcie24gb", "nvidia.a10"},
    {"a10pcie", "nvidia.a10"},
    {"a1024q", "nvidia.a10"}, // vGPU profiles, as guests see their card
    {"a1012q", "nvidia.a10-12q"},
    {"a108q", "nvidia.a10-8q"},
    {"a104q", "nvidia.a10-4q"},
    {"a10g", "nvidia.a10g"},
    {"a10g24gb", "nvidia.a10g"},
    {"a100", "nvidia.a100-sxm4-40gb"},
    {"a10040gb", "nvidia.a100-sxm4-40gb"},
    {"a100sxm", "nvidia.a100-sxm4-40gb"},
    {"a100sxm4", "nvidia.a100-sxm4-40gb"},
    {"a100sxm40gb", "nvidia.a100-sxm4-40gb"},
    {"a100sxm440gb", "nvidia.a100-sxm4-40gb"},
    {"a10040gbsxm4", "nvidia.a100-sxm4-40gb"},
    {"a10040g", "nvidia.a100-sxm4-40gb"},
    {"a10080gb", "nvidia.a100-sxm4-80gb"},
    {"a10080gbsxm", "nvidia.a100-sxm4-80gb"},
    {"a10080gbsxm4", "nvidia.a100-sxm4-80gb"},
    {"a100sxm80gb", "nvidia.a100-sxm4-80gb"},
    {"a100sxm480gb", "nvidia.a100-sxm4-80gb"},
    {"a10080g", "nvidia.a100-sxm4-80gb"},
    {"a100pcie80gb", "nvidia.a100-pcie-80gb"},
    {"a10080gbpcie", "nvidia.a100-pcie-80gb"},
    {"a100pcie", "nvidia.a100-pcie-80gb"},
    {"a40", "nvidia.a40"},
    {"a40pcie", "nvidia.a40"},
    {"a40pcie48gb", "nvidia.a40"},
    {"a6000", "nvidia.rtx-a6000"},
    {"arcprob60", "intel.arc-pro-b60"},
    {"b200", "nvidia.b200-sxm-180gb"},
    {"b200sxm", "nvidia.b200-sxm-180gb"},
    {"b200sxm6", "nvidia.b200-sxm-180gb"},
    {"b200sxm180gb", "nvidia.b200-sxm-180gb"},
    {"b200180gb", "nvidia.b200-sxm-180gb"},
    {"b200192gb", "nvidia.b200-sxm-180gb"},
    {"b300", "nvidia.b300-sxm-288gb"},
    {"b300sxm", "nvidia.b300-sxm-288gb"},
    {"b300sxm288gb", "nvidia.b300-sxm-288gb"},
    {"b300sxm270gb", "nvidia.b300-sxm-288gb"},
    {"gaudi2", "intel.gaudi2"},
    {"gaudi296gb", "intel.gaudi2"},
    {"habanagaudi2", "intel.gaudi2"},
    {"gb200", "nvidia.gb200"},
    {"gb200nvl72", "nvidia.gb200"},
    {"gb300", "nvidia.gb300"},
    {"gb300nvl72", "nvidia.gb300"},
    {"gb300sxm288gb", "nvidia.gb300"},
    {"gh200", "nvidia.gh200-96gb"},
    {"gh20096gb", "nvidia.gh200-96gb"},
    {"gh200480gb", "nvidia.gh200-96gb"},
    {"gh200gracehoppersuperchip96gb", "nvidia.gh200-96gb"},
    {"gh200gracehoppersuperchip144gb", "nvidia.gh200-144gb"},
    {"gh200144gb", "nvidia.gh200-144gb"},
    {"gtx1080ti", "nvidia.gtx-1080-ti"},
    {"gtx1080ti11gb", "nvidia.gtx-1080-ti"},
    {"h100", "nvidia.h100-sxm5-80gb"},
    {"h100mega", "nvidia.h100-sxm5-80gb"},
    {"h100sxm", "nvidia.h100-sxm5-80gb"},
    {"h100sxm5", "nvidia.h100-sxm5-80gb"},
    {"h10080gb", "nvidia.h100-sxm5-80gb"},
    {"h10080gbhbm3", "nvidia.h100-sxm5-80gb"},
    {"h10080g", "nvidia.h100-sxm5-80gb"},
    {"h10080gnvl8", "nvidia.h100-sxm5-80gb"},
    {"h10080gnvl256", "nvidia.h100-sxm5-80gb"},
    {"h100sxm80gb", "nvidia.h100-sxm5-80gb"},
    {"h100sxm580gb", "nvidia.h100-sxm5-80gb"},
    {"h10080gbsxm", "nvidia.h100-sxm5-80gb"},
    {"h100pcie", "nvidia.h100-pcie-80gb"},
    {"h100pcie80gb", "nvidia.h100-pcie-80gb"},
    {"h100pcie5", "nvidia.h100-pcie-80gb"},
    {"h100nvl", "nvidia.h100-nvl-94gb"},
    {"h100nvl94gb", "nvidia.h100-nvl-94gb"},
    {"h200", "nvidia.h200-sxm-141gb"},
    {"h200sxm", "nvidia.h200-sxm-141gb"},
    {"h200sxm141gb", "nvidia.h200-sxm-141gb"},
    {"h200141gb", "nvidia.h200-sxm-141gb"},
    {"h200nvl", "nvidia.h200-nvl-141gb"},
    {"h200nvl141gb", "nvidia.h200-nvl-141gb"},
    {"k80", "nvidia.k80"},
    {"k8012gb", "nvidia.k80"},
    {"l4", "nvidia.l4"},
    {"l424gb", "nvidia.l4"},
    {"l4pcie24gb", "nvidia.l4"},
    {"l40", "nvidia.l40"},
    {"l40pcie48gb", "nvidia.l40"},
    {"l40s", "nvidia.l40s"},
    {"l40s48gb", "nvidia.l40s"},
    {"l40spcie48gb", "nvidia.l40s"},
    {"m60", "nvidia.m60"},
    {"mi100", "amd.mi100"},
    {"mi25", "amd.mi25"},
    {"mi250x", "amd.mi250x"},
    {"radeoninstinctmi250x", "amd.mi250x"},
    {"mi300x", "amd.mi300x"},
    {"mi300x192gb", "amd.mi300x"},
    {"mi300xnps1spx192gb750w", "amd.mi300x"},
    {"mi300x192gbhbm3", "amd.mi300x"},
    {"mi300xoam", "amd.mi300x"},
    {"mi325x", "amd.mi325x"},
    {"mi325x256gb", "amd.mi325x"},
    {"mi325x256gbhbm3e", "amd.mi325x"},
    {"mi355x", "amd.mi355x"},
    {"mi355x288gb", "amd.mi355x"},
    {"mi355x288gbhbm3e", "amd.mi355x"},
    {"p100", "nvidia.p100-pcie-16gb"},
    {"p100pcie16gb", "nvidia.p100-pcie-16gb"},
    {"p10016gb", "nvidia.p100-pcie-16gb"},
    {"p4", "nvidia.p4"},
    {"rtx4000ada", "nvidia.rtx-4000-ada"},
    {"rtx4000adageneration", "nvidia.rtx-4000-ada"},
    {"rtx4000ada20gb", "nvidia.rtx-4000-ada"},
    {"rtx4090", "nvidia.rtx-4090"},
    {"rtx409024gb", "nvidia.rtx-4090"},
    {"rtxa6000", "nvidia.rtx-a6000"},
    {"rtxa600048gb", "nvidia.rtx-a6000"},
    {"rtx6000blackwell", "nvidia.rtx-pro-6000-bse"},
    {"rtxpro6000", "nvidia.rtx-pro-6000-bse"},
    {"rtxpro6000blackwellserveredition", "nvidia.rtx-pro-6000-bse"},
    {"rtxpro6000blackwellserver96gb", "nvidia.rtx-pro-6000-bse"},
    {"rtxpro6000bse", "nvidia.rtx-pro-6000-bse"},
    {"t4", "nvidia.t4"},
    {"t416gb", "nvidia.t4"},
    {"tpuv2", "google.tpu-v2"},
    {"tpuv3", "google.tpu-v3"},
    {"tpuv4", "google.tpu-v4"},
    {"tpuv5e", "google.tpu-v5e"},
    {"tpuv5lite", "google.tpu-v5e"},
    {"tpuv5litepod", "google.tpu-v5e"},
    {"tpuv5litepodslice", "google.tpu-v5e"},
    {"v5litepod", "google.tpu-v5e"},
    {"tpuv5p", "google.tpu-v5p"},
    {"tpuv5pslice", "google.tpu-v5p"},
    {"tpuv6", "google.tpu-v6e"}, // as MLPerf inference v4.1 calls its preview
    {"tpuv6e", "google.tpu-v6e"},
    {"tpuv6eslice", "google.tpu-v6e"},
    {"trillium", "google.tpu-v6e"},
    {"tputrillium", "google.tpu-v6e"},
    {"tpuv6etrillium", "google.tpu-v6e"},
    {"tpuv7", "google.tpu-v7"},
    {"tpu7x", "google.tpu-v7"},
    {"ironwood", "google.tpu-v7"},
    {"rxeonr6980p", "intel.xeon-6980p"},
    {"tpuv7ironwood", "google.tpu-v7"},
    {"v100", "nvidia.v100-sxm2-16gb"},
    {"v10016gb", "nvidia.v100-sxm2-16gb"},
    {"v100sxm2", "nvidia.v100-sxm2-16gb"},
    {"v100sxm216gb", "nvidia.v100-sxm2-16gb"},
    {"v100sxm16gb", "nvidia.v100-sxm2-16gb"},
    {"v100sxm32gb", "nvidia.v100-sxm2-32gb"},
    {"v100dgxs16gb", "nvidia.v100-sxm2-16gb"},
    {"v100dgxs32gb", "nvidia.v100-sxm2-32gb"},
    {"v10032gb", "nvidia.v100-sxm2-32gb"},
    {"v100sxm232gb", "nvidia.v100-sxm2-32gb"},
    {"v100sxm332gb", "nvidia.v100-sxm2-32gb"},
    {"v100pcie16gb", "nvidia.v100-pcie-16gb"},
    {"v100pcie", "nvidia.v100-pcie-16gb"},
    {"v100pcie32gb", "nvidia.v100-pcie-32gb"},
    {"xeon6980p", "intel.xeon-6980p"},
});

struct SliceRow {
    std::string_view prefix;
    std::string_view device;
    int per_chip; // what the number at the end counts of one chip
};
// Source: Google Cloud's TPU documentation, "TPU configurations" of each generation.
constexpr auto kSlices = std::to_array<SliceRow>({
    {"v2", "google.tpu-v2", 2},
    {"v3", "google.tpu-v3", 2},
    {"v4", "google.tpu-v4", 2},
    {"v5p", "google.tpu-v5p", 2},
    {"v5litepod", "google.tpu-v5e", 1},
    {"v5e", "google.tpu-v5e", 1},
    {"v6e", "google.tpu-v6e", 1},
});

// What stands before a device's name without saying which one it is, and whose devices are called so ("": anyone's).
struct VendorWordRow {
    std::string_view word;
    std::string_view maker; // as ids of devices begin
};
constexpr auto kVendorWords = std::to_array<VendorWordRow>({{"nvidia", "nvidia"},
                                                            {"amd", "amd"},
                                                            {"intel", "intel"},
                                                            {"google", "google"},
                                                            {"tesla", "nvidia"},
                                                            {"instinct", "amd"},
                                                            {"geforce", "nvidia"},
                                                            {"cloud", ""}});

struct FoldedSpelling {
    std::string name;       // without the vendor's words
    std::string_view maker; // that the words name last; "" where none does
};

FoldedSpelling folded_spelling(std::string_view spelling) {
    FoldedSpelling folded{letters_and_digits(spelling), ""};
    for (bool found = true; found;) {
        found = false;
        for (const VendorWordRow& row : kVendorWords) {
            if (folded.name.size() > row.word.size() && folded.name.starts_with(row.word)) {
                folded.name.erase(0, row.word.size());
                folded.maker = row.maker.empty() ? folded.maker : row.maker;
                found = true;
            }
        }
    }
    return folded;
}

std::string_view maker_of(std::string_view device) { return device.substr(0, device.find('.')); }

std::optional<std::string> device_of_whole(std::string_view spelling) {
    const auto folded = folded_spelling(spelling);
    if (const AddedNames* const added = NamesInUse::current()) {
        if (std::optional<std::string> device = added->find_device(folded.name)) {
            return device;
        }
    }
    const auto found = std::find_if(kAliases.begin(), kAliases.end(),
                                    [&](const AliasRow& row) { return row.spelling == folded.name || row.device == spelling; });
    const bool is_there = found != kAliases.end() && (folded.maker.empty() || folded.maker == maker_of(found->device));
    return is_there ? std::optional<std::string>(found->device) : std::nullopt;
}

} // namespace

std::span<const AliasRow> device_aliases() { return kAliases; }

std::string folded_name(std::string_view spelling) { return folded_spelling(spelling).name; }

std::optional<std::string> device_of(std::string_view spelling) {
    if (spelling.empty() || spelling.size() > 128) {
        return std::nullopt;
    }
    std::optional<std::string> device = device_of_whole(spelling);
    return device ? device : device_by_parts(spelling, device_of_whole);
}

std::optional<std::string> device_of(std::string_view spelling, std::string_view vendor, std::string_view type) {
    std::optional<std::string> device = device_of(spelling);
    const bool is_cpu = lower(type).find("cpu") != std::string::npos; // the table of names has accelerators alone
    const bool is_theirs = device && (vendor.empty() || lower(vendor).find(maker_of(*device)) != std::string::npos);
    return is_theirs && !is_cpu ? device : std::nullopt;
}

std::optional<Machine> tpu_slice_of(std::string_view name) {
    std::string text = lower(name);
    if (text.starts_with("tpu-")) {
        text.erase(0, 4);
    }
    const std::size_t hyphen = text.rfind('-');
    if (hyphen == std::string::npos) {
        return std::nullopt;
    }
    const std::string_view generation = std::string_view(text).substr(0, hyphen);
    const int count = model::read_number<int>(std::string_view(text).substr(hyphen + 1)).value_or(0);
    const auto row = std::ranges::find(kSlices, generation, &SliceRow::prefix);
    if (row == kSlices.end() || count < row->per_chip || count % row->per_chip != 0) {
        return std::nullopt;
    }
    return Machine{std::string(row->device), count / row->per_chip};
}

} // namespace costcurve::imports
