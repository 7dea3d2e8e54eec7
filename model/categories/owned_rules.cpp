// Checks the purchases of owned pools; each finding has the JSON pointer of the field to correct.
#include "model/categories/owned_rules.hpp"

#include "model/assets.hpp"

namespace costcurve::model {

namespace {

// Rejects a lease or loan term that is longer than the server's life.
void check_term(int term, const Server& server, const std::string& pointer, Rules& rules) {
    if (term > server.life_months) {
        rules.add(pointer + "/term_months", Code::inconsistent,
                  fmt::format("term_months is {}, above life_months, {}", term, server.life_months));
    }
}

void check_buyout(const Lease& lease, const Server& server, const std::string& pointer, Rules& rules) {
    const bool is_bought = lease.at_end == LeaseEnd::buy;
    if (is_bought && !lease.buyout_per_server) {
        rules.add(pointer + "/buyout_per_server", Code::missing, "at_end buy needs buyout_per_server, paid at the term's end");
    } else if (!is_bought && lease.buyout_per_server) {
        rules.add(pointer + "/buyout_per_server", Code::not_allowed,
                  fmt::format("buyout_per_server is {}, which goes with at_end buy, not {}", *lease.buyout_per_server,
                              name_of(lease.at_end)));
    }
    if (is_bought && lease.term_months == server.life_months) {
        rules.add(
            pointer + "/term_months", Code::inconsistent,
            fmt::format("term_months is all of life_months, {}; servers that are bought then serve no longer: shorten the term, "
                        "or at_end return",
                        server.life_months));
    }
}

} // namespace

void check_failures(const Server& server, const std::string& pointer, Rules& rules) {
    const bool has_curve = server.failure_factor.has_value();
    if (has_curve && server.failure_shape) {
        rules.add(pointer + "/failure_factor", Code::not_allowed,
                  fmt::format("failure_factor beside a failure_shape of {}; give one of the two", *server.failure_shape));
    }
    if ((has_curve || server.failure_shape) && !server.failures_per_hour) {
        rules.add(pointer + "/failures_per_hour", Code::missing,
                  fmt::format("{} needs failures_per_hour, {}", has_curve ? "failure_factor" : "failure_shape",
                              has_curve ? "which it multiplies" : "their mean over the life"));
    }
}

void check_paid_with(const Pool& pool, const std::string& pointer, Rules& rules) {
    if (pool.loan) {
        check_term(pool.loan->term_months, *pool.server, pointer + "/loan", rules);
    }
    bool is_open = false; // whether some loan is still open at the horizon's start
    for (std::size_t i = 0; i < pool.purchases.size(); ++i) {
        const ServerPurchase& purchase = pool.purchases[i];
        const std::string at = fmt::format("{}/purchases/{}", pointer, i);
        if (purchase.loan) {
            check_term(purchase.loan->term_months, *pool.server, at + "/loan", rules);
        }
        if (purchase.lease) {
            check_term(purchase.lease->term_months, *pool.server, at + "/lease", rules);
            check_buyout(*purchase.lease, *pool.server, at + "/lease", rules);
            if (purchase.price) {
                rules.add(at + "/price", Code::not_allowed,
                          fmt::format("price is {} beside a lease of {} a month; give one of the two", *purchase.price,
                                      purchase.lease->payment_per_server_month));
            }
            if (purchase.paid_at_order_fraction > 0.0) {
                rules.add(at + "/paid_at_order_fraction", Code::not_allowed,
                          fmt::format("paid_at_order_fraction is {} beside a lease; leased servers have no price to pay: give "
                                      "upfront_per_server",
                                      purchase.paid_at_order_fraction));
            }
            if (const Loan* const loan = loan_of(pool, purchase)) {
                rules.add(purchase.loan ? at + "/loan" : pointer + "/loan", Code::not_allowed,
                          fmt::format(
                              "a loan of {} of the price beside a lease of {} a month (purchase {}); leased servers have no price",
                              loan->fraction, purchase.lease->payment_per_server_month, i));
            }
        }
        const Loan* const loan = loan_of(pool, purchase);
        is_open = is_open || (loan != nullptr && loan->fraction > 0 && purchase.servers > 0 &&
                              (pool.refresh || purchase.month + loan->term_months > 0));
    }
    if (is_open) {
        rules.warn(pointer + "/loan", Code::loan_in_npv,
                   "discount_rate applies to the loan's payments too: a cost of capital that mixes in debt counts it twice; "
                   "npv_before_financing is without them");
    }
}

void check_resale(const Pool& pool, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules) {
    const std::string at = pointer + "/server/residual_fraction";
    const bool exits = scenario.finance.at_end == AtEnd::exit;
    double book = 0.0; // book value of assets in service at the horizon's end
    for (std::size_t i = 0; i < pool.purchases.size(); ++i) {
        for (const Asset& asset : hardware_assets(pool, pool.purchases[i], scenario.months)) {
            if (asset.retirement > scenario.months && exits) {
                book += book_value(asset, scenario.months);
                if (asset.resale != nullptr) {
                    const int age = scenario.months - asset.start + asset.age;
                    check_covers(*asset.resale, at, age, age, rules);
                }
            }
            if (asset.start < 0 && asset.resale != nullptr && asset.resale->outside == Outside::hold) {
                const double entry = book_value(asset, 0);
                const double market = market_value(asset, 0);
                if (entry > market * (1 + 1e-9)) {
                    rules.warn(fmt::format("{}/purchases/{}", pointer, i), Code::book_above_market,
                               fmt::format("it enters at its book value, {:.6g}; at {} months its market value is {:.6g}", entry,
                                           asset.age - asset.start, market));
                }
            }
        }
    }
    if (book > 0.0 && !pool.server->residual_fraction.curve) {
        rules.warn(at, Code::no_resale_curve,
                   fmt::format("servers are sold at the horizon's end for their book value, {:.6g}: give residual_fraction as a "
                               "curve of resale values by age",
                               book));
    }
}

} // namespace costcurve::model
