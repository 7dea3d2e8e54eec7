// Extra costs of pools, sites and the scenario.
#include <algorithm>
#include <array>

#include "model/documents/currencies.hpp"
#include "model/questions/explain/explain_parts.hpp"

namespace costcurve::model::terms {

namespace {

// A basis on which an extra cost can be charged, and the volume by which its amount is multiplied.
struct ExtraBasis {
    std::string_view field;
    std::string_view volume;
    std::string_view unit;
};
constexpr auto kExtraBases = std::to_array<ExtraBasis>({
    {"per_month", "Σ months × growth; of a site × places × share of its nameplate power", "months"},
    {"per_unit_month", "Σ servers, or instance-hours / hours of the month, × growth; of a site × share", "unit-months"},
    {"fraction_of_bill", "compute + usage + commitment, without what the horizon's end settles", "currency"},
    {"per_year_of_price", "Σ P in service / 12 × growth", "currency·years"},
    {"once", "growth of the first month; of a site × places × share", "of 1"},
});

double extra_cost_in(const Question& question, const ExtraRow& row, std::size_t m) {
    double cost = row.cost[m];
    if (row.variable) {
        const CompiledPool& pool = question.compiled.pools[row.pool];
        const VariableExtra& extra = pool.extras[*row.variable];
        const double bill = question.ledger.cost(m, row.pool, static_cast<std::size_t>(Category::compute)) +
                            question.ledger.cost(m, row.pool, static_cast<std::size_t>(Category::usage)) + pool.commitment[m];
        const double instances = question.ledger.available_hours(m, row.pool) / std::max(1.0, pool.devices_per_unit) /
                                 question.compiled.hours.months[m].total;
        cost += extra.per_unit[m] * instances + extra.of_bill[m] * bill;
    }
    return cost;
}

// Term of an extra cost: amount × volume if it is charged on one basis, otherwise the sum of its months.
Term extra_cost(const Question& question, const ExtraRow& row, const Scope& scope) {
    const auto amount = [&](std::size_t m) { return extra_cost_in(question, row, m); };
    const std::string name = "extra cost at " + row.pointer;
    const double cost = sum_of(scope, amount);
    std::vector<Term> charged;
    ExtraBasis basis;
    Pointers inputs = {row.pointer + "/growth_rate"};
    for (const ExtraBasis& each : kExtraBases) {
        inputs.push_back(fmt::format("{}/{}", row.pointer, each.field));
        Term stated_amount = stated(question, std::string(each.field), inputs.back());
        if (stated_amount.value != 0.0) {
            charged.push_back(std::move(stated_amount));
            basis = each;
        }
    }
    if (charged.size() != 1 || cost == 0.0 || question.open_months) {
        return over_months(question, scope,
                           {name,
                            "(per_month + per_unit_month × units + once) × growth + fraction_of_bill × bill + "
                            "per_year_of_price × price / 12 × growth",
                            question.currency(), amount, inputs});
    }
    charged.push_back(leaf(question, "times", std::string(basis.volume), cost / charged.front().value,
                           unit_in(basis.unit, question.currency()), {inputs.front()}));
    return product(name, fmt::format("{} × volume", basis.field), question.currency(), std::move(charged));
}

} // namespace

void add_extra_costs(const Question& question, std::size_t p, Category category, const Scope& scope, std::vector<Term>& terms) {
    for (const ExtraRow& row : question.compiled.extra_rows) {
        if (row.pool == p && row.category == category) {
            add_unless_zero(terms, extra_cost(question, row, scope));
        }
    }
}

} // namespace costcurve::model::terms
