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
};

/// The straight line between price and residual at the beginning of a month, 0-based; also under the annuity rule.
[[nodiscard]] double book_value(const Asset& asset, int month);

/// What a sale brings in the beginning of a month: P x residual(age) where there is a curve of resale, else book value.
[[nodiscard]] double market_value(const Asset& asset, int month);

/// What the asset brings when it leaves service, or at the end of a horizon of `months` that comes before: book value, and at the
/// horizon's end what `at_end` assumes.
[[nodiscard]] double sale_value(const Asset& asset, AtEnd at_end, int months);

/// What each month of service bears, by the scenario's capital rule.
[[nodiscard]] double monthly_cost(const Asset& asset, const Finance& finance);

/// What a server of a purchase costs in the generation that is bought in `month`, with its network and storage capital: a stated
/// price changes from its purchase on, list prices from the horizon's start.
[[nodiscard]] double server_price(const Server& server, const ServerPurchase& purchase, int month);

/// The fraction of its price that a server is sold for at the end of its life.
[[nodiscard]] double residual_fraction(const Server& server);

/// A lease of a purchase's servers: from `start` for `term` months, and where it is renewed to `end`.
struct LeaseRun {
    int start = 0;
    int term = 0;         ///< months
    int end = 0;          ///< month in whose beginning the servers leave, or the next lease begins
    double payment = 0.0; ///< a month, of all servers
    double upfront = 0.0; ///< of all servers
};
/// The leases of a purchase that reach into the horizon; none where it is bought.
[[nodiscard]] std::vector<LeaseRun> lease_runs(const Pool& pool, const ServerPurchase& purchase, int months);

/// Months before the horizon's end that a lease's payments cover: [first, last) of its payments are due in it.
struct PaymentsDue {
    int first = 0;
    int last = 0;
    int left = 0; ///< of the running term, beyond the horizon's end
};
[[nodiscard]] PaymentsDue payments_due(const LeaseRun& run, int months);

/// The present value, at the horizon's end, of what a lease still owes there.
[[nodiscard]] double owed_at_end(const LeaseRun& run, bool in_advance, double discount_rate, int months);

/// The loan of a purchase, if it has one: its own, else the pool's.
[[nodiscard]] const Loan* loan_of(const Pool& pool, const ServerPurchase& purchase);

/// The month in whose beginning the servers of a purchase leave the pool; far beyond any horizon where they are bought or leased
/// again.
[[nodiscard]] int retirement_of(const Pool& pool, const ServerPurchase& purchase);

/// The generations of a purchase that serve within the horizon, and the own-build facilities that carry them.
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
    double returned = 0.0; ///< of upfronts that are not spent; nothing where all is settled
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
    std::vector<double> maintained_price;   ///< the same, and what leased servers would have cost: the base of maintenance
    std::vector<double> embodied_kg;        ///< straight line over the life
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

/// Watts of one server with its devices, at full load.
[[nodiscard]] double server_nameplate_w(const Server& server);

/// Servers that a rack of the site holds: by power where the site states `rack_kw`, else by height.
/// 0 where neither is known.
[[nodiscard]] double servers_per_rack(const Server& server, const Site& site);

/// The schedule of an owned pool over `months`. A vintage whose life ended before the horizon is ignored.
/// Cost: O(purchases x months).
[[nodiscard]] OwnedSchedule schedule_owned(const Pool& pool, const Finance& finance, int months);

} // namespace costcurve::model
