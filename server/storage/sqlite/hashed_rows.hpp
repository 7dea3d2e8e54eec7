// Rows that have hashes, read with all that these cover.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/storage/rows.hpp"
#include "server/storage/sqlite/engine/database.hpp"
#include "server/storage/writes/chain.hpp"
#include "server/storage/writes/curve_rows.hpp"

namespace costcurve::storage::sqlite {

/// What `read_revision_row` takes, of a revision `r`.
inline constexpr const char* kRevisionColumns = "r.document, r.since, r.revision, r.deleted, r.kind, r.id, r.title, r.provider, "
                                                "r.region, r.device, r.purchase, r.hourly_price, "
                                                "r.body, r.until";
[[nodiscard]] RevisionRow read_revision_row(const Rows& rows);

/// The points that every revision of a document wrote, by change, in the order of their changes.
struct WrittenPoints {
    std::int64_t since = 0;
    std::vector<CurveRows> curves; ///< by pointer
};
[[nodiscard]] std::vector<WrittenPoints> load_written_points(Database& database, std::int64_t document);

} // namespace costcurve::storage::sqlite
