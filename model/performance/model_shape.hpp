// A model's document as the step model reads it.
#pragma once

#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/performance/step_model.hpp"

namespace costcurve::model {

/// The shape of a model whose document has only parameters, layers and cache: a plain transformer, or a mixture of 128 experts.
/// Results computed from it count as assumed.
[[nodiscard]] ModelShape assumed_shape(const Model& model);

/// The precision that the model's weights were published in: the least that it is run at where nobody says.
[[nodiscard]] std::string published_precision(const Model& model);

/// A key of layers, width, heads, experts, cache and vocabulary; equal for models that share measurements.
[[nodiscard]] std::string architecture_of(const ModelShape& shape);

/// Precisions that the model is stored in and the device computes in: the workload's, or the least one and wider ones, which is the
/// published one where none is named.
[[nodiscard]] std::vector<std::string> precisions_for(const Model& model, const Device& device, const Workload& workload,
                                                      const std::string& least_precision);

} // namespace costcurve::model
