// What a model's name says of its size.
#pragma once

#include <string>

#include "model/documents/documents.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::ingest {

/// Why a size in a model's name ("70b", "8x7b", "1.5b", "350m", "1t") contradicts its parameters: it is off from all of them
/// and from the active ones by more than a third of the size, and by more than half a unit of its last digit, as names round.
/// "a22b" is a size of the active ones alone. "" where the sizes fit, or the name has none; "e4b" has another meaning and is
/// not read.
[[nodiscard]] std::string reason_of_named_size(const std::string& name, double parameters, double active_parameters);

/// As above, for the id and the aliases of a model that is not stored yet.
[[nodiscard]] std::string reason_of_named_size(const storage::Snapshot& snapshot, const model::Model& model);

} // namespace costcurve::ingest
