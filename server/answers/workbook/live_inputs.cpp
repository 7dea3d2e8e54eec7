// Moves one input at a time, in a variant of the scenario and in the book.
#include "server/answers/workbook/live_inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/questions/variant.hpp"
#include "model/scenario.hpp"

namespace costcurve::answers {

namespace {

// How far figures may be apart: of the amounts that are added, and of what the figure moves by, beside rounding.
constexpr double kSameFigure = 5e-10;
constexpr double kSameMove = 1e-6;
constexpr double kRoundedFigure = 1e-12;
constexpr std::size_t kFewestSteps = 2; // that the scenario can have
// How far an input is moved: from what it is, or from 0. The nearest first.
struct Step {
    double factor;
    double from_zero;
};
constexpr auto kSteps = std::to_array<Step>({{1.07, 0.05},
                                             {0.93, 0.1},
                                             {1.25, 0.01},
                                             {0.8, 0.25},
                                             {2.0, 0.5},
                                             {0.5, 0.001},
                                             {4.0, 1.0},
                                             {0.01, 2.0},
                                             {10.0, 10.0},
                                             {0.0, 4.0}});
enum class Move { alike, otherwise, refused };

// Added up without signs: what differences are measured by.
double size_of(const CostBook& book) {
    double size = 0.0;
    for (const BookRow& row : book.rows) {
        size += std::abs(row.cost) + std::abs(row.cash);
    }
    return size;
}

// The book as it is answered, and which trees each input moves.
struct BookValues {
    explicit BookValues(const CostBook& of) : book(of), readers(of.inputs.size()), size(size_of(of)) {
        for (const BookInput& input : of.inputs) {
            inputs.push_back(input.value);
        }
        for (std::size_t t = 0; t < of.trees.size(); ++t) {
            add_readers(of.trees[t].root, t);
            trees.push_back(values_of(of.trees[t].root, inputs));
        }
        base = totals_of(of, trees, inputs[of.discount_rate]);
    }

    void add_readers(const BookTerm& term, std::size_t tree) {
        for (const auto& [name, reference] : term.references) {
            std::vector<std::size_t>& of = readers[reference.index < readers.size() ? reference.index : 0];
            if (reference.to == BookReference::To::input && (of.empty() || of.back() != tree)) {
                of.push_back(tree);
            }
        }
        for (const BookTerm& part : term.parts) {
            add_readers(part, tree);
        }
    }

    /// With one input set to another value.
    [[nodiscard]] BookTotals totals(std::size_t index, double value) const {
        std::vector<double> moved = inputs;
        moved[index] = value;
        std::vector<TermValues> values = trees;
        for (const std::size_t tree : readers[index]) {
            values[tree] = values_of(book.trees[tree].root, moved);
        }
        return totals_of(book, values, moved[book.discount_rate]);
    }

    const CostBook& book;
    std::vector<double> inputs;
    std::vector<std::vector<std::size_t>> readers; ///< trees, by input
    std::vector<TermValues> trees;
    double size;
    BookTotals base;
};

// Whether both come to the same where the input is set so. Refused where the scenario can't have that value.
Move move_both(model::Variant& variant, std::size_t bound, double value, const BookValues& values, std::size_t index) {
    const double base = variant.input(bound).base.value_or(0.0);
    if (variant.set(bound, value, "")) {
        return Move::refused;
    }
    const auto evaluation = variant.evaluate();
    if (!evaluation) {
        return Move::refused;
    }
    const model::Summary& summary = (*evaluation)->summary;
    const BookTotals totals = values.totals(index, base != 0.0 ? values.inputs[index] * value / base : value);
    const auto is_same = [&](double sheet, double model, double before) {
        const double apart = std::abs(sheet - model);
        return apart <= kSameFigure * values.size && apart <= kSameMove * std::abs(model - before) + kRoundedFigure * values.size;
    };
    return is_same(totals.cost, summary.total.cost, values.base.cost) &&
                   is_same(totals.cash, summary.total.cash, values.base.cash) && is_same(totals.npv, summary.npv, values.base.npv)
               ? Move::alike
               : Move::otherwise;
}

// Prices, rates of money and people. Watts, devices and hours move what serves the work, by steps that no formula has.
bool is_financial(const std::string& unit, const std::string& currency) {
    constexpr auto kUnits = std::to_array<std::string_view>({"1/year", "fraction", "people", "people/server", "weeks"});
    return unit.starts_with(currency) || std::find(kUnits.begin(), kUnits.end(), unit) != kUnits.end();
}

// The values that an input was set to, as the book has them, and what came of each.
struct Tried {
    double base;
    std::vector<std::pair<double, Move>> moves = {};

    [[nodiscard]] std::size_t count(Move move) const {
        return static_cast<std::size_t>(
            std::count_if(moves.begin(), moves.end(), [&](const auto& one) { return one.second == move; }));
    }
    /// Whether none between the value stated and this one came out otherwise.
    [[nodiscard]] bool holds_to(double value) const {
        return std::none_of(moves.begin(), moves.end(), [&](const auto& one) {
            return one.second == Move::otherwise && (one.first - base) * (value - base) > 0.0 &&
                   std::abs(one.first - base) <= std::abs(value - base);
        });
    }
    [[nodiscard]] std::pair<double, double> range() const {
        std::pair<double, double> held{base, base};
        for (const auto& [value, move] : moves) {
            if (move == Move::alike && holds_to(value)) {
                held = {std::min(held.first, value), std::max(held.second, value)};
            }
        }
        return held;
    }
};

// Further steps aren't taken where the first comes out otherwise.
Tried try_steps(model::Variant& variant, std::size_t bound, const BookValues& values, std::size_t index) {
    const double base = variant.input(bound).base.value_or(0.0);
    Tried tried{values.inputs[index]};
    for (const Step& step : kSteps) {
        const double value = base == 0.0 ? step.from_zero : base * step.factor;
        tried.moves.emplace_back(base == 0.0 ? value : tried.base * step.factor, move_both(variant, bound, value, values, index));
        if (tried.moves.front().second == Move::otherwise) {
            break;
        }
    }
    variant.reset(bound);
    return tried;
}

// Returns how often the scenario was evaluated.
std::size_t mark(model::Variant& variant, const BookValues& values, std::size_t index, BookInput& marked) {
    const model::TermInput& input = marked.input;
    const auto bound = variant.bind(input.name, "");
    if (!bound || !is_financial(input.unit, variant.document().currency)) {
        return 0;
    }
    const double base = variant.input(*bound).base.value_or(0.0);
    if (base == 0.0 && !input.currency.empty()) { // what it would be converted from is not known
        return 0;
    }
    const Tried tried = try_steps(variant, *bound, values, index);
    const auto [from, to] = tried.range();
    marked.is_live = tried.count(Move::otherwise) == 0 && tried.count(Move::alike) >= kFewestSteps;
    marked.tried_from = from;
    marked.tried_to = to;
    if (!marked.is_live && from < to) {
        marked.why_fixed = fmt::format("no: holds from {:.6g} to {:.6g} alone; ask again", from, to);
    }
    return tried.moves.size();
}

} // namespace

void mark_live_inputs(const model::ScenarioDocument& resolved, CostBook& book) {
    model::Variant variant(resolved);
    const BookValues values(book);
    const double hours = std::max(model::hour_entries(resolved), 1.0);
    double work = 0.0;
    for (std::size_t index = 0; index < book.inputs.size(); ++index) {
        BookInput& input = book.inputs[index];
        const bool is_read = index == book.discount_rate || !values.readers[index].empty();
        if (is_read && work > kMaxLiveHours) {
            input.why_fixed = "no: was not tried; ask again";
        } else if (is_read) {
            work += hours * static_cast<double>(mark(variant, values, index, input));
        }
    }
}

} // namespace costcurve::answers
