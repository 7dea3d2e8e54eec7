// Data covered by hashes of revisions beside their rows.
#pragma once

#include <cstdint>
#include <vector>

#include "server/storage/sql/hashed_rows.hpp"
#include "server/storage/sqlite/engine/database.hpp"
#include "server/storage/writes/curve_rows.hpp"

namespace costcurve::storage::sqlite {

/// The points written by each revision of a document, in the order of changes.
struct WrittenPoints {
    std::int64_t since = 0;
    std::vector<CurveRows> curves; ///< by pointer
};
[[nodiscard]] std::vector<WrittenPoints> load_written_points(Database& database, std::int64_t document);

} // namespace costcurve::storage::sqlite
