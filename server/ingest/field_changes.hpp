// What an import changes of a stored document, field by field, for people.
#pragma once

#include <string>
#include <vector>

#include "server/documents/any_document.hpp"

namespace costcurve::ingest {

/// A change of one field of a document that is stored already.
struct FieldChange {
    std::string pointer;
    std::string date;      ///< of a point of a curve over date
    std::string old_value; ///< JSON; "" where there was none
    std::string new_value; ///< JSON; of a curve that isn't over date, how many of its points differ
};

struct DocumentBefore {
    const model::AnyDocument& document;
    const storage::Record& record;
};

/// Appends the fields that a merge changes, and the points that it puts in. `given` are the import's curves.
void list_fields(const DocumentBefore& before, const model::AnyDocument& merged, const std::vector<storage::Series>& given,
                 std::vector<FieldChange>& fields);
/// Appends the points of one curve; `stored` is null where there was none.
void list_points(const storage::Series* stored, const storage::Series& given, bool over_date, std::vector<FieldChange>& fields);

} // namespace costcurve::ingest
