// Lines of bills, and what undoing an import does to them.
#pragma once

#include "server/storage/save_outcome.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sql/connection.hpp"

namespace costcurve::storage::sql {

/// What `options` undoes of bills, recorded as the change's where something does.
void undo_bills(Connection& connection, Change& change, const SaveOptions& options);

} // namespace costcurve::storage::sql
