// Whether a curve may stand where it stands: its kind, its axis and its interpolation.
#pragma once

#include <string>

#include "model/documents/failure.hpp"
#include "model/documents/field.hpp"

namespace costcurve::model {

/// What is wrong with the curve at `pointer`, in the field of row `spec` (null: a curve for itself, of any kind).
[[nodiscard]] Failure check_curve_use(const Curve& curve, const FieldSpec* spec, const std::string& pointer);

} // namespace costcurve::model
