// Reads content of many documents per statement, as of a change. Used by snapshots, and by writers for comparison. Writes nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "server/storage/list_query.hpp"
#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/record.hpp"
#include "server/storage/snapshot.hpp"
#include "server/storage/sql/content.hpp"

namespace costcurve::storage::postgres {

inline constexpr std::int64_t kNow = std::numeric_limits<std::int64_t>::max(); ///< later than every change

using sql::Stored;

/// The kind's name as stored in tables.
[[nodiscard]] inline std::string_view kind_of_key(const DocumentKey& key) { return name_of(key.kind); }

/// For each key, the revision valid at `sequence`, including deletions, without its content; nothing if there was no revision yet.
[[nodiscard]] std::vector<std::optional<Stored>> find_stored(Connection& connection, std::span<const DocumentKey> keys,
                                                             std::int64_t sequence);

/// The newest revision of a key.
[[nodiscard]] inline std::optional<Stored> find_current(Connection& connection, const DocumentKey& key) {
    return std::move(find_stored(connection, std::span(&key, 1), kNow).front());
}

/// Loads bodies, points and references as of `sequence`, by three statements. Damaged content is left out and its revision marked
/// unreadable, so that other documents aren't affected.
void load_contents(Connection& connection, std::span<Stored* const> stored, std::int64_t sequence);

/// For each key, the revision valid at `sequence` with its content, including deletions; nothing if never stored. Throws StoreError
/// (unreadable or corrupt) if content is damaged, because the caller couldn't compare it with the record to save.
[[nodiscard]] std::vector<std::optional<Stored>> load_stored(Connection& connection, std::span<const DocumentKey> keys,
                                                             std::int64_t sequence);

/// Revisions with numbers below `before`, up to change `sequence`, newest first, without content.
[[nodiscard]] std::vector<Revision> find_history(Connection& connection, const DocumentKey& key, std::int64_t before,
                                                 std::size_t limit, std::int64_t sequence);

/// At most limit + 1 revisions that are not deleted, without their content, ascending by id.
[[nodiscard]] std::vector<Stored> find_page(Connection& connection, const ListQuery& query, std::int64_t sequence);

/// For each query, the last point at or before its x, as of `sequence`. One statement, or two if points were removed.
[[nodiscard]] std::vector<std::optional<double>> values_at(Connection& connection, std::span<const PointQuery> queries,
                                                           std::int64_t sequence);

} // namespace costcurve::storage::postgres
