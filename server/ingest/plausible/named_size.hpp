// What a model's name says of its size.
#pragma once

#include <string>

#include "model/documents/documents.hpp"
#include "server/storage/snapshot.hpp"

namespace costcurve::ingest {

/// Why a name doesn't fit the parameters: a size in it ("70b", "8x7b", "1.5b", "a22b" of active ones, "350m", "1t") is a third more
/// or less than they are, all or active, or beyond; to half a unit of the size, as names round. Sizes of another meaning ("e4b")
/// are not read. "" where it fits, or says nothing.
[[nodiscard]] std::string reason_of_named_size(const std::string& name, double parameters, double active_parameters);

/// The same of a new model's id and aliases.
[[nodiscard]] std::string reason_of_named_size(const storage::Snapshot& snapshot, const model::Model& model);

} // namespace costcurve::ingest
