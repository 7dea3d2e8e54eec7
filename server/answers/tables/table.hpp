// Answers as tables for spreadsheets: the rows of an answer in JSON as CSV (RFC 4180). Computes nothing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace costcurve::answers {

/// A text as a cell, in quotes where it needs them. One that a spreadsheet would run as a formula begins with an apostrophe instead
/// (OWASP, CSV injection); numbers never come through here.
[[nodiscard]] std::string csv_text(std::string_view text);

/// Selects the rows of an answer that form a table.
struct TableRows {
    std::string_view name;         ///< its name in the query parameter `table`
    std::string_view rows;         ///< JSON Pointer to the list of them; a part `*` is every item of a list
    std::string_view beside = "";  ///< members of the object that holds the list, separated by blanks: the first columns of a row
    std::string_view number = "";  ///< the column that has the number of the item that `*` stands for
    std::string_view without = ""; ///< members of a row that are not in the table, separated by blanks
    std::string (*make)(std::string_view answer) = nullptr; ///< computes {"rows": […]} for an answer without a list of rows
    std::string_view made_row = "";                         ///< schema of a computed row
};

/// A table that answers are added to. A member within a member is a column of its own, their names joined by a full stop; a list of
/// scalars is a cell, joined by semicolons; any other list is its JSON. What is null or absent is empty.
class Table {
public:
    /// `columns` come first, even if no row has them.
    explicit Table(const std::vector<std::string>& columns = {});

    /// Adds the rows of an answer. Throws on a text that is not JSON.
    void add(std::string_view answer, const TableRows& rows);
    /// A header and the rows, each ending in CRLF; nothing where there is no column.
    [[nodiscard]] std::string csv() const;
    /// The member `next` of the last answer, the cursor of the next page; "" where there is none.
    [[nodiscard]] const std::string& next() const { return next_; }

private:
    struct Walk;
    [[nodiscard]] std::size_t column(const std::string& name);
    [[nodiscard]] std::vector<std::size_t> columns_with_cells() const;

    std::vector<std::string> names_;
    std::unordered_map<std::string, std::size_t> places_; ///< column indices by name
    std::vector<std::vector<std::string>> rows_;          ///< cells as they are written, as far as the row has some
    std::string next_;
};

} // namespace costcurve::answers
