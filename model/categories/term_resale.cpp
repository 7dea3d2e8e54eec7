// Resale follows two sellers. AWS's marketplace: the owner sets an upfront price for the months left, AWS keeps 12 % of it, and the
// buyer pays the hourly price from then on (EC2 User Guide, "Sell Reserved Instances"). Azure: the remaining commitment is
// refunded, up to 50,000 USD in 12 months (Microsoft Learn, "Self-service exchanges and refunds for Azure Reservations").
#include "model/categories/term_resale.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/categories/exchange.hpp"
#include "model/categories/seller_tiers.hpp"
#include "model/commitment.hpp"

namespace costcurve::model {

namespace {

// The rest of a pool's term after the horizon: its resale price at the stated fraction, and its payments, undiscounted.
struct RestOfTerm {
    double price = 0.0;
    double payments = 0.0;
};

RestOfTerm rest_of_term(const ScenarioDocument& scenario, const Compiled& compiled, std::size_t p) {
    const Pool& pool = scenario.pools[p];
    const TermLeft left = term_left_in_tiers(scenario, compiled, p);
    const double upfront = upfront_of(pool) * later_rate(*pool.offer, compiled.months - 1);
    return {upfront * left.months / *pool.offer->term_months * pool.offer->resale->price_fraction,
            left.hours * compiled.pools[p].hourly_price.back() * pool.max_instances};
}

bool may_sell(const Pool& pool) { return pool.kind == PoolKind::cloud && pool.offer && pool.offer->resale; }

// The share of the rest of the term that the seller's limit allows to be sold.
double share_within_limit(const ScenarioDocument& scenario, const Compiled& compiled, std::size_t p) {
    const Offer& offer = *scenario.pools[p].offer;
    if (!offer.resale->sales_limit) {
        return 1.0;
    }
    double value = 0.0;
    for (std::size_t q = 0; q < scenario.pools.size(); ++q) {
        if (may_sell(scenario.pools[q]) && scenario.pools[q].offer->provider == offer.provider) {
            const RestOfTerm rest = rest_of_term(scenario, compiled, q);
            value += rest.price + rest.payments;
        }
    }
    const double limit = *offer.resale->sales_limit * later_rate(offer, compiled.months - 1);
    return value > limit ? limit / value : 1.0;
}

} // namespace

TermSale term_sale(const ScenarioDocument& scenario, const Compiled& compiled, std::size_t p) {
    const Pool& pool = scenario.pools[p];
    if (!may_sell(pool) || scenario.finance.at_end != AtEnd::exit || term_left(pool, scenario).months == 0.0) {
        return {};
    }
    const TermResale& resale = *pool.offer->resale;
    TermSale sale;
    sale.sold = share_within_limit(scenario, compiled, p);
    sale.income = sale.sold * rest_of_term(scenario, compiled, p).price * (1 - resale.fee_fraction);
    sale.owed_fraction = 1 - sale.sold * (1 - resale.payments_owed_fraction);
    return sale;
}

void check_resale(const Offer& offer, const std::string& pointer, Rules& rules) {
    const bool has_months = (offer.purchase == Purchase::reserved || offer.purchase == Purchase::committed) && offer.term_months;
    if (offer.resale && !has_months) {
        rules.add(pointer + "/resale", Code::not_allowed,
                  fmt::format("resale is of the months left of a term; it goes with reserved and committed offers with "
                              "term_months, not {}{}",
                              name_of(offer.purchase), offer.term_days ? " by days" : ""));
    }
}

} // namespace costcurve::model
