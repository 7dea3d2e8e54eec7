// Applies each hour's committed amount to pool after pool until it is used up.
#include "model/categories/spend_commitments.hpp"

#include <algorithm>
#include <numeric>

#include "model/commitment.hpp"
#include "model/dispatch/dispatch.hpp"
#include "model/documents/calendar.hpp"
#include "model/finance.hpp"

namespace costcurve::model {

namespace {

constexpr std::size_t at(Category category) { return static_cast<std::size_t>(category); }

void bear_both(Ledger& ledger, std::size_t m, std::size_t p, Category category, double amount) {
    ledger.cost(m, p, at(category)) += amount;
    ledger.cash(m, p, at(category)) += amount;
}

bool is_of_family(std::string_view sku, std::string_view family) {
    constexpr std::string_view kEndsFamily = ".-_";
    return sku.starts_with(family) &&
           (sku.size() == family.size() || kEndsFamily.find(sku[family.size()]) != std::string_view::npos);
}

bool means(const SpendDiscount& discount, const Offer& offer) {
    return (discount.provider.empty() || discount.provider == offer.provider) &&
           (discount.family.empty() || is_of_family(offer.sku, discount.family)) &&
           (discount.device.empty() || discount.device == offer.device.id) &&
           (discount.region.empty() || discount.region == offer.region);
}

bool is_on_demand(const Pool& pool) {
    return pool.kind == PoolKind::cloud && pool.offer && pool.offer->purchase == Purchase::on_demand;
}

// Cost an hour of a pool's instances at list prices; each phase of an hour gets the mean of the hour.
void read_list_cost(const CompiledPool& pool, std::size_t m, const MonthView& month, std::vector<double>& hours) {
    const std::vector<double>& phases = month.table->phases;
    for (double& instances : hours) {
        instances *= pool.there * pool.hourly_price[m];
    }
    for (std::size_t first = 0; !phases.empty() && first + phases.size() <= month.size; first += phases.size()) {
        double* const of_hour = &hours[first];
        std::fill_n(of_hour, phases.size(), std::inner_product(phases.begin(), phases.end(), of_hour, 0.0));
    }
}

// Bills a pool's hours to the rest (`left`) of the commitment; `hours` keeps the cost that stays on demand.
void take_from(std::vector<double>& left, double discount, std::size_t n, std::vector<double>& hours, std::vector<double>& change) {
    const double kept = 1.0 - discount;
    for (std::size_t h = 0; h < n; ++h) {
        const double paid = std::min(left[h], kept * hours[h]);
        const double covered = kept > 0.0 ? paid / kept : hours[h];
        left[h] -= paid;
        hours[h] -= covered;
        change[h] = paid - covered;
    }
}

} // namespace

std::optional<double> discount_on(const SpendCommitment& commitment, const Offer& offer) {
    const auto found =
        std::ranges::find_if(commitment.discounts, [&](const SpendDiscount& discount) { return means(discount, offer); });
    return found == commitment.discounts.end() ? std::nullopt : std::optional(found->fraction);
}

Window months_of(const SpendCommitment& commitment, int horizon) {
    const int term = commitment.term_months;
    if (commitment.months) {
        return {commitment.from_month, commitment.from_month + *commitment.months};
    }
    const int terms = std::max(0, (horizon - commitment.from_month + term - 1) / term);
    return {commitment.from_month, commitment.from_month + terms * term};
}

std::vector<CompiledSpend> compile_spend(const ScenarioDocument& scenario) {
    std::vector<CompiledSpend> all;
    for (const SpendCommitment& commitment : scenario.spend_commitments) {
        CompiledSpend& spend = all.emplace_back();
        const Window window = months_of(commitment, scenario.months);
        for (int m = 0; m < scenario.months; ++m) {
            spend.hourly.push_back(window.holds(static_cast<std::size_t>(m)) ? commitment.hourly_spend : 0.0);
        }
        for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
            if (is_on_demand(scenario.pools[p])) {
                if (const std::optional<double> discount = discount_on(commitment, *scenario.pools[p].offer)) {
                    spend.pools.push_back({p, *discount});
                }
            }
        }
        std::ranges::stable_sort(spend.pools, std::ranges::greater{}, &SpendShare::discount);
    }
    return all;
}

double spend_left(const ScenarioDocument& scenario, bool discounted) {
    double sum = 0.0;
    for (const SpendCommitment& commitment : scenario.spend_commitments) {
        const Window window = months_of(commitment, scenario.months);
        const int first = std::max(scenario.months, window.from);
        if (window.from >= scenario.months || window.to <= first) {
            continue;
        }
        const std::vector<std::int64_t> starts =
            month_starts(add_months(scenario.start, first), window.to - first, scenario.time_zone);
        for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
            const double factor = discounted ? discount_factor(scenario.finance.discount_rate, static_cast<double>(k + 1)) : 1.0;
            sum += commitment.hourly_spend * static_cast<double>(hours_between(starts[k], starts[k + 1])) * factor;
        }
    }
    return sum;
}

void charge_spend(const Compiled& compiled, std::size_t m, const MonthView& month, Workspace& work) {
    for (std::size_t p = 0; p < compiled.pools.size(); ++p) {
        if (compiled.pools[p].kind == PoolKind::cloud) {
            read_list_cost(compiled.pools[p], m, month, work.pools[p].running);
        }
    }
    std::vector<double>& left = work.scratch;
    std::vector<double>& change = work.load;
    for (const CompiledSpend& spend : compiled.spend) {
        if (spend.hourly[m] <= 0.0) {
            continue;
        }
        std::fill_n(left.begin(), month.size, spend.hourly[m]);
        for (const SpendShare& share : spend.pools) {
            take_from(left, share.discount, month.size, work.pools[share.pool].running, change);
            bear_both(work.ledger, m, share.pool, Category::compute, sum_over_hours(month, change.data()));
        }
        bear_both(work.ledger, m, compiled.pools.size(), Category::commitment, sum_over_hours(month, left.data()));
    }
}

double least_kept(const Compiled& compiled, std::size_t pool, std::size_t m) {
    double kept = 1.0;
    for (const CompiledSpend& spend : compiled.spend) {
        for (const SpendShare& share : spend.pools) {
            kept = share.pool == pool && spend.hourly[m] > 0.0 ? std::min(kept, 1.0 - share.discount) : kept;
        }
    }
    return kept;
}

void check_spend(const ScenarioDocument& scenario, Rules& rules) {
    for (std::size_t k = 0; k < scenario.spend_commitments.size(); ++k) {
        const SpendCommitment& commitment = scenario.spend_commitments[k];
        const std::string at = fmt::format("/spend_commitments/{}", k);
        if (commitment.months && *commitment.months % commitment.term_months != 0) {
            rules.add(at + "/months", Code::term_not_whole,
                      fmt::format("months is {}; whole terms of {} months are paid", *commitment.months, commitment.term_months));
        }
        if (commitment.from_month <= -commitment.term_months) {
            rules.add(at + "/from_month", Code::out_of_range,
                      fmt::format("from_month is {}; above -{}, so that a term reaches into the horizon", commitment.from_month,
                                  commitment.term_months));
        }
        for (std::size_t i = 0; i < commitment.discounts.size(); ++i) {
            const auto is_meant = [&](const Pool& pool) {
                return is_on_demand(pool) && means(commitment.discounts[i], *pool.offer);
            };
            if (std::ranges::none_of(scenario.pools, is_meant)) {
                rules.warn(fmt::format("{}/discounts/{}", at, i), Code::unknown_reference,
                           "no pool rents such an offer on demand: the commitment pays for none by this discount");
            }
        }
    }
}

} // namespace costcurve::model
