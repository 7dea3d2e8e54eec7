// The table `given`: values in memory as rows that SQL can read.
#pragma once

#include "server/storage/database.hpp"

namespace costcurve::storage {

/// Gives a connection the table, whose rows are those that `*given` points to when a statement begins; `given` outlives the
/// connection. Gives one of SQLite's result codes.
[[nodiscard]] int add_given_table(sqlite3* connection, const Given** given);

} // namespace costcurve::storage
