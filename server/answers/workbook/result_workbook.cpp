// Makes the book, finds out what is live in it, and writes the sheets in the order in which a reader wants them.
#include "server/answers/workbook/result_workbook.hpp"

#include <fmt/format.h>

#include "server/answers/workbook/book_sheets.hpp"
#include "server/answers/workbook/live_inputs.hpp"

namespace costcurve::answers {

model::Result<void> add_result_sheets(const model::ScenarioDocument& resolved, const Evaluated& evaluated, Workbook& workbook) {
    CostBook book = make_cost_book(evaluated);
    if (sheet_row(book.rows.size()) > kMaxSheetRows) {
        return tl::unexpected(model::Failure{
            {"", model::Code::too_large,
             fmt::format("the ledger has {} rows, a sheet of Excel {}: ask for fewer months, or for format=csv&table=ledger",
                         book.rows.size(), kMaxSheetRows)}});
    }
    mark_live_inputs(resolved, book);
    const BookLayout layout = layout_of(book, evaluated.scenario.document());
    const BookSheets to{evaluated, layout, workbook};
    write_result(to);
    write_inputs(to);
    write_ledger(to);
    write_months(to);
    write_terms(to);
    write_sources(to);
    return {};
}

model::Result<std::string> encode_result_workbook(const model::ScenarioDocument& resolved, const Evaluated& evaluated) {
    const model::ScenarioDocument& scenario = evaluated.scenario.document();
    Workbook workbook(scenario.name, scenario.currency);
    return add_result_sheets(resolved, evaluated, workbook).map([&] { return workbook.finish(); });
}

} // namespace costcurve::answers
