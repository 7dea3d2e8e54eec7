// Rows into a table: few by statements that travel together, many by COPY.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>

#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/postgres/engine/copy_in.hpp"

namespace costcurve::storage::postgres {

/// A table and the columns that are filled, as the statements that fill them.
struct Table {
    Table(const char* name, std::initializer_list<const char*> columns);
    std::string copy;   ///< COPY … FROM STDIN
    std::string insert; ///< INSERT of a row
};

/// Inside of a transaction that writes. The table outlives it.
class NewRows {
public:
    /// `count`: at most so many come.
    NewRows(Connection& connection, const Table& table, std::size_t count);
    /// Cells in the order of the columns: each of exactly its column's type, integers for bigint.
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
