// The points of curves, as rows: read as of a change, and written where they differ from those before. Knows no documents but
// by their row.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "server/storage/database.hpp"
#include "server/storage/record.hpp"

namespace costcurve::storage {

/// The curves of a document that have points as of `sequence`, by pointer.
[[nodiscard]] std::vector<Series> load_series(Database& database, std::int64_t document, std::int64_t sequence);

/// The last point at or before x of a document's curve; nothing where there is none.
[[nodiscard]] std::optional<double> value_at(Database& database, std::int64_t document, std::string_view pointer, double x,
                                             std::int64_t sequence);

/// The row of a pointer, which stands once for all documents.
[[nodiscard]] std::int64_t find_or_add_pointer(Database& database, std::string_view text);

/// Writes what differs between a document's curves, each by pointer.
void save_series(Database& database, std::int64_t document, std::int64_t sequence, const std::vector<Series>& before,
                 const std::vector<Series>& after);

/// The same curves, by pointer.
[[nodiscard]] std::vector<const Series*> by_pointer(const std::vector<Series>& series);

} // namespace costcurve::storage
