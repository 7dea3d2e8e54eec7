// Whether a model takes the name of another.
#pragma once

#include <string>

#include "model/documents/documents.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::ingest {

/// Why a new model is held: its id or an alias is a spelling of a stored one, in whose place it would stand in answers.
[[nodiscard]] std::string reason_of_spelling(const storage::Snapshot& snapshot, const model::Model& model);

} // namespace costcurve::ingest
