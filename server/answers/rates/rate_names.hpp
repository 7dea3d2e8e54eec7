// Finds models and devices by the names used in requests for rates, and describes unknown names.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/failure.hpp"

namespace costcurve::answers {

/// Finds by id, former id, published name in any case, or the id's letters; nullptr if not found.
[[nodiscard]] const model::Model* find_model(const std::vector<model::Model>& models, std::string_view name);
/// Finds a device by id, former id, or a spelling known to imports; nullptr if not found.
[[nodiscard]] const model::Device* find_device(const std::vector<model::Device>& devices, std::string_view name);

/// The only id with the name's letters and digits, ignoring case; "" if there is none or several.
[[nodiscard]] std::string_view same_letters(std::span<const std::string_view> ids, std::string_view name);

/// The issue at /model or /device, with near names.
[[nodiscard]] model::Issue unknown_model(const std::vector<model::Model>& models, std::string_view name);
[[nodiscard]] model::Issue unknown_device(const std::vector<model::Device>& devices, std::string_view name);

/// The precisions for which the device states a peak: "bf16, fp8".
[[nodiscard]] std::string peaks_of(const model::Device& device);

} // namespace costcurve::answers
