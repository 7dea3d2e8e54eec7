// Rules between the fields of one document.
#pragma once

#include "model/documents/failure.hpp"
#include "server/documents/any_document.hpp"

namespace costcurve::documents {

/// The rules that a document keeps by itself, beyond its fields' ranges. None for a scenario: those need what it refers to.
[[nodiscard]] model::Failure check_rules(const AnyDocument& document);

} // namespace costcurve::documents
