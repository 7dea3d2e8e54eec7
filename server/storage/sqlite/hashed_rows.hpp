// What hashes of revisions cover beside their rows.
#pragma once

#include <cstdint>
#include <vector>

#include "server/storage/sql/hashed_rows.hpp"
#include "server/storage/sqlite/engine/database.hpp"
#include "server/storage/writes/curve_rows.hpp"

namespace costcurve::storage::sqlite {

/// The points that every revision of a document wrote, by change, in the order of their changes.
struct WrittenPoints {
    std::int64_t since = 0;
    std::vector<CurveRows> curves; ///< by pointer
};
[[nodiscard]] std::vector<WrittenPoints> load_written_points(Database& database, std::int64_t document);

} // namespace costcurve::storage::sqlite
