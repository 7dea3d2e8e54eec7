// Builds leaves, sums, products and quotients, and sums over months that open on request.
#include "model/questions/explain/explain_parts.hpp"

#include <algorithm>

#include "model/categories/exchange.hpp"
#include "model/documents/calendar.hpp"
#include "model/documents/fields.hpp"
#include "model/hosted/hosted_prices.hpp"

namespace costcurve::model::terms {

Scope whole_horizon(const Question& question) {
    Scope scope;
    for (std::size_t m = 0; m < question.compiled.months; ++m) {
        scope.months.push_back(m);
    }
    return scope;
}

double months_within(const Scope& scope, int from, int to) {
    return static_cast<double>(std::count_if(scope.months.begin(), scope.months.end(), [&](std::size_t m) {
        return from <= static_cast<int>(m) && static_cast<int>(m) < to;
    }));
}

bool holds(const Scope& scope, int month) { return months_within(scope, month, month + 1) > 0; }

std::string name_of_month(const Question& question, std::size_t month) {
    return to_text(add_months(question.document.start, static_cast<int>(month)));
}

std::string count_of(double count, std::string_view what) { return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"); }

std::string pool_at(std::size_t pool, std::string_view rest) { return fmt::format("/pools/{}/{}", pool, rest); }
std::string hosted_at(const Question& question, std::size_t pool, std::string_view rest) {
    return pool_at(pool, fmt::format("{}{}", question.document.pools[pool].endpoint ? "endpoint/" : "", rest));
}
Pointers prices_at(const Question& question, std::size_t pool) {
    const HostedModel& model = hosted(question.document.pools[pool]);
    Pointers prices = {hosted_at(question, pool, "price_per_million_units")};
    if (!model.above.empty()) {
        prices.push_back(hosted_at(question, pool, "above"));
    }
    if (model.cache) {
        prices.push_back(hosted_at(question, pool, "cache"));
    }
    for_each_field<HostedFees>([&](const auto& field) {
        if (model.fees && (*model.fees).*field.member) {
            prices.push_back(hosted_at(question, pool, fmt::format("fees/{}", field.name)));
        }
    });
    for_each_field<ServiceTiers>([&](const auto& field) {
        if (model.service_tiers && (*model.service_tiers).*field.member) {
            prices.push_back(hosted_at(question, pool, fmt::format("service_tiers/{}", field.name)));
        }
    });
    return prices;
}
Pointers bucket_at(const Question& question, std::size_t w, std::size_t bucket) {
    const TokenBucket& units = question.document.workloads[w].token_mix[bucket];
    Pointers at = {workload_at(w, fmt::format("token_mix/{}/share", bucket))};
    for (std::size_t c = 0; c < kUnitClasses; ++c) {
        if (units[static_cast<UnitClass>(c)] > 0.0) {
            at.push_back(workload_at(w, fmt::format("token_mix/{}/{}", bucket, enum_names<UnitClass>[c])));
        }
    }
    return at;
}
Pointers units_at(const Question& question, std::size_t w) {
    const Workload& workload = question.document.workloads[w];
    Pointers at;
    for (std::size_t i = 0; i < workload.token_mix.size(); ++i) {
        const Pointers of_bucket = bucket_at(question, w, i);
        at.insert(at.end(), of_bucket.begin(), of_bucket.end());
    }
    for (std::size_t c = 0; workload.token_mix.empty() && workload.units_per_request.split && c < kUnitClasses; ++c) {
        if (workload.units_per_request[static_cast<UnitClass>(c)] > 0.0) {
            at.push_back(workload_at(w, fmt::format("units_per_request/{}", enum_names<UnitClass>[c])));
        }
    }
    if (at.empty()) {
        at.push_back(workload_at(w, "units_per_request"));
    }
    if (workload.prefix) {
        at.push_back(workload_at(w, "prefix/tokens"));
        at.push_back(workload_at(w, "prefix/requests_per_hour"));
    }
    return at;
}
std::string workload_at(std::size_t workload, std::string_view rest) { return fmt::format("/workloads/{}/{}", workload, rest); }
std::string entry_at(const Question& question, std::size_t entry, std::string_view rest) {
    const std::size_t w = question.compiled.entries[entry].workload;
    return fmt::format("/workloads/{}/runs_on/{}/{}", w, entry - question.compiled.workloads[w].first_entry, rest);
}

Pointers billed_by(const Question& question, std::size_t entry) {
    const CompiledEntry& compiled = question.compiled.entries[entry];
    const Workload& workload = question.document.workloads[compiled.workload];
    Pointers inputs = prices_at(question, compiled.pool);
    if (!compiled.by_class.empty()) {
        const Pointers units = units_at(question, compiled.workload);
        inputs.insert(inputs.end(), units.begin(), units.end());
    }
    if (workload.runs_on[entry - question.compiled.workloads[compiled.workload].first_entry].service_tier) {
        inputs.push_back(entry_at(question, entry, "service_tier"));
    }
    for (const FeePart& fee : fee_parts(hosted(question.document.pools[compiled.pool]).fees, workload)) {
        if (fee.price != nullptr && !fee.count.empty() && fee.each > 0.0) {
            inputs.push_back(workload_at(compiled.workload, fee.count));
        }
    }
    return inputs;
}

std::string name_of_pool(const Question& question, std::size_t pool) {
    return pool < question.document.pools.size() ? "pool " + question.document.pools[pool].id : "no pool";
}

Term leaf(const Question& question, std::string term, std::string formula, double value, std::string unit, const Pointers& inputs) {
    ++question.leaves;
    Term made{std::move(term), std::move(formula), value, std::move(unit), Rule::leaf, {}, {}};
    for (const std::string& pointer : inputs) {
        made.inputs.push_back(read_input(question.document, pointer));
    }
    return made;
}

Term stated(const Question& question, std::string term, const std::string& pointer) {
    Term made = leaf(question, std::move(term), "as stated", 0.0, "", {pointer});
    made.value = made.inputs.front().value.value_or(0.0);
    made.unit = made.inputs.front().unit;
    return made;
}

Term sum(std::string term, std::string formula, std::string unit, std::vector<Term> terms) {
    double value = 0.0;
    for (const Term& part : terms) {
        value += part.value;
    }
    const Rule rule = terms.empty() ? Rule::leaf : Rule::sum;
    return {std::move(term), std::move(formula), value, std::move(unit), rule, {}, std::move(terms)};
}

Term product(std::string term, std::string formula, std::string unit, std::vector<Term> terms) {
    double value = 1.0;
    for (const Term& part : terms) {
        value *= part.value;
    }
    return {std::move(term), std::move(formula), value, std::move(unit), Rule::product, {}, std::move(terms)};
}

Term quotient(std::string term, std::string formula, std::string unit, Term dividend, Term divisor) {
    const double value = dividend.value / divisor.value;
    std::vector<Term> terms;
    terms.push_back(std::move(dividend));
    terms.push_back(std::move(divisor));
    return {std::move(term), std::move(formula), value, std::move(unit), Rule::quotient, {}, std::move(terms)};
}

Term renamed(Term tree, std::string term, double value) {
    tree.term = std::move(term);
    tree.value = value;
    return tree;
}

void add_unless_zero(std::vector<Term>& terms, Term term) {
    if (term.value != 0.0) {
        terms.push_back(std::move(term));
    }
}

Term over_months(const Question& question, const Scope& scope, const Monthly& monthly) {
    const auto month_leaf = [&](std::size_t m) {
        return leaf(question, name_of_month(question, m), monthly.formula, monthly.value(m), monthly.unit, monthly.inputs);
    };
    if (scope.months.size() == 1) {
        const std::size_t m = scope.months.front();
        return renamed(monthly.make ? monthly.make(m) : month_leaf(m), monthly.term, monthly.value(m));
    }
    const std::string formula =
        fmt::format("Σ over {}: {}", count_of(static_cast<double>(scope.months.size()), "month"), monthly.formula);
    if (!question.open_months || question.is_full()) {
        return leaf(question, monthly.term, formula, sum_of(scope, monthly.value), monthly.unit, monthly.inputs);
    }
    std::vector<Term> terms;
    for (const std::size_t m : scope.months) {
        add_unless_zero(terms,
                        monthly.make ? renamed(monthly.make(m), name_of_month(question, m), monthly.value(m)) : month_leaf(m));
    }
    return sum(monthly.term, formula, monthly.unit, std::move(terms));
}

Term priced(const Question& question, const Scope& scope, const Priced& priced) {
    const auto rate_of = [&](const Scope& part, double rate, const std::string& rate_formula) {
        std::vector<Term> terms;
        if (priced.rate_terms && !part.months.empty() && priced.rate(part.months.front()) == rate) {
            terms = priced.rate_terms(part.months.front());
        }
        return terms.empty() ? leaf(question, priced.rate_term, rate_formula, rate, priced.rate_unit, priced.rate_inputs)
                             : renamed(sum("", rate_formula, priced.rate_unit, std::move(terms)), priced.rate_term, rate);
    };
    const auto of = [&](const Scope& part, double rate, const std::string& rate_formula) {
        std::vector<Term> terms;
        terms.push_back(priced.volume_term(part));
        terms.push_back(rate_of(part, rate, rate_formula));
        return product(priced.term, priced.formula, priced.unit, std::move(terms));
    };
    const bool is_one_rate = std::all_of(scope.months.begin(), scope.months.end(),
                                         [&](std::size_t m) { return priced.rate(m) == priced.rate(scope.months.front()); });
    if (is_one_rate || !question.open_months || question.is_full()) {
        const double volume = sum_of(scope, priced.volume);
        const double amount = sum_of(scope, [&](std::size_t m) { return priced.volume(m) * priced.rate(m); });
        if (is_one_rate || volume == 0.0) {
            return of(scope, scope.months.empty() ? 0.0 : priced.rate(scope.months.front()), priced.rate_formula);
        }
        return of(scope, amount / volume, priced.rate_formula + "; mean of the months, weighted");
    }
    return over_months(question, scope,
                       {priced.term, priced.formula, priced.unit, [&](std::size_t m) { return priced.volume(m) * priced.rate(m); },
                        priced.rate_inputs,
                        [&](std::size_t m) {
                            return of({{m}, scope.workload}, priced.rate(m), priced.rate_formula);
                        }});
}

void add_growth(const Question& question, Category category, const Scope& scope,
                const std::function<double(std::size_t month)>& volume, std::vector<Term>& terms,
                const std::vector<double>& exchange_index, int exchange_from) {
    const auto c = static_cast<std::size_t>(category);
    const double whole = sum_of(scope, volume);
    const double grown = sum_of(scope, [&](std::size_t m) {
        return volume(m) * question.compiled.growth(c, m) * at_rate_of(exchange_index, static_cast<int>(m)) /
               at_rate_of(exchange_index, exchange_from);
    });
    if (grown != whole && whole != 0.0) {
        const std::string rate = exchange_index.empty() ? ""
                                 : exchange_from > 0    ? " × exchange rate over the purchase's"
                                                        : " × exchange rate over the first month's";
        Pointers inputs = {"/finance/inflation_rate", "/finance/growth_rates"};
        if (!exchange_index.empty()) {
            inputs.emplace_back("/exchange_forwards");
        }
        terms.push_back(
            leaf(question, "growth of prices", "(1+g)^(m/12)" + rate + ", mean of the months", grown / whole, "of 1", inputs));
    }
}

const CompiledSite* site_of(const Question& question, std::size_t pool) {
    for (const CompiledSite& site : question.compiled.sites) {
        if (std::find(site.pools.begin(), site.pools.end(), pool) != site.pools.end()) {
            return &site;
        }
    }
    return nullptr;
}

} // namespace costcurve::model::terms
