// Columns of a CSV table, from the schema of the answer's rows.
#include "server/api/openapi/table_columns.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <nlohmann/json.hpp>

#include "server/api/openapi/openapi.hpp"
#include "server/api/routes.hpp"
#include "server/api/tables.hpp"

namespace costcurve::api {

namespace {

using Columns = std::map<std::pair<std::string_view, std::string_view>, std::vector<std::string>>; // by answer and rows

// Resolves a reference, or the first of several alternatives.
const Schema& followed(const Schema& schemas, const Schema& schema) {
    if (const auto reference = schema.find("$ref"); reference != schema.end()) {
        const std::string path = reference->get<std::string>();
        return followed(schemas, schemas.at(path.substr(path.rfind('/') + 1)));
    }
    const auto choices = schema.find("oneOf");
    return choices != schema.end() ? followed(schemas, choices->front()) : schema;
}

bool is_object(const Schema& schemas, const Schema& schema) {
    const Schema& found = followed(schemas, schema);
    return found.value("type", Schema()) == "object" || found.contains("properties");
}

// Whether a value of the schema can be one cell.
bool has_cell(const Schema& schemas, const Schema& schema) {
    const auto choices = schema.find("oneOf");
    if (choices == schema.end()) {
        return !is_object(schemas, schema);
    }
    return std::any_of(choices->begin(), choices->end(), [&](const Schema& choice) {
        return choice != Schema{{"type", "null"}} && has_cell(schemas, choice);
    });
}

bool is_left_out(std::string_view without, const std::string& name) {
    return (" " + std::string(without) + " ").find(" " + name + " ") != std::string::npos;
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        words.emplace_back(text.substr(0, text.find(' ')));
        text.remove_prefix(std::min(words.back().size() + 1, text.size()));
    }
    return words;
}

std::vector<std::string> columns_of(const Schema& schemas, const Route& route, const answers::TableRows& table) {
    const std::string made_row(table.made_row);
    std::string_view pointer = made_row.empty() ? table.rows : "";
    const Schema* schema = &followed(schemas, schemas.at(std::string(route.answer)));
    while (!pointer.empty()) {
        const std::size_t end = std::min(pointer.find('/', 1), pointer.size());
        const std::string part(pointer.substr(1, end - 1));
        schema = &followed(schemas, part == "*" ? schema->at("items") : schema->at("properties").at(part));
        pointer.remove_prefix(end);
    }
    std::vector<std::string> columns;
    if (!table.number.empty()) {
        columns.emplace_back(table.number);
    }
    for (std::string& name : words_of(table.beside)) {
        columns.push_back(std::move(name));
    }
    const Schema& row = followed(schemas, made_row.empty() ? schema->at("items") : schemas.at(made_row));
    for (const auto& [name, member] : row.at("properties").items()) {
        if (has_cell(schemas, member) && !is_left_out(table.without, name)) {
            columns.push_back(name);
        }
    }
    return columns;
}

Columns all_columns() {
    const Schema schemas = component_schemas();
    Columns all;
    for (const Route& route : routes()) {
        for (const answers::TableRows& table : route.tables) {
            if (!table.rows.empty()) {
                all.emplace(std::pair(route.answer, table.rows), columns_of(schemas, route, table));
            }
        }
    }
    return all;
}

} // namespace

const std::vector<std::string>& table_columns(const Route& route, const answers::TableRows& table) {
    static const Columns all = all_columns();
    return all.at({route.answer, table.rows});
}

} // namespace costcurve::api
