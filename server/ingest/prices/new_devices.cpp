// Ranges are of the 143 devices of Epoch AI's table and the catalogue in November 2026, from a GTX 280 of 2008 to a GB300; but for
// a bandwidth of 18 TB/s that the table has of MetaX's cards, ten times what their maker states.
#include "server/ingest/prices/new_devices.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "server/import/identity/boards.hpp"
#include "server/ingest/prices/every_document.hpp"

namespace costcurve::ingest {

namespace {

constexpr double kBeyondAny = 2.0;
constexpr double kBeyondRatio = 1.5;
constexpr double kBeyondFamily = 2.5;  // boards of one chip differ by up to twice
constexpr double kBeyondItsTime = 3.0; // a BR100 had 2.8 times the fp32 of its time
constexpr std::size_t kMinOfTime = 8;  // of that time, before the most of them means anything

struct KnownRange {
    std::string_view name;
    double least;
    double most;
};
constexpr auto kKnown = std::to_array<KnownRange>({
    {"memory_gib", 0.1, 288},
    {"memory_bandwidth_gb_per_s", 34, 8000},
    {"tdp_w", 8, 1400},
    {"memory_gib by tdp_w", 0.004, 0.6},
    {"memory_bandwidth_gb_per_s by tdp_w", 0.45, 11},
    {"memory_bandwidth_gb_per_s by memory_gib", 4.2, 82},
    {"memory_bandwidth_gb_per_s by memory_gib, below 8 GiB", 24, 6800}, // on the chip too
    {"idle_w by tdp_w", 0.03, 0.5},
    {"loaded_idle_w by tdp_w", 0.03, 0.6},
    {"links.intra_gb_per_s", 8, 900},
    {"links.inter_gb_per_s", 1, 100},
    {"peak_flops of any", 1.8e10, 1.5e16},
    {"peak_flops of any by tdp_w", 3.2e8, 1.25e13},
    {"peak_flops of any by bytes/s", 0.26, 2750},
    {"peak_flops of fp64", 3.6e10, 8.2e13},
    {"peak_flops of fp64 by tdp_w", 3.2e8, 1.1e11},
    {"peak_flops of fp64 by bytes/s", 0.38, 40},
    {"peak_flops of fp32", 6.2e11, 2.6e14},
    {"peak_flops of fp32 by tdp_w", 2.6e9, 4.7e11},
    {"peak_flops of fp32 by bytes/s", 2, 160},
    {"peak_flops of tf32", 1e13, 1.25e15},
    {"peak_flops of tf32 by tdp_w", 8.8e10, 1.35e12},
    {"peak_flops of tf32 by bytes/s", 39, 320},
    {"peak_flops of fp16", 1.8e10, 2.55e15},
    {"peak_flops of fp16 by tdp_w", 4.6e8, 2.4e12},
    {"peak_flops of fp16 by bytes/s", 0.26, 630},
    {"peak_flops of bf16", 2e13, 2.55e15},
    {"peak_flops of bf16 by tdp_w", 1.6e11, 2.4e12},
    {"peak_flops of bf16 by bytes/s", 75, 630},
    {"peak_flops of fp8", 1.6e14, 5.1e15},
    {"peak_flops of fp8 by tdp_w", 7.3e11, 4.8e12},
    {"peak_flops of fp8 by bytes/s", 210, 850},
    {"peak_flops of int8", 1.6e13, 5.1e15},
    {"peak_flops of int8 by tdp_w", 2.9e11, 4.8e12},
    {"peak_flops of int8 by bytes/s", 110, 2750},
    {"peak_flops of fp4", 2e15, 1.5e16},
    {"peak_flops of fp4 by tdp_w", 2.8e12, 1.25e13},
    {"peak_flops of fp4 by bytes/s", 510, 1900},
    {"peak_flops of int4", 2.5e14, 1e16},
    {"peak_flops of int4 by tdp_w", 1.7e12, 1.25e13},
    {"peak_flops of int4 by bytes/s", 510, 2550},
});

// The most of what was released by a day, from which on more than eight are stored.
struct OfItsDay {
    std::string_view until;
    double memory_gib, memory_bandwidth_gb_per_s;
};
constexpr auto kOfItsDay = std::to_array<OfItsDay>(
    {{"2012-01", 6, 192}, {"2014-12", 12, 336}, {"2016-03", 24, 480}, {"2018-01", 24, 732}, {"2019-12", 32, 1200}});

// The day by which comparable devices of a device's date were published; "" if unknown.
std::string year_after(const std::string& date) {
    constexpr std::size_t kYearDigits = 4;
    const auto year =
        date.size() > kYearDigits ? model::read_number<int>(std::string_view(date).substr(0, kYearDigits)) : std::nullopt;
    return year ? fmt::format("{}{}", *year + 1, date.substr(kYearDigits)) : "";
}

// Its maker apart: other makers' cards of that name are sold as it.
std::string family_of_id(const std::string& id) {
    const std::string family = imports::family_name(id);
    const std::size_t dot = family.find('.');
    return dot == std::string::npos ? family : family.substr(dot + 1);
}

bool is_of_family(const std::string& name, const std::string& family) {
    return !family.empty() && name.starts_with(family) && (name.size() == family.size() || name[family.size()] == '-');
}

void widen(FactRanges& ranges, const DeviceFact& fact) {
    FactRange& range = ranges.try_emplace(fact.name, FactRange{fact.value, fact.value}).first->second;
    range.least = std::min(range.least, fact.value);
    range.most = std::max(range.most, fact.value);
}

void add_text(std::string& reason, const std::string& text) { reason += (reason.empty() || text.empty() ? "" : "; ") + text; }

// Where few of its time are stored.
std::string reason_of_its_day(const std::string& released, const std::vector<DeviceFact>& facts) {
    const auto* const day = std::ranges::find_if(kOfItsDay, [&](const OfItsDay& row) { return released <= row.until; });
    if (released.empty() || day == kOfItsDay.end()) {
        return "";
    }
    std::string reason;
    for (const DeviceFact& fact : facts) {
        const double bandwidth = fact.name == "memory_bandwidth_gb_per_s" ? day->memory_bandwidth_gb_per_s : 0.0;
        const double most = fact.name == "memory_gib" ? day->memory_gib : bandwidth;
        add_text(reason, most > 0.0 && fact.value >= most * kBeyondItsTime
                             ? fmt::format("its {} of {:.4g} is {:.3g} times the most of devices of its day, {:g}", fact.name,
                                           fact.value, fact.value / most, most)
                             : "");
    }
    return reason;
}

} // namespace

void KnownDevices::read_stored() {
    ranges_.emplace();
    for (const KnownRange& known : kKnown) {
        (*ranges_)[std::string(known.name)] = {known.least, known.most};
    }
    for_each_document<model::Device>(snapshot_, storage::Kind::device, [&](const model::Device& device) {
        ids_.insert(device.id);
        StoredDevice& stored =
            stored_.emplace_back(StoredDevice{family_of_id(device.id), device.released.text, facts_of_device(device)});
        for (const DeviceFact& fact : stored.facts) {
            widen(*ranges_, fact);
        }
    });
}

// Those of the longest name that its own begins with.
std::string KnownDevices::reason_of_family(const std::string& id, const std::vector<DeviceFact>& facts) const {
    const std::string name = family_of_id(id);
    std::string family;
    for (const StoredDevice& stored : stored_) {
        family = is_of_family(name, stored.family) && stored.family.size() > family.size() ? stored.family : family;
    }
    FactRanges ranges;
    for (const StoredDevice& stored : stored_) {
        for (const DeviceFact& fact : stored.facts) {
            if (!family.empty() && is_of_family(stored.family, family)) {
                widen(ranges, fact);
            }
        }
    }
    std::string reason;
    for (const DeviceFact& fact : facts) {
        const auto range = ranges.find(fact.name);
        if (range != ranges.end() &&
            (fact.value * kBeyondFamily <= range->second.least || fact.value >= range->second.most * kBeyondFamily)) {
            add_text(reason,
                     fmt::format("its {} of {:.4g} is far from what stored devices of its name have, {} with {:.4g} to {:.4g}",
                                 fact.name, fact.value, family, range->second.least, range->second.most));
        }
    }
    return reason;
}

std::string KnownDevices::reason_of_release(const std::string& released, const std::vector<DeviceFact>& facts) const {
    const std::string until = year_after(released);
    FactRanges ranges;
    std::size_t count = 0;
    for (const StoredDevice& stored : stored_) {
        if (!until.empty() && !stored.released.empty() && stored.released <= until) {
            ++count;
            for (const DeviceFact& fact : stored.facts) {
                widen(ranges, fact);
            }
        }
    }
    std::string reason;
    if (count < kMinOfTime) {
        return reason_of_its_day(released, facts);
    }
    for (const DeviceFact& fact : facts) {
        const auto range = ranges.find(fact.name);
        if (range != ranges.end() && !fact.is_ratio && fact.value >= range->second.most * kBeyondItsTime) {
            add_text(reason, fmt::format("its {} of {:.4g} is {:.3g} times the most of the {} devices that were released until {}",
                                         fact.name, fact.value, fact.value / range->second.most, count, until));
        }
    }
    return reason;
}

std::string KnownDevices::reason_of_ranges(const std::vector<DeviceFact>& facts) const {
    std::string reason;
    for (const DeviceFact& fact : facts) {
        auto range = ranges_->find(fact.name);
        range = range == ranges_->end() ? ranges_->find(any_peak(fact.name)) : range;
        const double factor = fact.is_ratio ? kBeyondRatio : kBeyondAny;
        if (range == ranges_->end() || (fact.value > range->second.least / factor && fact.value < range->second.most * factor)) {
            continue;
        }
        add_text(reason, fmt::format("its {} of {:.4g} is far from what any device has, {:.4g} to {:.4g}", fact.name, fact.value,
                                     range->second.least, range->second.most));
    }
    return reason;
}

std::string KnownDevices::reason(const model::Device& device) {
    if (!ranges_) {
        read_stored();
    }
    if (ids_.contains(device.id)) {
        return "";
    }
    const std::vector<DeviceFact> facts = facts_of_device(device);
    std::string reason = reason_of_ranges(facts);
    add_text(reason, reason_of_family(device.id, facts));
    add_text(reason, reason_of_release(device.released.text, facts));
    add_text(reason, reason_of_parts(device));
    return reason;
}

} // namespace costcurve::ingest
