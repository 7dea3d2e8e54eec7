// The loop shared by table readers: row by row, then the checks that need the whole file.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "server/import/text/table.hpp"

namespace costcurve::imports {

/// Calls `read_row` for each record and counts it in the report. `read_row` returns why the record is rejected, or "".
template <class ReadRow> HardError each_row(Table& table, Report& report, const ReadRow& read_row) {
    while (table.next()) {
        ++report.rows;
        std::string reason = table.reason_of_surplus();
        if (reason = reason.empty() ? read_row() : reason; !reason.empty()) {
            report.rejected.add(table.row(), std::move(reason));
        }
    }
    return table.error();
}

/// Calls reader.read_row() as `each_row` does and then reader.finish(), which may return an error. A file without rows is an error
/// that names the expected rows.
template <class Reader> HardError read_rows(Table& table, Report& report, Reader& reader, std::string_view what) {
    if (HardError error = each_row(table, report, [&] { return reader.read_row(); })) {
        return error;
    }
    if (report.rows == 0) {
        return hard_error(model::Code::bad_format, 0,
                          fmt::format("the file has column names and no rows; rows of {} are needed", what));
    }
    return reader.finish();
}

/// The same of a file that must have these columns, by a Reader(table, options, report).
template <class Reader>
HardError read_rows(Bytes& bytes, std::initializer_list<std::string_view> columns, const Options& options, Report& report,
                    std::string_view what) {
    Table table(bytes);
    if (!table.require(columns)) {
        return table.error();
    }
    table.set_currency(options.currency);
    Reader reader(table, options, report);
    return read_rows(table, report, reader, what);
}

} // namespace costcurve::imports
