// Answers as CSV by content negotiation: which table a request wants, and the answer made into it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "server/answers/workbook/workbook_type.hpp"
#include "server/api/route.hpp"

namespace costcurve::api {

inline constexpr std::string_view kJson = "application/json";
inline constexpr std::string_view kCsv = "text/csv";
inline constexpr std::string_view kXlsx = answers::kWorkbookType;
/// Name of the workbook among the tables of an answer.
inline constexpr std::string_view kWorkbookTable = "workbook";
inline constexpr std::string_view kCsvType = "text/csv; charset=utf-8";

/// The tables of an answer, by the name of its schema; empty for most answers.
[[nodiscard]] std::span<const answers::TableRows> tables_of(std::string_view answer);

/// Query parameters of a route with tables: `format` and, if there are several tables, `table`.
[[nodiscard]] std::vector<Parameter> table_parameters(const Route& route);

/// Whether its answer also comes as an Excel workbook.
[[nodiscard]] bool has_workbook(const Route& route);

/// Weight of a type for the client, 0 (not accepted) to 1: the weight of the most specific matching range of Accept (RFC 9110
/// section 12.5.1). Without Accept all types weigh 1.
[[nodiscard]] double weight_of(std::string_view accept, std::string_view type);

/// The table requested instead of JSON, by `format`, otherwise by Accept; null for JSON. 406 if neither is acceptable, 422 if
/// `table` names none.
[[nodiscard]] Attempt<const answers::TableRows*> wanted_table(const Route& route, const http::Request& request);
/// Whether a request that passed wanted_table requests the table of this name.
[[nodiscard]] bool wants_table(const Call& call, std::string_view name);

/// 200 with a workbook, which browsers save as costcurve.xlsx; 422 if it could not be written.
[[nodiscard]] Attempt<http::Response> workbook_answer(model::Result<std::string> bytes);
/// 200 with finished CSV text.
[[nodiscard]] http::Response csv_answer(std::string csv);
/// Converts a JSON answer with status 200 to the table, or a ranking to its workbook. The URL of the next page goes into a Link
/// header (RFC 8288).
void make_table(const Route& route, const answers::TableRows& table, const http::Request& request, http::Response& response);

} // namespace costcurve::api
