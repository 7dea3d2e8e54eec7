// Reads what documents hold, as of a change, many in a statement: shared by snapshots and by writers, which compare. Writes
// nothing.
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

inline constexpr std::int64_t kNow = std::numeric_limits<std::int64_t>::max(); ///< after every change there is

using sql::Stored;

/// As tables have it.
[[nodiscard]] inline std::string_view kind_of_key(const DocumentKey& key) { return name_of(key.kind); }

/// Of each key the revision that held at `sequence`, a deletion too, without its content; nothing where there was none yet.
[[nodiscard]] std::vector<std::optional<Stored>> find_stored(Connection& connection, std::span<const DocumentKey> keys,
                                                             std::int64_t sequence);

/// The newest one of a key.
[[nodiscard]] inline std::optional<Stored> find_current(Connection& connection, const DocumentKey& key) {
    return std::move(find_stored(connection, std::span(&key, 1), kNow).front());
}

/// Adds bodies, points and references as of `sequence`, by three statements. Damaged content is left out and the revision marked
/// unreadable: other documents are not affected.
void load_contents(Connection& connection, std::span<Stored* const> stored, std::int64_t sequence);

/// Of each key what is stored under it, as of `sequence`, a deletion too, with its content; nothing where it was never stored.
/// Throws StoreError (unreadable or corrupt) where content is damaged: what is there couldn't be compared with what is to be saved.
[[nodiscard]] std::vector<std::optional<Stored>> load_stored(Connection& connection, std::span<const DocumentKey> keys,
                                                             std::int64_t sequence);

/// Revisions below number `before`, newest first, up to `sequence`, without their content.
[[nodiscard]] std::vector<Revision> find_history(Connection& connection, const DocumentKey& key, std::int64_t before,
                                                 std::size_t limit, std::int64_t sequence);

/// At most limit + 1 revisions that are not deleted, without their content, ascending by id.
[[nodiscard]] std::vector<Stored> find_page(Connection& connection, const ListQuery& query, std::int64_t sequence);

/// Of each query the last point at or before its x, as of `sequence`. One statement, or two where points were taken away.
[[nodiscard]] std::vector<std::optional<double>> values_at(Connection& connection, std::span<const PointQuery> queries,
                                                           std::int64_t sequence);

} // namespace costcurve::storage::postgres
