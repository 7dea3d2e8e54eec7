// The table `input_rows`: values in memory as rows that SQL can read.
#pragma once

#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

/// Gives a connection the table, whose rows are those that `*input` points to when a statement begins; `input_rows` outlives the
/// connection. Gives one of SQLite's result codes.
[[nodiscard]] int add_input_rows_table(sqlite3* connection, const InputRows** input);

} // namespace costcurve::storage::sqlite
