// Whether what buying or owning a device costs is plausible.
#pragma once

#include <string>

#include "model/documents/documents.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::ingest {

/// What a chip of its size costs about in USD, 0 where nothing is known; by what, and the factor beyond which a price is far from
/// it.
struct UsualPurchase {
    double dollars = 0.0;
    std::string by;
    double factor = 6.0;
};
[[nodiscard]] UsualPurchase usual_purchase(const model::Device& device);

/// Why a curve of prices over date that importers make of a device is held:
/// - bought (`hardware.<device>[.<devices>x]`): four times or a fourth of what is stored of the same curve before its first day,
///   else of other curves of boards of its chip, by twice as much for each two years between them; a new one also where a chip is a
///   sixth or six times 5,300 USD a TB/s of its memory's bandwidth, or, where it has no memory beside the chip, a tenth or ten
///   times 80 USD a TFLOP/s;
/// - owned by the hour (`tco.<source>.<board>.<owner>`): 5.5 times or less 0.25 USD a TB/s, or beyond.
/// "" of other curves, where it may be, or nothing is known of the device.
[[nodiscard]] std::string reason_of_bought(const storage::Snapshot& snapshot, const model::Curve& curve);

} // namespace costcurve::ingest
