// A document is deleted by a revision of its own, unless others refer to it.
#pragma once

#include "server/storage/save_outcome.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sql/connection.hpp"
#include "server/storage/sql/content.hpp"

namespace costcurve::storage::sql {

/// Deletes a current document, unless others refer to it. The engine's `add_deletion` writes the revision and ends references.
[[nodiscard]] RemoveOutcome remove_document(Connection& connection, Change& change, const Stored& current);

/// Deletes the documents in options.removals and reports those that stay.
void remove_documents(Connection& connection, Change& change, const SaveOptions& options);

} // namespace costcurve::storage::sql
