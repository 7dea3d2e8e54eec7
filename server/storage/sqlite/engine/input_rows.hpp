// The table `input_rows`: values in memory as rows that SQL can read.
#pragma once

#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

/// Registers the table with a connection. Its rows are those that `*input` points to when a statement begins; `input` must outlive
/// the connection. Returns an SQLite result code.
[[nodiscard]] int add_input_rows_table(sqlite3* connection, const InputRows** input);

} // namespace costcurve::storage::sqlite
