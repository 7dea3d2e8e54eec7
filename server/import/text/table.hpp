// A table in text as people publish them: CSV, TSV, semicolons or bars, found by its header. Tolerates what occurs (byte-order
// marks, CR LF, blank lines, short and long records, unquoted commas at a record's end) and refuses what would be guessing.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/import/importer.hpp"
#include "server/import/text/bytes.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

/// A column of one table; -1 where the table doesn't have it: every cell of it is blank then.
struct Column {
    int index = -1;
    explicit operator bool() const { return index >= 0; }
};

/// Reads records one by one; memory is bounded by a block of the file. Not thread-safe.
///
///     Table table(bytes);
///     const Column price = table.column("Price");            // reads the header at the first call
///     table.require({"Price", "Region"});
///     while (table.next()) { … table.number(price) … }
///     return table.error();
class Table {
public:
    /// `headers` names the columns of a file that has no header line.
    explicit Table(Bytes& bytes, std::initializer_list<std::string_view> headers = {});
    ~Table();
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    /// The column of the first of these names that is there; case, spaces, underscores, hyphens and dots in names don't count.
    /// Two columns of that name are an error: which one is meant is not known.
    [[nodiscard]] Column column(std::initializer_list<std::string_view> names);
    [[nodiscard]] Column column(std::string_view name) { return column({name}); }
    /// The first column whose name begins with this.
    [[nodiscard]] Column column_that_begins(std::string_view name);
    /// All columns' names as they stand in the header.
    [[nodiscard]] const std::vector<std::string>& header();
    /// Says which of these columns are missing, all in one error. False where one is, or at an error before.
    bool require(std::initializer_list<std::string_view> names);

    /// Goes to the next record that isn't blank. False at the end and at an error.
    bool next();
    /// The record's row, as a spreadsheet counts: the header is row 1.
    [[nodiscard]] std::size_t row() const;
    /// A cell without spaces around it; "" where the record is too short. Valid until the next record.
    [[nodiscard]] std::string_view text(Column column) const;
    /// The currency in which the record's amounts are stated, where it is; "" otherwise. Cells with the sign of another are bad.
    void set_currency(std::string_view currency);
    /// A cell as a number: blank, NULL and N/A are blank; nothing else but a number is good. Between semicolons the decimal mark
    /// is a comma, and "1.234" is bad, but for columns whose cells in the file's first 64 KiB or so show points (marks.hpp).
    [[nodiscard]] Number number(Column column) const;
    /// A cell as what is paid or used: as `number`, but "1,234" is bad where the delimiter doesn't say what its comma stands for.
    [[nodiscard]] Number amount(Column column) const;
    /// A cell as complaints name it: its text, and what is unclear about it.
    [[nodiscard]] std::string shown(Column column) const;
    /// How many cells the record has.
    [[nodiscard]] std::size_t width() const;
    /// Lets a record have more cells than the header where the last column is this one, whose texts have commas without quotes.
    void allow_surplus(std::string_view last_column);
    /// Why a record can't be used that has more in it than the header names, as where a comma in a number is not in quotes; ""
    /// where it hasn't.
    [[nodiscard]] std::string reason_of_surplus() const;

    /// Why reading ended before the file's end.
    [[nodiscard]] HardError error() const;
    /// Ends the reading with this error.
    void fail(model::Code code, std::size_t row, std::string_view message);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace costcurve::imports
