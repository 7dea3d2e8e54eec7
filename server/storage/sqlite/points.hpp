// Reads tables point and pointer as of a change. Documents are given by row number only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/storage/record.hpp"
#include "server/storage/sqlite/engine/database.hpp"
#include "server/storage/writes/curve_rows.hpp"

namespace costcurve::storage::sqlite {

/// The curves of a document that have points as of `sequence`, by pointer.
[[nodiscard]] std::vector<Series> load_series(Database& database, std::int64_t document, std::int64_t sequence);

/// The last point at or before x of a document's curve; nothing where there is none.
[[nodiscard]] std::optional<double> value_at(Database& database, std::int64_t document, std::string_view pointer, double x,
                                             std::int64_t sequence);

/// The row of a pointer, which all documents share.
[[nodiscard]] std::int64_t find_or_add_pointer(Database& database, std::string_view text);

/// Text of a pointer; "" if there is no such row.
[[nodiscard]] std::string text_of_pointer(Database& database, std::int64_t pointer);

} // namespace costcurve::storage::sqlite
