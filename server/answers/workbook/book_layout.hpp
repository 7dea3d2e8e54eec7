// Layout of a cost book in its sheets, and formulas that refer to cells.
#pragma once

#include <string>
#include <vector>

#include "server/answers/workbook/cost_book.hpp"

namespace costcurve::answers {

/// Columns of the ledger's sheet, from 0.
enum LedgerColumn : std::size_t { kMonth, kPool, kCategory, kCost, kCash, kAtStart, kAtEnd, kPresentValue };
/// Of the months' sheet; categories follow.
enum MonthColumn : std::size_t {
    kMonthOfRow,
    kFactorAtStart,
    kFactorAtEnd,
    kMonthCost,
    kMonthCash,
    kMonthPresentValue,
    kFirstCategory
};

struct BookLayout {
    const CostBook& book;
    std::vector<std::size_t> order = {};      ///< of the inputs: live ones first
    std::vector<std::string> names = {};      ///< of the inputs, as formulas call them
    std::vector<std::size_t> root_rows = {};  ///< of the trees, on the sheet of terms
    std::size_t terms = 0;                    ///< rows of all trees
    std::vector<std::size_t> first_rows = {}; ///< of the months, and one more: among the book's
};

/// `scenario` names pools and workloads in the names of inputs.
[[nodiscard]] BookLayout layout_of(const CostBook& book, const model::ScenarioDocument& scenario);

/// The formula of a term at `row`, whose parts stand under it; "" where it is a number. `siblings` are the rows of the terms before
/// it of the same rule.
[[nodiscard]] std::string formula_of(const BookLayout& layout, const BookTerm& term, const std::vector<std::size_t>& part_rows,
                                     const std::vector<std::size_t>& sibling_rows);
/// Formula of a ledger amount: its tree's root; "" if it has no tree.
[[nodiscard]] std::string formula_of_tree(const BookLayout& layout, std::size_t tree);
/// The discount factor of the first instant of a month.
[[nodiscard]] std::string formula_of_factor(const BookLayout& layout, std::size_t month);
/// An input in a formula: its name if live, otherwise its value.
[[nodiscard]] std::string text_of_input(const BookLayout& layout, std::size_t input, double factor = 1.0);
/// Terms of a tree.
[[nodiscard]] std::size_t count_terms(const BookTerm& term);

/// Row of an entry on a sheet: a heading stands above.
[[nodiscard]] constexpr std::size_t sheet_row(std::size_t entry) { return entry + 1; }

} // namespace costcurve::answers
