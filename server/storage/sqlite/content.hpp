// Reads what documents hold, as of a change: shared by snapshots and by the writer, which compares. Writes nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "server/storage/list_query.hpp"
#include "server/storage/record.hpp"
#include "server/storage/sql/content.hpp"
#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

inline constexpr std::int64_t kNow = std::numeric_limits<std::uint32_t>::max(); ///< after every change there is

using sql::Stored;

/// The row of a revision: those of a document follow each other.
[[nodiscard]] inline std::int64_t row_number(const Stored& stored) { return (stored.document << 32U) | stored.revision.sequence; }

/// The revision of a document at `sequence`, which may be a deletion; nullopt if the document came later.
[[nodiscard]] std::optional<Stored> find_stored(Database& database, const DocumentKey& key, std::int64_t sequence);

/// The newest one.
[[nodiscard]] inline std::optional<Stored> find_current(Database& database, const DocumentKey& key) {
    return find_stored(database, key, kNow);
}

/// The row of a document that was there, not deleted, at `sequence`.
[[nodiscard]] std::optional<std::int64_t> find_living(Database& database, const DocumentKey& key, std::int64_t sequence);

/// Revisions below number `before`, newest first, up to `sequence`, without their content.
[[nodiscard]] std::vector<Revision> find_history(Database& database, const DocumentKey& key, std::int64_t before, std::size_t limit,
                                                 std::int64_t sequence);

/// Adds body, points and references as of `sequence`.
void load_content(Database& database, Stored& stored, std::int64_t sequence);
/// Of each record what is stored under its key, a deletion too, with its content as of now; nothing where it was never stored.
/// Three statements, however many records.
[[nodiscard]] std::vector<std::optional<Stored>> load_current(Database& database, std::span<const Record> records);
/// As load_content; damaged content is left out and the revision marked unreadable: other documents are not affected.
void load_readable(Database& database, Stored& stored, std::int64_t sequence);

/// At most limit + 1 revisions that are not deleted, without their content, ascending by id.
[[nodiscard]] std::vector<Stored> find_page(Database& database, const ListQuery& query, std::int64_t sequence);

} // namespace costcurve::storage::sqlite
