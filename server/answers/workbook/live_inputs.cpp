// Moves one input at a time, in a variant of the scenario and in the book.
#include "server/answers/workbook/live_inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "model/questions/variant.hpp"
#include "model/scenario.hpp"

namespace costcurve::answers {

namespace {

constexpr double kSameMove = 1e-9; // of the amounts that are added
// How far an input is moved: from what it is, or from 0.
struct Step {
    double factor;
    double from_zero;
};
constexpr auto kSteps = std::to_array<Step>({{1.07, 0.05}, {0.93, 0.1}, {1.01, 0.01}});

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
            trees.push_back(value_of(of.trees[t].root, inputs));
        }
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
        std::vector<double> values = trees;
        for (const std::size_t tree : readers[index]) {
            values[tree] = value_of(book.trees[tree].root, moved);
        }
        return totals_of(book, values, moved[book.discount_rate]);
    }

    const CostBook& book;
    std::vector<double> inputs;
    std::vector<std::vector<std::size_t>> readers; ///< trees, by input
    std::vector<double> trees;
    double size;
};

// Whether both come to the same where the input is set so. Not where the scenario can't have that value.
bool moves_alike(model::Variant& variant, std::size_t bound, double value, const BookValues& values, std::size_t index) {
    const double base = variant.input(bound).base.value_or(0.0);
    if (variant.set(bound, value, "")) {
        return false;
    }
    const auto evaluation = variant.evaluate();
    if (!evaluation) {
        return false;
    }
    const model::Summary& summary = (*evaluation)->summary;
    const BookTotals totals = values.totals(index, base != 0.0 ? values.inputs[index] * value / base : value);
    const auto is_same = [&](double one, double other) { return std::abs(one - other) <= kSameMove * values.size; };
    return is_same(totals.cost, summary.total.cost) && is_same(totals.cash, summary.total.cash) && is_same(totals.npv, summary.npv);
}

// Prices, rates of money and people. Watts, devices and hours move what serves the work, by steps that no formula has.
bool is_financial(const std::string& unit, const std::string& currency) {
    constexpr auto kUnits = std::to_array<std::string_view>({"1/year", "fraction", "people", "people/server", "weeks"});
    return unit.starts_with(currency) || std::find(kUnits.begin(), kUnits.end(), unit) != kUnits.end();
}

bool is_live(model::Variant& variant, const BookValues& values, std::size_t index) {
    const model::TermInput& input = values.book.inputs[index].input;
    const auto bound = variant.bind(input.name, "");
    if (!bound || !is_financial(input.unit, variant.document().currency)) {
        return false;
    }
    const double base = variant.input(*bound).base.value_or(0.0);
    if (base == 0.0 && !input.currency.empty()) { // what it would be converted from is not known
        return false;
    }
    bool moves = true;
    for (const Step& step : kSteps) {
        moves = moves && moves_alike(variant, *bound, base == 0.0 ? step.from_zero : base * step.factor, values, index);
    }
    variant.reset(*bound);
    return moves;
}

} // namespace

void mark_live_inputs(const model::ScenarioDocument& resolved, CostBook& book) {
    model::Variant variant(resolved);
    const BookValues values(book);
    const double hours = std::max(model::hour_entries(resolved), 1.0) * static_cast<double>(kSteps.size());
    double work = 0.0;
    for (std::size_t index = 0; index < book.inputs.size(); ++index) {
        const bool is_read = index == book.discount_rate || !values.readers[index].empty();
        if (is_read && work <= kMaxLiveHours) {
            book.inputs[index].is_live = is_live(variant, values, index);
            work += hours;
        }
    }
}

} // namespace costcurve::answers
