// The sheets of a result, each written from its cost book.
#pragma once

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "server/answers/workbook/book_layout.hpp"
#include "server/answers/workbook/sheets.hpp"

namespace costcurve::answers {

// What the sheets are written from.
struct BookSheets {
    const Evaluated& evaluated;
    const BookLayout& layout;
    Workbook& workbook;

    [[nodiscard]] const CostBook& book() const { return layout.book; }
    [[nodiscard]] const model::ScenarioDocument& scenario() const { return evaluated.scenario.document(); }
    [[nodiscard]] const model::Summary& summary() const { return evaluated.summary; }
    [[nodiscard]] std::string pool_name(std::size_t pool) const {
        return pool < scenario().pools.size() ? scenario().pools[pool].id : "(no pool)";
    }
    [[nodiscard]] CellStyle style_of(std::string_view unit) const {
        return unit == scenario().currency             ? CellStyle::money
               : unit.starts_with(scenario().currency) ? CellStyle::price
                                                       : CellStyle::number;
    }
    /// A column of the ledger's sheet, all rows of it.
    [[nodiscard]] std::string ledger_column(std::size_t column) const {
        return fmt::format("Ledger!{}:{}", cell_address(sheet_row(0), column, true),
                           cell_address(sheet_row(std::max<std::size_t>(book().rows.size(), 1)) - 1, column, true));
    }
    [[nodiscard]] std::string month_column(std::size_t column) const {
        return fmt::format("Months!{}:{}", cell_address(sheet_row(0), column), cell_address(sheet_row(book().months) - 1, column));
    }
};

void write_heading(Sheet& sheet, std::size_t row, std::initializer_list<std::string_view> words);
void set_widths(Sheet& sheet, std::initializer_list<double> widths);

/// Categories that have money in some month, as the months' sheet has them.
[[nodiscard]] std::vector<model::Category> categories_with_money(const model::Summary& summary);

/// Whether a part of an amount is all of it, but for rounding.
[[nodiscard]] inline bool is_whole(double part, double amount) {
    constexpr double kRounding = 1e-12;
    return std::abs(part - amount) <= kRounding * std::abs(amount);
}

/// Writes totals, their parts and the described documents.
void write_result(const BookSheets& to);
void write_inputs(const BookSheets& to);
void write_ledger(const BookSheets& to);
void write_months(const BookSheets& to);
void write_terms(const BookSheets& to);
void write_sources(const BookSheets& to);

} // namespace costcurve::answers
