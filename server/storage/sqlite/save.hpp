// Writes revisions and their references. Every function works inside a write transaction that the caller has begun and commits,
// and that it rolls back where the outcome isn't a success.
#pragma once

#include <span>
#include <vector>

#include "server/storage/save_outcome.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sqlite/content.hpp"

namespace costcurve::storage::sqlite {

using sql::Change;

/// Saves checked records, in order; of the options it uses `merge` and `progress`.
[[nodiscard]] std::variant<std::vector<Saved>, MissingReferences>
save_records(Database& database, Change& change, std::span<const Record> records, const SaveOptions& options = {});

/// Adds the revision behind the current one of a document that deletes it, and ends that and its references.
void add_deletion(Database& database, Change& change, const Stored& current);

} // namespace costcurve::storage::sqlite
