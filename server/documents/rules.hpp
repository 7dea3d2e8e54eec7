// Rules between the fields of one document.
#pragma once

#include "model/documents/failure.hpp"
#include "server/documents/any_document.hpp"

namespace costcurve::documents {

/// Checks rules between a document's own fields. A scenario has none: its rules need the documents that it refers to.
[[nodiscard]] model::Failure check_rules(const AnyDocument& document);

} // namespace costcurve::documents
