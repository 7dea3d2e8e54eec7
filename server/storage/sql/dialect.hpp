// What the statements of this room leave to an engine. They name parameters $1, $2 … in the order of their first appearance.
#pragma once

#include <string_view>
#include <type_traits>
#include <vector>

namespace costcurve::storage {

/// Sent as bytes; a plain text is sent as text.
struct Bytes {
    std::string_view value;
};

} // namespace costcurve::storage

namespace costcurve::storage::sql {

/// By the type of a connection; `dialect.hpp` of each engine specializes it:
/// `Rows`, what a statement gives; `kNotice`, a column of RETURNING that wakes other daemons at the commit, behind another one, and
/// `kReturnNotice`, a clause of it alone; `kIsFree`, whether no other holder than $1 has a lease of a row; `kIsOver`, whether
/// nobody has one any more; `kEndLease`, assignments behind others that end it; `kNumbered`, what stands before the number of a
/// parameter where others are left out; `kPosition`, the function of a text and a part of it; `kDiffers`, `<>` that takes NULL as a
/// value; `kRandomId`; `kUrlOfBody`, the url of a document whose row of body is b; `kDatabaseBytes`, a statement; `lock(table)`, a
/// clause that locks the rows of a SELECT, and `skip_locked(table)`, one that leaves out those that are locked.
template <class Connection> struct Dialect;
template <class Connection> using RowsOf = typename Dialect<Connection>::Rows;

/// All rows of a statement, each as `read(rows)` gives it.
template <class Rows, class Read> [[nodiscard]] auto read_all(Rows rows, const Read& read) {
    std::vector<std::invoke_result_t<const Read&, const Rows&>> values;
    while (rows.next()) {
        values.push_back(read(rows));
    }
    return values;
}

} // namespace costcurve::storage::sql
