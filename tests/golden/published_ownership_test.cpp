// Published costs of owning and committing: capital, facilities, whole clusters, and break-evens against renting by the hour.
#include "model/documents/calendar.hpp"
#include "model/finance.hpp"
#include "tests/golden/published.hpp"
#include "tests/golden/published_rows.hpp"

namespace costcurve::golden {
namespace {

using namespace model;
using tests::flat;

ScenarioDocument annuity_asset(double nominal_rate, double price, int life_months) {
    ScenarioDocument scenario = owned_asset(price, life_months, 1);
    scenario.finance.discount_rate = compounded_monthly(nominal_rate);
    scenario.finance.capital = Capital::annuity;
    return scenario;
}

double monthly_hardware(ScenarioDocument scenario) {
    return summary_of(std::move(scenario)).months[0].by_category[at(Category::hardware)].cost;
}

// A rented instance that costs `amounts[k]` in the last month of year k, paid at that month's end, and nothing else.
ScenarioDocument yearly_bills(const std::vector<double>& amounts) {
    constexpr double kHoursOfDecember = 744;
    ScenarioDocument scenario = rented_always(Purchase::committed, 0, 12 * static_cast<int>(amounts.size()));
    std::vector<double> days = {days_since_epoch(2026, 1, 1)};
    std::vector<double> prices = {0};
    for (std::size_t year = 0; year < amounts.size(); ++year) {
        days.push_back(days_since_epoch(2026 + static_cast<int>(year), 12, 1));
        prices.push_back(amounts[year] / kHoursOfDecember);
        days.push_back(days_since_epoch(2027 + static_cast<int>(year), 1, 1));
        prices.push_back(0);
    }
    scenario.pools[0].offer->hourly_price = tests::curve(CurveKind::price, Axis::date, days, prices, Interpolation::step);
    return scenario;
}

// The present value of an investment: what is saved, less what it costs and what is paid more later, all by scenarios' npv.
double investment_npv(double discount_rate, double outlay, const std::vector<double>& returns) {
    std::vector<double> saved, paid;
    for (const double amount : returns) {
        saved.push_back(std::max(amount, 0.0));
        paid.push_back(std::max(-amount, 0.0));
    }
    const auto npv = [&](ScenarioDocument scenario) {
        scenario.finance.discount_rate = discount_rate;
        return summary_of(std::move(scenario)).npv;
    };
    const int months = 12 * static_cast<int>(returns.size());
    return npv(yearly_bills(saved)) - npv(yearly_bills(paid)) - npv(owned_asset(outlay, months, months));
}

// github numpy/numpy-financial @f47e8af, numpy_financial/_financial.py, docstrings.
TEST(Published, NumpyFinancialPayments) {
    EXPECT_TRUE(is_published("pmt", monthly_hardware(annuity_asset(0.075, 200000, 180)), 1854.0247200054619, relative(1e-9)));

    // nper: the life at which the annuity of 8000 at 7 % is 150 a month: 64.07335 months.
    const double yearly = compounded_monthly(0.07);
    const auto over = [&](double months) {
        return monthly_capital_cost(Capital::annuity, yearly, Money{8000}, Money{0}, Months{months}).value - 150;
    };
    EXPECT_TRUE(is_published("nper", crossing(over, 60, 70), 64.07335, printed(5)));
    EXPECT_GT(monthly_hardware(annuity_asset(0.07, 8000, 64)), 150);
    EXPECT_LT(monthly_hardware(annuity_asset(0.07, 8000, 65)), 150);
}

TEST(Published, NumpyFinancialPresentValues) {
    EXPECT_TRUE(is_published("npv", investment_npv(0.08, 40000, {5000, 8000, 12000, 30000}), 3065.22267, printed(5)));

    // 100 at the start and 100 at the end of each of 120 months, at 5 %/12: as a price, and as a site's connectivity.
    ScenarioDocument saving = owned_asset(100, 120, 120);
    saving.finance.discount_rate = compounded_monthly(0.05);
    saving.pools[0].site->network_per_month = 100;
    const double end = discount_factor(saving.finance.discount_rate, 120);
    EXPECT_TRUE(is_published("fv", summary_of(saving).npv / end, 15692.92889433575, relative(1e-9)));

    // pv of 15692.93 at the end, less 100 a month.
    ScenarioDocument goal = yearly_bills({0, 0, 0, 0, 0, 0, 0, 0, 0, 15692.93});
    goal.finance.discount_rate = saving.finance.discount_rate;
    saving.pools[0].server->price = 0;
    EXPECT_TRUE(is_published("pv", summary_of(goal).npv - summary_of(saving).npv, 100.00067131625819, relative(1e-9)));
}

TEST(Published, NumpyFinancialRatesOfReturn) {
    struct Row {
        double outlay;
        std::vector<double> returns;
        double published;
        int decimals;
    };
    for (const Row& row :
         {Row{100, {39, 59, 55, 20}, 0.28095, 5}, Row{100, {100, 0, 7}, 0.06206, 5}, Row{5, {10.5, 1, -8, 1}, 0.0886, 4}}) {
        const auto npv = [&](double rate) { return investment_npv(rate, row.outlay, row.returns); };
        EXPECT_TRUE(
            is_published(fmt::format("irr {}", row.published), crossing(npv, 0.0, 0.5), row.published, printed(row.decimals)));
    }
}

TEST(Published, NumpyFinancialAmortization) {
    // A loan of 2500 at 8.24 %/12 over 12 months: what an annuity bears above what was paid is interest.
    ScenarioDocument loan = annuity_asset(0.0824, 2500, 12);
    loan.months = 12;
    const Summary paid = summary_of(loan);
    EXPECT_TRUE(is_published("total interest", paid.total.cost - paid.total.cash, 112.98, printed(2)));
    const double payment = monthly_hardware(loan);
    EXPECT_TRUE(is_published("first payment", payment, 200.58 + 17.17, {0, 0.01}));
    // The balance after the first payment is worth the same payment over the 11 months left.
    EXPECT_TRUE(is_published("payment on the balance", monthly_hardware(annuity_asset(0.0824, 2299.42, 11)), payment, {0, 0.0005}));
    // One month from 2500 to the balance: the straight line is the principal, what the annuity adds is interest.
    ScenarioDocument month = annuity_asset(0.0824, 2500, 1);
    month.pools[0].server->residual_fraction = flat(2299.42 / 2500);
    const double annuity = monthly_hardware(month);
    month.finance.capital = Capital::straight_line;
    EXPECT_TRUE(is_published("principal", monthly_hardware(month), 200.58, printed(2)));
    EXPECT_TRUE(is_published("interest", annuity - monthly_hardware(month), 17.17, printed(2)));
}

// aiinframap.com/tools/energy/cluster-buildout-sizer: 50 MW, GPUs of 1000 W and 30 % of it for the server, PUE 1.2,
// 40,000 USD a GPU, 70 % utilization, 0.08 USD/kWh, 5 years. 2097 to 2101 are the only near years without a leap day (2100 has
// none): 5 x 8760 hours, as the tool counts.
ScenarioDocument buildout(int gpus, double server_overhead, double utilization) {
    ScenarioDocument scenario = owned_asset(40000, 60, 60);
    scenario.start = {2097, 1};
    Pool& pool = scenario.pools[0];
    pool.purchases[0].servers = gpus;
    pool.server->host_max_w = server_overhead * pool.server->device.tdp_w;
    pool.site->pue = flat(1.2);
    pool.site->energy_price = flat(0.08);
    Demand& demand = scenario.workloads[0].demand;
    demand.mean_per_s.reset();
    demand.utilization = flat(utilization);
    demand.reference_devices = gpus;
    demand.units_per_s_per_device = 1;
    return scenario;
}

TEST(Published, ClusterBuildoutSizing) {
    // The most GPUs whose facility power at full load is within 50 MW.
    const auto peak_kw = [](int gpus) { return tests::evaluate_document(buildout(gpus, 0.3, 1)).ledger.peak_kw(0, 0); };
    EXPECT_LE(peak_kw(32051), 50000);
    EXPECT_GT(peak_kw(32052), 50000);
    ScenarioDocument inside = buildout(32051, 0.3, 1);
    inside.pools[0].site->pue = flat(1);
    EXPECT_TRUE(is_published("IT MW", tests::evaluate_document(inside).ledger.peak_kw(0, 0) / 1000, 41.7, printed(1)));
}

TEST(Published, ClusterBuildoutCosts) {
    const Summary summary = summary_of(buildout(32051, 0, 0.7));
    const double hardware = summary.by_category[at(Category::hardware)].cost;
    EXPECT_TRUE(is_published("capex", hardware, 1.28e9, {0, 0.005e9}));
    EXPECT_TRUE(is_published("power of 5 years", summary.by_category[at(Category::energy)].cost, 94340000, {0, 5000}));
    EXPECT_TRUE(is_published("tco", summary.total.cost, 1.38e9, {0, 0.005e9}));
    // The tool leaves the server's overhead out of the energy, though not out of the sizing: with it, 122.64 million.
    const Summary whole = summary_of(buildout(32051, 0.3, 0.7));
    EXPECT_TRUE(is_published("power with servers", whole.by_category[at(Category::energy)].cost, 122640000, {0, 5000}));
}

// Lenovo: an owned server that draws 0.87/0.15 = 5.8 kW for `hours` of work in two years, against hours of a rented one.
double lenovo_difference(double hourly_price, double hours) {
    constexpr int kMonths = 24;
    ScenarioDocument rented = rented_run(hourly_price, hours / kMonths);
    rented.months = kMonths;
    rented.pools[0].offer->devices = 8;
    rented.workloads[0].runs_on[0].performance->devices = 8;
    ScenarioDocument owned = owned_asset(kLenovoCapex, kMonths, kMonths);
    owned.workloads = rented.workloads;
    Pool& pool = owned.pools[0];
    pool.server->devices = 8;
    tests::draw_in_a_line(pool.server->device, pool.server->device.idle_w, kLenovoHourly / kLenovoEnergyPrice * 1000 / 8);
    pool.site->energy_price = flat(kLenovoEnergyPrice);
    return summary_of(rented).total.cost - summary_of(owned).total.cost;
}

TEST(Published, LenovoBreakEvenHours) {
    for (const LenovoRow& row : kLenovoRows) {
        const auto difference = [&](double hours) { return lenovo_difference(row.hourly_price, hours); };
        const double even = crossing(difference, 1000, 16000);
        EXPECT_TRUE(is_published(fmt::format("at {}", row.hourly_price), even, row.published_hours, relative(0.0005)));
        EXPECT_LT(difference(row.published_hours * 0.999), 0) << "renting is cheaper";
        EXPECT_GT(difference(row.published_hours * 1.001), 0) << "owning is cheaper";
    }
}

// When the cumulative cash of `a` comes up to that of `b`: instance-hours of `a`, and months.
struct Crossing {
    double hours = 0.0;
    double months = 0.0;
};
double paid_at_start(const tests::Answer& answer, std::size_t m) {
    double paid = 0.0;
    for (std::size_t c = 0; c < kCategories; ++c) {
        paid += answer.compiled.flows.starts(m, 0, c);
    }
    return paid;
}
Crossing cash_crossing(const ScenarioDocument& a, const ScenarioDocument& b) {
    const tests::Answer left = tests::evaluate_document(a);
    const tests::Answer right = tests::evaluate_document(b);
    double behind = 0.0; // cash of a less that of b
    double hours = 0.0;
    for (std::size_t m = 0; m < left.ledger.months; ++m) {
        // What b pays at its first month's first instant is paid before any hour.
        const double start = paid_at_start(left, m) - paid_at_start(right, m);
        const double end = left.summary.months[m].total.cash - right.summary.months[m].total.cash - start;
        const double month_hours = left.ledger.available_hours(m, 0) / a.pools[0].offer->devices;
        behind += start;
        if (behind < 0 && behind + end >= 0) {
            const double part = -behind / end;
            return {hours + part * month_hours, static_cast<double>(m) + part};
        }
        behind += end;
        hours += month_hours;
    }
    return {std::nan(""), std::nan("")};
}

TEST(Published, LenovoBreakEvenMonth) {
    // 11.9 months of always running; the press counts months of 720 hours. Real ones have 730: the twelfth, as published.
    ScenarioDocument rented = rented_always(Purchase::committed, 98.32, 24);
    ScenarioDocument owned = owned_asset(kLenovoCapex, 24, 24);
    tests::draw_in_a_line(owned.pools[0].server->device, owned.pools[0].server->device.idle_w,
                          kLenovoHourly / kLenovoEnergyPrice * 1000);
    owned.pools[0].site->energy_price = flat(kLenovoEnergyPrice);
    const Crossing even = cash_crossing(rented, owned);
    EXPECT_TRUE(is_published("hours", even.hours, 8556, relative(0.0005)));
    EXPECT_TRUE(is_published("months of 720 hours", even.hours / 720, 11.9, printed(1)));
    EXPECT_EQ(std::ceil(even.months), std::ceil(11.9));
}

double rented_hours_cost(double hourly_price, double hours_per_month, int months) {
    ScenarioDocument scenario = rented_run(hourly_price, hours_per_month);
    scenario.months = months;
    return summary_of(scenario).total.cost;
}

TEST(Published, CloudabilityReservedAgainstOnDemand) {
    // blog.cloudability.com, measuring-reserved-instance-profitability: 0.126 on demand, 0.074 reserved, 8760 hours.
    const double on_demand = summary_of(rented_always(Purchase::on_demand, 0.126, 12)).total.cost;
    const double reserved = summary_of(rented_always(Purchase::reserved, 0.074, 12)).total.cost;
    EXPECT_TRUE(is_published("on demand, a year", on_demand, 1103.76, relative(1e-9)));
    EXPECT_TRUE(is_published("reserved, a year", reserved, 648.24, relative(1e-9)));
    EXPECT_TRUE(is_published("savings %", 100 * (on_demand - reserved) / on_demand, 41, printed(0)));
    EXPECT_TRUE(is_published("on demand, half a year", rented_hours_cost(0.126, 8760.0 / 24, 12), 551.88, relative(1e-9)));
    const auto difference = [&](double hours) { return rented_hours_cost(0.126, hours / 12, 12) - reserved; };
    EXPECT_TRUE(is_published("break-even utilization %", crossing(difference, 1000, 8000) / 87.60, 58.7, printed(1)));
}

TEST(Published, DopplerReservedAgainstOnDemand) {
    // The Doppler Quarterly, summer 2019, p. 39: 0.096 on demand, 501 a year up front.
    ScenarioDocument reserved = rented_always(Purchase::reserved, 0, 12);
    reserved.pools[0].offer->upfront = 501;
    reserved.pools[0].offer->term_months = 12;
    const double committed = summary_of(reserved).total.cost;
    const auto difference = [&](double hours) { return rented_hours_cost(0.096, hours, 12) - committed; };
    EXPECT_TRUE(is_published("hours a month", crossing(difference, 10, 670), 435, printed(0)));
    EXPECT_LT(difference(120), 0) << "scenario a: on demand";
    EXPECT_GT(difference(586), 0) << "scenario b: reserved";
}

TEST(Published, CloudcostkitReservedAgainstOnDemand) {
    // cloudcostkit.com: 0.12 on demand, 0.075 committed and 300 up front, always on; months of 729.6 hours: 30.4 days, which
    // is the mean of January to October.
    const auto committed = [](int months) {
        ScenarioDocument scenario = rented_always(Purchase::committed, 0.075, months);
        scenario.pools[0].offer->upfront = 300;
        scenario.pools[0].offer->term_months = 12;
        return scenario;
    };
    const Crossing even = cash_crossing(rented_always(Purchase::on_demand, 0.12, 12), committed(12));
    EXPECT_TRUE(is_published("hours", even.hours, 6667, printed(0)));
    EXPECT_TRUE(is_published("months", even.months, 9.14, {0, 0.02})) << "the calendar's months, not 30.4 days";
    const double on_demand = summary_of(rented_always(Purchase::on_demand, 0.12, 10)).by_category[at(Category::compute)].cost / 10;
    const double usage = summary_of(committed(10)).by_category[at(Category::compute)].cost / 10;
    EXPECT_TRUE(is_published("on demand, a month", on_demand, 87.55, printed(2)));
    EXPECT_TRUE(is_published("committed, a month", usage, 54.72, printed(2)));
    EXPECT_TRUE(is_published("savings, a month", on_demand - usage, 32.83, printed(2)));
}

TEST(Published, CalculatorCityReservedAgainstOnDemand) {
    // calculator.city, AWS reserved instances: 1000 up front and 0.1 against 0.5: 2500 hours.
    ScenarioDocument reserved = rented_always(Purchase::reserved, 0.1, 12);
    reserved.pools[0].offer->upfront = 1000;
    reserved.pools[0].offer->term_months = 12;
    const Crossing even = cash_crossing(rented_always(Purchase::on_demand, 0.5, 12), reserved);
    EXPECT_TRUE(is_published("hours", even.hours, 2500, relative(1e-9)));
}

TEST(Published, AlexsciHoursADayOfOnDemand) {
    // alexsci.com/blog/modeling-on-demand-pricing: at 1.6 times the reserved price, on demand is worth it up to 15 hours a day.
    const auto on_demand = [](int hours_a_day) {
        ScenarioDocument scenario = tests::cloud_scenario();
        scenario.pools[0].offer->hourly_price = flat(1.6);
        scenario.workloads[0].demand.shape =
            tests::curve(CurveKind::demand, Axis::hour_of_day, {0, static_cast<double>(hours_a_day)}, {1, 0}, Interpolation::step);
        return summary_of(scenario).total.cost;
    };
    const double reserved = summary_of(rented_always(Purchase::reserved, 1, 1)).total.cost;
    EXPECT_TRUE(is_published("15 hours a day", on_demand(15), reserved, relative(1e-12)));
    EXPECT_LT(on_demand(14), reserved * 0.95);
    EXPECT_GT(on_demand(16), reserved * 1.05);
}

// Hennessy & Patterson, Computer Architecture, 6th edition, section 6.4 (Hamilton 2010): 46,000 servers, money at 5 %, all
// capital over 60 months. A server here is one of 100 W that always draws them: the power line of the case, 475,000 a month
// (its residual), is an input, as a tariff.
constexpr int kWscServers = 46000;

ScenarioDocument warehouse() {
    ScenarioDocument scenario = annuity_asset(0.05, 67e6 / kWscServers, 60);
    scenario.start = {2026, 4}; // 720 hours, the month of the book's 0.103
    Pool& pool = scenario.pools[0];
    pool.purchases[0].servers = kWscServers;
    pool.server->network_price = 12.81e6 / kWscServers;
    tests::draw_in_a_line(pool.server->device, 100, 100);
    pool.site->energy_price = flat(475000 / (720 * 0.1 * kWscServers));
    pool.site->facility_price_per_w = 72e6 / (100.0 * kWscServers);
    pool.site->facility_life_months = 60;
    pool.site->fte = 1; // three security positions at 20 and one of the facility at 30 an hour, 30 % benefits, all hours
    pool.site->salary_per_year = (3 * 20 + 30) * 1.3 * 8760;
    scenario.workloads[0].demand.mean_per_s = kWscServers;
    return scenario;
}

TEST(Published, WarehouseCapitalByTheMonth) {
    const auto hardware = [](double server, double network) {
        ScenarioDocument scenario = warehouse();
        scenario.pools[0].server->price = server / kWscServers;
        scenario.pools[0].server->network_price = network / kWscServers;
        return monthly_hardware(scenario);
    };
    const auto facility = [](double price) {
        ScenarioDocument scenario = warehouse();
        scenario.pools[0].site->facility_price_per_w = price / (100.0 * kWscServers);
        return summary_of(scenario).by_category[at(Category::facility)].cost;
    };
    EXPECT_TRUE(is_published("servers", hardware(67e6, 0), 1260000, relative(0.005)));
    EXPECT_TRUE(is_published("networking", hardware(0, 12.81e6), 242000, relative(0.0025)));
    EXPECT_TRUE(is_published("power and cooling", facility(0.82 * 72e6), 1115000, relative(0.0025)));
    EXPECT_TRUE(is_published("other infrastructure", facility(0.18 * 72e6), 245000, relative(0.0025)));
}

TEST(Published, WarehouseTotalAndServerHour) {
    const Summary summary = summary_of(warehouse());
    EXPECT_TRUE(is_published("people", summary.by_category[at(Category::staff)].cost, 85410, relative(1e-9)));
    EXPECT_TRUE(is_published("energy, an input", summary.by_category[at(Category::energy)].cost, 475000, relative(1e-9)));
    EXPECT_TRUE(is_published("total", summary.total.cost, 3422000, relative(0.002)));
    EXPECT_TRUE(is_published("server-hour", *summary.pools[0].cost_per_reserved_device_hour, 0.103, printed(3)));
}

// The same book, quoting Barroso, Clidaras and Hoelzle 2013: dollars a watt and month, of a site of 8 MW at 8 %. Facility at 12 a
// watt (inferred within the 9 to 13 of the text) over 12 years, servers of 500 W at 4000 over 4, 0.03 a watt and month of
// networking, and 0.02 to 0.08 of operating cost, here as staff.
constexpr double kSiteW = 8e6;

ScenarioDocument site_by_the_watt(double operating_per_w) {
    ScenarioDocument scenario = annuity_asset(0.08, 4000, 48);
    Pool& pool = scenario.pools[0];
    pool.purchases[0].servers = static_cast<int>(kSiteW / 500);
    tests::draw_in_a_line(pool.server->device, pool.server->device.idle_w, 500);
    pool.site->facility_price_per_w = 12;
    pool.site->facility_life_months = 144;
    pool.site->network_per_month = 0.03 * kSiteW;
    pool.site->fte = 1;
    pool.site->salary_per_year = operating_per_w * kSiteW * 12;
    return scenario;
}

TEST(Published, BarrosoCapitalByTheWatt) {
    ScenarioDocument scenario = site_by_the_watt(0);
    const Summary with_interest = summary_of(scenario);
    scenario.finance.capital = Capital::straight_line;
    const Summary depreciation = summary_of(scenario);
    const auto per_w = [](const Summary& summary, Category category) { return summary.by_category[at(category)].cost / kSiteW; };
    const double facility = per_w(with_interest, Category::facility);
    const double servers = per_w(with_interest, Category::hardware);
    EXPECT_TRUE(is_published("facility depreciation", per_w(depreciation, Category::facility), 0.08, printed(2)));
    EXPECT_TRUE(is_published("facility interest", facility - per_w(depreciation, Category::facility), 0.05, printed(2)));
    EXPECT_TRUE(is_published("facility", facility, 0.13, printed(2)));
    EXPECT_TRUE(is_published("server depreciation", per_w(depreciation, Category::hardware), 0.17, printed(2)));
    // The book prints 0.02; 8 % over 48 months of 8 a watt is 0.0286. The case knows the mismatch, so this row takes a cent.
    EXPECT_TRUE(is_published("server interest", servers - per_w(depreciation, Category::hardware), 0.02, {0, 0.01}));
}

TEST(Published, BarrosoTotalByTheWatt) {
    struct Row {
        double operating, per_w, site_month;
    };
    for (const Row& row : {Row{0.02, 0.37, 3e6}, Row{0.08, 0.43, 3.5e6}}) {
        const double month = summary_of(site_by_the_watt(row.operating)).total.cost;
        EXPECT_TRUE(is_published(fmt::format("per W, operating {}", row.operating), month / kSiteW, row.per_w, relative(0.015)));
        EXPECT_TRUE(is_published(fmt::format("site, operating {}", row.operating), month, row.site_month, relative(0.01)));
    }
}

} // namespace
} // namespace costcurve::golden
