// The shape of a model whose document states all of it.
#pragma once

#include <optional>

#include "model/documents/documents.hpp"
#include "model/performance/step_model.hpp"

namespace costcurve::model {

/// Bytes of a value at 16 bit, in which documents state caches and states.
inline constexpr double kBytesOf16Bit = 2.0;

/// The model as the step model reads it. Nothing where its document leaves out width, heads of the cache, embedding or attention,
/// or where it is a mixture (fewer active parameters than all) that leaves out its experts.
[[nodiscard]] std::optional<ModelShape> shape_of(const Model& model);

} // namespace costcurve::model
