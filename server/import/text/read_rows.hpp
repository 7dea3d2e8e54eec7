// The loop that readers of tables share: a row at a time, then what only the whole file tells.
#pragma once

#include <string_view>

#include <fmt/format.h>

#include "server/import/text/table.hpp"

namespace costcurve::imports {

/// Calls reader.read_row() at each record, counted in the report, and reader.finish(), which may refuse, at the end. A file without
/// rows is an error that names what its rows should be of.
template <class Reader> HardError read_rows(Table& table, Report& report, Reader& reader, std::string_view what) {
    while (table.next()) {
        ++report.rows;
        reader.read_row();
    }
    if (table.error()) {
        return table.error();
    }
    if (report.rows == 0) {
        return hard_error(model::Code::bad_format, 0,
                          fmt::format("the file has column names and no rows; rows of {} are needed", what));
    }
    return reader.finish();
}

} // namespace costcurve::imports
