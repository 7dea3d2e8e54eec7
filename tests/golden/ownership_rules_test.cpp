// Rules of ownership as they are published: tax losses, buy-outs, failures by age, forward rates. Each to the cent or as printed.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "model/assets.hpp"
#include "model/questions/explain/explain.hpp"
#include "tests/golden/published_2.hpp"

namespace costcurve::golden {
namespace {

constexpr double kToTheCent = 0.005001;

// Payments at the end of the first month of each year.
json paid_by_year(const std::vector<double>& amounts) {
    json extras = json::array();
    for (std::size_t year = 0; year < amounts.size(); ++year) {
        extras.push_back({{"name", "payment"}, {"per_month", amounts[year]}, {"from_month", 12 * year}, {"months", 1}});
    }
    return {{"extra_costs", extras}};
}

struct LossRow {
    std::string what, source;
    std::vector<double> paid; ///< by year
    json finance;
    double npv_after_tax;
    double tax_loss;
};

// Losses beside other income. Of 90,000: payments of 190,000 are a loss of 100,000. Of 450,000 a year: payments of 700,000 and
// 600,000 are losses of 250,000 and 150,000, and payments of 150,000 leave 300,000.
std::vector<LossRow> loss_rows() {
    const std::string knott =
        "https://knottlearning.com/terms/net-operating-loss-nol (2026-11-29): 72,000 of 100,000, 18,000 taxed";
    const std::string present =
        "https://www.coursehero.com/file/6367352/present-value-of-losses/ (2026-11-29): 40 %, 12 %; it prints "
        "120,000 x 0.711 = 85,320 for the third year, 40,000 for the fourth before discounting";
    const std::string law = "26 USC 172(a)(2), (b)(1)(A)";
    const json us = {{"tax_rate", 0.21}, {"taxable_income_per_year", 90000}, {"loss_offset_fraction", 0.8}};
    const json whole = {{"tax_rate", 0.4}, {"taxable_income_per_year", 450000}};
    // Tax of 37,800 without the payments; 0 and 0.21 x 18,000 with them.
    std::vector<LossRow> rows = {{"a loss used to 80 %", knott, {190000, 0}, us, 190000 - (37800 - 3780), 28000}};
    // Tax of 4 x 180,000 without; 0, 0, 0 and 0.4 x (450,000 - 100,000) with them.
    rows.push_back({"two losses, used whole", present, {700000, 600000, 150000, 0}, whole, 1450000 - (720000 - 140000), 0});
    rows.push_back({"no income at all", law, {1000}, {{"tax_rate", 0.4}, {"taxable_income_per_year", 0}}, 1000, 1000});
    rows.push_back({"nothing may offset it", law, {190000, 0}, us, 190000 - 37800 + 18900, 100000});
    rows.back().finance["loss_offset_fraction"] = 0;
    rows.push_back({"income for all of it", law, {50000, 0}, us, 50000 * 0.79, 0});
    return rows;
}

TEST(TaxLosses, AreCarriedForwardAsPublished) {
    for (const LossRow& row : loss_rows()) {
        const json scenario = one_server(paid_by_year(row.paid), static_cast<int>(12 * row.paid.size()), row.finance);
        const tests::Answer answer = answer_to(scenario);
        EXPECT_NEAR(answer.summary.npv_after_tax, row.npv_after_tax, kToTheCent) << row.what << ": " << row.source;
        EXPECT_NEAR(answer.summary.terminal.tax_loss, row.tax_loss, kToTheCent) << row.what << ": " << row.source;
    }
}

// 120,000 / 1.12^3 + 40,000 / 1.12^4: what the losses save, paid at the years' ends.
TEST(TaxLosses, SaveTaxInTheYearsThatUseThem) {
    json finance = {{"tax_rate", 0.4}, {"taxable_income_per_year", 450000}, {"discount_rate", 0.12}};
    const json pool = paid_by_year({700000, 600000, 150000, 0});
    const tests::Answer used = answer_to(one_server(pool, 48, finance));
    finance["loss_offset_fraction"] = 0;
    const tests::Answer lost = answer_to(one_server(pool, 48, finance));
    EXPECT_NEAR(lost.summary.npv_after_tax - used.summary.npv_after_tax, 110834.35, kToTheCent);
    const model::TimedCash cash = cash_after_tax(used); // the same in time
    double npv = cash.terminal * used.compiled.discount.back();
    for (std::size_t m = 0; m < cash.start.size(); ++m) {
        npv += cash.start[m] * used.compiled.discount[m] + (cash.during[m] + cash.end[m]) * used.compiled.discount[m + 1];
    }
    EXPECT_NEAR(npv, used.summary.npv_after_tax, kToTheCent);
}

TEST(TaxLosses, AreExplainedYearByYear) {
    const LossRow row = loss_rows().front();
    const auto document = decoded(one_server(paid_by_year(row.paid), 24, row.finance));
    const auto scenario = model::make_scenario(document);
    const tests::Answer answer = tests::evaluate_document(document);
    for (const std::string figure : {"/total/npv_after_tax", "/total/terminal/tax_loss"}) {
        const auto tree = model::explain(*scenario, answer.compiled, answer.ledger, answer.summary, figure);
        ASSERT_TRUE(tree) << figure;
        double sum = 0.0;
        for (const model::Term& term : tree->terms) {
            sum += term.value;
        }
        EXPECT_NEAR(sum, tree->value, kToTheCent) << figure;
    }
}

struct BuyOutRow {
    std::string what, source;
    json lease, server, finance;
    int months;
    double cost, npv;
};

// The CPA question takes factors of two digits, 6.76 and 0.39: 1,449,500. A month stands for its year.
std::vector<BuyOutRow> buy_out_rows() {
    const std::string cpa =
        "https://www.gaodun.com/q/000o99 (2026-11-29): ten rents of 200,000 in advance, 250,000 at the end, 10 %";
    const std::string tenth =
        "http://s-b-z.com/LEASING/types%20of%20leasing.htm (2026-11-29): fixed price option of 10 % of 24,000";
    double annuity = 0.0;
    for (int k = 0; k < 10; ++k) {
        annuity += std::pow(1.1, -k);
    }
    return {{"a bargain purchase option",
             cpa,
             {{"payment_per_server_month", 200000}, {"term_months", 10}, {"at_end", "buy"}, {"buyout_per_server", 250000}},
             {{"price", 1449500}, {"life_months", 11}},
             {{"discount_rate", period_rate(0.1)}},
             11,
             2250000,
             200000 * annuity + 250000 * std::pow(1.1, -10)},
            {"a tenth of the price, in the books for a year",
             tenth,
             {{"payment_per_server_month", 750}, {"term_months", 36}, {"at_end", "buy"}, {"buyout_per_server", 2400}},
             {{"price", 24000}, {"life_months", 48}},
             json::object(),
             48,
             36 * 750 + 2400,
             36 * 750 + 2400},
            {"the same, cut after half of that year: sold at 1,200",
             tenth,
             {{"payment_per_server_month", 750}, {"term_months", 36}, {"at_end", "buy"}, {"buyout_per_server", 2400}},
             {{"price", 24000}, {"life_months", 48}},
             json::object(),
             42,
             36 * 750 + 1200,
             36 * 750 + 1200}};
}

TEST(BuyOuts, AreToTheCent) {
    for (const BuyOutRow& row : buy_out_rows()) {
        const json purchase = {{"month", 0}, {"servers", 1}, {"lease", row.lease}};
        const tests::Answer answer =
            answer_to(one_server({{"server", row.server}, {"purchases", {purchase}}}, row.months, row.finance));
        EXPECT_NEAR(answer.summary.total.cost, row.cost, kToTheCent) << row.what << ": " << row.source;
        EXPECT_NEAR(answer.summary.npv, row.npv, kToTheCent) << row.what << ": " << row.source;
    }
    EXPECT_NEAR(buy_out_rows().front().npv, 1449500, 1449500 * 0.001);
}

// New for 24,000 and worth 30 % after 42 months, whatever the buy-out was; bought for 2,400 they are never more in the books.
TEST(BuyOuts, AreSoldByTheCurveOfTheirWholeAge) {
    json scenario = one_server(
        {{"server", {{"price", 24000}, {"life_months", 48}}},
         {"purchases",
          {{{"month", 0},
            {"servers", 1},
            {"lease", {{"payment_per_server_month", 750}, {"term_months", 36}, {"at_end", "buy"}, {"buyout_per_server", 2400}}}}}}},
        42);
    scenario["pools"][0]["server"]["residual_fraction"] = {
        {"kind", "residual"}, {"axis", "age_months"}, {"points", {{36, 0.4}, {42, 0.3}, {48, 0.2}}}};
    const tests::Answer answer = answer_to(scenario);
    EXPECT_NEAR(answer.summary.terminal.sale, 7200, kToTheCent);
    EXPECT_NEAR(answer.summary.terminal.book, 2400, kToTheCent);
}

// Backblaze, "How long do disk drives last?" (2013, https://www.backblaze.com/blog/how-long-do-disk-drives-last): 5.1 % a year for
// 18 months, 1.4 % for the next 18, 11.8 % from then on: 21.55 in a hundred in four years.
TEST(FailuresByAge, FollowAPublishedTable) {
    model::Server server;
    server.life_months = 48;
    server.failures_per_hour = 1.0 / 8760;
    model::Curve& factor = server.failure_factor.emplace();
    factor.kind = model::CurveKind::index;
    factor.axis = model::Axis::age_months;
    factor.interpolation = model::Interpolation::step;
    factor.x = {0, 18, 36};
    factor.y = {0.051, 0.014, 0.118};
    double failures = 0.0;
    for (int age = 0; age < 48; ++age) {
        failures += model::failures_per_hour(server, age) * 730;
    }
    EXPECT_NEAR(failures, 0.2155, 1e-12);
}

// 2 t / L of the mean in the mean of a month: 1/48 in the first of 48, 95/48 in the last, the mean over all.
TEST(FailuresByAge, OfAWeibullShapeKeepTheirMean) {
    model::Server server;
    server.life_months = 48;
    server.failures_per_hour = 0.001;
    for (const double shape : {0.5, 1.0, 2.0, 3.5}) {
        server.failure_shape = shape;
        double sum = 0.0;
        for (int age = 0; age < 48; ++age) {
            sum += model::failures_per_hour(server, age);
        }
        EXPECT_NEAR(sum / 48, 0.001, 1e-15) << shape;
    }
    server.failure_shape = 2.0;
    EXPECT_NEAR(model::failures_per_hour(server, 0), 0.001 / 48, 1e-15);
    EXPECT_NEAR(model::failures_per_hour(server, 47), 0.001 * 95 / 48, 1e-15);
}

// One server of a rate of 1 a second, asked for all of it, is up in 1 / (1 + failures an hour x hours of repair) of its time.
TEST(FailuresByAge, LeaveFewerToServeMonthByMonth) {
    const json server = {{"life_months", 4}, {"failures_per_hour", 0.01}, {"repair_hours", 24}, {"failure_shape", 2}};
    const tests::Answer answer = answer_to(one_server({{"server", server}, {"refresh", true}}, 6));
    const std::vector<double> share = {1.0 / 4, 3.0 / 4, 5.0 / 4, 7.0 / 4, 1.0 / 4, 3.0 / 4};
    for (std::size_t m = 0; m < share.size(); ++m) {
        const double all = answer.ledger.demanded(m, 0);
        EXPECT_NEAR(answer.ledger.served(m, 0) / all, 1 / (1 + 0.01 * share[m] * 24), 1e-12) << m;
    }
}

// Exchange rates, or factors, by day.
json by_date(const std::vector<std::pair<std::string, double>>& points) {
    json pairs = json::array();
    for (const auto& [day, value] : points) {
        pairs.push_back(json::array({day, value}));
    }
    return {{"kind", "index"}, {"axis", "date"}, {"points", pairs}};
}

// Covered interest parity: 1.13 dollars a euro, 2.7 % and 1.7 %: 1.1523 in two years.
TEST(ForwardRates, FollowFromInterestRates) {
    const std::string source = "https://www.leetquiz.com/quiz/clwx9buss0000u7kpndyw9jsg/see (2026-11-29)";
    const double year = 1.027 / 1.017;
    json scenario = one_server({{"server", {{"price", 100000}, {"currency", "EUR"}}},
                                {"purchases", {{{"month", 0}, {"servers", 1}}, {{"month", 24}, {"servers", 1}}}}},
                               25);
    const json rates = by_date({{"2027-01-01", 1.13}, {"2028-01-01", 1.13 * year}, {"2029-01-01", 1.13 * year * year}});
    scenario["exchange_forwards"] = json::array({{{"currency", "EUR"}, {"rates", rates}}});
    const tests::Answer answer = answer_to(scenario);
    EXPECT_NEAR(model::capital_paid(answer.compiled, 0, 0), 113000.00, kToTheCent);
    EXPECT_NEAR(model::capital_paid(answer.compiled, 24, 0), 115233.15, kToTheCent) << source;
    EXPECT_NEAR(model::capital_paid(answer.compiled, 24, 0) / 100000, 1.1523, 0.00005) << source;
}

// 1.10 at the start, 1.20 a year later: in July 2027 181 of 365 days have passed. From 2028 on the last holds, which is said.
TEST(ForwardRates, AreReadAtEachMonthsFirstDay) {
    const json curve = by_date({{"2027-01-01", 1.1}, {"2028-01-01", 1.2}});
    json scenario = load({{"id", "here"}, {"energy_price", 0.1}, {"currency", "EUR"}}, 100, 18);
    scenario["exchange_forwards"] = json::array({{{"currency", "EUR"}, {"rates", curve}}});
    const tests::Answer answer = answer_to(scenario);
    const std::vector<double>& bills = answer.summary.sites.at(0).bill_by_month;
    EXPECT_NEAR(bills[0], 100 * 744 * 0.1 * 1.1, kToTheCent);
    EXPECT_NEAR(bills[6], 100 * 744 * 0.1 * (1.1 + 0.1 * 181 / 365), kToTheCent);
    EXPECT_NEAR(bills[12], 100 * 744 * 0.1 * 1.2, kToTheCent);
    EXPECT_NEAR(bills[17], 100 * 720 * 0.1 * 1.2, kToTheCent);
    const auto held = [](const model::Issue& issue) { return issue.code == model::Code::exchange_rate_held; };
    EXPECT_EQ(std::ranges::count_if(answer.scenario.warnings(), held), 1);
    scenario["pools"][0]["site"]["fte"] = 1;
    scenario["pools"][0]["site"]["salary_per_year"] = 12000;
    const tests::Answer staffed = answer_to(scenario);
    EXPECT_EQ(std::ranges::count_if(staffed.scenario.warnings(), held), 1) << "staff follows the forwards";
    EXPECT_NEAR(cost_in(staffed, 12, model::Category::staff), 1200, kToTheCent);
}

// The same rates: what the site charges, by the month in which it is paid.
TEST(ForwardRates, ConvertChargesOfASiteMonthByMonth) {
    const json charges = json::array({{{"per_kw_month", 10}, {"tiers", {{{"above_kw", 60}, {"add_per_kw_month", 5}}}}}});
    json scenario = load({{"id", "here"},
                          {"energy_price", 0},
                          {"currency", "EUR"},
                          {"demand_charges", charges},
                          {"energy_tiers", {{{"above_kwh_month", 10000}, {"add_per_kwh", 0.02}}}},
                          {"riders", {{{"name", "rider"}, {"per_kwh", -0.001}, {"per_month", 30}}}},
                          {"space_per_kw_month", 7},
                          {"network_per_month", 50},
                          {"extra_costs", {{{"name", "insurance"}, {"per_month", 11}, {"once", 500}, {"from_month", 12}}}}},
                         100, 18);
    scenario["exchange_forwards"] =
        json::array({{{"currency", "EUR"}, {"rates", by_date({{"2027-01-01", 1.1}, {"2028-01-01", 1.2}})}}});
    const tests::Answer answer = answer_to(scenario);
    const auto rate = [](std::size_t m) { return m < 12 ? 1.1 + 0.1 * (m == 6 ? 181.0 : 0.0) / 365 : 1.2; };
    const double kw = answer.compiled.sites.at(0).nameplate_kw.at(0);
    for (const std::size_t m : {std::size_t{0}, std::size_t{6}, std::size_t{12}, std::size_t{17}}) {
        const double kwh = 100.0 * answer.compiled.hours.months[m].total;
        const double energy = 0.02 * (kwh - 10000) - 0.001 * kwh;
        EXPECT_NEAR(cost_in(answer, m, model::Category::energy), energy * rate(m), kToTheCent) << m;
        EXPECT_NEAR(cost_in(answer, m, model::Category::demand_charge), (100 * 10 + 40 * 5 + 30) * rate(m), kToTheCent) << m;
        EXPECT_NEAR(cost_in(answer, m, model::Category::facility), 7 * kw * rate(m), kToTheCent) << m;
        EXPECT_NEAR(cost_in(answer, m, model::Category::network), 50 * rate(m), kToTheCent) << m;
        const double extra = (m >= 12 ? 11 : 0) + (m == 12 ? 500 : 0);
        EXPECT_NEAR(cost_in(answer, m, model::Category::other), extra * rate(m), kToTheCent) << m;
    }
}

// A lease of 1,000 euros a month, and 2,400 for its two years, signed a year after the start: each at the rate of its own month; at
// the end six months are owed, at the last one's.
TEST(ForwardRates, ConvertLeasesMonthByMonth) {
    const json lease = {{"payment_per_server_month", 1000}, {"upfront_per_server", 2400}, {"term_months", 24}};
    json scenario =
        one_server({{"server", {{"currency", "EUR"}}}, {"purchases", {{{"month", 12}, {"servers", 1}, {"lease", lease}}}}}, 30);
    const json rates = by_date({{"2027-01-01", 1.1}, {"2028-01-01", 1.2}, {"2029-01-01", 1.3}});
    scenario["exchange_forwards"] = json::array({{{"currency", "EUR"}, {"rates", rates}}});
    const tests::Answer answer = answer_to(scenario);
    const double july_2028 = 1.2 + 0.1 * 182 / 366;
    EXPECT_NEAR(cost_in(answer, 12, model::Category::lease), 1200 + 2400 * 1.2 / 24, kToTheCent);
    EXPECT_NEAR(cost_in(answer, 18, model::Category::lease), 1000 * july_2028 + 2400 * 1.2 / 24, kToTheCent);
    EXPECT_NEAR(cost_in(answer, 25, model::Category::lease), 1300 + 2400 * 1.2 / 24, kToTheCent);
    EXPECT_NEAR(answer.compiled.payments[0].obligation, 6 * 1300, kToTheCent);
    EXPECT_NEAR(answer.ledger.cash(12, 0, static_cast<std::size_t>(model::Category::lease)), 1200 + 2400 * 1.2, kToTheCent);
}

// A tenth a year of 12,000 euros, bought in the second year: 100 a month, each at its own rate; the hardware keeps that of its
// month.
TEST(ForwardRates, ConvertMaintenanceMonthByMonth) {
    json scenario = one_server({{"server", {{"currency", "EUR"}, {"price", 12000}, {"maintenance_rate", 0.1}}},
                                {"purchases", {{{"month", 12}, {"servers", 1}}}}},
                               30);
    const json rates = by_date({{"2027-01-01", 1.1}, {"2028-01-01", 1.2}, {"2029-01-01", 1.3}});
    scenario["exchange_forwards"] = json::array({{{"currency", "EUR"}, {"rates", rates}}});
    const tests::Answer answer = answer_to(scenario);
    EXPECT_NEAR(cost_in(answer, 12, model::Category::maintenance), 100 * 1.2, kToTheCent);
    EXPECT_NEAR(cost_in(answer, 18, model::Category::maintenance), 100 * (1.2 + 0.1 * 182 / 366), kToTheCent);
    EXPECT_NEAR(cost_in(answer, 25, model::Category::maintenance), 100 * 1.3, kToTheCent);
    EXPECT_NEAR(answer.ledger.cash(12, 0, static_cast<std::size_t>(model::Category::hardware)), 12000 * 1.2, kToTheCent);
}

// 100 euros ahead for each of two terms of a year, of which the horizon leaves half of the second: each keeps the rate of its
// month.
TEST(ForwardRates, ConvertUpfrontsInTheMonthOfTheirPayment) {
    json scenario = {{"start", "2027-01"},
                     {"months", 18},
                     {"finance", {{"at_end", "continue"}}},
                     {"exchange_forwards", {{{"currency", "EUR"}, {"rates", by_date({{"2027-01-01", 1.1}, {"2028-01-01", 1.2}})}}}},
                     {"workloads",
                      {{{"id", "work"},
                        {"kind", "inference"},
                        {"demand", {{"mean_per_s", 1}}},
                        {"runs_on", {{{"pool", "rent"}, {"performance", {{"units_per_s", 1}}}}}}}}},
                     {"pools",
                      {{{"id", "rent"},
                        {"kind", "cloud"},
                        {"min_instances", 1},
                        {"max_instances", 1},
                        {"offer",
                         {{"provider", "example"},
                          {"device", {{"kind", "gpu"}, {"tdp_w", 500}}},
                          {"devices", 1},
                          {"purchase", "reserved"},
                          {"term_months", 12},
                          {"hourly_price", 0},
                          {"upfront", 100},
                          {"currency", "EUR"}}}}}}};
    const tests::Answer answer = answer_to(scenario);
    EXPECT_NEAR(model::capital_paid(answer.compiled, 0, 0), 110, kToTheCent);
    EXPECT_NEAR(model::capital_paid(answer.compiled, 12, 0), 120, kToTheCent);
    EXPECT_NEAR(cost_in(answer, 11, model::Category::commitment), 110.0 / 12, kToTheCent);
    EXPECT_NEAR(cost_in(answer, 12, model::Category::commitment), 120.0 / 12, kToTheCent);
    EXPECT_NEAR(answer.summary.total.cash, 110 + 120 - 60, kToTheCent);
    const auto is_held = [](const model::Issue& issue) { return issue.pointer == "/pools/0/offer/currency"; };
    EXPECT_TRUE(std::ranges::none_of(answer.scenario.warnings(), is_held)) << "nothing keeps the first month's rate";
}

// Each finding has the field to mend.
TEST(OwnershipRules, AreRefusedWhereTheyContradict) {
    struct Row {
        json pool, finance, scenario;
        std::string pointer;
        model::Code code;
    };
    const auto leased = [](const json& more) {
        json lease = {{"payment_per_server_month", 10}, {"term_months", 12}};
        lease.update(more);
        return json{{"purchases", {{{"month", 0}, {"servers", 1}, {"lease", lease}}}}};
    };
    const json rates = by_date({{"2027-01-01", 1.1}});
    const auto forward = [&](const char* currency) { return json::array({{{"currency", currency}, {"rates", rates}}}); };
    const json factor = {{"kind", "index"}, {"axis", "age_months"}, {"points", {{0, 1}, {12, 2}}}};
    const json none = json::object();
    const std::string lease = "/pools/0/purchases/0/lease/";
    using model::Code;
    const std::vector<Row> rows = {
        {leased({{"at_end", "buy"}}), none, none, lease + "buyout_per_server", Code::missing},
        {leased({{"buyout_per_server", 5}}), none, none, lease + "buyout_per_server", Code::not_allowed},
        {leased({{"at_end", "buy"}, {"buyout_per_server", 5}, {"term_months", 60}}), none, none, lease + "term_months",
         Code::inconsistent},
        {{{"server", {{"failure_shape", 2}}}}, none, none, "/pools/0/server/failures_per_hour", Code::missing},
        {{{"server", {{"failure_shape", 2}, {"failure_factor", factor}, {"failures_per_hour", 0.1}}}},
         none,
         none,
         "/pools/0/server/failure_factor",
         Code::not_allowed},
        {none, {{"taxable_income_per_year", 5}}, none, "/finance/taxable_income_per_year", Code::inconsistent},
        {none,
         none,
         {{"exchange_forwards", forward("EUR")}, {"exchange_rates", {{"EUR", 1.1}}}},
         "/exchange_forwards/0/currency",
         Code::duplicate},
        {none, none, {{"exchange_forwards", forward("USD")}}, "/exchange_forwards/0/currency", Code::not_allowed}};
    for (const Row& row : rows) {
        json scenario = one_server(row.pool, 24, row.finance);
        scenario.update(row.scenario);
        const auto made = model::make_scenario(decoded(scenario));
        ASSERT_FALSE(made) << row.pointer;
        EXPECT_TRUE(std::ranges::any_of(made.error(), [&](const model::Issue& issue) {
            return issue.pointer == row.pointer && issue.code == row.code;
        })) << row.pointer;
    }
}

} // namespace
} // namespace costcurve::golden
