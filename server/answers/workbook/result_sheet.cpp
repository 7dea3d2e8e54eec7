// The first sheet: figures of the total, its parts, workloads, and what the answer is of.
#include <optional>

#include <fmt/format.h>

#include "model/categories/tax_losses.hpp"
#include "model/compile.hpp"
#include "model/documents/calendar.hpp"
#include "model/documents/currencies.hpp"
#include "model/figures.hpp"
#include "model/version.hpp"
#include "server/answers/workbook/book_sheets.hpp"

namespace costcurve::answers {

namespace {

using model::Category;

constexpr std::size_t kFirstTotal = 4; // the row of cost, under a heading
constexpr std::string_view kFixed = "of the answer: stays as inputs change";

// A figure of the total, its formula over the cells of cost, cash and present value ("" where it stays a number).
struct TotalRow {
    std::string_view name;
    std::string formula;
    std::string words;
};

// npv × (1 − τ), as explain has it, where nothing is bought or sold: without capital, what is deducted for it, and losses.
std::string after_tax_formula(const BookSheets& to, const std::string& npv_cell) {
    const model::Compiled compiled = model::compile(to.evaluated.scenario);
    const bool has_capital = compiled.npv_capital != 0.0 || compiled.npv_tax_credit != 0.0;
    if (compiled.tax_rate == 0.0) {
        return "=" + npv_cell;
    }
    return has_capital || !model::tax_years(compiled, to.evaluated.ledger).empty()
               ? ""
               : fmt::format("={}*(1-{})", npv_cell, cell_number(compiled.tax_rate));
}

std::string annual_formula(const BookSheets& to, const std::string& npv_cell) {
    const std::string rate = text_of_input(to.layout, to.book().discount_rate);
    return fmt::format("={}*IF({}=0,12/{},{}/(1-(1+{})^(-{}/12)))", npv_cell, rate, to.book().months, rate, rate, to.book().months);
}

std::vector<TotalRow> total_rows(const BookSheets& to, std::size_t first_row) {
    const std::string npv = cell_address(first_row + 2, 1);
    const auto sum = [&](std::size_t column) { return fmt::format("=SUM({})", to.ledger_column(column)); };
    const std::string after_tax = after_tax_formula(to, npv);
    const std::string after_tax_words = after_tax.empty()                       ? std::string(kFixed)
                                        : to.scenario().finance.tax_rate == 0.0 ? "no tax"
                                                                                : "npv × (1 − tax_rate): nothing is bought";
    return {{"cost", sum(kCost), "all rows of the ledger"},
            {"cash", sum(kCash), "all rows of the ledger"},
            {"npv", sum(kPresentValue), "cash, discounted from when it is paid"},
            {"npv_after_tax", after_tax, after_tax_words},
            {"equivalent_annual_cost", annual_formula(to, npv), "npv × d / (1 − (1 + d)^(−months / 12))"},
            {"npv_before_financing",
             fmt::format("={}-SUMIF({},\"financing\",{})", npv, to.ledger_column(kCategory), to.ledger_column(kPresentValue)),
             "npv less that of loans"}};
}

std::size_t write_totals(const BookSheets& to, Sheet& sheet, std::size_t row) {
    write_heading(sheet, row++, {"figure", "value", "unit", "how"});
    const std::vector<TotalRow> rows = total_rows(to, row);
    std::size_t known = 0;
    for (const auto& figure : model::kTotalFigures) {
        const std::optional<double> value = figure.read(to.summary());
        const TotalRow* const formula = known < rows.size() && rows[known].name == figure.name ? &rows[known++] : nullptr;
        if (!value) {
            continue;
        }
        const std::string unit = model::unit_in(figure.unit, to.scenario().currency);
        const CellStyle style = to.style_of(unit);
        sheet.text(row, 0, figure.name);
        if (formula != nullptr && !formula->formula.empty()) {
            sheet.formula(row, 1, formula->formula, *value, style == CellStyle::price ? CellStyle::money : style);
        } else {
            sheet.number(row, 1, *value, style);
        }
        sheet.text(row, 2, unit);
        sheet.text(row++, 3, formula != nullptr ? formula->words : std::string(kFixed), CellStyle::note);
    }
    return row;
}

std::size_t write_parts(const BookSheets& to, Sheet& sheet, std::size_t row) {
    const std::vector<Category> categories = categories_with_money(to.summary());
    write_heading(sheet, ++row, {"category", "cost", "cash"});
    for (std::size_t i = 0; i < categories.size(); ++i) {
        const model::Amounts& amounts = to.summary().by_category[static_cast<std::size_t>(categories[i])];
        sheet.text(++row, 0, name_of(categories[i]));
        sheet.formula(row, 1, fmt::format("=SUM({})", to.month_column(kFirstCategory + i)), amounts.cost, CellStyle::money);
        sheet.formula(row, 2, fmt::format("=SUM({})", to.month_column(kFirstCategory + categories.size() + i)), amounts.cash,
                      CellStyle::money);
    }
    row += 2;
    write_heading(sheet, row, {"pool", "cost", "cash"});
    for (std::size_t p = 0; p < to.summary().pools.size(); ++p) {
        const model::Amounts& amounts = to.summary().pools[p].total;
        if (p == to.scenario().pools.size() && amounts.cost == 0.0 && amounts.cash == 0.0) {
            continue;
        }
        sheet.text(++row, 0, to.pool_name(p));
        const auto of_pool = [&](std::size_t column) {
            return fmt::format("=SUMIF({},{},{})", to.ledger_column(kPool), cell_address(row, 0), to.ledger_column(column));
        };
        sheet.formula(row, 1, of_pool(kCost), amounts.cost, CellStyle::money);
        sheet.formula(row, 2, of_pool(kCash), amounts.cash, CellStyle::money);
    }
    return row + 1;
}

std::size_t write_workloads(const BookSheets& to, Sheet& sheet, std::size_t row) {
    write_heading(sheet, ++row, {"workload", "units served", "unit", "cost", "cost per million units", ""});
    for (std::size_t w = 0; w < to.scenario().workloads.size(); ++w) {
        const model::WorkloadSummary& of = to.summary().workloads[w];
        sheet.text(++row, 0, to.scenario().workloads[w].id);
        sheet.number(row, 1, of.units_served);
        sheet.text(row, 2, to.scenario().workloads[w].unit);
        const bool bears_all = to.scenario().workloads.size() == 1 && is_whole(of.cost, to.summary().total.cost);
        if (bears_all) {
            sheet.formula(row, 3, "=" + cell_address(kFirstTotal, 1), of.cost, CellStyle::money);
        } else {
            sheet.number(row, 3, of.cost, CellStyle::money);
        }
        if (of.cost_per_million_units && bears_all) {
            sheet.formula(row, 4, fmt::format("={}/({}/10^6)", cell_address(row, 3), cell_address(row, 1)),
                          *of.cost_per_million_units, CellStyle::price);
        } else if (of.cost_per_million_units) {
            sheet.number(row, 4, *of.cost_per_million_units, CellStyle::price);
        }
        sheet.text(row, 5, bears_all ? "cost / units served × 10^6" : kFixed, CellStyle::note);
    }
    return row + 1;
}

void write_notes(const BookSheets& to, Sheet& sheet, std::size_t row) {
    const auto add = [&](std::string_view name, std::string_view text) {
        sheet.text(row, 0, name);
        sheet.text(row++, 1, text);
    };
    write_heading(sheet, ++row, {"about", "", ""});
    ++row;
    add("does its work", to.summary().is_feasible() ? "yes" : "no");
    for (const model::Infeasibility& reason : to.summary().infeasible_because) {
        add(name_of(reason.code), fmt::format("{}: {} of {} allowed", reason.id, reason.value, reason.limit));
    }
    add("decided by", name_of(to.summary().decide_by));
    add("model version", model::kModelVersion);
    add("inputs' hash", to.evaluated.inputs_hash);
    add("as of", to.evaluated.as_of);
    if (to.book().is_cut) {
        add("cut", fmt::format("terms beyond {} are not opened: their amounts in the ledger are numbers", kMaxBookTerms));
    }
    for (const model::Issue& warning : to.summary().warnings) {
        add(fmt::format("warning: {}", model::code_name(warning.code)), fmt::format("{} {}", warning.pointer, warning.message));
    }
}

} // namespace

void write_result(const BookSheets& to) {
    Sheet sheet = to.workbook.add_sheet("Result");
    set_widths(sheet, {34, 22, 22, 44, 24, 36});
    sheet.text(0, 0, to.scenario().name.empty() ? "Result" : to.scenario().name, CellStyle::title);
    sheet.text(
        1, 0,
        fmt::format("{} months from {}, in {}. Change the coloured cells of Inputs: cost, cash and npv follow. Hours, volumes "
                    "and routing are the answer's, and stay.",
                    to.book().months, to_text(to.scenario().start), to.scenario().currency),
        CellStyle::note);
    std::size_t row = write_totals(to, sheet, kFirstTotal - 1);
    row = write_parts(to, sheet, row);
    row = write_workloads(to, sheet, row);
    write_notes(to, sheet, row);
}

} // namespace costcurve::answers
