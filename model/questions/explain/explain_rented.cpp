// Charges of sellers by the month's volume, for storage and for support.
#include "model/categories/day_terms.hpp"
#include "model/categories/exchange.hpp"
#include "model/categories/seller_tiers.hpp"
#include "model/categories/support_plans.hpp"
#include "model/finance.hpp"
#include "model/questions/explain/explain_parts.hpp"

namespace costcurve::model::terms {

namespace {

Term support_of(const Question& question, std::size_t k, const Scope& scope) {
    const CompiledSupport& support = question.compiled.support[k];
    const std::string at = fmt::format("/support_plans/{}", k);
    return over_months(question, scope,
                       {question.document.support_plans[k].name,
                        "max(minimum_per_month, Σ brackets: fraction × part of the bill)",
                        question.currency(),
                        [&](std::size_t m) { return support_cost(question.compiled, support, m, question.ledger); },
                        {at + "/brackets", at + "/minimum_per_month"},
                        [&, at](std::size_t m) {
                            return leaf(question, "", "of compute + usage + commitment + egress + storage of the month",
                                        support_cost(question.compiled, support, m, question.ledger), question.currency(),
                                        {at + "/brackets", at + "/minimum_per_month"});
                        }});
}

Term storage_of(const Question& question, std::size_t p, const Scope& scope) {
    const Pool& pool = question.document.pools[p];
    const std::vector<double> there =
        pool.max_instances > 0 ? months_there(pool, question.document) : std::vector<double>(question.compiled.months, 0.0);
    std::vector<Term> factors;
    factors.push_back(leaf(question, "GB stored", "Σ workloads: stored_gb + checkpoint.size_gb × kept",
                           stored_on(question.document, pool), "GB", {"/workloads"}));
    factors.push_back(stated(question, "price of a GB", pool_at(p, "offer/storage_per_gb_month")));
    const auto months = [&](std::size_t m) {
        return there[m] * question.compiled.growth(static_cast<std::size_t>(Category::storage), m) * later_rate(*pool.offer, m);
    };
    factors.push_back(leaf(question, "months", "Σ months in which it is there × growth of storage", sum_of(scope, months), "months",
                           {pool_at(p, "from_month")}));
    return product("weights and checkpoints", "GB × storage_per_gb_month × months", question.currency(), std::move(factors));
}

} // namespace

void add_seller_charges(const Question& question, std::size_t p, Category category, const Scope& scope, std::vector<Term>& terms) {
    if (category == Category::other && p == question.document.pools.size()) {
        for (std::size_t k = 0; k < question.compiled.support.size(); ++k) {
            add_unless_zero(terms, support_of(question, k, scope));
        }
    }
    if (category == Category::storage && p < question.document.pools.size() && question.document.pools[p].offer &&
        question.document.pools[p].offer->storage_per_gb_month) {
        add_unless_zero(terms, storage_of(question, p, scope));
    }
}

Term usage_in_tiers(const Question& question, std::size_t e, const Scope& scope) {
    const CompiledEntry& entry = question.compiled.entries[e];
    return over_months(question, scope,
                       {"volume tiers",
                        "units × price per unit × (mean price_factor of the month's units − 1)",
                        question.currency(),
                        [&question, &entry, e](std::size_t m) {
                            return question.ledger.served(m, e) * entry.price_per_unit[m] *
                                   (usage_factor(question.compiled, entry.pool, m, question.ledger) - 1.0);
                        },
                        {hosted_at(question, entry.pool, "volume_tiers")}});
}

Term egress_in_tiers(const Question& question, std::size_t e, const Scope& scope, const std::string& name) {
    const CompiledEntry& entry = question.compiled.entries[e];
    return over_months(question, scope,
                       {name,
                        "units served × GB of a unit × mean price of the seller's GB × growth",
                        question.currency(),
                        [&question, e](std::size_t m) {
                            return question.ledger.served(m, e) * egress_of_unit(question.compiled, e, m, question.ledger) *
                                   question.compiled.growth(static_cast<std::size_t>(Category::egress), m);
                        },
                        {pool_at(entry.pool, "offer/egress_tiers"), workload_at(entry.workload, "egress_gb_per_unit")}});
}

} // namespace costcurve::model::terms
