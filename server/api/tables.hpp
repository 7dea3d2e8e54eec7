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
/// What the workbook is called among the tables of an answer.
inline constexpr std::string_view kWorkbookTable = "workbook";
inline constexpr std::string_view kCsvType = "text/csv; charset=utf-8";

/// The tables of an answer, by the name of its schema; none of most.
[[nodiscard]] std::span<const answers::TableRows> tables_of(std::string_view answer);

/// The query parameters that a route has because it has tables: `format` and, where there are several, `table`.
[[nodiscard]] std::vector<Parameter> table_parameters(const Route& route);

/// Whether its answer also comes as an Excel workbook.
[[nodiscard]] bool has_workbook(const Route& route);

/// How much the client wants a type, from 0 (not at all) to 1: the weight of the range of Accept that names it most exactly (RFC
/// 9110 section 12.5.1). Without Accept all types are 1.
[[nodiscard]] double weight_of(std::string_view accept, std::string_view type);

/// The table that the request wants in place of JSON, by `format`, else by Accept; null where it wants JSON. 406 where neither can
/// be had, 422 where `table` names none.
[[nodiscard]] Attempt<const answers::TableRows*> wanted_table(const Route& route, const http::Request& request);
/// Whether a request that passed wanted_table wants the table of this name.
[[nodiscard]] bool wants_table(const Call& call, std::string_view name);

/// 200 with the bytes of a workbook, which a browser saves as costcurve.xlsx; 422 where it could not be made.
[[nodiscard]] Attempt<http::Response> workbook_answer(model::Result<std::string> bytes);
/// 200 with text that is CSV already.
[[nodiscard]] http::Response csv_answer(std::string csv);
/// Makes a JSON answer of status 200 into the table, or a ranking into its workbook; the next page's address goes to a Link header
/// (RFC 8288).
void make_table(const Route& route, const answers::TableRows& table, const http::Request& request, http::Response& response);

} // namespace costcurve::api
