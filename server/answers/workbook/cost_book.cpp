// Explains each month's cost and cash once. Equal trees of several months are stored once.
#include "server/answers/workbook/cost_book.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "model/compile.hpp"
#include "model/finance.hpp"
#include "model/questions/variant.hpp"
#include "server/answers/workbook/bind_leaf.hpp"

namespace costcurve::answers {

namespace {

using model::Rule;
using model::Term;

constexpr double kRounding = 1e-10; // of an answer's value; a term that its parts miss by more stands as a number
constexpr std::string_view kDiscountRate = "/finance/discount_rate";

double by_rule(Rule rule, std::span<const double> parts) {
    if (rule == Rule::quotient) {
        return parts[0] / parts[1];
    }
    double value = rule == Rule::sum ? 0.0 : 1.0;
    for (const double part : parts) {
        value = rule == Rule::sum ? value + part : value * part;
    }
    return value;
}

double add_values(const BookTerm& term, std::span<const double> inputs, std::span<const double> before, TermValues& values) {
    const std::size_t at = values.size();
    values.push_back(term.value);
    if (term.expression) {
        values[at] = value_of(*term.expression, [&](const std::string& name) {
            const BookReference& reference = term.references.at(name);
            return reference.to == BookReference::To::input     ? reference.factor * inputs[reference.index]
                   : reference.to == BookReference::To::sibling ? before[reference.index]
                                                                : reference.factor;
        });
    } else if (term.rule != Rule::leaf) {
        std::vector<double> parts;
        for (const BookTerm& part : term.parts) {
            parts.push_back(add_values(part, inputs, parts, values));
        }
        values[at] = by_rule(term.rule, parts);
    }
    return values[at];
}

std::size_t add_addends(const BookTerm& term, std::size_t at, std::vector<std::pair<std::size_t, double>>& addends) {
    const bool is_sum = term.rule == Rule::sum && !term.expression;
    if (!is_sum && term.value != 0.0) {
        addends.emplace_back(at, term.value);
    }
    std::size_t next = at + 1;
    std::vector<std::pair<std::size_t, double>> inside;
    for (const BookTerm& part : term.parts) {
        next = add_addends(part, next, is_sum ? addends : inside);
    }
    return next;
}

// The terms of a sum that are paid at the month's start: those that add up to what is, where some do.
std::vector<std::size_t> find_start_terms(const BookTerm& root, const BookRow& row) {
    constexpr std::size_t kMaxAddends = 12; // each of their sets is tried
    std::vector<std::pair<std::size_t, double>> addends;
    add_addends(root, 0, addends);
    if (row.start == 0.0 || row.start == row.cash || addends.size() > kMaxAddends) {
        return {};
    }
    for (std::size_t set = 1; set < std::size_t{1} << addends.size(); ++set) {
        std::vector<std::size_t> terms;
        double sum = 0.0;
        for (std::size_t i = 0; i < addends.size(); ++i) {
            if ((set >> i & 1U) != 0) {
                terms.push_back(addends[i].first);
                sum += addends[i].second;
            }
        }
        if (std::abs(sum - row.start) <= kRounding * std::abs(row.start)) {
            return terms;
        }
    }
    return {};
}

// The same part of the row's cash where no terms of it are known to be paid then.
double start_of(const BookRow& row, double cash, std::span<const TermValues> trees) {
    double start = row.start_terms.empty() && row.cash != 0.0 ? row.start / row.cash * cash : 0.0;
    for (const std::size_t term : row.start_terms) {
        start += trees[row.cash_tree][term];
    }
    return row.cash != 0.0 ? start : row.start;
}

// Adds a term to the signature; trees of equal signature share cells.
void add_signature(const BookTerm& term, std::string& text) {
    text += fmt::format("{}\n{}\n{}\n{}\n{}\n", term.term, term.words, term.unit, term.value, static_cast<int>(term.rule));
    for (const auto& [name, reference] : term.references) {
        text += fmt::format("{} {} {} {}\n", name, static_cast<int>(reference.to), reference.index, reference.factor);
    }
    for (const BookTerm& part : term.parts) {
        add_signature(part, text);
    }
    text += '\f';
}

struct BookMaker {
    const Evaluated& evaluated;
    const model::Compiled compiled = model::compile(evaluated.scenario);
    BookInputs inputs{evaluated.scenario.document()};
    CostBook book = {};
    std::unordered_map<std::string, std::size_t> tree_of = {}; ///< by signature
    std::size_t terms = 0;

    [[nodiscard]] const model::ScenarioDocument& scenario() const { return evaluated.scenario.document(); }

    BookTerm bound(const Term& term, std::span<const BookTerm> before, std::size_t month) {
        ++terms;
        BookTerm made{term.term, term.formula, term.unit, term.value, term.rule, std::nullopt, {}, {}};
        if (term.rule == Rule::leaf) {
            bind_leaf(term, before, month, inputs, made);
            return made;
        }
        std::vector<double> values;
        for (const Term& part : term.terms) {
            made.parts.push_back(bound(part, made.parts, month));
            values.push_back(made.parts.back().value);
        }
        if (std::abs(by_rule(term.rule, values) - term.value) > kRounding * std::abs(term.value)) {
            made.rule = Rule::leaf;
            made.parts.clear();
        }
        return made;
    }

    // The tree of a row's cost or cash, in the month's.
    std::size_t find_tree(const std::optional<Term>& month, const BookRow& row, bool is_cash) {
        const double value = is_cash ? row.cash : row.cost;
        if (!month || value == 0.0 || terms >= kMaxBookTerms) {
            book.is_cut = book.is_cut || terms >= kMaxBookTerms;
            return BookRow::kNoTree;
        }
        const std::string pool = row.pool < scenario().pools.size() ? "pool " + scenario().pools[row.pool].id : "no pool";
        const auto called = [](const std::vector<Term>& all, std::string_view name) {
            return std::find_if(all.begin(), all.end(), [&](const Term& term) { return term.term == name; });
        };
        const auto of_pool = called(month->terms, pool);
        if (of_pool == month->terms.end()) {
            return BookRow::kNoTree;
        }
        const auto of_category = called(of_pool->terms, name_of(row.category));
        if (of_category == of_pool->terms.end() || of_category->value != value) {
            return BookRow::kNoTree;
        }
        BookTerm root = bound(*of_category, {}, row.month);
        std::string signature;
        add_signature(root, signature);
        const auto [known, is_new] = tree_of.emplace(std::move(signature), book.trees.size());
        if (is_new) {
            book.trees.push_back({std::move(root), book.rows.size(), is_cash});
        }
        return known->second;
    }

    std::optional<Term> explained(std::size_t month, std::string_view figure) const {
        auto tree = model::explain(evaluated.scenario, compiled, evaluated.ledger, evaluated.summary,
                                   fmt::format("/by_month/{}/{}", month, figure));
        return tree ? std::optional(std::move(*tree)) : std::nullopt;
    }

    void add_month(std::size_t m) {
        const model::Ledger& ledger = evaluated.ledger;
        const std::optional<Term> cost = explained(m, "cost");
        const std::optional<Term> cash = explained(m, "cash");
        for (std::size_t p = 0; p <= ledger.pools; ++p) {
            for (std::size_t c = 0; c < model::kCategories; ++c) {
                BookRow row{m,
                            p,
                            static_cast<model::Category>(c),
                            ledger.cost(m, p, c),
                            ledger.cash(m, p, c),
                            compiled.flows.starts(m, p, c)};
                if (row.cost == 0.0 && row.cash == 0.0 && row.start == 0.0) {
                    continue;
                }
                row.cost_tree = find_tree(cost, row, false);
                row.cash_tree = find_tree(cash, row, true);
                if (row.cash_tree != BookRow::kNoTree) {
                    row.start_terms = find_start_terms(book.trees[row.cash_tree].root, row);
                }
                book.rows.push_back(row);
            }
        }
    }
};

} // namespace

CostBook make_cost_book(const Evaluated& evaluated) {
    BookMaker maker{evaluated};
    const model::ScenarioDocument& scenario = maker.scenario();
    maker.book.months = evaluated.ledger.months;
    maker.book.discount_rate = maker.inputs.index_of(std::string(kDiscountRate));
    for (const std::string& pointer : model::number_pointers(scenario)) {
        if (pointer.find("/price_per_million_units/") != std::string::npos) {
            maker.inputs.index_of(pointer);
        }
    }
    for (std::size_t m = 0; m < evaluated.ledger.months; ++m) {
        maker.add_month(m);
    }
    maker.book.inputs = maker.inputs.list();
    return std::move(maker.book);
}

TermValues values_of(const BookTerm& root, std::span<const double> inputs) {
    TermValues values;
    add_values(root, inputs, {}, values);
    return values;
}

BookTotals totals_of(const CostBook& book, std::span<const TermValues> trees, double discount_rate) {
    std::vector<double> discount;
    for (std::size_t m = 0; m <= book.months; ++m) {
        discount.push_back(model::discount_factor(discount_rate, static_cast<double>(m)));
    }
    BookTotals totals;
    for (const BookRow& row : book.rows) {
        const double cash = row.cash_tree != BookRow::kNoTree ? trees[row.cash_tree][0] : row.cash;
        const double start = start_of(row, cash, trees);
        totals.cost += row.cost_tree != BookRow::kNoTree ? trees[row.cost_tree][0] : row.cost;
        totals.cash += cash;
        totals.npv += start * discount[row.month] + (cash - start) * discount[row.month + 1];
    }
    return totals;
}

} // namespace costcurve::answers
