// Of Epoch AI's 76 purchases from 2010 to 2024 a TB/s costs 0.9 to 31 thousand USD; of SemiAnalysis's 30 figures of owning 0.16 to
// 0.5 USD an hour.
#include "server/ingest/plausible/bought_devices.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/documents/records.hpp"
#include "server/import/identity/boards.hpp"
#include "server/ingest/prices/every_document.hpp"
#include "server/ingest/prices/other_sellers.hpp"
#include "server/ingest/prices/price_history.hpp"

namespace costcurve::ingest {

namespace {

constexpr std::string_view kBought = "hardware.";
constexpr std::string_view kOwned = "tco.";
constexpr double kBeyondBought = 4.0;
constexpr double kDaysOfDoubledPurchase = 730.0;
constexpr double kDollarsOfBandwidth = 5300.0; // a TB/s
constexpr double kDollarsOfPeak = 80.0;        // a TFLOP/s
constexpr double kBeyondSize = 6.0;
constexpr double kBeyondPeakSize = 10.0;
constexpr double kOwnedHour = 0.25; // USD a TB/s
constexpr double kBeyondOwned = 5.5;
constexpr double kOnChip = 100.0;     // GB/s by GiB, from which on memory is on the chip
constexpr double kSlowMemory = 100.0; // GB/s

// "nvidia.h100-sxm5-80gb" of "hardware.nvidia.h100-sxm5-80gb.8x"; "" of another curve.
std::string bought_device(std::string_view id) {
    if (!id.starts_with(kBought)) {
        return "";
    }
    id.remove_prefix(kBought.size());
    const std::size_t dot = id.rfind('.');
    const std::string_view last = dot == std::string_view::npos ? "" : id.substr(dot + 1);
    const bool is_count = last.size() > 1 && last.ends_with('x') && last.find_first_not_of("0123456789") == last.size() - 1;
    return std::string(is_count ? id.substr(0, dot) : id);
}

// Boards of one chip.
bool is_kin(const std::string& device, const std::string& other) {
    return !device.empty() && (device == other || imports::family_name(device) == imports::family_name(other));
}

// "h100-sxm5-80gb" of "tco.semianalysis.h100-sxm5-80gb.hyperscaler".
std::string owned_board(std::string_view id) {
    const std::size_t source = id.starts_with(kOwned) ? id.find('.', kOwned.size()) : std::string_view::npos;
    const std::size_t owner = id.rfind('.');
    return source == std::string_view::npos || owner <= source ? "" : std::string(id.substr(source + 1, owner - source - 1));
}

std::optional<model::Device> device_with(const storage::Snapshot& snapshot, const std::string& id) {
    const auto revision = id.empty() ? std::nullopt : snapshot.load({storage::Kind::device, id});
    const auto document = revision ? documents::decode_readable(*revision) : std::nullopt;
    return document ? std::optional(std::get<model::Device>(*document)) : std::nullopt;
}

std::optional<model::Device> device_of_board(const storage::Snapshot& snapshot, const std::string& board) {
    std::optional<model::Device> found;
    for_each_document<model::Device>(snapshot, storage::Kind::device, [&](const model::Device& device) {
        const std::size_t dot = device.id.find('.');
        if (dot != std::string::npos && std::string_view(device.id).substr(dot + 1) == board) {
            found = device;
        }
    });
    return found;
}

// Its point that is the nearest in time: the day, and the price.
std::pair<double, double> nearest_point(const model::Curve& curve, double day) {
    std::size_t nearest = 0;
    for (std::size_t i = 1; i < curve.x.size(); ++i) {
        nearest = std::abs(curve.x[i] - day) < std::abs(curve.x[nearest] - day) ? i : nearest;
    }
    return {curve.x[nearest], curve.y[nearest]};
}

bool is_dated_price(const model::Curve& curve, std::string_view currency) {
    return curve.kind == model::CurveKind::price && curve.axis == model::Axis::date && !curve.y.empty() &&
           curve.currency == currency;
}

// Against the points next in time of other curves of the device, or of what is stored of this one.
std::string reason_of_next(const std::vector<model::Curve>& others, const model::Curve& curve, const std::string& what) {
    for (std::size_t i = 0; i < curve.y.size(); ++i) {
        std::vector<double> ratios;
        for (const model::Curve& other : others) {
            const auto [day, price] = nearest_point(other, curve.x[i]);
            const double allowed = std::exp2(std::abs(day - curve.x[i]) / kDaysOfDoubledPurchase);
            const double ratio = price > 0.0 ? curve.y[i] / price : 1.0;
            ratios.push_back(ratio > 1.0 ? std::max(1.0, ratio / allowed) : std::min(1.0, ratio * allowed));
        }
        if (!ratios.empty() && is_beyond(median_of(ratios), kBeyondBought)) {
            return fmt::format(
                "its {:.4g} of {} is far from {}, such as {:.4g}: four times or a fourth, by twice as much each two years",
                curve.y[i], model::date_text(curve.x[i]), what, nearest_point(others.front(), curve.x[i]).second);
        }
    }
    return "";
}

std::string reason_of_size(const model::Curve& curve, double usual, const std::string& by, double factor) {
    const double dollars = dollars_of(curve.currency);
    for (std::size_t i = 0; i < curve.y.size() && usual > 0.0 && dollars > 0.0; ++i) {
        const double ratio = curve.y[i] * dollars / usual;
        if (is_beyond(ratio, factor)) {
            return fmt::format("its {:.4g} of {} is {:.3g} times what {} cost about, {:.4g} USD", curve.y[i],
                               model::date_text(curve.x[i]), ratio, by, usual);
        }
    }
    return "";
}

} // namespace

UsualPurchase usual_purchase(const model::Device& device) {
    const double bandwidth = device.memory_bandwidth_gb_per_s.value_or(0.0);
    const double memory = device.memory_gib.value_or(0.0);
    if (bandwidth >= kSlowMemory && memory > 0.0 && bandwidth / memory < kOnChip) {
        return {kDollarsOfBandwidth * bandwidth / 1000.0, fmt::format("{:g} GB/s of memory bandwidth", bandwidth), kBeyondSize};
    }
    double peak = 0.0;
    for (const auto& [precision, flops] : device.peak_flops) {
        peak = precision == "fp16" || precision == "bf16" ? std::max(peak, flops) : peak;
    }
    for (const auto& [precision, flops] : device.peak_flops) {
        peak = peak > 0.0 ? peak : flops;
    }
    constexpr double kTera = 1e12;
    return {kDollarsOfPeak * peak / kTera, fmt::format("{:.3g} TFLOP/s", peak / kTera), kBeyondPeakSize};
}

std::string reason_of_bought(const storage::Snapshot& snapshot, const model::Curve& curve) {
    const std::string bought = bought_device(curve.id);
    const std::string board = owned_board(curve.id);
    if ((bought.empty() && board.empty()) || !is_dated_price(curve, curve.currency)) {
        return "";
    }
    std::vector<model::Curve> same;
    std::vector<model::Curve> others;
    for_each_document<model::Curve>(snapshot, storage::Kind::curve, [&](const model::Curve& stored) {
        if (is_dated_price(stored, curve.currency) && stored.id == curve.id) {
            same.push_back(stored);
        } else if (is_dated_price(stored, curve.currency) && !bought.empty() && is_kin(bought_device(stored.id), bought)) {
            others.push_back(stored);
        }
    });
    if (!same.empty()) {
        return reason_of_next(same, curve, "what is stored of it");
    }
    std::string reason = reason_of_next(others, curve, "what others are bought at");
    const auto device = bought.empty() ? device_of_board(snapshot, board) : device_with(snapshot, bought);
    if (!reason.empty() || !device) {
        return reason;
    }
    if (!bought.empty()) {
        const UsualPurchase usual = usual_purchase(*device);
        return reason_of_size(curve, usual.dollars, usual.by, usual.factor);
    }
    const double bandwidth = device->memory_bandwidth_gb_per_s.value_or(0.0);
    return reason_of_size(curve, kOwnedHour * bandwidth / 1000.0,
                          fmt::format("owning {:g} GB/s of memory bandwidth for an hour", bandwidth), kBeyondOwned);
}

} // namespace costcurve::ingest
