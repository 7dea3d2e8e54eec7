// Reads content of documents as of a change. Used by snapshots, and by the writer for comparison. Writes nothing.
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

inline constexpr std::int64_t kNow = std::numeric_limits<std::uint32_t>::max(); ///< later than every change

using sql::Stored;

/// The row number of a revision; revisions of a document are adjacent.
[[nodiscard]] inline std::int64_t row_number(const Stored& stored) { return (stored.document << 32U) | stored.revision.sequence; }

/// The revision of a document at `sequence`, which may be a deletion; nullopt if the document came later.
[[nodiscard]] std::optional<Stored> find_stored(Database& database, const DocumentKey& key, std::int64_t sequence);

/// The newest revision of a key.
[[nodiscard]] inline std::optional<Stored> find_current(Database& database, const DocumentKey& key) {
    return find_stored(database, key, kNow);
}

/// The row number of a document that existed, not deleted, at `sequence`.
[[nodiscard]] std::optional<std::int64_t> find_living(Database& database, const DocumentKey& key, std::int64_t sequence);

/// Revisions with numbers below `before`, up to change `sequence`, newest first, without content.
[[nodiscard]] std::vector<Revision> find_history(Database& database, const DocumentKey& key, std::int64_t before, std::size_t limit,
                                                 std::int64_t sequence);

/// Adds body, points and references as of `sequence`.
void load_content(Database& database, Stored& stored, std::int64_t sequence);
/// For each record, the stored revision under its key as of now with content, including deletions; nothing if never stored. Three
/// statements, whatever the number of records.
[[nodiscard]] std::vector<std::optional<Stored>> load_current(Database& database, std::span<const Record> records);
/// Like load_content, but damaged content is left out and its revision marked unreadable, so that other documents aren't affected.
void load_readable(Database& database, Stored& stored, std::int64_t sequence);

/// At most limit + 1 revisions that are not deleted, without their content, ascending by id.
[[nodiscard]] std::vector<Stored> find_page(Database& database, const ListQuery& query, std::int64_t sequence);

} // namespace costcurve::storage::sqlite
