// Amounts of pools, categories and workloads: their sums, and the shares of the workloads that use a pool together.
#include <algorithm>
#include <cmath>

#include "model/allocation.hpp"
#include "model/questions/explain/explain_parts.hpp"

namespace costcurve::model::terms {

namespace {

enum class Which { all, shared, direct };

// Terms of a pool's categories, one for each category whose amount isn't 0.
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

// Words for the share of a pool by the scenario's allocation rule: what is used, and the whole.
struct ShareWords {
    std::string_view use;
    std::string_view whole;
};
ShareWords share_words(const Question& question) {
    const Allocation& rule = question.document.allocation;
    if (rule.basis == AllocationBasis::fixed) {
        return {"stated share", ""};
    }
    const bool is_used = rule.basis == AllocationBasis::used;
    return {is_used ? "busy device-hours" : "reserved device-hours",
            rule.idle == IdleRule::apart ? "available device-hours" : "those of all"};
}
std::string share_rule(const Question& question) {
    const auto [use, whole] = share_words(question);
    return whole.empty() ? std::string(use) : fmt::format("{} / {}", use, whole);
}

double share_in(const Question& question, std::size_t m, std::size_t p, std::size_t w) { return question.shares.month(m, p, w); }

// Months in which the workload bears a part of the pool's cost. The last index means nobody (idle capacity).
Scope months_borne(const Question& question, std::size_t pool, std::size_t workload) {
    Scope scope;
    for (std::size_t m = 0; m < question.compiled.months; ++m) {
        if (share_in(question, m, pool, workload) > 0) {
            scope.months.push_back(m);
        }
    }
    return scope;
}

bool bears_all(const Question& question, std::size_t pool, std::size_t workload, const Scope& scope) {
    return std::all_of(scope.months.begin(), scope.months.end(),
                       [&](std::size_t m) { return share_in(question, m, pool, workload) == 1.0; });
}

// The part of a pool's amount that one of several workloads bears.
Term shared_part(const Question& question, std::size_t p, std::size_t w, const Scope& scope, const std::string& name,
                 const std::string& unit, const OfPool& of_pool) {
    const std::string formula = "of the pool × share";
    const auto part = [&](std::size_t m) { return of_pool.value(question, p, m) * share_in(question, m, p, w); };
    const auto with_share = [&](const Scope& months, double share, const std::string& rule) {
        std::vector<Term> factors;
        factors.push_back(of_pool.make(question, p, months));
        factors.push_back(leaf(question, "share", rule, share, "of 1", {"/allocation/basis"}));
        return product(name, formula, unit, std::move(factors));
    };
    const std::string rule = share_rule(question);
    const double whole = sum_of(scope, [&](std::size_t m) { return of_pool.value(question, p, m); });
    const double size = sum_of(scope, [&](std::size_t m) { return std::fabs(of_pool.value(question, p, m)); });
    constexpr double kCancelled = 1e-3; // if positive and negative months nearly cancel, a mean share means nothing
    if (question.open_months || scope.months.size() == 1 || std::fabs(whole) < kCancelled * size) {
        return over_months(question, scope, {name, formula, unit, part, {}, [&](std::size_t m) {
                                                 return with_share({{m}, std::nullopt}, share_in(question, m, p, w), rule);
                                             }});
    }
    return with_share(scope, whole == 0.0 ? 0.0 : sum_of(scope, part) / whole, rule + ", mean of the months, weighted");
}

double settled_in(const Question& question, std::size_t p, std::size_t m) {
    double cost = 0.0;
    for (const HorizonRow& row : question.ledger.over_horizon) {
        cost += row.pool == p && row.month == m ? row.cost : 0.0;
    }
    return cost;
}
double shared_cost_in(const Question& question, std::size_t p, std::size_t m) {
    double cost = -settled_in(question, p, m);
    for (std::size_t c = 0; c < kCategories; ++c) {
        cost += is_direct(c) ? 0.0 : question.ledger.cost(m, p, c);
    }
    return cost;
}
// Cost of the categories in these months without what the horizon's end settles, which is shared by the use of the whole horizon.
std::vector<Term> monthly_costs(const Question& question, std::size_t p, const Scope& scope) {
    std::vector<Term> terms = categories_of(question, p, scope, View::cost, Which::shared);
    const double settled = sum_of(scope, [&](std::size_t m) { return settled_in(question, p, m); });
    add_unless_zero(terms, leaf(question, "−what the horizon's end settles", "−(disposal, obligations, unspent upfronts)", -settled,
                                question.currency()));
    return terms;
}
Term shared_cost(const Question& question, std::size_t p, const Scope& scope) {
    return sum("shared cost of " + name_of_pool(question, p), "Σ over categories", question.currency(),
               monthly_costs(question, p, scope));
}

// Share of a workload, or of nobody (idle capacity), in the costs that are shared by the use of the whole horizon.
Term horizon_share(const Question& question, std::size_t p, std::size_t w) {
    const double share = question.shares.horizon(p, w);
    const auto [use, whole] = share_words(question);
    if (whole.empty() || w == question.shares.nobody()) {
        return leaf(question, "share", w == question.shares.nobody() ? "what nobody used" : std::string(use), share, "of 1");
    }
    double hours = 0.0;
    for (std::size_t m = 0; m < question.ledger.months; ++m) {
        const bool is_used = question.document.allocation.basis == AllocationBasis::used;
        hours += (is_used ? question.ledger.used_hours : question.ledger.reserved_hours)(m, p, w);
    }
    return quotient("share", fmt::format("{} of the horizon / {}", use, whole), "of 1",
                    leaf(question, std::string(use), "", hours, "device-hours"),
                    leaf(question, std::string(whole), "", hours / share, "device-hours"));
}

// Part of `amount` that a workload, or nobody (idle capacity), bears by its use over the whole horizon.
Term horizon_part(const Question& question, std::size_t p, std::size_t w, std::string name, Term amount) {
    std::vector<Term> factors;
    factors.push_back(std::move(amount));
    factors.push_back(horizon_share(question, p, w));
    return product(std::move(name), "of the pool × share of the horizon", question.currency(), std::move(factors));
}

Term settled_cost_of(const Question& question, std::size_t p) {
    double cost = 0.0;
    for (std::size_t m = 0; m < question.ledger.months; ++m) {
        cost += settled_in(question, p, m);
    }
    return renamed(sum("", "disposal + obligations + unspent upfronts", question.currency(), settlement(question, p)),
                   "what the horizon's end settles", cost);
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

namespace {

// Adds the part of a pool's shared cost that a workload, or nobody (idle capacity), bears.
void add_shared_cost(const Question& question, std::size_t p, std::size_t w, std::vector<Term>& terms) {
    const Scope borne = months_borne(question, p, w);
    if (bears_all(question, p, w, borne)) {
        for (Term& term : monthly_costs(question, p, borne)) {
            terms.push_back(std::move(term));
        }
    } else {
        add_unless_zero(terms, shared_part(question, p, w, borne, "share", question.currency(), kSharedCost));
    }
    if (question.shares.horizon(p, w) > 0.0) {
        add_unless_zero(terms, horizon_part(question, p, w, "share of the end", settled_cost_of(question, p)));
    }
}

} // namespace

Term idle_cost(const Question& question, std::size_t p) {
    std::vector<Term> costs;
    add_shared_cost(question, p, question.shares.nobody(), costs);
    return sum(name_of_pool(question, p), "shared cost that no workload bears", question.currency(), std::move(costs));
}

Term unallocated(const Question& question) {
    std::vector<Term> terms;
    for (std::size_t p = 0; p <= question.ledger.pools; ++p) {
        add_unless_zero(terms, idle_cost(question, p));
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

Term sum_over_pools(const Question& question, std::vector<Term> (*causes)(const Question&, std::size_t pool)) {
    std::vector<Term> terms;
    for (std::size_t p = 0; p < question.document.pools.size(); ++p) {
        add_unless_zero(terms, sum(name_of_pool(question, p), "Σ over what it has", question.currency(), causes(question, p)));
    }
    return sum("", "Σ over pools", question.currency(), std::move(terms));
}

Term workload_cost(const Question& question, std::size_t w) {
    std::vector<Term> terms;
    Scope all = whole_horizon(question);
    all.workload = w;
    for (std::size_t p = 0; p <= question.ledger.pools; ++p) {
        std::vector<Term> causes = categories_of(question, p, all, View::cost, Which::direct);
        add_shared_cost(question, p, w, causes);
        add_unless_zero(terms, sum(name_of_pool(question, p), "what it causes, and its share of the rest", question.currency(),
                                   std::move(causes)));
    }
    return sum("cost", "Σ over pools", question.currency(), std::move(terms));
}

Term workload_share(const Question& question, std::size_t w, std::string term, std::string unit, const OfPool& of_pool) {
    std::vector<Term> terms;
    for (std::size_t p = 0; p < question.ledger.pools; ++p) {
        const Scope used = months_borne(question, p, w);
        const std::string name = name_of_pool(question, p);
        if (used.months.empty()) {
            continue;
        }
        if (bears_all(question, p, w, used)) {
            Term all = of_pool.make(question, p, used);
            const double value = all.value;
            add_unless_zero(terms, renamed(std::move(all), name, value));
        } else {
            add_unless_zero(terms, shared_part(question, p, w, used, name, unit, of_pool));
        }
    }
    return sum(std::move(term), "Σ over pools", std::move(unit), std::move(terms));
}

namespace {

// Cash that a workload bears, discounted or not. `factor` gives the weight of a payment at a month's start and at its end.
Term workload_payments(const Question& question, std::size_t w, View view, std::string name) {
    const bool discounted = view == View::present_value;
    const auto worth = [&, discounted](std::size_t m, double cash, double start) {
        const std::vector<double>& discount = question.compiled.discount;
        return discounted ? start * discount[m] + (cash - start) * discount[m + 1] : cash;
    };
    const Pointers inputs = discounted ? Pointers{"/finance/discount_rate"} : Pointers{};
    const std::vector<MonthlyShare> borne = borne_by_month(question.ledger, &question.compiled.flows.starts);
    std::vector<Term> terms;
    Scope all = whole_horizon(question);
    all.workload = w;
    for (std::size_t p = 0; p <= question.ledger.pools; ++p) {
        std::vector<Term> causes;
        if (w != question.shares.nobody()) {
            causes = categories_of(question, p, all, view, Which::direct);
        }
        const Scope used = months_borne(question, p, w);
        if (!used.months.empty() || question.shares.horizon(p, w) > 0.0) {
            const auto part = [&](std::size_t m) {
                const MonthlyShare& pool = borne[m * (question.ledger.pools + 1) + p];
                return worth(m, pool.cash, pool.start) * share_in(question, m, p, w);
            };
            double whole = 0.0;
            for (const HorizonRow& row : question.ledger.over_horizon) {
                whole += row.pool == p ? worth(row.month, row.cash, row.start) : 0.0;
            }
            add_unless_zero(causes,
                            over_months(question, used,
                                        {"share of the months' cash", "shared cash of the month × share: " + share_rule(question),
                                         question.currency(), part, inputs}));
            add_unless_zero(causes, horizon_part(question, p, w, "share",
                                                 leaf(question, "cash over the horizon",
                                                      "assets, upfronts, principal and what the horizon's end settles", whole,
                                                      question.currency(), inputs)));
        }
        add_unless_zero(terms, sum(name_of_pool(question, p), "what it causes, and its share of the rest", question.currency(),
                                   std::move(causes)));
    }
    return sum(std::move(name), "Σ over pools", question.currency(), std::move(terms));
}

} // namespace

Term workload_present_value(const Question& question, std::size_t w) {
    return workload_payments(question, w, View::present_value, "present value of the cash it bears");
}

Term workload_cash(const Question& question, std::size_t w) { return workload_payments(question, w, View::cash, "cash"); }

namespace {

// Sums a figure over the workloads that carry a tag's value, and over idle capacity if the value stands for it.
template <class Make>
Term of_members(const Question& question, const TagSummary& tag, std::size_t value, const std::string& unit, const Make& make) {
    std::vector<Term> terms;
    for (std::size_t w = 0; w < tag.value_of.size(); ++w) {
        if (tag.value_of[w] == value) {
            Term part = make(w);
            const double borne = part.value;
            const bool is_nobody = w == question.shares.nobody();
            add_unless_zero(terms, renamed(std::move(part),
                                           is_nobody ? "no workload" : "workload " + question.document.workloads[w].id, borne));
        }
    }
    return sum("", "Σ over workloads", unit, std::move(terms));
}

} // namespace

Term tag_cost(const Question& question, const TagSummary& tag, std::size_t value) {
    return of_members(question, tag, value, question.currency(), [&](std::size_t w) {
        return w == question.shares.nobody() ? unallocated(question) : workload_cost(question, w);
    });
}

Term tag_cash(const Question& question, const TagSummary& tag, std::size_t value) {
    return of_members(question, tag, value, question.currency(), [&](std::size_t w) { return workload_cash(question, w); });
}

Term tag_energy(const Question& question, const TagSummary& tag, std::size_t value) {
    return of_members(question, tag, value, "kWh",
                      [&](std::size_t w) { return workload_share(question, w, "energy", "kWh", kEnergy); });
}

Term tag_carbon(const Question& question, const TagSummary& tag, std::size_t value) {
    return of_members(question, tag, value, "kg",
                      [&](std::size_t w) { return workload_share(question, w, "carbon", "kg", kCarbon); });
}

} // namespace costcurve::model::terms
