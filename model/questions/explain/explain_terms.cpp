// Contract payments: commitments of cloud pools and leases of owned pools, and how the horizon's end settles them.
#include <algorithm>

#include "model/assets.hpp"
#include "model/categories/day_terms.hpp"
#include "model/categories/exchange.hpp"
#include "model/categories/seller_tiers.hpp"
#include "model/categories/term_resale.hpp"
#include "model/commitment.hpp"
#include "model/finance.hpp"
#include "model/hosted/provisioned.hpp"
#include "model/questions/explain/explain_parts.hpp"

namespace costcurve::model::terms {

namespace {

// Suffix of a formula whose count is multiplied by the exchange rate of the month over that of the first month.
constexpr const char* kAtExchange = " × exchange rate over the first month's";

bool has_last(const Question& question, const Scope& scope) { return holds(scope, question.document.months - 1); }
bool exits(const Question& question) { return question.document.finance.at_end == AtEnd::exit; }

// Whether the pool's terms are stated in days. Such terms are borne by the hour.
bool is_by_days(const Question& question, std::size_t p) {
    const auto& offer = question.document.pools[p].offer;
    return offer && offer->term_days;
}
std::string term_at(const Question& question, std::size_t p) {
    return pool_at(p, is_by_days(question, p) ? "offer/term_days" : "offer/term_months");
}

} // namespace

Term upfront_term(const Question& question, std::size_t p, double count, const std::string& name, const std::string& formula) {
    std::vector<Term> terms;
    terms.push_back(stated(question, "upfront of an instance", pool_at(p, "offer/upfront")));
    terms.push_back(stated(question, "instances", pool_at(p, "max_instances")));
    if (const double off = question.document.pools[p].discount_fraction; off != 0.0) {
        terms.push_back(
            leaf(question, "1 − discount", "1 − discount_fraction", 1 - off, "of 1", {pool_at(p, "discount_fraction")}));
    }
    const bool is_exchanged = !question.document.pools[p].offer->stored.exchange_index.empty();
    terms.push_back(leaf(question, name, formula + (is_exchanged ? kAtExchange : ""), count, "terms",
                         {term_at(question, p), pool_at(p, "from_month")}));
    return product("upfront", "upfront × instances × " + name, question.currency(), std::move(terms));
}

namespace {

// Sum over a pool's terms of part(term) × the exchange rate of the month in which the term is paid over that of the first month.
template <class F> double terms_at_rates(const Question& question, std::size_t p, const F& part) {
    const Pool& pool = question.document.pools[p];
    double terms = 0.0;
    for (const PaidTerm& term : pool.offer ? terms_paid_ahead(pool, question.document) : std::vector<PaidTerm>()) {
        terms += part(term) * later_rate(*pool.offer, static_cast<std::size_t>(term.begins));
    }
    return terms;
}

// Unspent upfront, at the horizon's end, of terms that began within the horizon. With `sign` -1 it is paid back.
Term unspent_upfront(const Question& question, std::size_t p, double sign) {
    if (!question.document.pools[p].offer) {
        return leaf(question, "unspent at the horizon's end", "units are paid by the month", 0.0, question.currency());
    }
    const double unspent = terms_at_rates(question, p, [](const PaidTerm& term) { return term.left / term.length; });
    Term upfront = upfront_term(question, p, sign * unspent, "terms unspent",
                                (sign > 0 ? "" : "−") + std::string(is_by_days(question, p) ? "hours left / hours of the term"
                                                                                            : "months left / term_months"));
    upfront.term = "unspent at the horizon's end";
    return upfront;
}

// Whether a pool can have terms: it is rented, or has provisioned units of a hosted model.
bool has_terms(const Pool& pool) { return pool.kind == PoolKind::cloud || is_provisioned(pool); }

// Payment owed for a cut term: the hours left at the last month's price. If `discounted`, as of the horizon's end.
Term owed_hours(const Question& question, std::size_t p, bool discounted) {
    if (question.document.pools[p].kind == PoolKind::api) {
        return provisioned_owed(question, p, discounted);
    }
    const TermLeft left = term_left_in_tiers(question.document, question.compiled, p);
    const bool is_tiered = !question.document.pools[p].offer->volume_tiers.empty();
    std::vector<Term> terms;
    terms.push_back(stated(question, "instances", pool_at(p, "max_instances")));
    terms.push_back(
        leaf(question, "hourly price", "of the horizon's last month", question.compiled.pools[p].hourly_price.back(),
             question.per("instance-hour"),
             {pool_at(p, "offer/hourly_price"), pool_at(p, "offer/price_growth_rate"), pool_at(p, "discount_fraction")}));
    Pointers inputs = {term_at(question, p), "/months"};
    if (discounted) {
        inputs.emplace_back("/finance/discount_rate");
    }
    if (is_tiered) {
        inputs.push_back(pool_at(p, "offer/volume_tiers"));
    }
    const std::string formula = discounted ? "Σ hours of the k-th month left / (1+d)^(k/12)" : "of the months left of the term";
    terms.push_back(leaf(question, discounted ? "hours left, discounted" : "hours left",
                         formula + (is_tiered ? ", each × mean price_factor of its month's device-hours" : ""),
                         discounted ? left.discounted_hours : left.hours, "h", inputs));
    const TermSale sale = term_sale(question.document, question.compiled, p);
    const bool is_sold = discounted && sale.sold > 0.0;
    if (is_sold) {
        terms.push_back(leaf(question, "still owed", "1 − sold × (1 − payments_owed_fraction)", sale.owed_fraction, "of 1",
                             {pool_at(p, "offer/resale/payments_owed_fraction"), pool_at(p, "offer/resale/sales_limit")}));
    }
    return product("owed at the horizon's end",
                   is_sold ? "instances × hourly price × hours left × still owed" : "instances × hourly price × hours left",
                   question.currency(), std::move(terms));
}

// Calls visit(index of the purchase, lease, run) for each lease of the pool.
template <class F> void for_each_lease(const Question& question, std::size_t p, const F& visit) {
    const Pool& pool = question.document.pools[p];
    for (std::size_t i = 0; i < pool.purchases.size(); ++i) {
        for (const LeaseRun& run : lease_runs(pool, pool.purchases[i], question.document.months)) {
            visit(i, *pool.purchases[i].lease, run);
        }
    }
}

std::string lease_name(const Question& question, std::size_t i, const LeaseRun& run) {
    const std::string start = name_of_month(question, 0);
    return fmt::format("lease of purchase {} from {}", i,
                       run.start >= 0 ? name_of_month(question, static_cast<std::size_t>(run.start))
                                      : fmt::format("{} before {}", count_of(-run.start, "month"), start));
}

// Exchange rate for a lease's payments: of the month over that of the first month.
double lease_rate(const Question& question, std::size_t p, int month) {
    return at_rate_of(question.document.pools[p].server->stored.exchange_index, month);
}
std::string at_exchange(const Question& question, std::size_t p) {
    return question.document.pools[p].server->stored.exchange_index.empty() ? "" : kAtExchange;
}

// Payments of one lease in the scope's months.
Term payments_of(const Question& question, std::size_t p, std::size_t i, const LeaseRun& run, const Scope& scope) {
    const PaymentsDue due = payments_due(run, question.document.months);
    const auto at = [&](std::string_view rest) { return pool_at(p, fmt::format("purchases/{}/{}", i, rest)); };
    std::vector<Term> terms;
    terms.push_back(stated(question, "servers", at("servers")));
    terms.push_back(stated(question, "payment of a server", at("lease/payment_per_server_month")));
    const auto paid = [&](std::size_t m) {
        const int month = static_cast<int>(m) - run.start;
        return due.first <= month && month < due.last ? lease_rate(question, p, static_cast<int>(m)) : 0.0;
    };
    terms.push_back(leaf(question, "payments", "one a month" + at_exchange(question, p), sum_of(scope, paid), "months",
                         {at("month"), at("lease/term_months")}));
    return product("payments", "servers × payment × months", question.currency(), std::move(terms));
}

// A lease's upfront × `count` terms, paid in `month`.
Term lease_upfront(const Question& question, std::size_t p, std::size_t i, const std::string& name, const std::string& formula,
                   double count, int month) {
    const auto at = [&](std::string_view rest) { return pool_at(p, fmt::format("purchases/{}/{}", i, rest)); };
    std::vector<Term> terms;
    terms.push_back(stated(question, "servers", at("servers")));
    terms.push_back(stated(question, "upfront of a server", at("lease/upfront_per_server")));
    terms.push_back(leaf(question, "terms", formula + at_exchange(question, p), count * lease_rate(question, p, month), "terms",
                         {at("lease/term_months")}));
    return product(name, "servers × upfront_per_server × terms", question.currency(), std::move(terms));
}

// Fraction of a lease's term that lies after the horizon's end; 0 if the lease began before the horizon.
double terms_unspent(const Question& question, const LeaseRun& run) {
    return run.start < 0 ? 0.0 : static_cast<double>(payments_due(run, question.document.months).left) / run.term;
}

Term lease_unspent(const Question& question, std::size_t p, std::size_t i, const LeaseRun& run, double sign) {
    return lease_upfront(question, p, i, "unspent at the horizon's end",
                         sign > 0 ? "months left / term_months" : "−months left / term_months", sign * terms_unspent(question, run),
                         run.start);
}

// Lease payment × `count`, which is a number of payments or the sum of their discount factors.
Term lease_payments(const Question& question, std::size_t p, std::size_t i, const std::string& name, const std::string& formula,
                    double count) {
    const auto at = [&](std::string_view rest) { return pool_at(p, fmt::format("purchases/{}/{}", i, rest)); };
    std::vector<Term> terms;
    terms.push_back(stated(question, "servers", at("servers")));
    terms.push_back(stated(question, "payment of a server", at("lease/payment_per_server_month")));
    terms.push_back(leaf(question, "payments", formula + at_exchange(question, p), count, "months",
                         {at("month"), at("lease/term_months"), at("lease/in_advance"), "/finance/discount_rate"}));
    return product(name, "servers × payment × payments", question.currency(), std::move(terms));
}

Term lease_owed(const Question& question, std::size_t p, std::size_t i, const Lease& lease, LeaseRun run, bool discounted) {
    run.payment = lease_rate(question, p, question.document.months - 1);
    return lease_payments(
        question, p, i, "owed at the horizon's end", discounted ? "Σ over those left of the term: 1 / (1+d)^t" : "left of the term",
        discounted ? owed_at_end(run, lease.in_advance, question.document.finance.discount_rate, question.document.months)
                   : run.payment * payments_due(run, question.document.months).left);
}

// Adds what is settled of a lease at the horizon's end. Cost and cash treat the unspent upfront differently.
void add_lease_settlement(const Question& question, std::size_t p, std::size_t i, const Lease& lease, const LeaseRun& run,
                          bool is_cash, std::vector<Term>& terms) {
    if (exits(question)) {
        add_unless_zero(terms, lease_owed(question, p, i, lease, run, true));
    }
    if (exits(question) != is_cash) { // on exit, unspent upfront is a cost; in a going concern it is cash that comes back
        add_unless_zero(terms, lease_unspent(question, p, i, run, is_cash ? -1 : 1));
    }
}

} // namespace

std::vector<Term> commitment_cost(const Question& question, std::size_t p, const Scope& scope) {
    if (p == question.document.pools.size()) {
        return spend_of_nobody(question, scope);
    }
    const double borne = terms_at_rates(question, p, [&](const PaidTerm& term) {
        return sum_of(scope, [&](std::size_t m) { return term.in_month[m]; }) / term.length;
    });
    std::vector<Term> causes;
    if (question.document.pools[p].offer) {
        add_unless_zero(causes, upfront_term(question, p, borne, "terms borne",
                                             is_by_days(question, p) ? "hours / hours of the term" : "months / term_months"));
    }
    if (has_last(question, scope) && exits(question)) {
        add_unless_zero(causes, unspent_upfront(question, p, 1));
        add_unless_zero(causes, owed_hours(question, p, true));
        add_unless_zero(causes, sold_term(question, p, -1));
    }
    return causes;
}

std::vector<Term> commitment_cash(const Question& question, std::size_t p, const Scope& scope) {
    if (p == question.document.pools.size()) {
        return spend_of_nobody(question, scope);
    }
    const double begun = terms_at_rates(question, p, [&](const PaidTerm& term) { return holds(scope, term.begins) ? 1.0 : 0.0; });
    std::vector<Term> causes;
    if (question.document.pools[p].offer) {
        add_unless_zero(causes, upfront_term(question, p, begun, "terms begun",
                                             is_by_days(question, p) ? "one every term_days" : "one every term_months"));
    }
    if (has_last(question, scope)) {
        add_unless_zero(causes, exits(question) ? owed_hours(question, p, true) : unspent_upfront(question, p, -1));
        add_unless_zero(causes, sold_term(question, p, -1));
    }
    return causes;
}

namespace {

std::vector<Term> lease_amounts(const Question& question, std::size_t p, const Scope& scope, bool is_cash) {
    std::vector<Term> causes;
    for_each_lease(question, p, [&](std::size_t i, const Lease& lease, const LeaseRun& run) {
        const double borne =
            run.start < 0 ? 0.0
                          : months_within(scope, run.start, std::min(run.start + run.term, question.document.months)) / run.term;
        const double begun = holds(scope, run.start) ? 1.0 : 0.0;
        std::vector<Term> terms;
        add_unless_zero(terms, payments_of(question, p, i, run, scope));
        add_unless_zero(terms, lease_upfront(question, p, i, "upfront", is_cash ? "at the lease's start" : "months / term_months",
                                             is_cash ? begun : borne, run.start));
        if (has_last(question, scope)) {
            add_lease_settlement(question, p, i, lease, run, is_cash, terms);
        }
        add_unless_zero(causes, sum(lease_name(question, i, run), "payments + upfront + what the horizon's end settles",
                                    question.currency(), std::move(terms)));
    });
    return causes;
}

} // namespace

std::vector<Term> lease_cost(const Question& question, std::size_t p, const Scope& scope) {
    return lease_amounts(question, p, scope, false);
}
std::vector<Term> lease_cash(const Question& question, std::size_t p, const Scope& scope) {
    return lease_amounts(question, p, scope, true);
}

std::vector<Term> payments_left(const Question& question, std::size_t p, bool discounted) {
    std::vector<Term> causes;
    if (has_terms(question.document.pools[p])) {
        add_unless_zero(causes, owed_hours(question, p, discounted));
    }
    for_each_lease(question, p, [&](std::size_t i, const Lease& lease, const LeaseRun& run) {
        Term owed = lease_owed(question, p, i, lease, run, discounted);
        const double value = owed.value;
        add_unless_zero(causes, renamed(std::move(owed), lease_name(question, i, run), value));
    });
    return causes;
}

std::vector<Term> lease_payments_due(const Question& question, std::size_t p) {
    std::vector<Term> causes;
    for_each_lease(question, p, [&](std::size_t i, const Lease& lease, const LeaseRun& run) {
        const PaymentsDue due = payments_due(run, question.document.months);
        double factors = 0.0;
        for (int k = due.first; k < due.last; ++k) {
            factors += discount_factor(question.document.finance.discount_rate, run.start + k + (lease.in_advance ? 0 : 1)) *
                       lease_rate(question, p, run.start + k);
        }
        add_unless_zero(causes, lease_payments(question, p, i, lease_name(question, i, run),
                                               "Σ over those due in the horizon: 1 / (1+d)^t", factors));
    });
    return causes;
}

std::vector<Term> settlement(const Question& question, std::size_t p) {
    std::vector<Term> causes;
    if (!exits(question)) {
        return causes;
    }
    if (p == question.document.pools.size()) {
        add_unless_zero(causes, spend_owed(question, true));
        return causes;
    }
    const Pool& pool = question.document.pools[p];
    if (has_terms(pool)) {
        add_unless_zero(causes, unspent_upfront(question, p, 1));
        add_unless_zero(causes, owed_hours(question, p, true));
        add_unless_zero(causes, sold_term(question, p, -1));
    }
    if (pool.kind == PoolKind::owned) {
        causes = disposal(question, p, {{question.compiled.months - 1}, std::nullopt});
    }
    for_each_lease(question, p, [&](std::size_t i, const Lease& lease, const LeaseRun& run) {
        std::vector<Term> terms;
        add_lease_settlement(question, p, i, lease, run, false, terms);
        add_unless_zero(causes, sum(lease_name(question, i, run), "owed + unspent", question.currency(), std::move(terms)));
    });
    return causes;
}

std::vector<Term> leased_maintenance(const Question& question, std::size_t p, const Scope& scope) {
    const Pool& pool = question.document.pools[p];
    std::vector<Term> causes;
    for_each_lease(question, p, [&](std::size_t i, const Lease& /*lease*/, const LeaseRun& run) {
        const auto serves = [&](std::size_t m) {
            return run.start <= static_cast<int>(m) && static_cast<int>(m) < run.leave ? 1.0 : 0.0;
        };
        std::vector<Term> terms;
        terms.push_back(
            leaf(question, "list price", "servers × (price + network_price + storage_price) × (1 + price_change_rate)^t",
                 pool.purchases[i].servers * server_price(*pool.server, pool.purchases[i], run.start), question.currency(),
                 {pool_at(p, fmt::format("purchases/{}/servers", i)), pool_at(p, "server/price")}));
        terms.push_back(stated(question, "maintenance rate", pool_at(p, "server/maintenance_rate")));
        terms.push_back(leaf(question, "years in service", "in these months / 12", sum_of(scope, serves) / 12, "years",
                             {pool_at(p, fmt::format("purchases/{}/month", i))}));
        add_growth(question, Category::maintenance, scope, serves, terms, pool.server->stored.exchange_index, run.start);
        add_unless_zero(causes, product(lease_name(question, i, run), "list price × maintenance_rate × years", question.currency(),
                                        std::move(terms)));
    });
    return causes;
}

} // namespace costcurve::model::terms
