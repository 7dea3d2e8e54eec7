// Writes revisions and their references. Every function runs in the caller's write transaction; the caller rolls back unless the
// outcome is a success.
#pragma once

#include <span>
#include <vector>

#include "server/storage/save_outcome.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sqlite/content.hpp"

namespace costcurve::storage::sqlite {

using sql::Change;

/// Saves checked records, in order; uses the options `merge` and `progress`.
[[nodiscard]] std::variant<std::vector<Saved>, MissingReferences>
save_records(Database& database, Change& change, std::span<const Record> records, const SaveOptions& options = {});

/// Adds a deletion as the next revision of a document, and ends the current revision and its references.
void add_deletion(Database& database, Change& change, const Stored& current);

} // namespace costcurve::storage::sqlite
