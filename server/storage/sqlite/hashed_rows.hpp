// Rows that have hashes, read with all that these cover.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

/// The columns of `read_headline`, which takes them from `column` on and advances it past them.
inline constexpr const char* kHeadlineColumns =
    "currency, cost, cash, npv, npv_after_tax, energy_kwh, carbon_kg, feasible, decide_by";
[[nodiscard]] Headline read_headline(const Rows& rows, int& column);

/// What `read_result_row` takes: of a table `result`, joined with result_body; `headline` are kHeadlineColumns, or what stands for
/// them.
[[nodiscard]] std::string result_columns(std::string_view headline = kHeadlineColumns);
[[nodiscard]] ResultRow read_result_row(const Rows& rows);

} // namespace costcurve::storage::sqlite
