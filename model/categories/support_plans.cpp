// Computes support plans from the month's bill of their pools, after all other costs of the bill.
#include "model/categories/support_plans.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace costcurve::model {

namespace {

constexpr auto kSupported =
    std::to_array<Category>({Category::compute, Category::usage, Category::commitment, Category::egress, Category::storage});

// Whether the seller `provider` bills the pool; any seller matches if it is empty.
bool is_billed_by(const Pool& pool, const std::string& provider) {
    const bool is_rented = pool.kind == PoolKind::cloud && pool.offer;
    return pool.kind != PoolKind::owned &&
           (provider.empty() || provider == (is_rented ? pool.offer->provider : hosted(pool).provider));
}

double supported_of(const Compiled& compiled, std::size_t p, std::size_t m, const Ledger& ledger) {
    double sum = 0.0;
    for (const Category category : kSupported) {
        sum += ledger.cost(m, p, static_cast<std::size_t>(category));
    }
    return m + 1 == compiled.months ? sum - settled_cost(compiled.fixed, p, Category::commitment) : sum;
}

} // namespace

void compile_support(const ScenarioDocument& document, Compiled& compiled) {
    for (const SupportPlan& plan : document.support_plans) {
        CompiledSupport& support = compiled.support.emplace_back();
        support.of_all = plan.provider.empty();
        support.minimum = plan.minimum_per_month;
        for (const SupportBracket& bracket : plan.brackets) {
            support.brackets.above.push_back(bracket.above);
            support.brackets.rate.push_back(bracket.fraction);
        }
        for (std::size_t p = 0; p < document.pools.size(); ++p) {
            if (is_billed_by(document.pools[p], plan.provider)) {
                support.pools.push_back(p);
            }
        }
    }
}

double supported_bill(const Compiled& compiled, const CompiledSupport& support, std::size_t m, const Ledger& ledger) {
    double bill = support.of_all ? supported_of(compiled, compiled.pools.size(), m, ledger) : 0.0;
    for (const std::size_t p : support.pools) {
        bill += supported_of(compiled, p, m, ledger);
    }
    return bill;
}

double support_cost(const Compiled& compiled, const CompiledSupport& support, std::size_t m, const Ledger& ledger) {
    return std::max(support.minimum, support.brackets.amount(supported_bill(compiled, support, m, ledger)));
}

void charge_support(const Compiled& compiled, std::size_t m, Ledger& ledger) {
    for (const CompiledSupport& support : compiled.support) {
        const double cost = support_cost(compiled, support, m, ledger);
        ledger.cost(m, compiled.pools.size(), static_cast<std::size_t>(Category::other)) += cost;
        ledger.cash(m, compiled.pools.size(), static_cast<std::size_t>(Category::other)) += cost;
    }
}

double least_support(const Compiled& compiled, std::size_t pool) {
    double fraction = 0.0;
    for (const CompiledSupport& support : compiled.support) {
        const bool is_read = std::ranges::find(support.pools, pool) != support.pools.end();
        fraction += is_read ? support.brackets.least() : 0.0;
    }
    return fraction;
}

void check_support(const ScenarioDocument& scenario, Rules& rules) {
    for (std::size_t k = 0; k < scenario.support_plans.size(); ++k) {
        const std::string& provider = scenario.support_plans[k].provider;
        if (!provider.empty() &&
            std::ranges::none_of(scenario.pools, [&](const Pool& pool) { return is_billed_by(pool, provider); })) {
            rules.warn(
                fmt::format("/support_plans/{}/provider", k), Code::unknown_reference,
                fmt::format("no pool is of {}: only the minimum is paid; write the seller as offers and endpoints do", provider));
        }
    }
}

} // namespace costcurve::model
