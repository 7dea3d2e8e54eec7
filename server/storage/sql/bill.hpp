// Storing bill lines, and undoing their imports.
#pragma once

#include "server/storage/save_outcome.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sql/connection.hpp"

namespace costcurve::storage::sql {

/// Undoes the bill changes listed in `options`; records the change if any line changes.
void undo_bills(Connection& connection, Change& change, const SaveOptions& options);

} // namespace costcurve::storage::sql
