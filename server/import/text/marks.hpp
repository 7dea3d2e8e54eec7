// Detects the delimiter of a table's cells and the decimal mark of its numbers.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

/// The delimiter that occurs most often in the first line, outside of quotes. `whole`: set if that line ends within the block.
[[nodiscard]] char delimiter_of(std::string_view block, bool& whole);

/// Decimal marks by column, for tables separated by semicolons: "12.5" and "0.590" show a decimal point, "12,5" and "1.234,5" a
/// decimal comma; "1.234" may have either.
class DecimalMarks {
public:
    void add(std::size_t column, std::string_view cell);
    /// The mark of a column: a point if cells show a point and none shows a comma, else a comma.
    [[nodiscard]] DecimalMark of(std::size_t column) const;

private:
    struct Seen {
        bool point = false;
        bool comma = false;
    };
    std::vector<Seen> columns_;
};

} // namespace costcurve::imports
