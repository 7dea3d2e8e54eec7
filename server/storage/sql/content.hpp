// Revisions of documents as rows: how they are read, and how a page of them is filtered. Where their content is, is the engine's.
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

/// A revision, and where its content is.
struct Stored {
    std::int64_t document = 0;
    std::optional<std::int64_t> body;   ///< none of a deletion
    Revision revision;                  ///< `sequence` is the change that wrote it
    std::optional<Hash> body_hash = {}; ///< where its body was read to be compared
};

/// What `read_revision` takes, of a revision `r`.
inline const std::string kColumnsOfRevision =
    "r.document, r.body, r.kind, r.id, r.title, r.revision, r.deleted, r.provider, r.region, r.device, r.purchase, r.hourly_price, "
    "r.since";

inline constexpr int kBehindRevision = 13; // the next column

/// Without when it was recorded, and by whom.
[[nodiscard]] Stored read_revision(const Row& row);

/// What `read_stored` takes, of a revision `r` and its change `c`.
inline const std::string kStoredColumns = kColumnsOfRevision + ", c.recorded_at, c.author";

inline constexpr int kBehindStored = 15; // the next column

[[nodiscard]] Stored read_stored(const Row& row);

/// What a reader of a damaged document sees; details are for the operator alone.
inline constexpr const char* kDamaged = "what is stored of it is damaged; restore a backup";

/// The rows of a page, at most limit + 1, by a statement that has `{columns}`, `{filters}` on a revision `r` and `{now_filters}` on
/// its document's current one `n`; its parameters 1, 2, 9 and 10 are kind, the id that the page before ended with, change and
/// limit; `lower_text` is the text that is searched for. It is composed of the filters that are used: one kept statement for each
/// set of them.
[[nodiscard]] std::vector<Stored> read_page(Connection& connection, const char* page, const ListQuery& query,
                                            std::string_view lower_text, std::int64_t sequence);

/// Of kind and id, from `first` on.
[[nodiscard]] DocumentKey read_document_key(const Row& row, int first = 0);

} // namespace costcurve::storage::sql
