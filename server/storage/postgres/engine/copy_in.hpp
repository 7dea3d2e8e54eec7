// Rows streamed into a table by a binary COPY: the fastest way in.
#pragma once

#include <string>
#include <string_view>

#include "server/storage/postgres/engine/connection.hpp"

namespace costcurve::storage::postgres {

/// Writes nothing unless finished. The connection can't be used for anything else meanwhile.
class CopyIn {
public:
    /// `sql` is a "COPY table (columns) FROM STDIN (FORMAT binary)".
    CopyIn(Connection& connection, std::string_view sql);
    ~CopyIn();
    CopyIn(const CopyIn&) = delete;
    CopyIn& operator=(const CopyIn&) = delete;

    /// Adds a row: one cell per column, in order, of exactly the column's type (integers for bigint).
    template <Sendable... Cells> void row(const Cells&... cells) {
        begin_row(sizeof...(cells));
        (cell(cells), ...);
        end_row();
    }
    /// Adds a row whose columns are known only at run time: begin_row, one cell for each column, end_row.
    void begin_row(std::size_t columns) { append_number(buffer_, static_cast<std::uint16_t>(columns)); }
    template <Sendable Cell> void cell(const Cell& value) { append_cell(buffer_, value); }
    void end_row() {
        if (buffer_.size() >= kBufferBytes) {
            send();
        }
    }
    void finish();

private:
    static constexpr std::size_t kBufferBytes = 1U << 16U;
    void send();

    Connection& connection_;
    std::string buffer_;
    bool is_open_ = true;
};

} // namespace costcurve::storage::postgres
