// Models and devices by the names that requests of rates have, and what is said of those that are not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/failure.hpp"

namespace costcurve::answers {

/// By its id, one that it had before, or a published name in any case; nullptr where there is none.
[[nodiscard]] const model::Model* find_model(const std::vector<model::Model>& models, std::string_view name);
/// By its id, one that it had before, or a spelling that imports know; nullptr where there is none.
[[nodiscard]] const model::Device* find_device(const std::vector<model::Device>& devices, std::string_view name);

/// The issue at /model or /device, with near names.
[[nodiscard]] model::Issue unknown_model(const std::vector<model::Model>& models, std::string_view name);
[[nodiscard]] model::Issue unknown_device(const std::vector<model::Device>& devices, std::string_view name);

/// The precisions that the device states a peak of: "bf16, fp8".
[[nodiscard]] std::string peaks_of(const model::Device& device);

} // namespace costcurve::answers
