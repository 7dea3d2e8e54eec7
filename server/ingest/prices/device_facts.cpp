// Memory on the chip, or of cards of the past, is as fast as no memory beside one: from 8 GiB on it is a fact of its own.
#include "server/ingest/prices/device_facts.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "server/import/identity/boards.hpp"

namespace costcurve::ingest {

namespace {

constexpr double kBesideChip = 8.0; // GiB
constexpr double kPowerAboveTdp = 1.2;
constexpr std::string_view kPeak = "peak_flops of ";

class FactsOfDevice {
public:
    explicit FactsOfDevice(double tdp_w) : tdp_w_(tdp_w) {}

    void add(std::string name, double value, bool is_ratio = false) {
        if (value > 0.0) {
            facts_.push_back({std::move(name), value, is_ratio});
        }
    }
    void add_by_watts(const std::string& name, double value) {
        add(name, value);
        add_ratio(name + " by tdp_w", value, tdp_w_);
    }
    void add_ratio(std::string name, double value, double by) {
        if (by > 0.0) {
            add(std::move(name), value / by, true);
        }
    }
    std::vector<DeviceFact> take() { return std::move(facts_); }

private:
    double tdp_w_;
    std::vector<DeviceFact> facts_;
};

} // namespace

std::string any_peak(const std::string& name) {
    const std::size_t end = name.find(' ', kPeak.size());
    return name.starts_with(kPeak) ? std::string(kPeak) + "any" + (end == std::string::npos ? "" : name.substr(end)) : "";
}

std::vector<DeviceFact> facts_of_device(const model::Device& device) {
    constexpr double kBytesPerGb = 1e9;
    const double memory = device.memory_gib.value_or(0.0);
    const double bandwidth = device.memory_bandwidth_gb_per_s.value_or(0.0);
    FactsOfDevice facts(device.tdp_w);
    facts.add("tdp_w", device.tdp_w);
    facts.add_ratio("idle_w by tdp_w", device.idle_w, device.tdp_w);
    facts.add_ratio("loaded_idle_w by tdp_w", device.loaded_idle_w.value_or(0.0), device.tdp_w);
    facts.add_by_watts("memory_gib", memory);
    facts.add_by_watts("memory_bandwidth_gb_per_s", bandwidth);
    facts.add_ratio(fmt::format("memory_bandwidth_gb_per_s by memory_gib{}", memory < kBesideChip ? ", below 8 GiB" : ""),
                    bandwidth, memory);
    for (const auto& [precision, peak] : device.peak_flops) {
        const std::string name = std::string(kPeak) + precision;
        facts.add_by_watts(name, peak);
        facts.add_ratio(name + " by bytes/s", peak, bandwidth * kBytesPerGb);
    }
    if (device.links) {
        facts.add("links.intra_gb_per_s", device.links->intra_gb_per_s.value_or(0.0));
        facts.add("links.inter_gb_per_s", device.links->inter_gb_per_s.value_or(0.0));
    }
    return facts.take();
}

std::string reason_of_parts(const model::Device& device) {
    const double memory = device.memory_gib.value_or(0.0);
    if (memory > 0.0 && !imports::has_memory(device.id, memory)) {
        return fmt::format("its memory_gib of {:.4g} is not that of its name, {:g}", memory, imports::memory_gb_of(device.id));
    }
    for (const auto& [name, slice] : device.slices) {
        if (memory > 0.0 && slice.memory_gib > memory) {
            return fmt::format("its slice {} has {:.4g} GiB, and it has {:.4g}", name, slice.memory_gib, memory);
        }
    }
    const bool has_power = device.power && !device.power->y.empty() && device.tdp_w > 0.0;
    const double most = has_power ? std::ranges::max(device.power->y) : 0.0;
    return most > kPowerAboveTdp * device.tdp_w
               ? fmt::format("its power of {:.4g} W is {:.3g} times its tdp_w", most, most / device.tdp_w)
               : "";
}

} // namespace costcurve::ingest
