// The marks that separate a table's cells, and the whole part of a number from its fraction.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

/// The delimiter that the first line has most of outside of quotes; `whole`: that line ends in the block.
[[nodiscard]] char delimiter_of(std::string_view block, bool& whole);

/// Of a table between semicolons, by column: "12.5" and "0.590" have a decimal point, "12,5" and "1.234,5" a decimal comma, "1.234"
/// may have either.
class DecimalMarks {
public:
    void add(std::size_t column, std::string_view cell);
    /// A point where its cells show that and none shows a comma, else a comma.
    [[nodiscard]] DecimalMark of(std::size_t column) const;

private:
    struct Seen {
        bool point = false;
        bool comma = false;
    };
    std::vector<Seen> columns_;
};

} // namespace costcurve::imports
