// Leases, loans, extra costs and growing prices, by hand (model.md, sections 5 and 8).
#include "model/categories/fixed_costs.hpp"

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::Answer;
using tests::cloud_scenario;
using tests::evaluate_document;
using tests::flat;
using tests::is_close;
using tests::issues_of;

constexpr double kOnePercentAMonth = 0.12682503013196977; // 1.01^12 - 1

double borne_of(const Answer& answer, Category category) {
    return answer.summary.by_category[static_cast<std::size_t>(category)].cost;
}
double paid_of(const Answer& answer, Category category) {
    return answer.summary.by_category[static_cast<std::size_t>(category)].cash;
}

// Servers of one device at a free site, that nothing runs on.
ScenarioDocument owning(double price, int life, int months, std::vector<ServerPurchase> purchases) {
    ScenarioDocument document = tests::owned_scenario();
    document.start = {2027, 1};
    document.months = months;
    Pool& pool = document.pools[0];
    pool.server->price = price;
    pool.server->life_months = life;
    pool.site = Site();
    pool.purchases = std::move(purchases);
    document.workloads[0].demand.mean_per_s = 0;
    return document;
}

// hand-2.json, lease-in-advance-cut.
TEST(Leases, CutLeaseOwesTheRestOfItsTerm) {
    ScenarioDocument document =
        owning(0, 12, 3,
               {{.month = 0,
                 .servers = 2,
                 .lease = Lease{
                     .payment_per_server_month = 1000, .term_months = 12, .upfront_per_server = 600, .buyout_per_server = {}}}});
    document.finance.discount_rate = kOnePercentAMonth;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(borne_of(answer, Category::lease), 24503.355503537565));
    EXPECT_TRUE(is_close(paid_of(answer, Category::lease), 24503.355503537565));
    EXPECT_TRUE(is_close(answer.summary.pools[0].obligation, 18000));
    EXPECT_TRUE(is_close(answer.summary.terminal.obligations, 17303.355503537565));
    EXPECT_TRUE(is_close(answer.summary.npv, 23935.256496438968));
    EXPECT_TRUE(is_close(answer.summary.pools[0].lease_liability, 5940.7901186158215));
    EXPECT_TRUE(is_close(answer.summary.months[2].total.cost, 20303.355503537565));
}

// hand-2.json, lease-renewed-and-old.
TEST(Leases, RenewedLeaseAndOneOfBefore) {
    ScenarioDocument document = owning(
        10000, 4, 6,
        {{.month = -1,
          .servers = 1,
          .lease = Lease{.payment_per_server_month = 500,
                         .term_months = 2,
                         .upfront_per_server = 99,
                         .at_end = LeaseEnd::renew,
                         .buyout_per_server = {}}},
         {.month = 2, .servers = 1, .lease = Lease{.payment_per_server_month = 700, .term_months = 3, .buyout_per_server = {}}}});
    document.pools[0].server->maintenance_rate = 0.12;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(borne_of(answer, Category::lease), 3600));
    EXPECT_TRUE(is_close(paid_of(answer, Category::lease), 3600));
    EXPECT_TRUE(is_close(borne_of(answer, Category::maintenance), 600));
    EXPECT_TRUE(is_close(answer.summary.total.cost, 4200));
    EXPECT_TRUE(is_close(answer.summary.months[2].total.cost, 1400));
    EXPECT_EQ(answer.summary.pools[0].obligation, 0.0);
}

TEST(Leases, RefreshBeginsANewLeaseAtTheTermsEnd) {
    ScenarioDocument document = owning(10000, 48, 7,
                                       {{.month = 0,
                                         .servers = 1,
                                         .lease = Lease{.payment_per_server_month = 100,
                                                        .term_months = 3,
                                                        .in_advance = false,
                                                        .upfront_per_server = 30,
                                                        .buyout_per_server = {}}}});
    document.pools[0].refresh = true;
    const Answer answer = evaluate_document(document);
    // Seven payments, two owed; upfronts at 0, 3 and 6.
    EXPECT_TRUE(is_close(borne_of(answer, Category::lease), 700 + 200 + 90));
    EXPECT_TRUE(is_close(paid_of(answer, Category::lease), 700 + 200 + 90));
    EXPECT_EQ(answer.compiled.pools[0].units_paid[6], 1.0);
}

TEST(Leases, ContradictionsAreErrors) {
    ScenarioDocument document =
        owning(10000, 12, 3,
               {{.month = 0,
                 .servers = 1,
                 .price = 5.0,
                 .lease = Lease{.payment_per_server_month = 1, .term_months = 13, .buyout_per_server = {}}}});
    document.pools[0].loan = Loan{.fraction = 0.5, .rate = 0.1, .term_months = 6};
    EXPECT_EQ(issues_of(document),
              (std::vector<std::string>{"inconsistent /pools/0/purchases/0/lease/term_months",
                                        "not_allowed /pools/0/purchases/0/price", "not_allowed /pools/0/loan"}));
}

// hand-2.json, loan-linear-bullet-old.
TEST(Loans, LinearBulletAndOneOfBefore) {
    const Loan linear{.fraction = 1, .rate = 0.12, .term_months = 4, .kind = LoanKind::linear};
    const Answer answer =
        evaluate_document(owning(1200, 12, 6,
                                 {{.month = 0, .servers = 1, .loan = linear},
                                  {.month = 0,
                                   .servers = 1,
                                   .price = 1000.0,
                                   .loan = Loan{.fraction = 1, .rate = 0.12, .term_months = 3, .kind = LoanKind::bullet}},
                                  {.month = -2, .servers = 1, .loan = linear}}));
    EXPECT_TRUE(is_close(borne_of(answer, Category::financing), 69));
    EXPECT_TRUE(is_close(paid_of(answer, Category::financing), 69));
    EXPECT_TRUE(is_close(borne_of(answer, Category::hardware), 1700));
    EXPECT_TRUE(is_close(answer.summary.months[0].total.cash, 1028));
    EXPECT_TRUE(is_close(answer.summary.months[2].total.cash, 1316));
    EXPECT_EQ(answer.summary.terminal.loan_balance, 0.0);
}

TEST(Loans, BalanceIsRepaidAtTheHorizonsEnd) {
    for (const AtEnd at_end : {AtEnd::exit, AtEnd::continuing}) {
        ScenarioDocument document = owning(1200, 12, 2, {{.month = 0, .servers = 1}});
        document.finance.at_end = at_end;
        document.pools[0].loan = Loan{.fraction = 0.5, .rate = 0.12, .term_months = 6, .kind = LoanKind::linear};
        const Answer answer = evaluate_document(document);
        EXPECT_TRUE(is_close(answer.summary.terminal.loan_balance, 400));
        EXPECT_TRUE(is_close(paid_of(answer, Category::financing), 6 + 5)) << "interest is all that stays";
        EXPECT_TRUE(is_close(answer.summary.total.cost, answer.summary.total.cash));
    }
}

// hand-2.json, tax-macrs7-loan-lease.
TEST(Loans, InterestAndLeasePaymentsAreDeductedPrincipalIsNot) {
    ScenarioDocument document = owning(
        12000, 12, 2,
        {{.month = 0, .servers = 1, .loan = Loan{.fraction = 0.5, .rate = 0.12, .term_months = 12, .kind = LoanKind::bullet}},
         {.month = 0,
          .servers = 1,
          .lease = Lease{.payment_per_server_month = 1000, .term_months = 2, .in_advance = false, .buyout_per_server = {}}}});
    document.finance.discount_rate = kOnePercentAMonth;
    document.finance.tax_rate = 0.25;
    document.finance.tax_depreciation = TaxDepreciation::macrs_7;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.summary.npv_after_tax, 3154.7816390549947));
    EXPECT_TRUE(is_close(*answer.summary.npv_before_financing, 4167.434565238701));
}

TEST(Loans, LoanThatIsNotPaidOffIsWarnedOf) {
    ScenarioDocument document = owning(1200, 12, 2, {{.month = -6, .servers = 1}});
    document.finance.at_end = AtEnd::continuing;
    document.pools[0].server->price_date.text = "2026-01-01";
    document.pools[0].loan = Loan{.fraction = 0.5, .rate = 0.12, .term_months = 6};
    EXPECT_TRUE(evaluate_document(document).scenario.warnings().empty()) << "paid off at the start";
    document.pools[0].loan->term_months = 7;
    ASSERT_EQ(evaluate_document(document).scenario.warnings().size(), 1U);
    EXPECT_EQ(evaluate_document(document).scenario.warnings()[0].code, Code::loan_in_npv);
    document.pools[0].loan->term_months = 13;
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"inconsistent /pools/0/loan/term_months"});
}

// hand-2.json, porting-equivalent-annual.
TEST(Engineering, EquivalentAnnualCostOfPorting) {
    ScenarioDocument document = owning(0, 12, 12, {{.month = 0, .servers = 1}});
    document.finance.discount_rate = 0.1;
    document.finance.engineer_week_cost = 1000;
    document.workloads[0].runs_on[0].porting.engineer_weeks = 6;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.summary.npv, 6000));
    EXPECT_TRUE(is_close(answer.summary.equivalent_annual_cost, 6600));
    EXPECT_TRUE(is_close(answer.summary.months[3].total.cost, 500));
    EXPECT_TRUE(is_close(answer.summary.workloads[0].cost, 6000));
}

TEST(ExtraCosts, OfAnOwnedPool) {
    ScenarioDocument document = owning(12000, 12, 6, {{.month = 2, .servers = 3}});
    document.finance.at_end = AtEnd::continuing;
    document.pools[0].extra_costs = {
        {.name = "licence", .category = ExtraCategory::software, .per_unit_month = 10},
        {.name = "insurance", .per_year_of_price = 0.01},
        {.name = "person", .category = ExtraCategory::staff, .per_month = 100, .from_month = 3, .months = 2},
        {.name = "grant", .once = -500},
        {.name = "never", .once = 7, .from_month = 0, .months = 2},
    };
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(borne_of(answer, Category::software), 4 * 30));
    EXPECT_TRUE(is_close(borne_of(answer, Category::staff), 200));
    EXPECT_TRUE(is_close(borne_of(answer, Category::other), 4 * 36000 * 0.01 / 12 - 500));
    EXPECT_TRUE(is_close(answer.summary.months[2].by_category[static_cast<std::size_t>(Category::other)].cash, 30 - 500));
    EXPECT_TRUE(is_close(answer.compiled.flows.starts(2, 0, static_cast<std::size_t>(Category::other)), -500));
}

TEST(ExtraCosts, OfACloudPoolByTheBillAndTheInstance) {
    ScenarioDocument document = cloud_scenario();
    document.pools[0].extra_costs = {{.name = "support", .fraction_of_bill = 0.1},
                                     {.name = "agent", .category = ExtraCategory::software, .per_unit_month = 50}};
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(borne_of(answer, Category::other), 744 * 3.6 * 0.1));
    EXPECT_TRUE(is_close(borne_of(answer, Category::software), 50)) << "one instance all month";
    EXPECT_TRUE(is_close(answer.summary.workloads[0].cost, answer.summary.total.cost));
    document.pools[0].max_instances = 0;
    EXPECT_EQ(evaluate_document(document).summary.total.cost, 0.0);
}

TEST(ExtraCosts, OfTheScenarioAreNoPools) {
    ScenarioDocument document = cloud_scenario();
    document.months = 2;
    document.extra_costs = {{.name = "office", .per_month = 100, .growth_rate = 1.0}};
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.summary.pools[1].total.cost, 100 + 100 * std::pow(2, 1.0 / 12)));
    EXPECT_TRUE(is_close(answer.summary.unallocated_cost, answer.summary.pools[1].total.cost));
}

TEST(ExtraCosts, BasesThatAPlaceHasNotAreErrors) {
    ScenarioDocument document = owning(0, 12, 1, {{.month = 0, .servers = 1}});
    document.pools[0].extra_costs = {{.name = "bill", .fraction_of_bill = 0.1}};
    document.pools[0].site->extra_costs = {{.name = "tax", .per_year_of_price = 0.1}};
    document.extra_costs = {{.name = "seat", .per_unit_month = 1}};
    EXPECT_EQ(issues_of(document), (std::vector<std::string>{"not_allowed /pools/0/site/extra_costs/0/per_year_of_price",
                                                             "not_allowed /pools/0/extra_costs/0/fraction_of_bill",
                                                             "not_allowed /extra_costs/0/per_unit_month"}));
}

// economics.md, B8: salary, space, network, software and maintenance grow.
TEST(Growth, InflationMovesTheCategoriesThatHaveIt) {
    ScenarioDocument document = owning(12000, 24, 13, {{.month = 0, .servers = 1}});
    document.finance.at_end = AtEnd::continuing;
    document.finance.inflation_rate = 0.1;
    document.finance.growth_rates = {{"network", 0.0}};
    Pool& pool = document.pools[0];
    pool.server->maintenance_rate = 0.12;
    pool.server->software_per_device_year = 120;
    Site& site = *pool.site;
    site.fte = 1;
    site.salary_per_year = 12000;
    site.space_per_kw_month = 100;
    site.network_per_month = 10;
    const Answer answer = evaluate_document(document);
    const auto in_last = [&](Category category) { return answer.ledger.cost(12, 0, static_cast<std::size_t>(category)); };
    EXPECT_TRUE(is_close(in_last(Category::staff), 1100));
    EXPECT_TRUE(is_close(in_last(Category::facility), 66)) << "0.6 kW";
    EXPECT_TRUE(is_close(in_last(Category::maintenance), 132));
    EXPECT_TRUE(is_close(in_last(Category::software), 11));
    EXPECT_TRUE(is_close(in_last(Category::network), 10)) << "its own rate";
    EXPECT_TRUE(is_close(in_last(Category::hardware), 500)) << "capital does not grow";
}

TEST(Growth, RatesOfOtherCategoriesAreErrors) {
    ScenarioDocument document = cloud_scenario();
    document.finance.growth_rates = {{"energy", 0.1}, {"usage", 0.1}};
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"unknown_value /finance/growth_rates/energy"});
}

} // namespace
} // namespace costcurve::model
