// A scenario's ledger as a spreadsheet computes it: amounts by month, pool and category, each the root of a tree of terms whose
// leaves are formulas of the scenario's inputs where explain's words are one, else numbers.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/questions/explain/explain.hpp"
#include "server/answers/encode_result.hpp"
#include "server/answers/workbook/formula_words.hpp"

namespace costcurve::answers {

/// A number of the scenario used by formulas; for a curve, a factor of 1.
struct BookInput {
    model::TermInput input; ///< its name is the JSON Pointer
    double value = 0.0;     ///< in the scenario's currency
    bool is_factor = false;
    bool is_live = false;    ///< whether the amounts move with it as the model's do; what isn't stands in formulas as a number
    std::string why_fixed{}; ///< if not live: range in which it would hold
    double tried_from = 0.0;
    double tried_to = 0.0; ///< values between which the amounts were compared, where it is live
};

/// What a name in a leaf's formula is.
struct BookReference {
    enum class To { number, input, sibling };
    To to = To::number;
    std::size_t index = 0; ///< of the input, or of the term beside it
    double factor = 1.0;   ///< of the input; the number itself
};

/// A term. Its value is the answer's, and that of its rule over its parts.
struct BookTerm {
    std::string term;
    std::string words;
    std::string unit;
    double value = 0.0;
    model::Rule rule = model::Rule::leaf;
    std::optional<Expression> expression; ///< of a leaf
    std::map<std::string, BookReference> references;
    std::vector<BookTerm> parts;
};

/// A row of the ledger: a month, pool and category.
struct BookRow {
    static constexpr std::size_t kNoTree = static_cast<std::size_t>(-1);
    std::size_t month = 0;
    std::size_t pool = 0; ///< index of the pool; the number of pools means none
    model::Category category{};
    double cost = 0.0;
    double cash = 0.0;
    double start = 0.0; ///< of the cash: paid at the month's first instant
    std::size_t cost_tree = kNoTree;
    std::size_t cash_tree = kNoTree;
    std::vector<std::size_t> start_terms{}; ///< of the cash tree, counted as its values are: they add up to `start`. Empty: a share
};

/// A tree, and the row that it was first met in.
struct BookTree {
    BookTerm root;
    std::size_t row = 0;
    bool is_cash = false;
};

struct BookTotals {
    double cost = 0.0;
    double cash = 0.0;
    double npv = 0.0;
};

struct CostBook {
    std::vector<BookInput> inputs;
    std::size_t discount_rate = 0; ///< its number among the inputs
    std::vector<BookTree> trees;
    std::vector<BookRow> rows; ///< by month, pool and category
    std::size_t months = 0;
    bool is_cut = false; ///< the limit of terms was reached: later rows are plain numbers
};

/// Maximum number of terms in all trees; further trees stay unexpanded.
inline constexpr std::size_t kMaxBookTerms = 100'000;

/// The book of an evaluated scenario, its inputs not live yet.
[[nodiscard]] CostBook make_cost_book(const Evaluated& evaluated);

/// Values of a tree's terms, parents before children, so that the first is the tree's value.
using TermValues = std::vector<double>;
[[nodiscard]] TermValues values_of(const BookTerm& root, std::span<const double> inputs);
/// Totals of the rows for these values of the trees.
[[nodiscard]] BookTotals totals_of(const CostBook& book, std::span<const TermValues> trees, double discount_rate);

} // namespace costcurve::answers
