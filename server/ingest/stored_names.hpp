// The names of devices that are stored as aliases, for imports.
#pragma once

#include "server/import/identity/added_names.hpp"
#include "server/storage/roles.hpp"

namespace costcurve::ingest {

/// Of all stored aliases that can be read. O(n log n) in their names.
[[nodiscard]] imports::AddedNames stored_names(const storage::DocumentStore& store);

} // namespace costcurve::ingest
