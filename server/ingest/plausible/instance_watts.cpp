// Of Cloud Carbon Footprint's 46 instances those without accelerators draw 8 to 10 W by the vCPU at full load, those with them 9 to
// 90; sizes of one family differ by up to 2.8 times, as a GPU comes with more or fewer of them.
#include "server/ingest/plausible/instance_watts.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "server/documents/records.hpp"
#include "server/import/identity/aliases.hpp"
#include "server/ingest/prices/every_document.hpp"
#include "server/ingest/prices/other_sellers.hpp"
#include "server/ingest/prices/price_history.hpp"

namespace costcurve::ingest {

namespace {

constexpr std::string_view kPowerId = "power.";
constexpr std::string_view kPowerList = ".ccf";
constexpr double kBeyondFamilyWatts = 4.0;
constexpr std::size_t kMinOfFamily = 3;
constexpr double kMinCpuWatts = 1.0; // W by the vCPU
constexpr double kMaxCpuWatts = 40.0;
constexpr double kMaxAcceleratedCpuWatts = 150.0; // of families of accelerators whose number is not known
constexpr double kMinTdpShare = 0.12;
constexpr double kMaxTdpShare = 3.0; // the list has twice of boards with two chips

struct InstanceName {
    std::string family; // "aws-c5"
    std::string type;   // "c5.2xlarge"
    double cpus = 0.0;  // 0: its size doesn't say
};

// Of "2xlarge", "large", "8".
double cpus_of(std::string_view size) {
    constexpr std::string_view kXlarge = "xlarge";
    constexpr double kOfXlarge = 4.0;
    if (size == "large") {
        return kOfXlarge / 2.0;
    }
    if (const std::size_t at = size.find(kXlarge); at != std::string_view::npos) {
        size = size.substr(0, at);
        return size.empty() ? kOfXlarge : kOfXlarge * model::read_number<double>(size).value_or(0.0);
    }
    return model::read_number<double>(size).value_or(0.0);
}

// "aws-c5-2xlarge" of "power.aws-c5-2xlarge.ccf"; "" of another curve.
std::string dashed_name(std::string_view id) {
    const bool is_of_list = id.starts_with(kPowerId) && id.ends_with(kPowerList) && id.size() > kPowerId.size() + kPowerList.size();
    return std::string(is_of_list ? id.substr(kPowerId.size(), id.size() - kPowerId.size() - kPowerList.size()) : "");
}

// Of "power.aws-c5-2xlarge.ccf", "power.gcp-n1-standard-8.ccf".
std::optional<InstanceName> instance_name(const std::string& curve) {
    const std::string dashed = dashed_name(curve);
    const std::string_view id = dashed;
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= id.size();) {
        const std::size_t end = std::min(id.find('-', at), id.size());
        parts.push_back(id.substr(at, end - at));
        at = end + 1;
    }
    if (parts.size() < 3) {
        return std::nullopt;
    }
    const bool is_series = parts.size() > 3 && cpus_of(parts[2]) == 0.0; // n1-standard-8
    const std::size_t size = is_series ? 3 : 2;
    InstanceName name{fmt::format("{}-{}{}{}", parts[0], parts[1], is_series ? "-" : "", is_series ? parts[2] : ""),
                      fmt::format("{}{}{}", parts[1], is_series ? "-" : ".", is_series ? parts[2] : parts[size]),
                      cpus_of(parts[size])};
    name.type += is_series ? fmt::format("-{}", parts[size]) : "";
    return name;
}

double most_of(const model::Curve& curve) { return curve.y.empty() ? 0.0 : std::ranges::max(curve.y); }

std::optional<model::Device> device_named(const storage::Snapshot& snapshot, const std::string& id, bool is_dashed) {
    std::optional<model::Device> found;
    for_each_document<model::Device>(snapshot, storage::Kind::device, [&](const model::Device& device) {
        std::string name = device.id;
        if (is_dashed) {
            std::ranges::replace(name, '.', '-');
        }
        found = name == id ? std::optional(device) : std::move(found);
    });
    return found;
}

std::string reason_of_device_watts(const model::Device& device, double watts) {
    const double share = device.tdp_w > 0.0 ? watts / device.tdp_w : 1.0;
    return share >= kMinTdpShare && share <= kMaxTdpShare
               ? ""
               : fmt::format("its most of {:.4g} W is {:.3g} times the TDP of {}", watts, share, device.id);
}

// Those of other sizes, by the vCPU; with another word behind the size each is one of its own.
std::vector<double> family_watts(const storage::Snapshot& snapshot, const std::vector<model::Curve>& listed,
                                 const model::Curve& curve, const std::string& family) {
    std::map<std::string, double> found;
    const auto add = [&](const model::Curve& other) {
        const auto name = other.kind == model::CurveKind::power && other.id != curve.id ? instance_name(other.id) : std::nullopt;
        if (name && name->family == family && name->cpus > 0.0 && most_of(other) > 0.0) {
            found[other.id] = most_of(other) / name->cpus;
        }
    };
    std::ranges::for_each(listed, add);
    for_each_document<model::Curve>(snapshot, storage::Kind::curve, add);
    std::vector<double> watts;
    std::ranges::transform(found, std::back_inserter(watts), [](const auto& it) { return it.second; });
    return watts;
}

} // namespace

std::string reason_of_instance_watts(const storage::Snapshot& snapshot, const std::vector<model::Curve>& listed,
                                     const model::Curve& curve) {
    const double watts = curve.kind == model::CurveKind::power ? most_of(curve) : 0.0;
    const std::string dashed = dashed_name(curve.id);
    if (dashed.empty() || watts <= 0.0 || snapshot.load({storage::Kind::curve, curve.id})) {
        return "";
    }
    if (const auto device = device_named(snapshot, dashed, true)) {
        return reason_of_device_watts(*device, watts);
    }
    const auto name = instance_name(curve.id);
    if (!name || name->cpus <= 0.0) {
        return "";
    }
    const double by_cpu = watts / name->cpus;
    if (const std::vector<double> family = family_watts(snapshot, listed, curve, name->family); family.size() >= kMinOfFamily) {
        const double usual = median_of(family);
        if (is_beyond(by_cpu / usual, kBeyondFamilyWatts)) {
            return fmt::format("its most of {:.4g} W, {:.3g} by the vCPU, is {:.3g} times the median of {} others of its family",
                               watts, by_cpu, by_cpu / usual, family.size());
        }
    }
    double added = 0.0; // W of accelerators
    double most_of_cpu = kMaxCpuWatts;
    if (const auto machine = imports::instance_of(name->type)) {
        const auto device = device_named(snapshot, machine->device, false);
        added = device ? device->tdp_w * machine->devices : 0.0;
        if (!device) {
            return "";
        }
    } else if (std::string_view("pgdfitv").find(name->family[name->family.find('-') + 1]) != std::string_view::npos) {
        most_of_cpu = kMaxAcceleratedCpuWatts;
    }
    const double least = kMinCpuWatts * name->cpus + kMinTdpShare * added;
    const double most = most_of_cpu * name->cpus + kMaxTdpShare * added;
    return watts >= least && watts <= most
               ? ""
               : fmt::format("its most of {:.4g} W is far from what {:g} vCPUs{} draw, {:.4g} to {:.4g}", watts, name->cpus,
                             added > 0.0 ? " and its accelerators" : "", least, most);
}

} // namespace costcurve::ingest
