// Amounts of pools, categories and workloads: sums, and the shares of those who use a pool together.
#include <algorithm>
#include <cmath>

#include "model/questions/explain_parts.hpp"

namespace costcurve::model::terms {

namespace {

enum class Which { all, shared, direct };

// The categories of a pool that have money, each a term.
std::vector<Term> categories_of(const Question& question, std::size_t pool, const Scope& scope, View view, Which which) {
    std::vector<Term> terms;
    for (std::size_t c = 0; c < kCategories; ++c) {
        if (which == Which::all || is_direct(c) == (which == Which::direct)) {
            add_unless_zero(terms, category_term(question, pool, static_cast<Category>(c), scope, view));
        }
    }
    return terms;
}

std::string_view rule_of(View view) { return view == View::present_value ? "Σ cash / (1+d)^t" : "Σ over categories"; }

double reserved(const Question& question, std::size_t m, std::size_t p) {
    double all = 0.0;
    for (std::size_t w = 0; w < question.ledger.workloads; ++w) {
        all += question.ledger.reserved_hours(m, p, w);
    }
    return all;
}

double share_in(const Question& question, std::size_t m, std::size_t p, std::size_t w) {
    return question.ledger.reserved_hours(m, p, w) / reserved(question, m, p);
}

// The months in which the workload used the pool.
Scope months_of_use(const Question& question, std::size_t pool, std::size_t workload) {
    Scope scope;
    for (std::size_t m = 0; m < question.compiled.months; ++m) {
        if (question.ledger.reserved_hours(m, pool, workload) > 0) {
            scope.months.push_back(m);
        }
    }
    return scope;
}

bool is_only_user(const Question& question, std::size_t pool, std::size_t workload, const Scope& scope) {
    return std::all_of(scope.months.begin(), scope.months.end(), [&](std::size_t m) {
        return question.ledger.reserved_hours(m, pool, workload) == reserved(question, m, pool);
    });
}

// Of what a pool has, the part of a workload among several.
Term shared_part(const Question& question, std::size_t p, std::size_t w, const Scope& scope, const std::string& name,
                 const std::string& unit, const OfPool& of_pool) {
    const std::string formula = "of the pool × share of reserved device-hours";
    const auto part = [&](std::size_t m) { return of_pool.value(question, p, m) * share_in(question, m, p, w); };
    const auto with_share = [&](const Scope& months, double share, const std::string& rule) {
        std::vector<Term> factors;
        factors.push_back(of_pool.make(question, p, months));
        factors.push_back(leaf(question, "share", rule, share, "of 1"));
        return product(name, formula, unit, std::move(factors));
    };
    const std::string rule = "reserved device-hours / those of all";
    const double whole = sum_of(scope, [&](std::size_t m) { return of_pool.value(question, p, m); });
    const double size = sum_of(scope, [&](std::size_t m) { return std::fabs(of_pool.value(question, p, m)); });
    constexpr double kCancelled = 1e-3; // then the mean share means nothing
    if (question.open_months || scope.months.size() == 1 || std::fabs(whole) < kCancelled * size) {
        return over_months(question, scope, {name, formula, unit, part, {}, [&](std::size_t m) {
                                                 return with_share({{m}, std::nullopt}, share_in(question, m, p, w), rule);
                                             }});
    }
    return with_share(scope, whole == 0.0 ? 0.0 : sum_of(scope, part) / whole, rule + ", mean of the months, weighted");
}

double shared_cost_in(const Question& question, std::size_t p, std::size_t m) {
    double cost = 0.0;
    for (std::size_t c = 0; c < kCategories; ++c) {
        cost += is_direct(c) ? 0.0 : question.ledger.cost(m, p, c);
    }
    return cost;
}
Term shared_cost(const Question& question, std::size_t p, const Scope& scope) {
    return sum("shared cost of " + name_of_pool(question, p), "Σ over categories", question.currency(),
               categories_of(question, p, scope, View::cost, Which::shared));
}
constexpr OfPool kSharedCost = {shared_cost_in, shared_cost};

} // namespace

Term pool_amount(const Question& question, std::size_t pool, const Scope& scope, View view) {
    return sum(name_of_pool(question, pool), std::string(rule_of(view)), question.currency(),
               categories_of(question, pool, scope, view, Which::all));
}

Term total_amount(const Question& question, const Scope& scope, View view) {
    std::vector<Term> terms;
    for (std::size_t p = 0; p <= question.ledger.pools; ++p) {
        add_unless_zero(terms, pool_amount(question, p, scope, view));
    }
    return sum("total", "Σ over pools", question.currency(), std::move(terms));
}

Term category_amount(const Question& question, Category category, const Scope& scope, View view) {
    std::vector<Term> terms;
    for (std::size_t p = 0; p <= question.ledger.pools; ++p) {
        Term term = category_term(question, p, category, scope, view);
        const double value = term.value;
        add_unless_zero(terms, renamed(std::move(term), name_of_pool(question, p), value));
    }
    return sum(std::string(name_of(category)), "Σ over pools", question.currency(), std::move(terms));
}

Term unallocated(const Question& question) {
    std::vector<Term> terms;
    for (std::size_t p = 0; p <= question.ledger.pools; ++p) {
        Scope unused;
        for (std::size_t m = 0; m < question.compiled.months; ++m) {
            if (reserved(question, m, p) <= 0) {
                unused.months.push_back(m);
            }
        }
        add_unless_zero(terms, sum(name_of_pool(question, p), "shared cost of months that nothing used", question.currency(),
                                   categories_of(question, p, unused, View::cost, Which::shared)));
    }
    return sum("unallocated cost", "Σ over pools", question.currency(), std::move(terms));
}

Term over_pools(const Question& question, std::string term, std::string unit, const Scope& scope, const OfPool& of_pool) {
    std::vector<Term> terms;
    for (std::size_t p = 0; p < question.ledger.pools; ++p) {
        Term part = of_pool.make(question, p, scope);
        const double value = part.value;
        add_unless_zero(terms, renamed(std::move(part), name_of_pool(question, p), value));
    }
    return sum(std::move(term), "Σ over pools", std::move(unit), std::move(terms));
}

Term workload_cost(const Question& question, std::size_t w) {
    std::vector<Term> terms;
    Scope all = whole_horizon(question);
    all.workload = w;
    for (std::size_t p = 0; p <= question.ledger.pools; ++p) {
        std::vector<Term> causes = categories_of(question, p, all, View::cost, Which::direct);
        const Scope used = months_of_use(question, p, w);
        if (is_only_user(question, p, w, used)) {
            for (Term& term : categories_of(question, p, used, View::cost, Which::shared)) {
                causes.push_back(std::move(term));
            }
        } else {
            add_unless_zero(causes, shared_part(question, p, w, used, "share", question.currency(), kSharedCost));
        }
        add_unless_zero(terms, sum(name_of_pool(question, p), "what it causes, and its share of the rest", question.currency(),
                                   std::move(causes)));
    }
    return sum("cost", "Σ over pools", question.currency(), std::move(terms));
}

Term workload_share(const Question& question, std::size_t w, std::string term, std::string unit, const OfPool& of_pool) {
    std::vector<Term> terms;
    for (std::size_t p = 0; p < question.ledger.pools; ++p) {
        const Scope used = months_of_use(question, p, w);
        const std::string name = name_of_pool(question, p);
        if (used.months.empty()) {
            continue;
        }
        if (is_only_user(question, p, w, used)) {
            Term all = of_pool.make(question, p, used);
            const double value = all.value;
            add_unless_zero(terms, renamed(std::move(all), name, value));
        } else {
            add_unless_zero(terms, shared_part(question, p, w, used, name, unit, of_pool));
        }
    }
    return sum(std::move(term), "Σ over pools", std::move(unit), std::move(terms));
}

Term workload_present_value(const Question& question, std::size_t w) {
    std::vector<Term> terms;
    Scope all = whole_horizon(question);
    for (std::size_t p = 0; p <= question.ledger.pools; ++p) {
        all.workload = w;
        std::vector<Term> causes = categories_of(question, p, all, View::present_value, Which::direct);
        double own = 0.0;
        double used = 0.0;
        for (std::size_t m = 0; m < question.ledger.months; ++m) {
            own += question.ledger.reserved_hours(m, p, w);
            used += reserved(question, m, p);
        }
        if (own > 0) {
            all.workload = std::nullopt;
            std::vector<Term> factors;
            factors.push_back(sum("shared cash of " + name_of_pool(question, p), std::string(rule_of(View::present_value)),
                                  question.currency(), categories_of(question, p, all, View::present_value, Which::shared)));
            factors.push_back(quotient("share", "reserved device-hours of the horizon / those of all", "of 1",
                                       leaf(question, "reserved device-hours", "", own, "device-hours"),
                                       leaf(question, "those of all", "", used, "device-hours")));
            add_unless_zero(
                causes, product("share", "of the pool × share of reserved device-hours", question.currency(), std::move(factors)));
        }
        add_unless_zero(terms, sum(name_of_pool(question, p), "what it causes, and its share of the rest", question.currency(),
                                   std::move(causes)));
    }
    return sum("present value of the cash it bears", "Σ over pools", question.currency(), std::move(terms));
}

Term after_tax(const Question& question) {
    const Compiled& compiled = question.compiled;
    const std::string& currency = question.currency();
    Term npv = renamed(total_amount(question, whole_horizon(question), View::present_value), "npv", question.summary.npv);
    if (compiled.tax_rate == 0.0) {
        return npv;
    }
    const auto capital = [&](double sign, const std::string& term) {
        return leaf(question, term, "Σ cash of hardware and own build / (1+d)^t", sign * compiled.npv_capital, currency,
                    {"/finance/discount_rate"});
    };
    std::vector<Term> deductible;
    deductible.push_back(std::move(npv));
    deductible.push_back(capital(-1, "−npv of capital"));
    std::vector<Term> taxed;
    taxed.push_back(sum("npv of payments that are deducted", "npv − npv of capital", currency, std::move(deductible)));
    taxed.push_back(leaf(question, "1 − τ", "1 − tax_rate", 1 - compiled.tax_rate, "of 1", {"/finance/tax_rate"}));
    std::vector<Term> credit;
    credit.push_back(leaf(question, "−τ", "−tax_rate", -compiled.tax_rate, "of 1", {"/finance/tax_rate"}));
    credit.push_back(leaf(question, "npv of tax depreciation", "Σ depreciation, and tax book value less sale / (1+d)^t",
                          compiled.npv_tax_credit, currency, {"/finance/tax_depreciation", "/finance/discount_rate"}));
    std::vector<Term> terms;
    terms.push_back(product("payments after tax", "× (1 − τ)", currency, std::move(taxed)));
    terms.push_back(capital(1, "npv of capital"));
    terms.push_back(product("tax credit", "−τ × npv of tax depreciation", currency, std::move(credit)));
    return sum("npv after tax", "payments × (1 − τ) + capital − τ × depreciation", currency, std::move(terms));
}

} // namespace costcurve::model::terms
