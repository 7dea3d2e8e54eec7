// Bills of published tariffs (utility_bills.json), to the cent: the month's bill, its explanation line by line, and that each rule
// of a tariff is read.
#include <algorithm>
#include <cmath>
#include <fstream>

#include <nlohmann/json.hpp>

#include "model/questions/explain/explain.hpp"
#include "tests/golden/published_2.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::golden {
namespace {

constexpr double kCent = 0.005001; // a printed figure is within half a cent

json utility_bills() {
    std::ifstream file(tests::source_folder() / "tests/golden/utility_bills.json");
    return json::parse(file).at("cases");
}

// A load of so many kWh in a month whose largest kW stands in its first hour; flat where kWh are not stated. 2027.
json kw_of_month(const json& bill, int first_hour, int hours) {
    const double kw = bill.at("kw");
    const double base = bill.contains("kwh") ? (bill.at("kwh").get<double>() - kw) / (hours - 1) : kw;
    return {{first_hour, kw}, {first_hour + 1, base}};
}

// The month of the bill, after one of another load where the bill depends on it.
json scenario_of_bill(const json& bill) {
    constexpr std::array<int, 12> kDaysOf2027 = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const int month = bill.at("month").get<int>() - 1;
    int first_hour = 0;
    for (int m = 0; m < month; ++m) {
        first_hour += 24 * kDaysOf2027[static_cast<std::size_t>(m)];
    }
    json points = {{0, bill.value("kw_before", 0.0)}};
    for (const json& point : kw_of_month(bill, first_hour, 24 * kDaysOf2027[static_cast<std::size_t>(month)])) {
        points.push_back(point);
    }
    if (month == 0) {
        points.erase(0);
    }
    const bool has_before = bill.contains("kw_before");
    json site = bill.at("site");
    site["id"] = "here";
    json scenario = load(site, step_curve("hour_of_year", points), has_before ? 2 : 1);
    scenario["start"] = fmt::format("2027-{:02}", has_before ? month : month + 1);
    scenario["pools"][0]["purchases"][0]["servers"] = 2000;
    return scenario;
}

double bill_of(const json& scenario) { return answer_to(scenario).summary.sites.at(0).bill_by_month.back(); }

TEST(UtilityBills, AreToTheCent) {
    const json bills = utility_bills();
    EXPECT_GE(bills.size(), 10U);
    for (const json& bill : bills) {
        EXPECT_NEAR(bill_of(scenario_of_bill(bill)), bill.at("bill").get<double>(), kCent) << bill.at("id");
    }
}

model::Term explained_bill(const json& bill) {
    const model::ScenarioDocument document = decoded(scenario_of_bill(bill));
    const tests::Answer answer = tests::evaluate_document(document);
    const auto scenario = model::make_scenario(document);
    const std::string figure = fmt::format("/by_site/here/bill_by_month/{}", document.months - 1);
    const auto tree = model::explain(*scenario, answer.compiled, answer.ledger, answer.summary, figure);
    EXPECT_TRUE(tree) << bill.at("id");
    return tree.value_or(model::Term{});
}

TEST(UtilityBills, AreExplainedLineByLine) {
    for (const json& bill : utility_bills()) {
        const model::Term tree = explained_bill(bill);
        double sum = 0.0;
        std::map<std::string, double> lines;
        for (const model::Term& line : tree.terms) {
            sum += line.value;
            lines[line.term] += line.value;
            double product = 1.0;
            for (const model::Term& factor : line.terms) {
                product *= factor.value;
            }
            EXPECT_TRUE(line.terms.empty() || std::abs(product - line.value) < 1e-9 * std::abs(line.value)) << bill.at("id");
        }
        EXPECT_NEAR(sum, tree.value, 1e-9 * std::abs(tree.value)) << bill.at("id");
        const json expected = bill.value("lines", json::object());
        for (const auto& [name, amount] : expected.items()) {
            EXPECT_NEAR(lines[name], amount.get<double>(), kCent) << bill.at("id") << " " << name;
        }
    }
}

// Each number of a tariff, changed by a tenth, changes some bill.
TEST(UtilityBills, DependOnEachNumberOfTheirTariffs) {
    std::map<std::string, bool> is_read;
    for (const json& bill : utility_bills()) {
        const json scenario = scenario_of_bill(bill);
        const double before = bill_of(scenario);
        const json flat = bill.at("site").flatten();
        for (const auto& [pointer, value] : flat.items()) {
            if (!value.is_number_float() || pointer.find("/points/") != std::string::npos) {
                continue;
            }
            const std::string name = pointer.substr(pointer.rfind('/') + 1);
            json changed = scenario;
            changed["pools"][0]["site"][json::json_pointer(pointer)] = value.get<double>() * 0.95;
            is_read[name] = is_read[name] || bill_of(changed) != before;
        }
    }
    for (const auto& [name, read] : is_read) {
        EXPECT_TRUE(read) << name;
    }
    EXPECT_GE(is_read.size(), 8U);
}

// tan(acos(0.9)) is 0.484322: 484.32 kvar of 1,000 kW at 0.4.
TEST(UtilityBills, TakeAPowerFactorThatNobodyStatesForNineTenths) {
    const json scenario = load({{"id", "here"}, {"energy_price", 0}, {"reactive", {{"per_kvar_month", 0.4}}}}, 100, 1);
    EXPECT_NEAR(bill_of(scenario), 19.37, kCent);
    const tests::Answer answer = answer_to(scenario);
    const auto warned = [&](const model::Issue& issue) { return issue.code == model::Code::power_factor_assumed; };
    EXPECT_EQ(std::ranges::count_if(answer.scenario.warnings(), warned), 1);
}

// Energy at a negative price: without a minimum the bill is the customer's.
TEST(UtilityBills, MayBeNegativeWithoutAMinimum) {
    json site = {{"id", "here"}, {"energy_price", -0.01}, {"riders", {{{"name", "customer charge"}, {"per_month", 1}}}}};
    EXPECT_NEAR(bill_of(load(site, 100, 1)), 1 - 744.0, kCent);
    site["minimum_bill"] = {{"per_month", 0}};
    EXPECT_NEAR(bill_of(load(site, 100, 1)), 0, kCent);
}

// Two servers of 1,000, written off in 60 months, in a year's horizon at whose end they are sold at book value.
tests::Answer bought(const json& purchase, json finance, const json& server = json::object()) {
    json owned = {{"price", 1000}};
    owned.update(server);
    json purchases = json::array({purchase});
    purchases[0]["servers"] = 2;
    finance["at_end"] = "exit";
    return answer_to(one_server({{"server", owned}, {"purchases", purchases}}, 12, finance));
}

TEST(Ownership, APartIsPaidAtTheOrder) {
    const json months_and_cash[] = {{{2, 600}, {6, 1400}}, {{0, 600}, {3, 1400}}};
    const json purchases[] = {{{"month", 6}, {"lead_months", 4}, {"paid_at_order_fraction", 0.3}},
                              {{"month", 3}, {"lead_months", 9}, {"paid_at_order_fraction", 0.3}}};
    for (std::size_t i = 0; i < 2; ++i) {
        const tests::Answer answer = bought(purchases[i], json::object());
        for (const json& paid : months_and_cash[i]) {
            EXPECT_NEAR(answer.summary.months.at(paid[0]).total.cash, paid[1].get<double>(), 1e-9) << i;
        }
    }
}

TEST(Ownership, SparesAreBoughtWithTheServers) {
    const tests::Answer answer = bought({{"month", 0}}, json::object(), {{"spares_fraction", 0.1}});
    EXPECT_NEAR(answer.summary.months.at(0).total.cash, 2200, 1e-9);
}

// 30 % of 2,000 are 600; sold after a year at 1,600 four fifths, 480, are given back, with 240 in the basis. Written off are
// 1,700 x 12/60 = 340, and 1,360 + 240 - 1,600 at the sale: tax is 0.2 x 340 + 600 - 480 less than without.
TEST(Ownership, TheCreditTakesHalfOfItselfOffTheBasis) {
    json finance = {{"tax_rate", 0.2}};
    EXPECT_NEAR(bought({{"month", 0}}, finance).summary.npv_after_tax, 400 - 0.2 * 400, 1e-9);
    finance["investment_credit_fraction"] = 0.3;
    EXPECT_NEAR(bought({{"month", 0}}, finance).summary.npv_after_tax, 400 - 0.2 * 340 - 120, 1e-9);
}

} // namespace
} // namespace costcurve::golden
