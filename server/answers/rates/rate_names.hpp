// Models and devices by the names that requests of rates have, and what is said of those that are not known.
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
/// By its id, one that it had before, or a spelling that imports know; nullptr where there is none.
[[nodiscard]] const model::Device* find_device(const std::vector<model::Device>& devices, std::string_view name);

/// The one id whose letters and digits are those of the name, in any case; "" where none or several have them.
[[nodiscard]] std::string_view same_letters(std::span<const std::string_view> ids, std::string_view name);

/// The issue at /model or /device, with near names.
[[nodiscard]] model::Issue unknown_model(const std::vector<model::Model>& models, std::string_view name);
[[nodiscard]] model::Issue unknown_device(const std::vector<model::Device>& devices, std::string_view name);

/// The precisions that the device states a peak of: "bf16, fp8".
[[nodiscard]] std::string peaks_of(const model::Device& device);

} // namespace costcurve::answers
