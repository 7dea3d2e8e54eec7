// What the first line and the cells of a block show.
#include "server/import/text/marks.hpp"

#include <algorithm>
#include <array>

namespace costcurve::imports {

char delimiter_of(std::string_view block, bool& whole) {
    whole = false;
    constexpr std::string_view kDelimiters = ",\t;|";
    std::array<std::size_t, kDelimiters.size()> counts{};
    bool quoted = false;
    for (const char c : block) {
        quoted = quoted != (c == '"');
        if (!quoted && (c == '\n' || c == '\r')) {
            if (std::ranges::any_of(counts, [](std::size_t count) { return count > 0; })) {
                whole = true;
                break;
            }
        }
        const std::size_t which = kDelimiters.find(c);
        if (!quoted && which != std::string_view::npos) {
            ++counts[which];
        }
    }
    return kDelimiters[static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin())];
}

void DecimalMarks::add(std::size_t column, std::string_view cell) {
    if (cell.empty() || cell.find_first_not_of("0123456789.,-") != std::string_view::npos) {
        return;
    }
    columns_.resize(std::max(columns_.size(), column + 1));
    Seen& seen = columns_[column];
    seen.comma = seen.comma || cell.find(',') != std::string_view::npos;
    seen.point = seen.point || (std::ranges::count(cell, '.') == 1 && parse_number(cell, DecimalMark::comma));
}

DecimalMark DecimalMarks::of(std::size_t column) const {
    return column < columns_.size() && columns_[column].point && !columns_[column].comma ? DecimalMark::point : DecimalMark::comma;
}

} // namespace costcurve::imports
