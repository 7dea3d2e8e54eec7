// Commitments, owned assets, leases, loans, sites, extra costs and engineering, month by month.
#include "model/categories/fixed_costs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/categories/day_terms.hpp"
#include "model/categories/exchange.hpp"
#include "model/categories/operating_costs.hpp"
#include "model/categories/seller_tiers.hpp"
#include "model/categories/spend_commitments.hpp"
#include "model/categories/term_resale.hpp"
#include "model/commitment.hpp"
#include "model/compile_work.hpp"
#include "model/finance.hpp"
#include "model/hosted/provisioned.hpp"

namespace costcurve::model {

namespace {

constexpr std::size_t index(Category category) { return static_cast<std::size_t>(category); }
std::size_t direct_index(Category category) {
    return static_cast<std::size_t>(std::find(kDirect.begin(), kDirect.end(), category) - kDirect.begin());
}

// Adds the costs that don't depend on load to the fixed ledger.
class FixedCosts {
public:
    FixedCosts(const ScenarioDocument& scenario, Compiled& compiled) : scenario_(scenario), compiled_(compiled) {}

    void add_commitment(std::size_t p, const Pool& pool) {
        for (const PaidTerm& term : terms_paid_ahead(pool, scenario_)) {
            const double upfront = upfront_of(pool) * later_rate(*pool.offer, at(term.begins));
            if (upfront == 0.0) {
                break;
            }
            invest(at(term.begins), p, Category::commitment, upfront, 0.0);
            for (std::size_t m = 0; m < compiled_.months; ++m) {
                compiled_.fixed.cost(m, p, index(Category::commitment)) += upfront * term.in_month[m] / term.length;
            }
            const double unspent = upfront * term.left / term.length;
            if (scenario_.finance.at_end == AtEnd::exit) {
                settle(p, Category::commitment, unspent, 0.0);
            } else {
                invest(compiled_.months - 1, p, Category::commitment, 0.0, -unspent);
                compiled_.terminal.returned += unspent;
            }
        }
        add_obligation(p, pool, pool.max_instances);
    }

    // Adds the spend commitments due after the horizon; payments within it depend on load.
    void add_spend_left() {
        const double due = scenario_.finance.at_end == AtEnd::exit ? spend_left(scenario_, true) : 0.0;
        if (due > 0.0) {
            settle(scenario_.pools.size(), Category::commitment, due, due);
            compiled_.terminal.obligations += due;
        }
    }

    // Adds provisioned units, which are paid for in whole terms, used or not.
    void add_provisioned(std::size_t p, const Pool& pool) {
        const CompiledPool& target = compiled_.pools[p];
        for (std::size_t m = 0; m < compiled_.months; ++m) {
            bear(m, p, Category::compute, target.paid_for_units(m, compiled_.hours.months[m].total));
        }
        add_obligation(p, pool, *pool.provisioned_units);
    }

    void add_owned(std::size_t p, const Pool& pool, const OwnedSchedule& schedule) {
        const Server& server = *pool.server;
        const Site& site = *pool.site;
        const std::vector<double>& racks = compiled_.pools[p].racks;
        for (std::size_t m = 0; m < compiled_.months; ++m) {
            const double servers = schedule.servers_in_service[m];
            add_capital(m, p, Category::hardware, schedule.hardware);
            add_capital(m, p, Category::facility, schedule.facility);
            const double space = site.space_per_kw_month * servers * server_nameplate_w(server) / 1000 +
                                 (racks.empty() ? 0.0 : site.space_per_rack_month * racks[m]);
            bear_grown(m, p, Category::facility, space * later_rate(site, m));
            bear_grown(m, p, Category::maintenance, schedule.maintained_price[m] * server.maintenance_rate / 12);
            add_operating(m, p, OperatingCost::Volume::servers, servers);
            compiled_.capital.start[m] += schedule.hardware.cash_start[m] + schedule.facility.cash_start[m];
            compiled_.capital.sold[m] += schedule.sold[m];
            compiled_.capital.tax_credit[m] += schedule.tax_credit[m];
            compiled_.capital.tax_credit_of_sales[m] += schedule.tax_credit_of_sales[m];
            add_lease(m, p, schedule.lease);
            add_loan(m, p, schedule.loan);
        }
        compiled_.capital.tax_credit_at_end += schedule.tax_credit_at_end;
        settle(p, Category::disposal, schedule.disposal, 0.0);
        settle(p, Category::lease, schedule.lease.settlement, schedule.terminal.obligations);
        if (schedule.terminal.loan_balance != 0.0) {
            invest(compiled_.months - 1, p, Category::financing, 0.0, schedule.terminal.loan_balance);
        }
        compiled_.payments[p].obligation += schedule.lease.obligation;
        compiled_.payments[p].lease_liability = schedule.lease.liability;
        compiled_.terminal.sale += schedule.terminal.sale;
        compiled_.terminal.book += schedule.terminal.book;
        compiled_.terminal.obligations += schedule.terminal.obligations;
        compiled_.terminal.loan_balance += schedule.terminal.loan_balance;
        compiled_.terminal.returned += schedule.terminal.returned;
    }

    // Adds the costs of a site, allocated to its pools by the nameplate power of servers in service.
    void add_site(const CompiledSite& target) {
        const Site& site = *scenario_.pools[target.pools.front()].site;
        for (std::size_t m = 0; m < compiled_.months; ++m) {
            if (target.nameplate_kw[m] <= 0) {
                continue;
            }
            for (const std::size_t p : target.pools) {
                add_operating(m, p, OperatingCost::Volume::sites, site.places * share_of(target, p, m));
            }
        }
        for (std::size_t i = 0; i < site.extra_costs.size(); ++i) {
            const ExtraCost& extra = site.extra_costs[i];
            const std::size_t first_row = compiled_.extra_rows.size();
            for (const std::size_t p : target.pools) {
                add_row(p, extra, fmt::format("/pools/{}/site/extra_costs/{}", p, i));
            }
            add_extra(
                extra, [&](std::size_t m) { return target.nameplate_kw[m] > 0; },
                [&](const Extra& amount) {
                    double servers = 0.0;
                    for (const std::size_t p : target.pools) {
                        servers += compiled_.pools[p].units_paid[amount.month];
                    }
                    for (std::size_t k = 0; k < target.pools.size(); ++k) {
                        const double share = share_of(target, target.pools[k], amount.month) * later_rate(site, amount.month);
                        const Extra part{amount.month, (site.places * amount.end + servers * amount.per_unit) * share,
                                         site.places * amount.start * share, 0.0};
                        bear_extra(compiled_.extra_rows[first_row + k], part);
                    }
                });
        }
    }

    // Adds a pool's own extra costs; evaluate adds those that depend on the bill.
    void add_extras(std::size_t p, const Pool& pool, const OwnedSchedule& schedule) {
        CompiledPool& target = compiled_.pools[p];
        const Window window = pool.kind == PoolKind::cloud ? window_of(pool, scenario_) : Window{0, scenario_.months};
        const auto is_there = [&](std::size_t m) {
            return pool.kind == PoolKind::owned ? target.units_paid[m] > 0
                                                : pool.kind == PoolKind::api || (window.holds(m) && pool.max_instances > 0);
        };
        for (std::size_t i = 0; i < pool.extra_costs.size(); ++i) {
            const ExtraCost& extra = pool.extra_costs[i];
            ExtraRow& row = add_row(p, extra, fmt::format("/pools/{}/extra_costs/{}", p, i));
            VariableExtra variable{category_of(extra), {}, {}};
            variable.per_unit.assign(compiled_.months, 0.0);
            variable.of_bill.assign(compiled_.months, 0.0);
            add_extra(extra, is_there, [&](Extra amount) {
                const std::size_t m = amount.month;
                if (pool.kind == PoolKind::owned) {
                    amount.end += amount.per_unit * target.units_paid[m];
                    amount.end += extra.per_year_of_price / 12 * schedule.price_in_service[m] * grown(extra, m);
                }
                variable.per_unit[m] = amount.per_unit;
                variable.of_bill[m] = extra.fraction_of_bill;
                bear_extra(row, amount);
            });
            target.commitment = commitment_of(p);
            if (pool.kind != PoolKind::owned && (extra.per_unit_month != 0.0 || extra.fraction_of_bill != 0.0)) {
                row.variable = target.extras.size();
                target.extras.push_back(std::move(variable));
            }
        }
    }

    void add_scenario_extras() {
        for (std::size_t i = 0; i < scenario_.extra_costs.size(); ++i) {
            ExtraRow& row = add_row(compiled_.pools.size(), scenario_.extra_costs[i], fmt::format("/extra_costs/{}", i));
            add_extra(
                scenario_.extra_costs[i], [](std::size_t) { return true; }, [&](const Extra& amount) { bear_extra(row, amount); });
        }
    }

    void add_engineering(std::size_t p, std::size_t w, const Porting& porting) {
        const double cost = porting.engineer_weeks * scenario_.finance.engineer_week_cost;
        if (cost == 0.0 || !has_capacity(compiled_, scenario_, p)) {
            return;
        }
        for (std::size_t m = 0; m < compiled_.months; ++m) {
            const double monthly = cost / static_cast<double>(compiled_.months);
            compiled_.fixed.cost(m, p, index(Category::engineering)) += monthly;
            compiled_.fixed.direct(m, p, w, direct_index(Category::engineering)) += monthly;
        }
        compiled_.fixed.cash(0, p, index(Category::engineering)) += cost;
        compiled_.flows.starts(0, p, index(Category::engineering)) += cost;
    }

    // Sums the present values of flows that tax treats differently: capital, and its deductions.
    void sum_capital() {
        const CapitalFlows& capital = compiled_.capital;
        for (std::size_t m = 0; m < compiled_.months; ++m) {
            compiled_.npv_capital +=
                capital.start[m] * compiled_.discount[m] + (capital.principal[m] + capital.sold[m]) * compiled_.discount[m + 1];
            compiled_.npv_tax_credit += capital.tax_credit[m] * compiled_.discount[m + 1];
        }
        compiled_.npv_capital += (compiled_.terminal.loan_balance - compiled_.terminal.sale) * compiled_.discount[compiled_.months];
    }

private:
    // Amounts of an extra cost in a month after price growth: at the month's start, at its end, and per unit.
    struct Extra {
        std::size_t month;
        double end;
        double start;
        double per_unit;
    };

    // Cost of upfronts by month, without the settlement at the horizon's end.
    [[nodiscard]] std::vector<double> commitment_of(std::size_t p) const {
        std::vector<double> cost;
        for (std::size_t m = 0; m < compiled_.months; ++m) {
            cost.push_back(compiled_.fixed.cost(m, p, index(Category::commitment)));
        }
        cost.back() -= settled_cost(compiled_.fixed, p, Category::commitment);
        return cost;
    }

    static std::size_t at(int month) { return static_cast<std::size_t>(month); }

    // Adds an amount to cost, and to cash at the month's end.
    void bear(std::size_t m, std::size_t p, Category category, double amount) {
        if (amount == 0.0) { // true for most calls
            return;
        }
        compiled_.fixed.cost(m, p, index(category)) += amount;
        compiled_.fixed.cash(m, p, index(category)) += amount;
    }
    void bear_grown(std::size_t m, std::size_t p, Category category, double amount) {
        bear(m, p, category, amount * compiled_.growth(index(category), m));
    }
    void add_operating(std::size_t m, std::size_t p, OperatingCost::Volume of, double volume) {
        for (const OperatingCost& cost : kOperatingCosts) {
            if (cost.volume == of) {
                const Pool& pool = scenario_.pools[p];
                bear_grown(m, p, cost.category,
                           cost.of_month(*pool.server, *pool.site, volume) *
                               at_rate_of(exchange_index_of(cost, *pool.server, *pool.site), static_cast<int>(m)));
            }
        }
    }
    void bear_start(std::size_t m, std::size_t p, Category category, double amount) {
        bear(m, p, category, amount);
        compiled_.flows.starts(m, p, index(category)) += amount;
    }
    ExtraRow& add_row(std::size_t p, const ExtraCost& extra, std::string pointer) {
        return compiled_.extra_rows.emplace_back(
            ExtraRow{p, category_of(extra), std::move(pointer), std::vector<double>(compiled_.months, 0.0), std::nullopt});
    }
    void bear_extra(ExtraRow& row, const Extra& amount) {
        bear(amount.month, row.pool, row.category, amount.end);
        bear_start(amount.month, row.pool, row.category, amount.start);
        row.cost[amount.month] += amount.end + amount.start;
    }
    // Adds capital cash, at the month's start and end.
    void invest(std::size_t m, std::size_t p, Category category, double start, double end) {
        if (start == 0.0 && end == 0.0) { // true for most months
            return;
        }
        compiled_.fixed.cash(m, p, index(category)) += start + end;
        compiled_.flows.starts(m, p, index(category)) += start;
        compiled_.fixed.over_horizon.push_back({m, p, index(category), 0.0, start + end, start});
        if (p == compiled_.pools.size()) {
            return;
        }
        if (category == Category::hardware || category == Category::facility || category == Category::commitment) {
            compiled_.payments[p].capital[m] += start;
        }
    }
    void add_capital(std::size_t m, std::size_t p, Category category, const CapitalFlow& flow) {
        compiled_.fixed.cost(m, p, index(category)) += flow.cost[m];
        invest(m, p, category, flow.cash_start[m], flow.cash_end[m]);
    }
    void add_lease(std::size_t m, std::size_t p, const LeaseFlow& lease) {
        add_capital(m, p, Category::lease, lease.upfronts);
        compiled_.fixed.cost(m, p, index(Category::lease)) += lease.payments.cost[m];
        compiled_.fixed.cash(m, p, index(Category::lease)) += lease.payments.cash_start[m] + lease.payments.cash_end[m];
        compiled_.flows.starts(m, p, index(Category::lease)) += lease.payments.cash_start[m];
    }
    void add_loan(std::size_t m, std::size_t p, const LoanFlow& loan) {
        bear(m, p, Category::financing, loan.interest[m]);
        invest(m, p, Category::financing, -loan.paid_out[m], loan.principal[m]);
        compiled_.capital.start[m] -= loan.paid_out[m];
        compiled_.capital.principal[m] += loan.principal[m];
        compiled_.has_loans = compiled_.has_loans || loan.paid_out[m] != 0.0;
    }
    // Adds cost and cash of the settlement at the horizon's end.
    void settle(std::size_t p, Category category, double cost, double cash) {
        const std::size_t last = compiled_.months - 1;
        compiled_.fixed.cost(last, p, index(category)) += cost;
        if (cost != 0.0) {
            compiled_.fixed.over_horizon.push_back({last, p, index(category), cost, 0.0, 0.0});
        }
        invest(last, p, category, 0.0, cash);
    }

    // Adds the payments of a running term after the horizon: each month at the price of the horizon's last month, due at its own
    // end.
    void add_obligation(std::size_t p, const Pool& pool, int units) {
        const double hourly = compiled_.pools[p].hourly_price.back() * units;
        const std::vector<double>& by_month = compiled_.pools[p].monthly_price;
        const double monthly = by_month.empty() ? 0.0 : by_month.back() * units;
        const TermLeft left = pool.offer ? term_left_in_tiers(scenario_, compiled_, p) : term_left(pool, scenario_);
        compiled_.payments[p].obligation += left.hours * hourly + left.months * monthly;
        if (scenario_.finance.at_end == AtEnd::exit && !left.hours_by_month.empty()) {
            const TermSale sale = term_sale(scenario_, compiled_, p);
            const double due = sale.owed_fraction * (left.discounted_hours * hourly + left.discounted_months * monthly);
            settle(p, Category::commitment, due - sale.income, due - sale.income);
            compiled_.terminal.obligations += due;
            compiled_.terminal.commitments_sold += sale.income;
        }
    }

    [[nodiscard]] double share_of(const CompiledSite& site, std::size_t p, std::size_t m) const {
        const CompiledPool& pool = compiled_.pools[p];
        return pool.units_paid[m] * pool.power.nameplate_w / 1000 / site.nameplate_kw[m];
    }
    [[nodiscard]] double grown(const ExtraCost& extra, std::size_t m) const {
        return growth_factor(growth_rate(scenario_.finance, extra), static_cast<double>(m));
    }
    // Calls take(amount) for each month in which the extra cost applies.
    template <class IsThere, class Take> void add_extra(const ExtraCost& extra, const IsThere& is_there, const Take& take) {
        const int to = extra.months ? extra.from_month + *extra.months : scenario_.months;
        bool is_first = true;
        for (int m = std::max(extra.from_month, 0); m < std::min(to, scenario_.months); ++m) {
            if (is_there(at(m))) {
                const double factor = grown(extra, at(m));
                take(Extra{at(m), extra.per_month * factor, is_first ? extra.once * factor : 0.0, extra.per_unit_month * factor});
                is_first = false;
            }
        }
    }

    const ScenarioDocument& scenario_;
    Compiled& compiled_;
};

} // namespace

void add_fixed_costs(const Scenario& scenario, const std::vector<OwnedSchedule>& schedules, Compiled& compiled) {
    const ScenarioDocument& document = scenario.document();
    std::size_t charges = 0;
    for (const CompiledSite& site : compiled.sites) {
        charges += site.charges.size();
    }
    compiled.fixed = Ledger(compiled.months, document.pools.size(), document.workloads.size(), compiled.entries.size(),
                            compiled.sites.size(), charges);
    compiled.flows = {Cube(compiled.months, document.pools.size() + 1, kCategories)};
    const std::vector<double> zero(compiled.months, 0.0);
    compiled.capital = {zero, zero, zero, zero, zero, 0.0};
    compiled.payments.assign(document.pools.size(), {zero, 0.0, 0.0});
    compiled.extra_rows.clear();
    compiled.terminal = {};
    compiled.has_loans = false;
    compiled.npv_capital = compiled.npv_tax_credit = 0.0;
    for (CompiledPool& pool : compiled.pools) {
        pool.extras.clear();
    }
    FixedCosts fixed(document, compiled);
    for (std::size_t p = 0; p < document.pools.size(); ++p) {
        if (document.pools[p].kind == PoolKind::cloud) {
            fixed.add_commitment(p, document.pools[p]);
            add_storage(document, p, compiled);
        }
        if (is_provisioned(document.pools[p])) {
            fixed.add_provisioned(p, document.pools[p]);
        }
        if (document.pools[p].kind == PoolKind::owned) {
            fixed.add_owned(p, document.pools[p], schedules[p]);
        }
        fixed.add_extras(p, document.pools[p], schedules[p]);
    }
    for (const CompiledSite& site : compiled.sites) {
        fixed.add_site(site);
    }
    fixed.add_spend_left();
    fixed.add_scenario_extras();
    for (const CompiledEntry& entry : compiled.entries) {
        const Workload& workload = document.workloads[entry.workload];
        const auto e = static_cast<std::size_t>(&entry - compiled.entries.data());
        fixed.add_engineering(entry.pool, entry.workload,
                              workload.runs_on[e - compiled.workloads[entry.workload].first_entry].porting);
    }
    fixed.sum_capital();
}

} // namespace costcurve::model
