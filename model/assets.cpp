// Vintages become assets; assets become monthly cost, cash and tax credits.
#include "model/assets.hpp"

#include <algorithm>
#include <climits>
#include <cmath>

#include "model/finance.hpp"

namespace costcurve::model {

namespace {

constexpr double kRounding = 1e-9; // floors forgive this much

struct Horizon {
    int months;
    const Finance& finance;
};

// An asset owned already enters at its book value as bought at the start; the end of service is a sale. Own build is written off
// straight, and no bonus is taken of it.
void add_tax(const Asset& asset, const Horizon& horizon, int from, int to, bool is_hardware, OwnedSchedule& schedule) {
    Finance rule = horizon.finance;
    if (!is_hardware) {
        rule.tax_depreciation = TaxDepreciation::straight_line;
    }
    const double basis = book_value(asset, from);
    const double bonus = is_hardware && asset.start >= 0 ? basis * rule.bonus_depreciation_fraction : 0.0;
    const std::vector<double> depreciation =
        tax_depreciation(rule, Money{basis - bonus}, Months{static_cast<double>(asset.life)}, to - from);
    double tax_book = basis - bonus;
    schedule.tax_credit[static_cast<std::size_t>(from)] += bonus;
    for (int m = from; m < to; ++m) {
        const double amount = depreciation[static_cast<std::size_t>(m - from)];
        schedule.tax_credit[static_cast<std::size_t>(m)] += amount;
        tax_book -= amount;
    }
    const double loss = tax_book - sale_value(asset, rule.at_end, horizon.months);
    schedule.tax_credit[static_cast<std::size_t>(to - 1)] += loss;
    (asset.retirement > horizon.months ? schedule.tax_credit_at_end
                                       : schedule.tax_credit_of_sales[static_cast<std::size_t>(to - 1)]) += loss;
}

void add_asset(const Asset& asset, const Horizon& horizon, bool is_hardware, OwnedSchedule& schedule) {
    CapitalFlow& flow = is_hardware ? schedule.hardware : schedule.facility;
    const int from = std::max(asset.start, 0);
    const int to = std::min(asset.retirement, horizon.months);
    if (from >= to) {
        return;
    }
    const double monthly = monthly_cost(asset, horizon.finance);
    flow.cash_start[static_cast<std::size_t>(from)] += book_value(asset, from);
    const double sale = sale_value(asset, horizon.finance.at_end, horizon.months);
    flow.cash_end[static_cast<std::size_t>(to - 1)] -= sale;
    if (asset.retirement > horizon.months) {
        const double book = book_value(asset, to);
        schedule.disposal += book - sale;
        schedule.terminal.sale += sale;
        schedule.terminal.book += book;
    } else {
        schedule.sold[static_cast<std::size_t>(to - 1)] -= sale;
    }
    for (int m = from; m < to; ++m) {
        flow.cost[static_cast<std::size_t>(m)] += monthly;
    }
    if (horizon.finance.tax_rate > 0) {
        add_tax(asset, horizon, from, to, is_hardware, schedule);
    }
}

// The first of the generations, each of `life` months from the purchase on, that reaches into the horizon.
int first_start(int purchased, int life) { return purchased < 0 ? purchased + (-purchased / life) * life : purchased; }

// Principal flows are cash; interest is cost and cash.
void add_loan(const Loan& loan, const Asset& asset, const Horizon& horizon, OwnedSchedule& schedule) {
    const double amount = loan.fraction * asset.price;
    const int past = std::max(0, -asset.start); // payments before the horizon
    const int due = std::min(loan.term_months, horizon.months - asset.start);
    if (past >= loan.term_months || asset.start >= horizon.months) {
        return;
    }
    schedule.loan.paid_out[static_cast<std::size_t>(std::max(asset.start, 0))] += loan_balance(loan, amount, past);
    for (int k = past; k < due; ++k) {
        const int month = asset.start + k;
        const auto m = static_cast<std::size_t>(month);
        schedule.loan.interest[m] += loan_interest(loan, amount, k);
        schedule.loan.principal[m] += loan_balance(loan, amount, k) - loan_balance(loan, amount, k + 1);
    }
    schedule.terminal.loan_balance += loan_balance(loan, amount, due);
}

void add_lease(const LeaseRun& run, const Lease& lease, const Horizon& horizon, OwnedSchedule& schedule) {
    LeaseFlow& flow = schedule.lease;
    const PaymentsDue due = payments_due(run, horizon.months);
    const double d = horizon.finance.discount_rate;
    for (int k = due.first; k < due.last; ++k) {
        const int month = run.start + k;
        const auto m = static_cast<std::size_t>(month);
        flow.payments.cost[m] += run.payment;
        (lease.in_advance ? flow.payments.cash_start : flow.payments.cash_end)[m] += run.payment;
        flow.liability += run.payment * discount_factor(d, static_cast<double>(m) + (lease.in_advance ? 0 : 1));
    }
    flow.obligation += run.payment * due.left;
    double unspent = 0.0;
    if (run.start >= 0) {
        flow.upfronts.cash_start[static_cast<std::size_t>(run.start)] += run.upfront;
        const int spread = std::min(run.term, horizon.months - run.start);
        for (int k = 0; k < spread; ++k) {
            const int month = run.start + k;
            flow.upfronts.cost[static_cast<std::size_t>(month)] += run.upfront / run.term;
        }
        unspent = run.upfront * (run.term - spread) / run.term;
    }
    if (horizon.finance.at_end == AtEnd::continuing) {
        schedule.terminal.returned += unspent;
        flow.upfronts.cash_end.back() -= unspent;
        return;
    }
    const double owed = owed_at_end(run, lease.in_advance, d, horizon.months);
    schedule.terminal.obligations += owed;
    flow.settlement += owed + unspent;
}

void add_vintage(const Pool& pool, const ServerPurchase& purchase, const Horizon& horizon, OwnedSchedule& schedule) {
    const Server& server = *pool.server;
    const int retirement = retirement_of(pool, purchase);
    const auto serve = [&](int from, int to, double price, std::vector<double>& prices) {
        for (int m = std::max(from, 0); m < std::min(to, horizon.months); ++m) {
            prices[static_cast<std::size_t>(m)] += price;
        }
    };
    const Loan* const loan = loan_of(pool, purchase);
    for (const Asset& asset : hardware_assets(pool, purchase, horizon.months)) {
        add_asset(asset, horizon, true, schedule);
        serve(asset.start, asset.retirement, asset.price, schedule.price_in_service);
        serve(asset.start, asset.retirement, asset.price, schedule.maintained_price);
        if (loan != nullptr) {
            add_loan(*loan, asset, horizon, schedule);
        }
    }
    for (const LeaseRun& run : lease_runs(pool, purchase, horizon.months)) {
        add_lease(run, *purchase.lease, horizon, schedule);
        serve(run.start, run.end, purchase.servers * server_price(server, purchase, run.start), schedule.maintained_price);
    }
    for (const Asset& asset : facility_assets(pool, purchase, horizon.months)) {
        add_asset(asset, horizon, false, schedule);
    }
    const double embodied = purchase.servers * server.embodied_kg / server.life_months;
    for (int m = std::max(purchase.month, 0); m < std::min(retirement, horizon.months); ++m) {
        const auto at = static_cast<std::size_t>(m);
        schedule.servers_in_service[at] += purchase.servers;
        schedule.embodied_kg[at] += embodied;
        if (m >= purchase.month + pool.ramp_months) {
            schedule.servers_active[at] += purchase.servers;
        }
    }
}

} // namespace

double book_value(const Asset& asset, int month) {
    return book_value(Money{asset.price}, Money{asset.residual}, Months{static_cast<double>(asset.life)},
                      Months{static_cast<double>(month - asset.start)})
        .value;
}

double market_value(const Asset& asset, int month) {
    return asset.resale != nullptr ? asset.price * read(*asset.resale, month - asset.start) : book_value(asset, month);
}

double sale_value(const Asset& asset, AtEnd at_end, int months) {
    const bool is_settled = asset.retirement > months && at_end == AtEnd::exit;
    return is_settled ? market_value(asset, months) : book_value(asset, std::min(asset.retirement, months));
}

double monthly_cost(const Asset& asset, const Finance& finance) {
    return monthly_capital_cost(finance.capital, finance.discount_rate, Money{asset.price}, Money{asset.residual},
                                Months{static_cast<double>(asset.life)})
        .value;
}

double residual_fraction(const Server& server) {
    const Rate& fraction = server.residual_fraction;
    return fraction.curve ? read(*fraction.curve, server.life_months) : fraction.number;
}

double server_price(const Server& server, const ServerPurchase& purchase, int month) {
    const double since_start = growth_factor(server.price_change_rate, month);
    const double price = purchase.price ? *purchase.price * growth_factor(server.price_change_rate, month - purchase.month)
                                        : server.price * since_start;
    return price + (server.network_price + server.storage_price) * since_start;
}

std::vector<Asset> hardware_assets(const Pool& pool, const ServerPurchase& purchase, int months) {
    const Server& server = *pool.server;
    const int life = server.life_months;
    const int end = std::min(retirement_of(pool, purchase), months);
    const Curve* const resale = server.residual_fraction.curve ? &*server.residual_fraction.curve : nullptr;
    std::vector<Asset> assets;
    for (int start = first_start(purchase.month, life); start < end && !purchase.lease; start += life) {
        const double price = purchase.servers * server_price(server, purchase, start);
        assets.push_back({price, price * residual_fraction(server), life, start, start + life, resale});
    }
    return assets;
}

std::vector<LeaseRun> lease_runs(const Pool& pool, const ServerPurchase& purchase, int months) {
    std::vector<LeaseRun> runs;
    if (!purchase.lease) {
        return runs;
    }
    const Lease& lease = *purchase.lease;
    const int length = lease.at_end == LeaseEnd::leave ? lease.term_months : pool.server->life_months;
    const int end = std::min(retirement_of(pool, purchase), months);
    for (int start = first_start(purchase.month, length); start < end; start += length) {
        runs.push_back({start, lease.term_months, start + length, purchase.servers * lease.payment_per_server_month,
                        purchase.servers * lease.upfront_per_server});
    }
    return runs;
}

PaymentsDue payments_due(const LeaseRun& run, int months) {
    const int payments = run.end - run.start; // those of a renewal too
    return {std::min(std::max(0, -run.start), payments), std::min(payments, months - run.start),
            std::max(0, run.start + run.term - months)};
}

double owed_at_end(const LeaseRun& run, bool in_advance, double discount_rate, int months) {
    double owed = 0.0;
    for (int k = 0; k < payments_due(run, months).left; ++k) {
        owed += run.payment * discount_factor(discount_rate, k + (in_advance ? 0 : 1));
    }
    return owed;
}

const Loan* loan_of(const Pool& pool, const ServerPurchase& purchase) {
    const std::optional<Loan>& loan = purchase.loan ? purchase.loan : pool.loan;
    return loan ? &*loan : nullptr;
}

int retirement_of(const Pool& pool, const ServerPurchase& purchase) {
    const bool leaves = purchase.lease && purchase.lease->at_end == LeaseEnd::leave;
    return pool.refresh ? INT_MAX / 2 : purchase.month + (leaves ? purchase.lease->term_months : pool.server->life_months);
}

std::vector<Asset> facility_assets(const Pool& pool, const ServerPurchase& purchase, int months) {
    const Site& site = *pool.site;
    std::vector<Asset> assets;
    const int retirement = retirement_of(pool, purchase);
    if (site.facility_price_per_w == 0.0 || retirement <= 0) {
        return assets;
    }
    const int life = *site.facility_life_months;
    const double price = site.facility_price_per_w * server_nameplate_w(*pool.server) * purchase.servers;
    for (int start = first_start(purchase.month, life); start < std::min(retirement, months); start += life) {
        assets.push_back({price, 0.0, life, start, std::min(start + life, retirement), nullptr});
    }
    return assets;
}

double server_nameplate_w(const Server& server) { return server.host_max_w + server.devices * server.device.tdp_w; }

double servers_per_rack(const Server& server, const Site& site) {
    if (site.rack_kw) {
        return std::floor(*site.rack_kw * 1000 / server_nameplate_w(server) + kRounding);
    }
    if (server.rack_units) {
        return std::floor(site.rack_units_per_rack / *server.rack_units + kRounding);
    }
    return 0.0;
}

OwnedSchedule schedule_owned(const Pool& pool, const Finance& finance, int months) {
    const std::vector<double> zero(static_cast<std::size_t>(months), 0.0);
    const CapitalFlow none{zero, zero, zero};
    OwnedSchedule schedule;
    for (std::vector<double>* by_month :
         {&schedule.servers_in_service, &schedule.servers_active, &schedule.price_in_service, &schedule.maintained_price,
          &schedule.embodied_kg, &schedule.tax_credit, &schedule.sold, &schedule.tax_credit_of_sales, &schedule.loan.paid_out,
          &schedule.loan.interest, &schedule.loan.principal}) {
        *by_month = zero;
    }
    for (CapitalFlow* flow : {&schedule.hardware, &schedule.facility, &schedule.lease.payments, &schedule.lease.upfronts}) {
        *flow = none;
    }
    const Horizon horizon{months, finance};
    for (const ServerPurchase& purchase : pool.purchases) {
        add_vintage(pool, purchase, horizon, schedule);
    }
    return schedule;
}

} // namespace costcurve::model
