// Rows of revisions and points, as hashes cover them.
#pragma once

#include <vector>

#include "server/storage/sql/connection.hpp"
#include "server/storage/writes/chain.hpp"
#include "server/storage/writes/curve_rows.hpp"

namespace costcurve::storage::sql {

/// Columns of a revision `r` that `read_revision_row` reads.
inline constexpr const char* kRevisionColumns = "r.document, r.since, r.revision, r.deleted, r.kind, r.id, r.title, r.provider, "
                                                "r.region, r.device, r.purchase, r.hourly_price, "
                                                "r.body, r.until";

inline constexpr int kBehindRevisionRow = 14; // the next column

[[nodiscard]] RevisionRow read_revision_row(const Row& row);

/// Adds a point, read from pointer, x and y from column `first` on; points must arrive curve by curve.
void add_point(std::vector<CurveRows>& curves, const Row& row, int first);

} // namespace costcurve::storage::sql
