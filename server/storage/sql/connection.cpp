// What rows of both engines share.
#include "server/storage/sql/connection.hpp"

#include "server/storage/timestamp.hpp"

namespace costcurve::storage::sql {

std::string Row::time_or_empty(int column) const { return is_null(column) ? "" : format_time(integer(column)); }

} // namespace costcurve::storage::sql
