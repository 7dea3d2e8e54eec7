// Reads revisions from rows and filters pages of them. Engines store the content.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/storage/hash.hpp"
#include "server/storage/list_query.hpp"
#include "server/storage/record.hpp"
#include "server/storage/sql/connection.hpp"

namespace costcurve::storage::sql {

/// A revision and the location of its content.
struct Stored {
    std::int64_t document = 0;
    std::optional<std::int64_t> body;   ///< empty for a deletion
    Revision revision;                  ///< `sequence` is the change that wrote it
    std::optional<Hash> body_hash = {}; ///< set if the body was read for comparison
};

/// Columns of a revision `r` that `read_revision` reads.
inline const std::string kColumnsOfRevision =
    "r.document, r.body, r.kind, r.id, r.title, r.revision, r.deleted, r.provider, r.region, r.device, r.purchase, r.hourly_price, "
    "r.since";

inline constexpr int kBehindRevision = 13; // the next column

/// Reads a revision without time and author.
[[nodiscard]] Stored read_revision(const Row& row);

/// Columns of a revision `r` and its change `c` that `read_stored` reads.
inline const std::string kStoredColumns = kColumnsOfRevision + ", c.recorded_at, c.author";

inline constexpr int kBehindStored = 15; // the next column

[[nodiscard]] Stored read_stored(const Row& row);

/// Message to clients about a damaged document; details are for the operator alone.
inline constexpr const char* kDamaged = "what is stored of it is damaged; restore a backup";

/// Reads a page of at most limit + 1 rows. The statement `page` contains `{columns}`, `{filters}` on a revision `r`, and
/// `{now_filters}` on the current revision `n` of its document. Parameters 1, 2, 9 and 10 are the kind, the last id of the previous
/// page, the change and the limit; `lower_text` is the search text. One prepared statement is kept for each set of filters.
[[nodiscard]] std::vector<Stored> read_page(Connection& connection, const char* page, const ListQuery& query,
                                            std::string_view lower_text, std::int64_t sequence);

/// Reads a key from columns kind and id, from `first` on.
[[nodiscard]] DocumentKey read_document_key(const Row& row, int first = 0);

} // namespace costcurve::storage::sql
