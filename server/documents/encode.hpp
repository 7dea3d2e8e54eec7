// From documents to JSON, by the field tables.
#pragma once

#include <string>

#include "server/documents/any_document.hpp"

namespace costcurve::documents {

/// The scenario with every default filled in, in the order of the field tables: as people see it.
[[nodiscard]] std::string encode_scenario(const model::ScenarioDocument& scenario);

/// Any document the same way; references as their ids.
[[nodiscard]] std::string encode_document(const AnyDocument& document);

/// The canonical text, without values equal to their default, so that a new field with a default changes no text. It is stored and
/// hashed for `inputs_hash`. Required fields are always present.
[[nodiscard]] std::string encode_canonical(const AnyDocument& document);
[[nodiscard]] std::string encode_canonical(const model::ScenarioDocument& scenario);

} // namespace costcurve::documents
