// The kinds of documents that a row of a table can become, and their fields by name.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/import/columns/fill_field.hpp"
#include "server/import/report.hpp"

namespace costcurve::imports {

/// A document of a kind in which nothing is stated; nothing where a row can't become one.
[[nodiscard]] std::optional<Document> document_of(std::string_view kind);
/// All such kinds, with commas between.
[[nodiscard]] std::string kind_names();
/// The fields of a document of this kind, with commas between.
[[nodiscard]] std::string field_names(const Document& document);
/// Those of its fields that must be stated, but the id.
[[nodiscard]] std::vector<std::string_view> required_fields(const Document& document);

/// The text of a field in the spelling that the store has of it, for sellers and models.
[[nodiscard]] std::string spelled(std::string_view field, std::string_view kind, std::string_view text);

/// The parts of a field's name, which dots divide.
[[nodiscard]] std::vector<std::string> path_of(std::string_view field);

/// Calls visit(member, spec) for the field of that path. False where the document has none.
template <class F> bool visit_path(Document& document, std::span<const std::string> path, const F& visit) {
    return std::visit([&](auto& one) { return visit_field(one, path, model::FieldSpec{}, visit); }, document);
}

} // namespace costcurve::imports
