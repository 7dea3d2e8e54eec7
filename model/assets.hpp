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
    int life = 1;                  ///< months of depreciation
    int start = 0;                 ///< month of purchase; negative: before the horizon
    int retirement = 0;            ///< first month out of service, at most start + life
    const Curve* resale = nullptr; ///< fraction of new_price by age in months; not owned; null: sold at book value
    int lead = 0;                  ///< months from the order to `start`
    double at_order = 0.0;         ///< fraction of the price that is paid at the order
    double new_price = 0.0;        ///< price when new, which `resale` is a fraction of
    int age = 0;                   ///< age in months at `start`; above 0 only if leased before and bought out
    [[nodiscard]] bool is_bought_out() const { return age > 0; }
};

/// Book value at the beginning of a month (0-based): straight line from price to residual, also under the annuity rule.
[[nodiscard]] double book_value(const Asset& asset, int month);

/// Sale proceeds at the beginning of a month: new_price x resale(age), or the book value without a resale curve.
[[nodiscard]] double market_value(const Asset& asset, int month);

/// Sale proceeds when the asset leaves service (book value), or at the end of a horizon of `months` if that is earlier (by the
/// rule `at_end`).
[[nodiscard]] double sale_value(const Asset& asset, AtEnd at_end, int months);

/// Investment tax credit of an asset bought in the horizon (26 USC 48, 50). `credit` reduces tax in the month of purchase, and half
/// of it reduces the depreciable basis. `given_back` is recaptured at a sale before five full years: a fifth for each missing year.
/// Both are 0 for earlier purchases and for bought-out servers, whose original use began with the lessor (26 USC 48(a)(3)(B)).
struct InvestmentCredit {
    double credit = 0.0;
    double given_back = 0.0;
};
[[nodiscard]] InvestmentCredit investment_credit(const Asset& asset, const Finance& finance, int months);

/// Capital cost of each month in service, by the scenario's capital rule.
[[nodiscard]] double monthly_cost(const Asset& asset, const Finance& finance);

/// Price of one server of the generation that is bought in `month`, with its spares, network and storage capital. A price that the
/// purchase states changes from the purchase on, a list price from the horizon's start.
[[nodiscard]] double server_price(const Server& server, const ServerPurchase& purchase, int month);

/// The fraction of its price that a server is sold for at the end of its life.
[[nodiscard]] double residual_fraction(const Server& server);

/// A lease of a purchase's servers: from `start` for `term` months, then renewed up to `end`. Servers that are bought out stay up
/// to `leave`.
struct LeaseRun {
    int start = 0;
    int term = 0;         ///< months
    int end = 0;          ///< first month without payments
    int leave = 0;        ///< first month without the servers, or first month of the next lease
    double payment = 0.0; ///< a month, of all servers, at the exchange rate of the horizon's first month
    double upfront = 0.0; ///< of all servers
};
/// The leases of a purchase that reach into the horizon; empty for servers bought outright.
[[nodiscard]] std::vector<LeaseRun> lease_runs(const Pool& pool, const ServerPurchase& purchase, int months);

/// Price of one server that is bought at the end of its lease.
[[nodiscard]] double buyout_price(const Server& server, const Lease& lease, const LeaseRun& run);

/// The payments of a lease that are due in the horizon, as indices [first, last) from the lease's start.
struct PaymentsDue {
    int first = 0;
    int last = 0;
    int left = 0; ///< months of the term that lie beyond the horizon's end
};
[[nodiscard]] PaymentsDue payments_due(const LeaseRun& run, int months);

/// Lease payments due after the horizon, as a present value at its end, at the exchange rate of its first month.
[[nodiscard]] double owed_at_end(const LeaseRun& run, bool in_advance, double discount_rate, int months);

/// The loan of a purchase, if it has one: its own, else the pool's.
[[nodiscard]] const Loan* loan_of(const Pool& pool, const ServerPurchase& purchase);

/// The first month in which the servers of a purchase are gone from the pool; far beyond any horizon if they are replaced or leased
/// again.
[[nodiscard]] int retirement_of(const Pool& pool, const ServerPurchase& purchase);

/// The generations of a purchase that serve within the horizon, and the own-build facilities that house them. Leased servers that
/// are bought at the term's end are assets from then on. They depreciate over the rest of their life, down to the buy-out price or
/// residual_fraction of their price when new, whichever is lower.
[[nodiscard]] std::vector<Asset> hardware_assets(const Pool& pool, const ServerPurchase& purchase, int months);
[[nodiscard]] std::vector<Asset> facility_assets(const Pool& pool, const ServerPurchase& purchase, int months);

/// Cost and cash of the assets of one category. Each vector has one entry for each month of the horizon.
struct CapitalFlow {
    std::vector<double> cost;
    std::vector<double> cash_start; ///< paid at the month's first instant
    std::vector<double> cash_end;   ///< paid at the month's end; sales are negative
};

/// Settlement at the horizon's end: sale proceeds and book values of assets, the present value of obligations at that date, and
/// loan balances.
struct Terminal {
    double sale = 0.0;
    double book = 0.0;
    double obligations = 0.0;
    double loan_balance = 0.0;
    double commitments_sold = 0.0; ///< proceeds of selling the rest of committed terms
    double returned = 0.0;         ///< refund of upfronts not yet used up; 0 if all is settled
    double tax_loss = 0.0;         ///< loss carried forward, before the tax rate; counted as worthless
};

/// Cost and cash of leased servers by month.
struct LeaseFlow {
    CapitalFlow payments;
    CapitalFlow upfronts;    ///< cost spread over the term
    double settlement = 0.0; ///< cost at the horizon's end: present value of payments still owed, and unused upfronts
    double obligation = 0.0; ///< payments of running terms after the horizon, undiscounted
    double liability = 0.0;  ///< present value, at the horizon's start, of the payments due in the horizon
};

/// Cash of loans by month; interest is cost too.
struct LoanFlow {
    std::vector<double> paid_out;  ///< received at the month's first instant
    std::vector<double> interest;  ///< paid at the month's end
    std::vector<double> principal; ///< repaid at the month's end
};

/// Servers, capital flows and settlement of an owned pool; vectors are by month.
struct OwnedSchedule {
    std::vector<double> servers_in_service; ///< paid and powered, including those in their ramp-up
    std::vector<double> servers_active;     ///< past their ramp
    std::vector<double> price_in_service;   ///< purchase price of the generations in service
    std::vector<double> maintained_price;   ///< base of maintenance: price_in_service plus the price of leased servers, at each
                                            ///< month's exchange rate
    std::vector<double> embodied_kg;        ///< embodied carbon, straight line over the life
    std::vector<double> failures_per_hour;  ///< mean of the servers in service; empty if it doesn't depend on age
    CapitalFlow hardware;
    CapitalFlow facility;           ///< own build
    std::vector<double> tax_credit; ///< deductible at month end: depreciation, and at a sale the tax book value less proceeds
    std::vector<double> sold;       ///< cash of sales before the horizon's end, at the month's end; negative
    std::vector<double> tax_credit_of_sales; ///< the part of `tax_credit` that belongs to `sold`
    double tax_credit_at_end = 0.0;          ///< the part of `tax_credit` of the sale at the horizon's end
    double disposal = 0.0;                   ///< book value less sale proceeds at the horizon's end
    LeaseFlow lease;
    LoanFlow loan;
    Terminal terminal;
};

/// Failure rate of a server in the month of age a (0 is its first): f L [((a+1)/L)^k - (a/L)^k] for a Weibull shape k and a life of
/// L months, where f is the server's failures_per_hour. This is the mean over the month of a hazard whose mean over the life is f
/// (W. Weibull, Journal of Applied Mechanics 18, 1951). Without a shape: f x failure_factor at the month's start.
[[nodiscard]] double failures_per_hour(const Server& server, int age);

/// Watts of one server with its devices, at full load.
[[nodiscard]] double server_nameplate_w(const Server& server);

/// Servers that fit into a rack of the site: by power if the site states `rack_kw`, else by height.
/// 0 if neither is known.
[[nodiscard]] double servers_per_rack(const Server& server, const Site& site);

/// The schedule of an owned pool over `months`. A purchase whose life ended before the horizon is ignored.
/// Cost: O(purchases x months).
[[nodiscard]] OwnedSchedule schedule_owned(const Pool& pool, const Finance& finance, int months);

} // namespace costcurve::model
