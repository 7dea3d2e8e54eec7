// What-if: a scenario with other values at some of its JSON Pointers.
#pragma once

#include <string>

#include "model/documents/documents.hpp"
#include "model/documents/failure.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/references.hpp"

namespace costcurve::documents {

/// The resolved scenario with what `set` {pointer: value} puts in the places that its pointers name; values may be references.
/// A member of an object may be new, an entry of an array may not; null clears an optional member. A document that the set changes,
/// or one around it, is no longer the stored one. `pointer` is where the scenario stands in the request, `set_pointer` where the
/// set does. Values of fields and entries are read into a copy of the scenario; only what is inside of a curve, or fails, costs a
/// decoding of the whole.
[[nodiscard]] model::Result<model::ScenarioDocument> patched(const model::ScenarioDocument& base, const JsonValue& set,
                                                             const std::string& pointer, const std::string& set_pointer,
                                                             Source& source);

} // namespace costcurve::documents
