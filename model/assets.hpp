// Owned servers through time: vintages, generations, ramp-up, and what they cost and pay by month
// (model.md, sections 5 and 8). Knows nothing of load, energy or workloads.
#pragma once

#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// One thing that is bought: cash at its start, a cost in every month of its service, a sale at its end.
struct Asset {
    double price = 0.0;
    double residual = 0.0;
    int life = 1;                  ///< months over which it is capitalised
    int start = 0;                 ///< month in which it is bought; negative: before the horizon
    int retirement = 0;            ///< month in whose beginning it has left service, at most start + life
    const Curve* resale = nullptr; ///< fraction of the price by age in months; not owned, null where it is sold at book value
    int lead = 0;                  ///< months before `start` in which it is ordered
    double at_order = 0.0;         ///< fraction of the price that is paid then
    double new_price = 0.0;        ///< of it when new, what `resale` is a fraction of
    int age = 0;                   ///< months at `start`: of what was leased before
    [[nodiscard]] bool is_bought_out() const { return age > 0; }
};

/// The straight line between price and residual at the beginning of a month, 0-based; also under the annuity rule.
[[nodiscard]] double book_value(const Asset& asset, int month);

/// What a sale brings in the beginning of a month: price when new x residual(age) where there is a curve of resale, else book
/// value.
[[nodiscard]] double market_value(const Asset& asset, int month);

/// What the asset brings when it leaves service, or at the end of a horizon of `months` that comes before: book value, and at the
/// horizon's end what `at_end` assumes.
[[nodiscard]] double sale_value(const Asset& asset, AtEnd at_end, int months);

/// What an asset bought in the horizon takes off tax in its month, of the price (26 USC 48, 50): `credit`, half of which is off
/// what is written off; and what of it is given back where it is sold before five full years, a fifth for each that lacks. 0 for
/// others, and for what was leased before: its original use begins with the lessor (26 USC 48(a)(3)(B)).
struct InvestmentCredit {
    double credit = 0.0;
    double given_back = 0.0;
};
[[nodiscard]] InvestmentCredit investment_credit(const Asset& asset, const Finance& finance, int months);

/// What each month of service bears, by the scenario's capital rule.
[[nodiscard]] double monthly_cost(const Asset& asset, const Finance& finance);

/// What a server of a purchase costs in the generation that is bought in `month`, with its spares, network and storage
/// capital: a stated price changes from its purchase on, list prices from the horizon's start.
[[nodiscard]] double server_price(const Server& server, const ServerPurchase& purchase, int month);

/// The fraction of its price that a server is sold for at the end of its life.
[[nodiscard]] double residual_fraction(const Server& server);

/// A lease of a purchase's servers: from `start` for `term` months, and where it is renewed to `end`; where they are bought then
/// they stay to `leave`.
struct LeaseRun {
    int start = 0;
    int term = 0;         ///< months
    int end = 0;          ///< month in whose beginning payments end
    int leave = 0;        ///< month in whose beginning the servers leave, or the next lease begins
    double payment = 0.0; ///< a month, of all servers, at the exchange rate of the horizon's first
    double upfront = 0.0; ///< of all servers
};
/// The leases of a purchase that reach into the horizon; none where it is bought.
[[nodiscard]] std::vector<LeaseRun> lease_runs(const Pool& pool, const ServerPurchase& purchase, int months);

/// What a server costs that is bought at the end of a lease.
[[nodiscard]] double buyout_price(const Server& server, const Lease& lease, const LeaseRun& run);

/// Months before the horizon's end that a lease's payments cover: [first, last) of its payments are due in it.
struct PaymentsDue {
    int first = 0;
    int last = 0;
    int left = 0; ///< of the running term, beyond the horizon's end
};
[[nodiscard]] PaymentsDue payments_due(const LeaseRun& run, int months);

/// The present value, at the horizon's end, of what a lease still owes there, at the exchange rate of the horizon's first month.
[[nodiscard]] double owed_at_end(const LeaseRun& run, bool in_advance, double discount_rate, int months);

/// The loan of a purchase, if it has one: its own, else the pool's.
[[nodiscard]] const Loan* loan_of(const Pool& pool, const ServerPurchase& purchase);

/// The month in whose beginning the servers of a purchase leave the pool; far beyond any horizon where they are bought or leased
/// again.
[[nodiscard]] int retirement_of(const Pool& pool, const ServerPurchase& purchase);

/// The generations of a purchase that serve within the horizon, and the own-build facilities that carry them. Leased servers that
/// are bought at the term's end are hardware from then on: written off over what is left of their life, to residual_fraction of
/// their price when new or the buy-out price, the lower.
[[nodiscard]] std::vector<Asset> hardware_assets(const Pool& pool, const ServerPurchase& purchase, int months);
[[nodiscard]] std::vector<Asset> facility_assets(const Pool& pool, const ServerPurchase& purchase, int months);

/// By month of the horizon: what assets of one category bear and pay. All vectors have one entry a month.
struct CapitalFlow {
    std::vector<double> cost;
    std::vector<double> cash_start; ///< paid at the month's first instant
    std::vector<double> cash_end;   ///< paid at its end; sales are negative
};

/// What is settled at the horizon's end: what sales of assets bring, their book values, the present value there of obligations, and
/// what is left of loans.
struct Terminal {
    double sale = 0.0;
    double book = 0.0;
    double obligations = 0.0;
    double loan_balance = 0.0;
    double commitments_sold = 0.0; ///< what the rest of committed terms brings
    double returned = 0.0;         ///< of upfronts that are not spent; nothing where all is settled
    double tax_loss = 0.0;         ///< carried forward, before the tax rate: worth nothing
};

/// What leased servers cost and pay, month by month.
struct LeaseFlow {
    CapitalFlow payments;
    CapitalFlow upfronts;    ///< spread over the term
    double settlement = 0.0; ///< cost of the horizon's end: what is owed, at its present value, and what is unspent
    double obligation = 0.0; ///< payments left of running terms, undiscounted
    double liability = 0.0;  ///< present value, at the horizon's start, of the payments due in it
};

/// What loans cost and pay, month by month.
struct LoanFlow {
    std::vector<double> paid_out;  ///< at the month's first instant
    std::vector<double> interest;  ///< at its end
    std::vector<double> principal; ///< at its end
};

/// What an owned pool is, month by month.
struct OwnedSchedule {
    std::vector<double> servers_in_service; ///< paid and powered, ramping ones included
    std::vector<double> servers_active;     ///< past their ramp
    std::vector<double> price_in_service;   ///< purchase price of the generations in service
    std::vector<double> maintained_price;   ///< base of maintenance: the same and the price of leased servers, at each month's rate
                                            ///< of exchange
    std::vector<double> embodied_kg;        ///< straight line over the life
    std::vector<double> failures_per_hour;  ///< of a server in service, in the mean; none where it is the same at every age
    CapitalFlow hardware;
    CapitalFlow facility;                    ///< own build
    std::vector<double> tax_credit;          ///< deductible at month end: depreciation, and tax book value less sale at disposal
    std::vector<double> sold;                ///< cash of sales at the month's end that are before the horizon's, negative
    std::vector<double> tax_credit_of_sales; ///< of `tax_credit`, that of the same
    double tax_credit_at_end = 0.0;          ///< of `tax_credit`, that of the sale at the horizon's end
    double disposal = 0.0;                   ///< book value less sale at the horizon's end
    LeaseFlow lease;
    LoanFlow loan;
    Terminal terminal;
};

/// Failures of a server an hour in the month of that age, its first being 0: failures_per_hour L [((a+1)/L)^k - (a/L)^k] of a
/// Weibull shape k over a life of L months, the mean over the month of the hazard whose mean over the life is failures_per_hour (W.
/// Weibull, Journal of Applied Mechanics 18, 1951); else times failure_factor at the month's start.
[[nodiscard]] double failures_per_hour(const Server& server, int age);

/// Watts of one server with its devices, at full load.
[[nodiscard]] double server_nameplate_w(const Server& server);

/// Servers that a rack of the site holds: by power where the site states `rack_kw`, else by height.
/// 0 where neither is known.
[[nodiscard]] double servers_per_rack(const Server& server, const Site& site);

/// The schedule of an owned pool over `months`. A vintage whose life ended before the horizon is ignored.
/// Cost: O(purchases x months).
[[nodiscard]] OwnedSchedule schedule_owned(const Pool& pool, const Finance& finance, int months);

} // namespace costcurve::model
