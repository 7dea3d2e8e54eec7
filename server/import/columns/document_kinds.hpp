// The kinds of documents that a table row can become, with their fields by name.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/import/columns/fill_field.hpp"
#include "server/import/report.hpp"

namespace costcurve::imports {

/// An empty document of a kind; nothing if a row can't become one.
[[nodiscard]] std::optional<Document> document_of(std::string_view kind);
/// The names of all kinds that a row can become, separated by commas.
[[nodiscard]] std::string kind_names();
/// Field names of a document, separated by commas.
[[nodiscard]] std::string field_names(const Document& document);
/// Required fields of a document, except the id.
[[nodiscard]] std::vector<std::string_view> required_fields(const Document& document);

/// The text of a field in the store's spelling, for sellers and models.
[[nodiscard]] std::string spelled(std::string_view field, std::string_view kind, std::string_view text);

/// The parts of a field's name, separated by dots.
[[nodiscard]] std::vector<std::string> path_of(std::string_view field);

/// Calls visit(member, spec) for the field with that path. False if the document has no such field.
template <class F> bool visit_path(Document& document, std::span<const std::string> path, const F& visit) {
    return std::visit([&](auto& one) { return visit_field(one, path, model::FieldSpec{}, visit); }, document);
}

} // namespace costcurve::imports
