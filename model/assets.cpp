// Turns purchases of servers into assets, and assets into monthly cost, cash and tax deductions.
#include "model/assets.hpp"

#include <algorithm>
#include <climits>
#include <cmath>

#include "model/categories/exchange.hpp"
#include "model/finance.hpp"

namespace costcurve::model {

namespace {

constexpr double kRounding = 1e-9; // tolerance of floors against rounding

struct Horizon {
    int months;
    const Finance& finance;
};

// Adds the tax deductions of an asset. One that is owned before the horizon enters at its book value, as if bought at the start.
// Leaving service counts as a sale. Own-build facilities are depreciated straight-line and get no bonus depreciation.
void add_tax(const Asset& asset, const Horizon& horizon, int from, int to, bool is_hardware, OwnedSchedule& schedule) {
    Finance rule = horizon.finance;
    if (!is_hardware) {
        rule.tax_depreciation = TaxDepreciation::straight_line;
    }
    const InvestmentCredit investment =
        is_hardware ? investment_credit(asset, horizon.finance, horizon.months) : InvestmentCredit{};
    constexpr double kBasisTaken = 0.5; // part of the investment credit that reduces the tax basis
    const double basis = book_value(asset, from) - kBasisTaken * investment.credit;
    const double bonus = is_hardware && asset.start >= 0 ? basis * rule.bonus_depreciation_fraction : 0.0;
    const std::vector<double> depreciation =
        tax_depreciation(rule, Money{basis - bonus}, Months{static_cast<double>(asset.life)}, to - from);
    double tax_book = basis - bonus;
    schedule.tax_credit[static_cast<std::size_t>(from)] += bonus + investment.credit / rule.tax_rate;
    for (int m = from; m < to; ++m) {
        const double amount = depreciation[static_cast<std::size_t>(m - from)];
        schedule.tax_credit[static_cast<std::size_t>(m)] += amount;
        tax_book -= amount;
    }
    const double loss = tax_book + kBasisTaken * investment.given_back - investment.given_back / rule.tax_rate -
                        sale_value(asset, rule.at_end, horizon.months);
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
    const double at_order = asset.start < 0 ? 0.0 : asset.at_order * asset.price;
    flow.cash_start[static_cast<std::size_t>(std::max(0, asset.start - asset.lead))] += at_order;
    flow.cash_start[static_cast<std::size_t>(from)] += book_value(asset, from) - at_order;
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

// Months that one generation of a purchase serves: the lease's term if the servers leave with it, else the server's life.
int generation_months(const Pool& pool, const ServerPurchase& purchase) {
    return purchase.lease && purchase.lease->at_end == LeaseEnd::leave ? purchase.lease->term_months : pool.server->life_months;
}

// Start of the first generation that reaches into the horizon; generations of `life` months follow each other from `purchased` on.
int first_start(int purchased, int life) { return purchased < 0 ? purchased + (-purchased / life) * life : purchased; }

// Adds a loan's flows: principal is cash only, interest is cost and cash.
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

void add_lease(const LeaseRun& run, const Lease& lease, const Server& server, const Horizon& horizon, OwnedSchedule& schedule) {
    LeaseFlow& flow = schedule.lease;
    const PaymentsDue due = payments_due(run, horizon.months);
    const double d = horizon.finance.discount_rate;
    for (int k = due.first; k < due.last; ++k) {
        const int month = run.start + k;
        const auto m = static_cast<std::size_t>(month);
        const double payment = run.payment * later_rate(server, m);
        flow.payments.cost[m] += payment;
        (lease.in_advance ? flow.payments.cash_start : flow.payments.cash_end)[m] += payment;
        flow.liability += payment * discount_factor(d, static_cast<double>(m) + (lease.in_advance ? 0 : 1));
    }
    const double last_rate = later_rate(server, static_cast<std::size_t>(horizon.months - 1));
    flow.obligation += run.payment * last_rate * due.left;
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
    const double owed = owed_at_end(run, lease.in_advance, d, horizon.months) * last_rate;
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
    const std::vector<double>& index = server.stored.exchange_index;
    const auto maintain = [&](int from, int to, double price) { // paid monthly, at each month's exchange rate
        for (int m = std::max(from, 0); m < std::min(to, horizon.months); ++m) {
            schedule.maintained_price[static_cast<std::size_t>(m)] += price * at_rate_of(index, m) / at_rate_of(index, from);
        }
    };
    const Loan* const loan = loan_of(pool, purchase);
    for (const Asset& asset : hardware_assets(pool, purchase, horizon.months)) {
        add_asset(asset, horizon, true, schedule);
        serve(asset.start, asset.retirement, asset.price, schedule.price_in_service);
        if (!asset.is_bought_out()) { // maintenance of a bought-out server comes with its lease
            maintain(asset.start, asset.retirement, asset.price);
        }
        if (loan != nullptr) {
            add_loan(*loan, asset, horizon, schedule);
        }
    }
    for (const LeaseRun& run : lease_runs(pool, purchase, horizon.months)) {
        add_lease(run, *purchase.lease, server, horizon, schedule);
        maintain(run.start, run.leave, purchase.servers * server_price(server, purchase, run.start));
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

// Adds the mean failure rate of the servers in service, by their ages, if the rate depends on age.
void add_failures(const Pool& pool, OwnedSchedule& schedule) {
    const Server& server = *pool.server;
    if (!server.failures_per_hour || (!server.failure_shape && !server.failure_factor)) {
        return;
    }
    for (std::size_t m = 0; m < schedule.servers_in_service.size(); ++m) {
        double failures = 0.0;
        for (const ServerPurchase& purchase : pool.purchases) {
            const int since = static_cast<int>(m) - purchase.month;
            const int period = generation_months(pool, purchase);
            if (since >= 0 && static_cast<int>(m) < retirement_of(pool, purchase)) {
                failures += purchase.servers * failures_per_hour(server, since % period);
            }
        }
        const double servers = schedule.servers_in_service[m];
        schedule.failures_per_hour.push_back(servers > 0.0 ? failures / servers : *server.failures_per_hour);
    }
}

} // namespace

double book_value(const Asset& asset, int month) {
    return book_value(Money{asset.price}, Money{asset.residual}, Months{static_cast<double>(asset.life)},
                      Months{static_cast<double>(month - asset.start)})
        .value;
}

double market_value(const Asset& asset, int month) {
    return asset.resale != nullptr ? asset.new_price * read(*asset.resale, month - asset.start + asset.age)
                                   : book_value(asset, month);
}

double sale_value(const Asset& asset, AtEnd at_end, int months) {
    const bool is_settled = asset.retirement > months && at_end == AtEnd::exit;
    return is_settled ? market_value(asset, months) : book_value(asset, std::min(asset.retirement, months));
}

InvestmentCredit investment_credit(const Asset& asset, const Finance& finance, int months) {
    constexpr int kYears = 5;
    constexpr int kMonthsOfYear = 12;
    if (asset.start < 0 || asset.is_bought_out()) {
        return {};
    }
    const double credit = finance.investment_credit_fraction * asset.price;
    const bool is_kept = asset.retirement > months && finance.at_end == AtEnd::continuing;
    const int years = (std::min(asset.retirement, months) - asset.start) / kMonthsOfYear;
    return {credit, is_kept ? 0.0 : credit * std::max(0, kYears - years) / kYears};
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
    const double all = price * (1 + server.spares_fraction) + (server.network_price + server.storage_price) * since_start;
    return all * at_rate_of(server.stored.exchange_index, month);
}

double buyout_price(const Server& server, const Lease& lease, const LeaseRun& run) {
    return lease.buyout_per_server.value_or(0.0) * at_rate_of(server.stored.exchange_index, run.end);
}

std::vector<Asset> hardware_assets(const Pool& pool, const ServerPurchase& purchase, int months) {
    const Server& server = *pool.server;
    const int life = server.life_months;
    const int end = std::min(retirement_of(pool, purchase), months);
    const Curve* const resale = server.residual_fraction.curve ? &*server.residual_fraction.curve : nullptr;
    std::vector<Asset> assets;
    for (int start = first_start(purchase.month, life); start < end && !purchase.lease; start += life) {
        const double price = purchase.servers * server_price(server, purchase, start);
        assets.push_back({price, price * residual_fraction(server), life, start, start + life, resale, purchase.lead_months,
                          purchase.paid_at_order_fraction, price, 0});
    }
    for (const LeaseRun& run : lease_runs(pool, purchase, months)) {
        if (purchase.lease->at_end == LeaseEnd::buy && run.end < months) {
            const double price = purchase.servers * buyout_price(server, *purchase.lease, run);
            const double new_price = purchase.servers * server_price(server, purchase, run.start);
            assets.push_back({price, std::min(price, new_price * residual_fraction(server)), run.leave - run.end, run.end,
                              run.leave, resale, 0, 0.0, new_price, run.term});
        }
    }
    return assets;
}

std::vector<LeaseRun> lease_runs(const Pool& pool, const ServerPurchase& purchase, int months) {
    std::vector<LeaseRun> runs;
    if (!purchase.lease) {
        return runs;
    }
    const Lease& lease = *purchase.lease;
    const int length = generation_months(pool, purchase);
    const int end = std::min(retirement_of(pool, purchase), months);
    for (int start = first_start(purchase.month, length); start < end; start += length) {
        const int leave = start + length;
        runs.push_back({start, lease.term_months, lease.at_end == LeaseEnd::buy ? start + lease.term_months : leave, leave,
                        purchase.servers * lease.payment_per_server_month,
                        purchase.servers * lease.upfront_per_server * at_rate_of(pool.server->stored.exchange_index, start)});
    }
    return runs;
}

PaymentsDue payments_due(const LeaseRun& run, int months) {
    const int payments = run.end - run.start; // including those of a renewal
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
        const double paid = price * at_rate_of(site.stored.exchange_index, start);
        assets.push_back({paid, 0.0, life, start, std::min(start + life, retirement), nullptr, 0, 0.0, paid, 0});
    }
    return assets;
}

double failures_per_hour(const Server& server, int age) {
    const double mean = server.failures_per_hour.value_or(0.0);
    if (server.failure_shape) {
        const double life = server.life_months;
        return mean * life * (std::pow((age + 1) / life, *server.failure_shape) - std::pow(age / life, *server.failure_shape));
    }
    return server.failure_factor ? mean * read(*server.failure_factor, age) : mean;
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
    add_failures(pool, schedule);
    return schedule;
}

} // namespace costcurve::model
