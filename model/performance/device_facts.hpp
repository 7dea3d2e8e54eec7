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

/// The weight precision that a name stands for: bf16 and fp16 are 16 bit, fp8 and int8 8 bit, fp4 and int4 4 bit; empty for other
/// names.
[[nodiscard]] std::optional<WeightPrecision> weight_precision(std::string_view word);

/// The generation of a device: "hopper", "blackwell", "cdna3" …; its id where none is known.
[[nodiscard]] std::string_view device_family(std::string_view device);

/// FLOP/s at 16 bit; half the 8-bit peak if only that is stated, as in all devices that state both. 0: not stated.
[[nodiscard]] double peak_16(const Device& device);

/// FLOP/s of matrix products with weights of this precision. 4-bit or 8-bit weights are computed at 16 bit if the device has
/// no peak at their own precision.
[[nodiscard]] double products_peak(const Device& device, WeightPrecision precision);

/// Whether a device computes with weights of this precision: it has a peak at it, or one at 16 bit for 4-bit weights, which are
/// widened.
[[nodiscard]] bool computes_in(const Device& device, WeightPrecision precision);

/// Whether the device has a peak of its own at this precision: training widens no products.
[[nodiscard]] bool trains_in(const Device& device, WeightPrecision precision);

/// The device as the step model reads it; empty if its memory, its bandwidth or its peak isn't stated.
[[nodiscard]] std::optional<StepDevice> step_device(const Device& device, const DeviceLink& link, WeightPrecision precision);

} // namespace costcurve::model
