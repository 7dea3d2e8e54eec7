// Form factor and memory of boards. An id of a device states them where boards of a family differ; a table has the others.
#include "server/import/identity/boards.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "server/import/identity/aliases.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

constexpr double kBoardTolerance = 0.08; // makers' GB are GiB on some boards: 7.4 %
constexpr double kMinMib = 1024.0;       // a smaller figure under a heading of MiB is of GB
constexpr double kMibPerGib = 1024.0;
constexpr double kMinBoardGb = 2.0;
constexpr double kMaxBoardGb = 1000.0;

struct MemoryRow {
    std::string_view device;
    double gb;
};
// Of devices whose id does not say it; makers' data sheets. A test holds it to the catalogue.
constexpr auto kMemory = std::to_array<MemoryRow>({
    {"amd.mi100", 32},       {"amd.mi25", 16},           {"amd.mi250x", 128},
    {"amd.mi300x", 192},     {"amd.mi325x", 256},        {"amd.mi355x", 288},
    {"intel.gaudi2", 96},    {"intel.arc-pro-b60", 24},  {"nvidia.a10", 24},
    {"nvidia.a10-12q", 12},  {"nvidia.a10-4q", 4},       {"nvidia.a10-8q", 8},
    {"nvidia.a10g", 24},     {"nvidia.a40", 48},         {"nvidia.gb200", 186},
    {"nvidia.gb300", 288},   {"nvidia.gtx-1080-ti", 11}, {"nvidia.k80", 12},
    {"nvidia.l4", 24},       {"nvidia.l40", 48},         {"nvidia.l40s", 48},
    {"nvidia.m60", 8},       {"nvidia.p4", 8},           {"nvidia.rtx-4000-ada", 20},
    {"nvidia.rtx-4090", 24}, {"nvidia.rtx-a6000", 48},   {"nvidia.rtx-pro-6000-bse", 96},
    {"nvidia.t4", 16},
});

constexpr auto kForms = std::to_array<std::string_view>({"pcie", "nvl", "sxm"});
// What sellers write beside a board's name: how it is delivered, not what it is.
constexpr auto kPackaging = std::to_array<std::string_view>({"baremetal", "bm", "gpu", "gpus"});

// Words of letters and digits in lower case; "80 GB" is one.
std::vector<std::string> words_in(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : lower(text) + " ") {
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
            word += c;
            continue;
        }
        const bool is_unit = word == "gb" || word == "gib";
        const bool has_number = !words.empty() && words.back().find_first_not_of("0123456789") == std::string::npos;
        if (is_unit && has_number) {
            words.back() += word;
        } else if (!word.empty()) {
            words.push_back(word);
        }
        word.clear();
    }
    return words;
}

// "80g", "80gb", "80gib"; 0 of other words.
double gb_in(std::string_view word) {
    const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
    const std::string_view unit = word.substr(digits);
    const double gb =
        digits > 0 && (unit == "g" || unit == "gb" || unit == "gib") ? parse_number(word.substr(0, digits)).value : 0.0;
    return gb >= kMinBoardGb && gb <= kMaxBoardGb ? gb : 0.0;
}

std::string_view form_of_word(std::string_view word) {
    const auto* const found =
        std::find_if(kForms.begin(), kForms.end(), [&](std::string_view form) { return word.starts_with(form); });
    const bool is_form = found != kForms.end() && word.substr(found->size()).find_first_not_of("0123456789") == std::string::npos;
    return is_form ? *found : std::string_view();
}

std::string_view form_of(std::string_view device) {
    for (const std::string_view form : kForms) {
        if (device.find(std::string("-") + std::string(form)) != std::string_view::npos) {
            return form;
        }
    }
    return "";
}

bool is_near_board(double gb, double other) { return std::fabs(gb - other) <= kBoardTolerance * other; }

double gb_of_stated(double stated) { return stated < kMinMib ? stated : stated / kMibPerGib; }

} // namespace

std::string family_name(std::string_view device) {
    std::string family;
    for (std::size_t begin = 0; begin < device.size();) {
        const std::size_t end = std::min(device.find('-', begin), device.size());
        const std::string_view part = device.substr(begin, end - begin);
        const bool is_trait = begin > 0 && (!form_of_word(part).empty() || gb_in(part) > 0.0);
        if (!is_trait) {
            family += (family.empty() ? "" : "-") + std::string(part);
        }
        begin = end + 1;
    }
    return family;
}

BoardTraits traits_in(std::string_view text) {
    BoardTraits traits;
    const std::string all = lower(text);
    for (const std::string_view form : kForms) { // also within a word: "H100NVL"
        traits.form = traits.form.empty() && all.find(form) != std::string::npos ? form : traits.form;
    }
    for (const std::string& word : words_in(text)) {
        const double gb = gb_in(word);
        traits.memory_gb = gb > 0.0 ? gb : traits.memory_gb;
    }
    return traits;
}

double memory_gb_of(std::string_view device) {
    const std::size_t hyphen = device.rfind('-');
    const double said = hyphen == std::string_view::npos ? 0.0 : gb_in(device.substr(hyphen + 1));
    const auto* const found = std::ranges::find(kMemory, device, &MemoryRow::device);
    return said > 0.0 ? said : found == kMemory.end() ? 0.0 : found->gb;
}

bool has_form(std::string_view device, std::string_view form) {
    const std::string_view own = form_of(device);
    return form.empty() || own == form || (own.empty() && form == "pcie");
}

bool has_memory(std::string_view device, double gb) {
    const double own = memory_gb_of(device);
    return gb <= 0.0 || own <= 0.0 || is_near_board(gb, own);
}

bool has_memory(std::string_view device, const StatedMemory& memory) {
    const bool is_of_one = memory.boards > 1.0 && memory.total > memory.size; // so that it can't be of all
    return has_memory(device, gb_of_stated(memory.size)) ||
           (!is_of_one && has_memory(device, gb_of_stated(memory.size / std::max(memory.boards, 1.0))));
}

std::span<const std::string_view> family_of(std::string_view device) {
    static const auto families = [] {
        std::map<std::string, std::vector<std::string_view>, std::less<>> all;
        for (const AliasRow& row : device_aliases()) {
            std::vector<std::string_view>& family = all[family_name(row.device)];
            if (std::find(family.begin(), family.end(), row.device) == family.end()) {
                family.push_back(row.device);
            }
        }
        return all;
    }();
    const auto found = families.find(family_name(device));
    return found == families.end() ? std::span<const std::string_view>() : std::span<const std::string_view>(found->second);
}

std::optional<std::string> device_by_parts(std::string_view spelling, std::optional<std::string> (*find)(std::string_view name)) {
    std::string name;
    BoardTraits traits;
    bool is_apart = false;
    for (const std::string& word : words_in(spelling)) {
        const std::string_view form = form_of_word(word);
        const double gb = gb_in(word);
        const bool is_packaging = std::find(kPackaging.begin(), kPackaging.end(), word) != kPackaging.end();
        is_apart = is_apart || is_packaging || !form.empty() || gb > 0.0;
        if ((!form.empty() && !traits.form.empty()) || (gb > 0.0 && traits.memory_gb > 0.0)) {
            return std::nullopt;
        }
        traits.form = form.empty() ? traits.form : form;
        traits.memory_gb = gb > 0.0 ? gb : traits.memory_gb;
        if (form.empty() && gb <= 0.0 && !is_packaging) {
            name += word;
        }
    }
    std::optional<std::string> plain = is_apart && !name.empty() ? find(name) : std::nullopt;
    if (!plain) {
        return std::nullopt;
    }
    const auto fits = [&](std::string_view device) {
        return has_form(device, traits.form) && has_memory(device, traits.memory_gb);
    };
    const auto family = family_of(*plain);
    if (fits(*plain)) {
        return plain;
    }
    const auto found = std::find_if(family.begin(), family.end(), fits);
    return found == family.end() ? std::nullopt : std::optional<std::string>(*found);
}

} // namespace costcurve::imports
