// Kinds of documents that a table can hold, by name.
#include "server/import/columns/document_kinds.hpp"

#include <algorithm>
#include <iterator>

#include "server/import/prices/hosted_models.hpp"

namespace costcurve::imports {

namespace {

// Fields whose values are normalized to the store's spelling.
struct SpellingRow {
    std::string_view field;
    std::string_view kind; // kind of document; "": any
    std::string (*spelled)(std::string_view text);
};
constexpr SpellingRow kSpellings[] = {
    {"provider", "endpoint", [](std::string_view text) { return model_host(text, ""); }},
    {"provider", "", provider_of},
    {"model", "", model_slug},
};

// Calls visit(T) for each kind of document that a row can become. Excluded: curves and measurements, which take many rows, and
// model requirements, which are a table.
template <class F> void for_each_kind(const F& visit) {
    model::for_each_type(std::type_identity<Document>{}, [&]<class T>(std::type_identity<T>) {
        if constexpr (!std::is_same_v<T, model::Curve> && !std::is_same_v<T, model::Measurement> &&
                      !std::is_same_v<T, model::Model>) {
            visit(T{});
        }
    });
}

} // namespace

std::string spelled(std::string_view field, std::string_view kind, std::string_view text) {
    const auto found = std::ranges::find_if(
        kSpellings, [&](const SpellingRow& row) { return row.field == field && (row.kind.empty() || row.kind == kind); });
    return found == std::end(kSpellings) ? std::string(text) : found->spelled(text);
}

std::vector<std::string> path_of(std::string_view field) {
    std::vector<std::string> path;
    for (std::size_t end = field.find('.'); end != std::string_view::npos; end = field.find('.')) {
        path.emplace_back(field.substr(0, end));
        field.remove_prefix(end + 1);
    }
    path.emplace_back(field);
    return path;
}

std::optional<Document> document_of(std::string_view kind) {
    std::optional<Document> made;
    for_each_kind([&](auto document) {
        if (model::document_name<decltype(document)> == kind) {
            made = std::move(document);
        }
    });
    return made;
}

std::string kind_names() {
    std::vector<std::string_view> names;
    for_each_kind([&](const auto& document) { names.push_back(model::document_name<std::decay_t<decltype(document)>>); });
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string field_names(const Document& document) {
    return std::visit(
        []<class T>(const T&) {
            std::vector<std::string_view> names;
            names.reserve(model::field_rows<T>.size());
            for (const model::FieldRow& row : model::field_rows<T>) {
                names.push_back(row.name);
            }
            return fmt::format("{}", fmt::join(names, ", "));
        },
        document);
}

std::vector<std::string_view> required_fields(const Document& document) {
    return std::visit(
        []<class T>(const T&) {
            std::vector<std::string_view> names;
            for (const model::FieldRow& row : model::field_rows<T>) {
                if (row.spec->required && row.name != "id") {
                    names.push_back(row.name);
                }
            }
            return names;
        },
        document);
}

} // namespace costcurve::imports
