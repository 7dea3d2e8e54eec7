// A mapping of columns as written in YAML: which table column fills which document field. Knows no table and no document.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/import/importer.hpp"

namespace costcurve::imports {

/// Source of a field's value: the cells of a column, or one constant text for all rows.
struct FieldSource {
    std::string field;       ///< name in the API, with dots for nested objects: "price_per_million_units.input"
    std::string column;      ///< "" where `constant` fills it
    std::string constant;    ///< numbers are in the field's unit
    std::string unit;        ///< of the column's numbers; "" where it is the field's
    std::string text;        ///< of a cell that is part of it: "1x {}"; "" where the cell is all
    std::size_t line = 0;    ///< of the mapping
    bool is_default = false; ///< an option of the call replaces the constant
};

/// A part of a row's id: the text of the first of these fields that has one, or a constant text.
struct IdPart {
    std::vector<std::string> fields;
    std::string text = {};
};

/// Rows to skip: their cell in this column equals one of these texts.
struct SkippedRows {
    std::string column;
    std::set<std::string, std::less<>> texts;
};

struct Mapping {
    std::string kind;                 ///< of the documents: offer, endpoint, server …
    std::vector<FieldSource> sources; ///< constants and defaults, then columns
    std::string dates;                ///< the column that has the day since which a row's prices hold; "" where there is none
    std::string entry;                ///< the column that names a row in its document's source; "" for none
    std::vector<IdPart> id;           ///< joined by dots they are a row's id
    std::vector<SkippedRows> skip;
    std::vector<std::string> ignore; ///< columns that the table must have and that fill nothing
};

/// Reads a mapping. Unknown keys, fields that are filled twice, and an id part of a field that nothing fills are errors.
[[nodiscard]] HardError read_mapping(std::string_view text, Mapping& mapping);

} // namespace costcurve::imports
