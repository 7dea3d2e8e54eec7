// Converts JSON answers to CSV tables. The CSV of a ledger is written by its handler.
#include "server/api/tables.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "server/answers/tables/question_rows.hpp"
#include "server/answers/tables/table.hpp"
#include "server/answers/workbook/rank_workbook.hpp"
#include "server/api/openapi/table_columns.hpp"
#include "server/api/problem.hpp"
#include "server/api/request.hpp"
#include "server/documents/json/json_text.hpp"

namespace costcurve::api {

namespace {

using answers::TableRows;
constexpr auto kPage = std::to_array<TableRows>({{"items", "/items"}});
// No JSON answer has the ledger as bill rows, so its handlers write the table.
constexpr TableRows kLedger{"ledger", ""};
// Site bills, which are lists of numbers in JSON.
constexpr TableRows kBills{"bills", "/rows", "", "", "", answers::bill_rows, "bill_row"};
// The whole result as an Excel workbook, written by its handlers; it isn't CSV.
constexpr TableRows kWorkbook{kWorkbookTable, ""};
constexpr auto kResult = std::to_array<TableRows>({{"months", "/by_month", "name currency"}, kLedger, kBills, kWorkbook});
constexpr auto kCompared =
    std::to_array<TableRows>({{"months", "/scenarios/*/result/by_month", "name currency", "scenario"}, kLedger, kBills, kWorkbook});
constexpr auto kRanking = std::to_array<TableRows>({{"plans", "/plans", "decide_by", "", "scenario"}, kWorkbook});
constexpr auto kRates = std::to_array<TableRows>({{"loads", "/loads", "model device devices precision input output cached_input"}});
constexpr auto kSensitivity = std::to_array<TableRows>({{"inputs", "/inputs", "output"}});
constexpr auto kForecast = std::to_array<TableRows>({{"pools", "/pools", "month currency through"}});
constexpr auto kDrift = std::to_array<TableRows>({{"measures", "/measures", "pool until"}});
constexpr auto kTenantCosts = std::to_array<TableRows>({{"tenants", "/tenants", "from to currency"}});
// Tables computed from answers that have no list of rows.
constexpr auto kMap = std::to_array<TableRows>({{"rows", "/rows", "", "", "", answers::map_rows, "map_row"}});
constexpr auto kSimulation = std::to_array<TableRows>({{"rows", "/rows", "", "", "", answers::simulation_rows, "simulation_row"}});
constexpr auto kBreakEven = std::to_array<TableRows>({{"rows", "/rows", "", "", "", answers::break_even_rows, "break_even_row"}});

struct AnswerTables {
    std::string_view answer;
    std::span<const TableRows> tables;
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
    {"forecast", kForecast},
    {"drift", kDrift},
    {"tenant_costs", kTenantCosts},
    {"map", kMap},
    {"simulation", kSimulation},
    {"break_even", kBreakEven},
});

constexpr auto kTableParameters = std::to_array<Parameter>({
    {"format", "query", "string", "csv: the answer as a table; json. Without it, Accept decides", 0, 0, "^(csv|json)$"},
    {"format", "query", "string",
     "csv: the answer as a table; xlsx: an Excel workbook with formulas; json. Without it, Accept decides", 0, 0,
     "^(csv|xlsx|json)$"},
    {"table", "query", "string",
     "of CSV, which table; default months. ledger has the rows of FOCUS 1.4, bills those of sites by month", 0, 0,
     "^(months|ledger|bills)$"},
});

const AnswerTables* row_of_answer(std::string_view answer) {
    const auto* const row =
        std::find_if(kAnswerTables.begin(), kAnswerTables.end(), [&](const AnswerTables& it) { return it.answer == answer; });
    return row != kAnswerTables.end() ? row : nullptr;
}

bool is_csv_table(const TableRows& row) { return row.name != kWorkbookTable; }

std::string_view query_of(const http::Request& request, std::string_view name) {
    const auto& all = request.parameters;
    const auto found = std::find_if(all.begin(), all.end(), [&](const http::Header& given) { return given.name == name; });
    return found == all.end() ? std::string_view() : std::string_view(found->value);
}

// How specifically a media range of Accept matches a type; 0 if it doesn't.
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

// The request's URL with the next cursor.
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

bool has_workbook(const Route& route) {
    return std::any_of(route.tables.begin(), route.tables.end(), [](const TableRows& row) { return row.name == kWorkbookTable; });
}

std::vector<Parameter> table_parameters(const Route& route) {
    std::vector<Parameter> parameters;
    const auto csv_tables = static_cast<std::size_t>(std::count_if(route.tables.begin(), route.tables.end(), is_csv_table));
    if (!route.tables.empty()) {
        parameters.push_back(kTableParameters[has_workbook(route) ? 1 : 0]);
    }
    if (csv_tables > 1) {
        parameters.push_back(kTableParameters[2]);
    }
    return parameters;
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
    const bool may_be_workbook = has_workbook(route);
    if (!format.empty() && format != "csv" && format != "json" && !(format == "xlsx" && may_be_workbook)) {
        return refused({{"/format", model::Code::unknown_value,
                         fmt::format("format is \"{}\"; give {}", shortened(format, 40),
                                     may_be_workbook ? "csv, xlsx or json" : "csv or json")}});
    }
    const std::string_view accept = http::header(request, "accept");
    const double json = weight_of(accept, kJson);
    const bool is_workbook =
        format.empty() ? may_be_workbook && weight_of(accept, kXlsx) > std::max(json, weight_of(accept, kCsv)) : format == "xlsx";
    const bool is_csv = format.empty() ? !is_workbook && weight_of(accept, kCsv) > json : format == "csv";
    const std::string_view name = query_of(request, "table");
    if (!is_csv && !name.empty()) {
        return refused({{"/table", model::Code::not_allowed, "table is of CSV: give format=csv too, or Accept: text/csv"}});
    }
    if (!is_csv && !is_workbook) {
        return nullptr;
    }
    const auto found = std::find_if(route.tables.begin(), route.tables.end(), [&](const TableRows& row) {
        return is_workbook ? row.name == kWorkbookTable : is_csv_table(row) && (name.empty() || row.name == name);
    });
    if (found == route.tables.end()) {
        return refused({{"/table", model::Code::unknown_value,
                         fmt::format("table is \"{}\"; give months, ledger or bills", shortened(name, 40))}});
    }
    return &*found;
}

bool wants_table(const Call& call, std::string_view name) {
    const auto table = wanted_table(call.route, call.request);
    return table && *table != nullptr && (*table)->name == name;
}

Attempt<http::Response> workbook_answer(model::Result<std::string> bytes) {
    if (!bytes) {
        return refused(std::move(bytes.error()));
    }
    http::Response response;
    response.content_type = kXlsx;
    response.headers.push_back({"Content-Disposition", "attachment; filename=\"costcurve.xlsx\""});
    response.body = std::move(*bytes);
    return response;
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
    if (rows.name == kWorkbookTable) {
        Attempt<http::Response> workbook = workbook_answer(answers::encode_rank_workbook(response.body));
        response = workbook ? std::move(*workbook) : problem(workbook.error(), request.request_id);
        return;
    }
    answers::Table table(table_columns(route, rows));
    table.add(rows.make != nullptr ? rows.make(response.body) : response.body, rows);
    response.body = table.csv();
    response.content_type = kCsvType;
    std::erase_if(response.headers,
                  [](const http::Header& header) { return header.name == "ETag"; }); // the ETag belongs to the JSON
    if (!table.next().empty()) {
        response.headers.push_back({"Link", next_page(route, request, table.next())});
    }
}

} // namespace costcurve::api
