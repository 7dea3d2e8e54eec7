// CSV is made at the very end, from the JSON that the handler answered; only what JSON does not have, a handler makes itself.
#include "server/api/tables.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "server/answers/tables/question_rows.hpp"
#include "server/answers/tables/table.hpp"
#include "server/api/openapi/table_columns.hpp"
#include "server/api/request.hpp"
#include "server/documents/json/json_text.hpp"

namespace costcurve::api {

namespace {

using answers::TableRows;
constexpr auto kPage = std::to_array<TableRows>({{"items", "/items"}});
// The ledger is in no JSON in the form of a bill: its handlers make it.
constexpr TableRows kLedger{"ledger", ""};
constexpr auto kResult = std::to_array<TableRows>({{"months", "/by_month", "name currency"}, kLedger});
constexpr auto kCompared =
    std::to_array<TableRows>({{"months", "/scenarios/*/result/by_month", "name currency", "scenario"}, kLedger});
constexpr auto kRanking = std::to_array<TableRows>({{"plans", "/plans", "decide_by", "", "scenario"}});
constexpr auto kRates = std::to_array<TableRows>({{"loads", "/loads", "model device devices precision input output cached_input"}});
constexpr auto kSensitivity = std::to_array<TableRows>({{"inputs", "/inputs", "output"}});
// Of what is made of an answer without a list of rows.
constexpr auto kMade = std::to_array<TableRows>({{"rows", "/rows"}});

struct AnswerTables {
    std::string_view answer;
    std::span<const TableRows> tables;
    std::string (*make)(std::string_view answer) = nullptr; // {"rows": […]}
    std::string_view row = "";                              // of what is made: the schema
};
constexpr auto kAnswerTables = std::to_array<AnswerTables>({
    {"revisions", kPage},
    {"events", kPage},
    {"deliveries", kPage},
    {"audit", kPage},
    {"telemetry_hours", kPage},
    {"result", kResult},
    {"compared", kCompared},
    {"ranking", kRanking},
    {"rates", kRates},
    {"sensitivity", kSensitivity},
    {"map", kMade, answers::map_rows, "map_row"},
    {"simulation", kMade, answers::simulation_rows, "simulation_row"},
    {"break_even", kMade, answers::break_even_rows, "break_even_row"},
});

constexpr auto kTableParameters = std::to_array<Parameter>({
    {"format", "query", "string", "csv: the answer as a table; json. Without it, Accept decides", 0, 0, "^(csv|json)$"},
    {"table", "query", "string", "of CSV, which table; default months. ledger has the rows of FOCUS 1.2", 0, 0,
     "^(months|ledger)$"},
});

const AnswerTables* row_of_answer(std::string_view answer) {
    const auto* const row =
        std::find_if(kAnswerTables.begin(), kAnswerTables.end(), [&](const AnswerTables& it) { return it.answer == answer; });
    return row != kAnswerTables.end() ? row : nullptr;
}

std::string_view query_of(const http::Request& request, std::string_view name) {
    const auto& all = request.parameters;
    const auto found = std::find_if(all.begin(), all.end(), [&](const http::Header& given) { return given.name == name; });
    return found == all.end() ? std::string_view() : std::string_view(found->value);
}

// How exactly a range of Accept names a type: 0 where it does not.
int exactness(std::string_view range, std::string_view type) {
    const std::string_view family = type.substr(0, type.find('/') + 1);
    return range == type ? 3 : range.ends_with("/*") && range.substr(0, range.size() - 1) == family ? 2 : range == "*/*" ? 1 : 0;
}

double weight_in(std::string_view range) {
    const std::size_t at = range.find(";q=");
    const std::string_view text = at == std::string_view::npos ? "1" : range.substr(at + 3);
    return model::read_number<double>(text.substr(0, text.find(';'))).value_or(0.0);
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                              std::string_view("-._~/").find(c) != std::string_view::npos;
        out += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

// The request's own address with another cursor.
std::string next_page(const Route& route, const http::Request& request, std::string_view cursor) {
    const bool has_before =
        std::any_of(route.parameters.begin(), route.parameters.end(), [](const Parameter& row) { return row.name == "before"; });
    const std::string_view name = has_before ? "before" : "after";
    std::string address = escaped(request.path) + "?";
    for (const http::Header& given : request.parameters) {
        if (given.name != name) {
            address += fmt::format("{}={}&", escaped(given.name), escaped(given.value));
        }
    }
    return fmt::format("<{}{}={}>; rel=\"next\"", address, name, escaped(cursor));
}

} // namespace

std::span<const TableRows> tables_of(std::string_view answer) {
    const AnswerTables* const row = row_of_answer(answer);
    return row != nullptr ? row->tables : std::span(kPage).first(answer.ends_with("_list") ? 1 : 0);
}

std::string_view made_row_of(std::string_view answer) {
    const AnswerTables* const row = row_of_answer(answer);
    return row != nullptr ? row->row : "";
}

std::span<const Parameter> table_parameters(const Route& route) {
    return std::span(kTableParameters).first(route.tables.empty() ? 0 : route.tables.size() == 1 ? 1 : 2);
}

double weight_of(std::string_view accept, std::string_view type) {
    double weight = accept.empty() ? 1.0 : 0.0;
    int best = 0;
    while (!accept.empty()) {
        const std::string_view item = accept.substr(0, accept.find(','));
        accept.remove_prefix(std::min(item.size() + 1, accept.size()));
        std::string range = model::lower(item);
        std::erase_if(range, [](char c) { return c == ' ' || c == '\t'; });
        const int exact = exactness(std::string_view(range).substr(0, range.find(';')), type);
        if (exact > best || (exact == best && exact > 0 && weight_in(range) > weight)) {
            best = exact;
            weight = weight_in(range);
        }
    }
    return weight;
}

Attempt<const TableRows*> wanted_table(const Route& route, const http::Request& request) {
    const std::string_view format = query_of(request, "format");
    if (route.tables.empty()) {
        const bool is_parameter = std::any_of(route.parameters.begin(), route.parameters.end(),
                                              [](const Parameter& row) { return row.name == "format"; });
        if (format == "csv" && !is_parameter) {
            return tl::unexpected(Refusal{406, "this has no table: there is no CSV of it"});
        }
        return nullptr;
    }
    const std::string_view accept = http::header(request, "accept");
    const bool is_csv = format.empty() ? weight_of(accept, kCsv) > weight_of(accept, kJson) : format == "csv";
    if (!format.empty() && format != "csv" && format != "json") {
        return refused(
            {{"/format", model::Code::unknown_value, fmt::format("format is \"{}\"; give csv or json", shortened(format, 40))}});
    }
    const std::string_view name = query_of(request, "table");
    if (!is_csv) {
        return name.empty()
                   ? Attempt<const TableRows*>(nullptr)
                   : refused({{"/table", model::Code::not_allowed, "table is of CSV: give format=csv too, or Accept: text/csv"}});
    }
    const auto found = std::find_if(route.tables.begin(), route.tables.end(),
                                    [&](const TableRows& row) { return name.empty() || row.name == name; });
    if (found == route.tables.end()) {
        return refused(
            {{"/table", model::Code::unknown_value, fmt::format("table is \"{}\"; give months or ledger", shortened(name, 40))}});
    }
    return &*found;
}

bool wants_table(const Call& call, std::string_view name) {
    const auto table = wanted_table(call.route, call.request);
    return table && *table != nullptr && (*table)->name == name;
}

http::Response csv_answer(std::string csv) {
    http::Response response;
    response.content_type = kCsvType;
    response.body = std::move(csv);
    return response;
}

void make_table(const Route& route, const TableRows& rows, const http::Request& request, http::Response& response) {
    if (response.status != 200 || response.stream || !response.content_type.starts_with(kJson)) {
        return;
    }
    answers::Table table(table_columns(route, rows));
    const AnswerTables* const made = row_of_answer(route.answer);
    table.add(made != nullptr && made->make != nullptr ? made->make(response.body) : response.body, rows);
    response.body = table.csv();
    response.content_type = kCsvType;
    std::erase_if(response.headers, [](const http::Header& header) { return header.name == "ETag"; }); // it is the JSON's
    if (!table.next().empty()) {
        response.headers.push_back({"Link", next_page(route, request, table.next())});
    }
}

} // namespace costcurve::api
