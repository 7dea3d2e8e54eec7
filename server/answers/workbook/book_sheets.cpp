// Inputs, ledger, months, terms and sources: a row an entry, a heading above.
#include "server/answers/workbook/book_sheets.hpp"

#include <optional>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/finance.hpp"
#include "server/answers/result.hpp"

namespace costcurve::answers {

namespace {

using model::Category;

void write_amount(Sheet& sheet, std::size_t row, std::size_t column, const std::string& formula, double value) {
    if (formula.empty()) {
        sheet.number(row, column, value, CellStyle::money);
    } else {
        sheet.formula(row, column, formula, value, CellStyle::money);
    }
}

// The rows of a month, as cells of a column of the ledger; of one category where it is named.
std::vector<std::string> ledger_cells(const BookSheets& to, std::size_t month, std::optional<Category> category,
                                      std::size_t column) {
    std::vector<std::string> cells;
    for (std::size_t i = to.layout.first_rows[month]; i < to.layout.first_rows[month + 1]; ++i) {
        if (!category || to.book().rows[i].category == *category) {
            cells.push_back("Ledger!" + cell_address(sheet_row(i), column));
        }
    }
    return cells;
}

std::string month_sum(const BookSheets& to, std::size_t month, std::size_t column) {
    const std::size_t from = to.layout.first_rows[month];
    const std::size_t end = to.layout.first_rows[month + 1];
    return from == end
               ? "=0"
               : fmt::format("=SUM(Ledger!{}:{})", cell_address(sheet_row(from), column), cell_address(sheet_row(end) - 1, column));
}

// Cash at the month's start: its terms where they are known, else a part of the row's. Nothing where it is a number.
std::string start_formula(const BookSheets& to, const BookRow& of, const std::string& cash) {
    if (of.start == 0.0 || of.cash == 0.0) {
        return "";
    }
    std::vector<std::string> cells;
    for (const std::size_t term : of.start_terms) {
        cells.push_back("Terms!" + cell_address(to.layout.root_rows[of.cash_tree] + term, 1));
    }
    return !cells.empty()        ? sum_formula(cells)
           : of.start == of.cash ? "=" + cash
                                 : fmt::format("={}*{}", cash, cell_number(of.start / of.cash));
}

double month_npv(const BookSheets& to, std::size_t month) {
    const double rate = to.scenario().finance.discount_rate;
    double value = 0.0;
    for (std::size_t i = to.layout.first_rows[month]; i < to.layout.first_rows[month + 1]; ++i) {
        const BookRow& of = to.book().rows[i];
        value += of.start * model::discount_factor(rate, static_cast<double>(month)) +
                 (of.cash - of.start) * model::discount_factor(rate, static_cast<double>(month) + 1);
    }
    return value;
}

// A term and those under it; returns the row after them.
std::size_t write_term(const BookSheets& to, Sheet& sheet, const BookTerm& term, std::size_t row, std::size_t level,
                       const std::string& name, const std::vector<std::size_t>& sibling_rows) {
    std::vector<std::size_t> part_rows;
    std::size_t next = row + 1;
    for (const BookTerm& part : term.parts) {
        part_rows.push_back(next);
        next += count_terms(part);
    }
    const std::string formula = formula_of(to.layout, term, part_rows, sibling_rows);
    sheet.outline(row, level);
    sheet.text(row, 0, std::string(2 * level, ' ') + name, level == 0 ? CellStyle::title : CellStyle::plain);
    if (formula.empty()) {
        sheet.number(row, 1, term.value, to.style_of(term.unit));
    } else {
        sheet.formula(row, 1, formula, term.value, to.style_of(term.unit));
    }
    sheet.text(row, 2, term.unit);
    sheet.text(row, 3, term.words, CellStyle::note);
    std::vector<std::size_t> before;
    for (std::size_t i = 0; i < term.parts.size(); ++i) {
        write_term(to, sheet, term.parts[i], part_rows[i], level + 1, term.parts[i].term, before);
        before.push_back(part_rows[i]);
    }
    return next;
}

} // namespace

void write_heading(Sheet& sheet, std::size_t row, std::initializer_list<std::string_view> words) {
    std::size_t column = 0;
    for (const std::string_view word : words) {
        sheet.text(row, column++, word, CellStyle::heading);
    }
}

void set_widths(Sheet& sheet, std::initializer_list<double> widths) {
    std::size_t column = 0;
    for (const double width : widths) {
        sheet.width(column++, width);
    }
}

// The categories that have money, as the months' sheet has them.
std::vector<Category> categories_with_money(const model::Summary& summary) {
    std::vector<Category> with;
    for (std::size_t c = 0; c < model::kCategories; ++c) {
        bool has_money = false;
        for (const model::MonthSummary& month : summary.months) {
            has_money = has_money || month.by_category[c].cost != 0.0 || month.by_category[c].cash != 0.0;
        }
        if (has_money) {
            with.push_back(static_cast<Category>(c));
        }
    }
    return with;
}

// Money of a field that is in another currency: as it stands there, where it is a number, and that currency's unit.
void write_stated(const BookInput& of, const std::string& currency, std::size_t row, Sheet& sheet) {
    constexpr std::size_t kStated = 8;
    if (of.input.currency.empty() || !of.input.unit.starts_with(currency)) {
        return;
    }
    if (!of.is_factor) {
        sheet.number(row, kStated, of.value / of.input.exchange_rate, CellStyle::fixed_input);
    }
    sheet.text(row, kStated + 1, of.input.currency + of.input.unit.substr(currency.size()));
}

void write_inputs(const BookSheets& to) {
    Sheet sheet = to.workbook.add_sheet("Inputs");
    set_widths(sheet, {52, 18, 22, 14, 60, 40, 12, 10, 18, 22});
    sheet.freeze(1);
    sheet.width(3, 48);
    sheet.lock();
    write_heading(sheet, 0,
                  {"name", "value", "unit", "figures follow", "field of the scenario", "source", "price of", "revision",
                   "stated there", "unit there"});
    std::size_t row = 0;
    for (const std::size_t index : to.layout.order) {
        const BookInput& of = to.book().inputs[index];
        sheet.text(++row, 0, to.layout.names[index]);
        if (of.is_live) {
            sheet.number(row, 1, of.value, CellStyle::input);
            sheet.range(row, 1, of.tried_from, of.tried_to,
                        fmt::format("Figures were compared with the model's from {:.6g} to {:.6g}.", of.tried_from, of.tried_to));
            to.workbook.define_name(to.layout.names[index], "Inputs!" + cell_address(row, 1, true));
        } else if (of.is_factor) {
            sheet.text(row, 1, "a curve, a list, or not stated", CellStyle::fixed_input);
        } else {
            sheet.number(row, 1, of.value, CellStyle::fixed_input);
        }
        sheet.text(row, 2, of.is_live && of.is_factor ? fmt::format("times the stated ({})", of.input.unit) : of.input.unit);
        const std::string why_fixed = of.why_fixed.empty() ? "no: ask again" : of.why_fixed;
        sheet.text(row, 3, of.is_live ? "yes" : why_fixed, of.is_live ? CellStyle::plain : CellStyle::note);
        sheet.text(row, 4, of.input.name, CellStyle::note);
        sheet.text(row, 5, of.input.source);
        sheet.text(row, 6, of.input.price_day.value_or(""));
        if (of.input.revision > 0) {
            sheet.number(row, 7, static_cast<double>(of.input.revision));
        }
        write_stated(of, to.scenario().currency, row, sheet);
    }
}

void write_ledger(const BookSheets& to) {
    Sheet sheet = to.workbook.add_sheet("Ledger");
    set_widths(sheet, {10, 24, 16, 20, 20, 20, 20, 20});
    sheet.freeze(1);
    write_heading(sheet, 0,
                  {"month", "pool", "category", "cost", "cash", "cash at the month's start", "cash at its end", "present value"});
    for (std::size_t i = 0; i < to.book().rows.size(); ++i) {
        const BookRow& of = to.book().rows[i];
        const std::size_t row = sheet_row(i);
        const model::YearMonth month = add_months(to.scenario().start, static_cast<int>(of.month));
        const auto cell = [&](std::size_t column) { return cell_address(row, column); };
        const auto factor = [&](std::size_t column) { return "Months!" + cell_address(sheet_row(of.month), column); };
        sheet.month(row, kMonth, month.year, month.month);
        sheet.text(row, kPool, to.pool_name(of.pool));
        sheet.text(row, kCategory, name_of(of.category));
        write_amount(sheet, row, kCost, formula_of_tree(to.layout, of.cost_tree), of.cost);
        write_amount(sheet, row, kCash, formula_of_tree(to.layout, of.cash_tree), of.cash);
        write_amount(sheet, row, kAtStart, start_formula(to, of, cell(kCash)), of.start);
        sheet.formula(row, kAtEnd, fmt::format("={}-{}", cell(kCash), cell(kAtStart)), of.cash - of.start, CellStyle::money);
        const double start_factor = model::discount_factor(to.scenario().finance.discount_rate, static_cast<double>(of.month));
        const double end_factor = model::discount_factor(to.scenario().finance.discount_rate, static_cast<double>(of.month) + 1);
        sheet.formula(row, kPresentValue,
                      fmt::format("={}*{}+{}*{}", cell(kAtStart), factor(kFactorAtStart), cell(kAtEnd), factor(kFactorAtEnd)),
                      of.start * start_factor + (of.cash - of.start) * end_factor, CellStyle::money);
    }
}

void write_months(const BookSheets& to) {
    Sheet sheet = to.workbook.add_sheet("Months");
    sheet.freeze(1);
    write_heading(sheet, 0, {"month", "discount factor at its start", "at its end", "cost", "cash", "present value"});
    const std::vector<Category> categories = categories_with_money(to.summary());
    for (std::size_t i = 0; i < categories.size(); ++i) {
        sheet.text(0, kFirstCategory + i, fmt::format("cost: {}", name_of(categories[i])), CellStyle::heading);
        sheet.text(0, kFirstCategory + categories.size() + i, fmt::format("cash: {}", name_of(categories[i])), CellStyle::heading);
    }
    set_widths(sheet, {10, 14, 14, 18, 18, 18});
    for (std::size_t m = 0; m < to.book().months; ++m) {
        const std::size_t row = sheet_row(m);
        const model::YearMonth month = add_months(to.scenario().start, static_cast<int>(m));
        const model::MonthSummary& of = to.summary().months[m];
        const double rate = to.scenario().finance.discount_rate;
        sheet.month(row, kMonthOfRow, month.year, month.month);
        sheet.formula(row, kFactorAtStart, formula_of_factor(to.layout, m), model::discount_factor(rate, static_cast<double>(m)));
        sheet.formula(row, kFactorAtEnd, formula_of_factor(to.layout, m + 1),
                      model::discount_factor(rate, static_cast<double>(m) + 1));
        sheet.formula(row, kMonthCost, month_sum(to, m, kCost), of.total.cost, CellStyle::money);
        sheet.formula(row, kMonthCash, month_sum(to, m, kCash), of.total.cash, CellStyle::money);
        sheet.formula(row, kMonthPresentValue, month_sum(to, m, kPresentValue), month_npv(to, m), CellStyle::money);
        for (std::size_t i = 0; i < categories.size(); ++i) {
            const model::Amounts& amounts = of.by_category[static_cast<std::size_t>(categories[i])];
            sheet.formula(row, kFirstCategory + i, sum_formula(ledger_cells(to, m, categories[i], kCost)), amounts.cost,
                          CellStyle::money);
            sheet.formula(row, kFirstCategory + categories.size() + i, sum_formula(ledger_cells(to, m, categories[i], kCash)),
                          amounts.cash, CellStyle::money);
        }
    }
}

void write_terms(const BookSheets& to) {
    Sheet sheet = to.workbook.add_sheet("Terms");
    set_widths(sheet, {60, 22, 22, 90});
    sheet.freeze(1);
    write_heading(sheet, 0, {"term", "value", "unit", "how"});
    for (std::size_t t = 0; t < to.book().trees.size(); ++t) {
        const BookTree& tree = to.book().trees[t];
        const BookRow& of = to.book().rows[tree.row];
        const std::string name =
            fmt::format("{} of {}, {}, from {}", tree.is_cash ? "cash" : "cost", name_of(of.category), to.pool_name(of.pool),
                        to_text(add_months(to.scenario().start, static_cast<int>(of.month))));
        write_term(to, sheet, tree.root, to.layout.root_rows[t], 0, name, {});
    }
}

void write_sources(const BookSheets& to) {
    Sheet sheet = to.workbook.add_sheet("Sources");
    set_widths(sheet, {16, 40, 10, 100});
    sheet.freeze(1);
    write_heading(sheet, 0, {"document", "id", "revision", "source"});
    std::size_t row = 0;
    const ResultAnswer answer{to.evaluated, to.scenario(), to.summary()};
    for (const DocumentUsed& used : answer.provenance().documents) {
        sheet.text(++row, 0, used.kind);
        sheet.text(row, 1, used.id);
        if (used.revision) {
            sheet.number(row, 2, static_cast<double>(*used.revision));
        }
        sheet.text(row, 3, used.source);
    }
}

} // namespace costcurve::answers
