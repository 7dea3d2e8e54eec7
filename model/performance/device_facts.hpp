// What the step model reads of a device: its peak by precision, the link between devices, its family.
#pragma once

#include <optional>
#include <string_view>

#include "model/documents/documents.hpp"
#include "model/performance/step_model.hpp"

namespace costcurve::model {

inline constexpr double kBytesPerGb = 1e9;
inline constexpr double kBytesPerGib = 1073741824.0;

/// The link from a device to the others of a replica.
struct DeviceLink {
    double bytes_per_s = 0.0; ///< one way
    bool is_pcie = false;
    bool is_stated = true; ///< false: taken for PCIe of the fourth generation, 32 GB/s
};
[[nodiscard]] DeviceLink link_of(const Device& device);

/// The precision of weights by its word: bf16 and fp16 are 16 bit, fp8 and int8 8 bit, fp4 and int4 4 bit; nothing where it is none
/// of these.
[[nodiscard]] std::optional<WeightPrecision> weight_precision(std::string_view word);

/// The generation of a device: "hopper", "blackwell", "cdna3" …; its id where none is known.
[[nodiscard]] std::string_view device_family(std::string_view device);

/// FLOP/s at 16 bit; of a device that states its 8-bit peak alone half of that, as of all that state both. 0: not stated.
[[nodiscard]] double peak_16(const Device& device);

/// FLOP/s at the precision that products run in: 4-bit weights are computed with at 16 bit where the device has no 4-bit peak,
/// 8-bit ones where it has no 8-bit peak.
[[nodiscard]] double products_peak(const Device& device, WeightPrecision precision);

/// Whether a device has arithmetic for weights of this precision: its peak of it, or of 16 bit for 4-bit weights, which are
/// widened.
[[nodiscard]] bool computes_in(const Device& device, WeightPrecision precision);

/// Whether the device has a peak of its own at this precision: training widens no products.
[[nodiscard]] bool trains_in(const Device& device, WeightPrecision precision);

/// The device as the step model has it; nothing where its memory, its bandwidth or its peak is not stated.
[[nodiscard]] std::optional<StepDevice> step_device(const Device& device, const DeviceLink& link, WeightPrecision precision);

} // namespace costcurve::model
