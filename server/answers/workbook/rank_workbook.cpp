// Lists of the answer's JSON as sheets, a column a member; the first plan's scenario is evaluated again, as it stands in the
// answer.
#include "server/answers/workbook/rank_workbook.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "server/answers/evaluate.hpp"
#include "server/answers/workbook/result_workbook.hpp"
#include "server/answers/workbook/sheets.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/references.hpp"

namespace costcurve::answers {

namespace {

// A cell of a list's row: the value at the end of some members.
struct JsonColumn {
    std::string name;
    std::vector<std::string_view> members;
    bool is_outer = false; ///< of the entry that has the list of rows
};

const JsonValue* at(const JsonValue& row, const std::vector<std::string_view>& members) {
    const JsonValue* value = &row;
    for (const std::string_view member : members) {
        value = value != nullptr ? value->find(member) : nullptr;
    }
    return value;
}

std::string joined(const JsonValue& list) {
    std::string text;
    for (const JsonValue& entry : list.entries()) {
        text += (text.empty() ? "" : "; ") + (entry.is_string() ? std::string(entry.text()) : entry.dump());
    }
    return text;
}

void write_value(Sheet& sheet, std::size_t row, std::size_t column, const JsonValue* value) {
    if (value == nullptr || value->is_null()) {
        return;
    }
    if (value->is_number()) {
        sheet.number(row, column, value->number());
    } else if (value->is_boolean()) {
        sheet.text(row, column, value->boolean() ? "yes" : "no");
    } else {
        sheet.text(row, column, value->is_string() ? value->text() : value->is_array() ? joined(*value) : value->dump());
    }
}

struct JsonSheet {
    const char* name;
    std::string_view list; ///< of the answer
    std::vector<JsonColumn> columns;
    std::string_view rows = ""; ///< a list of each entry, where these are the rows
};

const std::vector<JsonSheet>& json_sheets() {
    static const std::vector<JsonSheet> sheets = {
        {"Ranking",
         "plans",
         {{"rank", {"rank"}},
          {"plan", {"name"}},
          {"figure that decides", {"decisive"}},
          {"low (p10)", {"row", "low"}},
          {"high (p90)", {"row", "high"}},
          {"cost", {"summary", "cost"}},
          {"cash", {"summary", "cash"}},
          {"npv", {"summary", "npv"}},
          {"cost per million output tokens", {"row", "cost_per_million_output"}},
          {"utilization", {"row", "utilization"}},
          {"probability best", {"probability_best"}},
          {"tied with the first", {"tied"}},
          {"days", {"row", "days"}},
          {"evidence of its rates", {"evidence"}},
          {"oldest price", {"oldest_price"}},
          {"why", {"why"}},
          {"warnings", {"row", "warnings"}}}},
        {"Rates",
         "plans",
         {{"rank", {"rank"}, true},
          {"plan", {"name"}, true},
          {"workload", {"workload"}},
          {"pool", {"pool"}},
          {"device", {"device"}},
          {"devices", {"devices"}},
          {"spares", {"spares"}},
          {"precision", {"precision"}},
          {"concurrency", {"concurrency"}},
          {"time to first token, s", {"ttft_s"}},
          {"time between tokens, s", {"itl_s"}},
          {"share of the nearest ceiling", {"ceiling"}},
          {"MFU", {"mfu"}},
          {"evidence", {"evidence"}}},
         "replicas"},
        {"Assumptions",
         "assumptions",
         {{"what", {"what"}}, {"value", {"value"}}, {"unit", {"unit"}}, {"why", {"why"}}, {"how to state it", {"change"}}}},
        {"Left out", "excluded", {{"reason", {"reason"}}, {"count", {"count"}}, {"examples", {"examples"}}, {"held to", {"note"}}}},
    };
    return sheets;
}

void write_sheet(Workbook& workbook, const JsonSheet& of, const JsonValue& answer) {
    constexpr double kWidth = 22;
    Sheet sheet = workbook.add_sheet(of.name);
    sheet.freeze(1);
    for (std::size_t column = 0; column < of.columns.size(); ++column) {
        sheet.width(column, kWidth);
        sheet.text(0, column, of.columns[column].name, CellStyle::heading);
    }
    const JsonValue* const list = answer.find(of.list);
    std::size_t row = 0;
    const auto write_row = [&](const JsonValue& outer, const JsonValue& entry) {
        ++row;
        for (std::size_t column = 0; column < of.columns.size(); ++column) {
            const JsonColumn& cell = of.columns[column];
            write_value(sheet, row, column, at(cell.is_outer ? outer : entry, cell.members));
        }
    };
    for (const JsonValue& entry : list != nullptr ? list->entries() : std::span<const JsonValue>()) {
        const JsonValue* const rows = of.rows.empty() ? nullptr : entry.find(of.rows);
        for (const JsonValue& inner : rows != nullptr ? rows->entries() : std::span<const JsonValue>()) {
            write_row(entry, inner);
        }
        if (of.rows.empty()) {
            write_row(entry, entry);
        }
    }
    if (of.rows.empty() && of.list == "plans" && answer.find("unit") != nullptr) {
        row += 2;
        sheet.text(row, 1, "decided by, and its unit", CellStyle::note);
        write_value(sheet, row, 2, answer.find("decide_by"));
        write_value(sheet, row, 3, answer.find("unit"));
    }
}

} // namespace

model::Result<std::string> encode_rank_workbook(std::string_view answer) {
    const auto parsed = parse(answer);
    if (!parsed) {
        throw std::logic_error("a ranking is no JSON: " + parsed.error().message);
    }
    const JsonValue* const plans = (**parsed).find("plans");
    const JsonValue* const scenario = plans != nullptr && !plans->empty() ? (*plans)[0].find("scenario") : nullptr;
    model::ScenarioDocument first;
    if (scenario != nullptr) {
        documents::Source none;
        model::Result<model::ScenarioDocument> resolved = resolve_scenario(*scenario, "/plans/0/scenario", none);
        if (!resolved) {
            return tl::unexpected(std::move(resolved.error()));
        }
        first = std::move(*resolved);
    }
    Workbook workbook("Ranking", scenario != nullptr ? first.currency : "USD");
    for (const JsonSheet& sheet : json_sheets()) {
        write_sheet(workbook, sheet, **parsed);
    }
    if (scenario != nullptr) {
        const model::Result<Evaluated> evaluated = evaluate_resolved(first, "/plans/0/scenario");
        const model::Result<void> added =
            evaluated ? add_result_sheets(first, *evaluated, workbook) : tl::unexpected(evaluated.error());
        if (!added) {
            return tl::unexpected(added.error());
        }
    }
    return workbook.finish();
}

} // namespace costcurve::answers
