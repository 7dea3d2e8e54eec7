// Inserts rows into a table: few by pipelined statements, many by COPY.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>

#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/postgres/engine/copy_in.hpp"

namespace costcurve::storage::postgres {

/// A table and its written columns, as the two statements that insert rows.
struct Table {
    Table(const char* name, std::initializer_list<const char*> columns);
    std::string copy;   ///< COPY … FROM STDIN
    std::string insert; ///< INSERT of a row
};

/// For use inside a write transaction. The table must outlive this object.
class NewRows {
public:
    /// `count` is the maximum number of rows.
    NewRows(Connection& connection, const Table& table, std::size_t count);
    /// Adds a row: one cell per column, in order, of exactly the column's type (integers for bigint).
    template <Sendable... Cells> void add(const Cells&... cells) {
        if (copy_) {
            copy_->row(cells...);
        } else {
            connection_.post(table_.insert, cells...);
        }
    }
    void finish();

private:
    Connection& connection_;
    const Table& table_;
    std::optional<CopyIn> copy_;
};

} // namespace costcurve::storage::postgres
