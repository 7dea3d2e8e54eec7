// Terms, leases, loans, tariffs and taxes that contradict themselves: each is refused, where it stands, with both values.
#include <gtest/gtest.h>

#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

// Two owned pools at sites of their own, and one that is committed for a year; servers live 48 months.
constexpr std::string_view kAgreed = R"({
  "start": "2026-01", "months": 12,
  "workloads": [{"id": "work", "kind": "inference", "demand": {"mean_per_s": 1},
                 "runs_on": [{"pool": "own", "performance": {"units_per_s": 1}}]}],
  "pools": [{"id": "own", "kind": "owned", "purchases": [{"month": 0, "servers": 1}],
             "server": {"device": {"kind": "gpu", "tdp_w": 500}, "devices": 1, "price": 1000, "life_months": 48},
             "site": {"id": "here", "energy_price": 0.1, "pue": 1.5}},
            {"id": "second", "kind": "owned", "purchases": [{"month": 0, "servers": 1}],
             "server": {"device": {"kind": "gpu", "tdp_w": 500}, "devices": 1, "price": 1000, "life_months": 48},
             "site": {"id": "there", "energy_price": 0.1}},
            {"id": "year", "kind": "cloud", "min_instances": 1, "max_instances": 1,
             "offer": {"provider": "p", "device": {"kind": "gpu", "tdp_w": 500}, "devices": 1, "purchase": "reserved",
                       "hourly_price": 1, "upfront": 100, "term_months": 12}}],
  "finance": {}
})";

TestService& service_of_contradictions() {
    static TestService only;
    return only;
}

/// One issue, "code pointer", whose message has the words: the values that contradict, or the value and its limits.
void expect_refused(const json& scenario, const std::string& issue, const std::vector<const char*>& has) {
    const http::Response response = service_of_contradictions().ask("POST", "/v1/evaluate", json{{"scenario", scenario}}.dump());
    EXPECT_EQ(response.status, 422) << issue;
    const json errors = json::parse(response.body).value("errors", json::array());
    ASSERT_EQ(errors.size(), 1U) << issue << ": " << response.body;
    const std::string message = errors[0].at("message");
    EXPECT_EQ(errors[0].at("code").get<std::string>() + " " + errors[0].at("pointer").get<std::string>(), issue) << message;
    for (const char* const word : has) {
        EXPECT_NE(message.find(word), std::string::npos) << issue << ": \"" << message << "\" lacks " << word;
    }
}

struct Contradiction {
    const char* at;    ///< what is set, and
    const char* value; ///< to what, as JSON
    const char* issue;
    std::vector<const char*> words;
};

void expect_all_refused(const std::vector<Contradiction>& rows) {
    for (const Contradiction& row : rows) {
        expect_refused(with(json::parse(kAgreed), row.at, json::parse(row.value)), row.issue, row.words);
    }
}

TEST(Contradictions, NoneInTheScenarioThatTheyStartFrom) {
    const http::Response response =
        service_of_contradictions().ask("POST", "/v1/evaluate", json{{"scenario", json::parse(kAgreed)}}.dump());
    EXPECT_EQ(response.status, 200) << response.body;
}

TEST(Contradictions, TermsOfCommitments) {
    expect_all_refused({
        {"/pools/2/months", "18", "term_not_whole /scenario/pools/2/months", {"months is 18", "12 months"}},
        {"/pools/2/from_month", "-13", "out_of_range /scenario/pools/2/from_month", {"is -13", "-12"}},
        {"/pools/2/max_instances", "2", "inconsistent /scenario/pools/2/min_instances", {"(1)", "(2)"}},
        {"/pools/2/discount_fraction", "1.1", "out_of_range /scenario/pools/2/discount_fraction", {"is 1.1", "0 to 1"}},
        {"/pools/0/discount_fraction", "0.2", "not_allowed /scenario/pools/0/discount_fraction", {"is 0.2", "price"}},
        {"/pools/2/offer/purchase", R"("on_demand")", "not_allowed /scenario/pools/2/offer/upfront", {"is 100", "allowed 0"}},
        {"/pools/2/offer/purchase", R"("dedicated")", "inconsistent /scenario/pools/2/offer/term_months", {"is 12", "allowed 1"}},
        {"/pools/2/offer",
         R"({"provider": "p", "device": {"kind": "gpu", "tdp_w": 500}, "devices": 1, "purchase": "reserved", "hourly_price": 1,
             "upfront": 100})",
         "missing /scenario/pools/2/offer/term_months",
         {"100", "term_months"}},
    });
}

TEST(Contradictions, LeasesAndLoans) {
    expect_all_refused({
        {"/pools/0/purchases/0/lease",
         R"({"payment_per_server_month": 5, "term_months": 60})",
         "inconsistent /scenario/pools/0/purchases/0/lease/term_months",
         {"is 60", "life_months, 48"}},
        {"/pools/0/purchases/0",
         R"({"month": 0, "servers": 1, "price": 700, "lease": {"payment_per_server_month": 5, "term_months": 36}})",
         "not_allowed /scenario/pools/0/purchases/0/price",
         {"is 700", "5 a month"}},
        {"/pools/0/purchases/0",
         R"({"month": 0, "servers": 1, "lease": {"payment_per_server_month": 5, "term_months": 36},
             "loan": {"fraction": 0.6, "rate": 0.1, "term_months": 36}})",
         "not_allowed /scenario/pools/0/purchases/0/loan",
         {"0.6", "5 a month"}},
        {"/pools/0",
         R"({"id": "own", "kind": "owned", "loan": {"fraction": 0.6, "rate": 0.1, "term_months": 36},
             "purchases": [{"month": 0, "servers": 1, "lease": {"payment_per_server_month": 5, "term_months": 36}}],
             "server": {"device": {"kind": "gpu", "tdp_w": 500}, "devices": 1, "price": 1000, "life_months": 48},
             "site": {"energy_price": 0}})",
         "not_allowed /scenario/pools/0/loan",
         {"0.6", "5 a month", "purchase 0"}},
        {"/pools/0/purchases/0/lease",
         R"({"payment_per_server_month": 5, "term_months": 0})",
         "out_of_range /scenario/pools/0/purchases/0/lease/term_months",
         {"is 0", "1 to 600"}},
        {"/pools/0/purchases/0/lease",
         R"({"payment_per_server_month": -5, "term_months": 12})",
         "out_of_range /scenario/pools/0/purchases/0/lease/payment_per_server_month",
         {"is -5", "0"}},
        {"/pools/0/purchases/0/loan",
         R"({"fraction": 0.5, "rate": 0.1, "term_months": 60})",
         "inconsistent /scenario/pools/0/purchases/0/loan/term_months",
         {"is 60", "life_months, 48"}},
        {"/pools/0/loan",
         R"({"fraction": 0.5, "rate": 0.1, "term_months": 49})",
         "inconsistent /scenario/pools/0/loan/term_months",
         {"is 49", "life_months, 48"}},
        {"/pools/0/loan",
         R"({"fraction": 1.01, "rate": 0.1, "term_months": 36})",
         "out_of_range /scenario/pools/0/loan/fraction",
         {"is 1.01", "0 to 1"}},
        {"/pools/0/loan",
         R"({"fraction": 1, "rate": -0.1, "term_months": 36})",
         "out_of_range /scenario/pools/0/loan/rate",
         {"is -0.1", "0 to 10"}},
        {"/pools/2/loan", R"({"fraction": 1, "rate": 0.1, "term_months": 36})", "not_allowed /scenario/pools/2/loan", {"owned"}},
        {"/pools/0/server/residual_fraction",
         "1.2",
         "out_of_range /scenario/pools/0/server/residual_fraction",
         {"is 1.2", "0 to 1"}},
    });
}

TEST(Contradictions, DemandChargesAndTiers) {
    const char* const charges = "/pools/0/site/demand_charges";
    const char* const tiers = "/pools/0/site/energy_tiers";
    expect_all_refused({
        {"/pools/0/site",
         R"({"energy_price": 0, "demand_charge_per_kw_month": 9, "demand_charges": [{"per_kw_month": 7}, {"per_kw_month": 3}]})",
         "not_allowed /scenario/pools/0/site/demand_charge_per_kw_month",
         {"is 9", "2 demand_charges"}},
        {charges,
         R"([{"per_kw_month": 7, "hours": {"kind": "demand", "axis": "hour_of_week", "interpolation": "step",
              "points": [[0, 0], [8, 1], [20, 0.5]]}}])",
         "out_of_range /scenario/pools/0/site/demand_charges/0/hours/points/2/1",
         {"0.5", "allowed 0 and 1"}},
        {charges,
         R"([{"per_kw_month": 7,
              "hours": {"kind": "demand", "axis": "hour_of_day", "interpolation": "step", "points": [[0, 1]]}}])",
         "inconsistent /scenario/pools/0/site/demand_charges/0/hours",
         {"hour_of_day", "hour_of_week"}},
        {charges,
         R"([{"per_kw_month": 7, "hours": {"kind": "demand", "axis": "hour_of_week", "points": [[0, 1], [8, 0]]}}])",
         "inconsistent /scenario/pools/0/site/demand_charges/0/hours",
         {"linear", "step"}},
        {charges,
         R"([{"per_kw_month": 7, "months": [1, 13]}])",
         "out_of_range /scenario/pools/0/site/demand_charges/0/months/1",
         {"is 13", "1 to 12"}},
        {charges,
         R"([{"per_kw_month": 7, "ratchet_fraction": 1.5}])",
         "out_of_range /scenario/pools/0/site/demand_charges/0/ratchet_fraction",
         {"is 1.5", "0 to 1"}},
        {charges,
         R"([{"per_kw_month": 7, "ratchet_fraction": 0.5, "ratchet_months": 0}])",
         "out_of_range /scenario/pools/0/site/demand_charges/0/ratchet_months",
         {"is 0", "1"}},
        {tiers,
         R"([{"above_kwh_month": 500, "add_per_kwh": 0.1}, {"above_kwh_month": 400, "add_per_kwh": 0.1}])",
         "not_ascending /scenario/pools/0/site/energy_tiers/1/above_kwh_month",
         {"is 400", "after 500"}},
        {tiers,
         R"([{"above_kwh_month": 500, "add_per_kwh": 0.1}, {"above_kwh_month": 500, "add_per_kwh": 0.2}])",
         "not_ascending /scenario/pools/0/site/energy_tiers/1/above_kwh_month",
         {"is 500", "after 500"}},
    });
}

TEST(Contradictions, TheRestOfABill) {
    const char* const site = "/pools/0/site";
    expect_all_refused({
        {site,
         R"({"energy_price": 0, "demand_charges": [{"per_kw_month": 7, "tiers": [{"above_kw": 9, "add_per_kw_month": -1},
             {"above_kw": 9, "add_per_kw_month": 1}]}]})",
         "not_ascending /scenario/pools/0/site/demand_charges/0/tiers/1/above_kw",
         {"is 9", "after 9"}},
        {site,
         R"({"energy_price": 0, "demand_charges": [{"per_kw_month": 7, "tiers": [{"above_kw": 9, "add_per_kw_month": -8}]}]})",
         "out_of_range /scenario/pools/0/site/demand_charges/0/tiers/0/add_per_kw_month",
         {"is -8", "at least 0"}},
        {site,
         R"({"energy_price": 0, "demand_charges": [{"per_kw_month": 7}], "energy_tiers": [{"add_per_kwh": 1, "kw_of_charge": 1}]})",
         "unknown_reference /scenario/pools/0/site/energy_tiers/0/kw_of_charge",
         {"is 1", "1 demand_charges"}},
        {site,
         R"({"energy_price": 0, "minimum_bill": {"per_kw_month": 7, "kw_of_charge": 0}})",
         "unknown_reference /scenario/pools/0/site/minimum_bill/kw_of_charge",
         {"is 0", "0 demand_charges"}},
        {site,
         R"({"energy_price": 0, "riders": [{"name": "a", "fraction_of_bill": -0.6}, {"name": "b", "fraction_of_bill": -0.5}]})",
         "out_of_range /scenario/pools/0/site/riders/1/fraction_of_bill",
         {"-0.5", "1.1"}},
        {site,
         R"({"energy_price": 0, "riders": [{"name": "a", "per_kwh": 1, "from_month": 6, "to_month": 5}]})",
         "inconsistent /scenario/pools/0/site/riders/0/to_month",
         {"is 5", "6"}},
        {"/finance",
         R"({"investment_credit_fraction": 0.3})",
         "inconsistent /scenario/finance/investment_credit_fraction",
         {"is 0.3", "tax_rate"}},
    });
}

// One id is one place; the message names the pools, the field and what it is in each.
TEST(Contradictions, OneSiteWithTwoContents) {
    struct Site {
        const char* first;
        const char* second;
        const char* field;
        const char* values;
    };
    const Site rows[] = {
        {R"({})", R"({"energy_price": 0.2})", "energy_price", "0.1 and 0.2"},
        {R"({})", R"({"pue": 1.5})", "pue", "1 and 1.5"},
        {R"({})", R"({"max_kw": 40})", "max_kw", "not stated and 40"},
        {R"({"max_kw": 40})", R"({"max_kw": 50})", "max_kw", "40 and 50"},
        {R"({})", R"({"time_zone": "Asia/Tokyo"})", "time_zone", R"("UTC" and "Asia/Tokyo")"},
        {R"({})", R"({"energy_price": {"kind": "tariff", "axis": "hour_of_day", "points": [[0, 0.1], [9, 0.3]]}})", "energy_price",
         "0.1 and a curve of 2 points"},
        {R"({"energy_price": {"kind": "tariff", "axis": "hour_of_day", "points": [[0, 0.1], [9, 0.3]]}})",
         R"({"energy_price": {"kind": "tariff", "axis": "hour_of_day", "points": [[0, 0.1], [9, 0.4]]}})", "energy_price/points/1",
         "[9, 0.3] and [9, 0.4]"},
        {R"({"energy_price": {"kind": "tariff", "axis": "hour_of_day", "points": [[0, 0.1], [9, 0.3]]}})",
         R"({"energy_price": {"kind": "tariff", "axis": "hour_of_day", "points": [[0, 0.1]]}})", "energy_price/points",
         "2 entries and 1"},
        {R"({"energy_price": {"kind": "tariff", "axis": "hour_of_day", "points": [[0, 0.1]]}})",
         R"({"energy_price": {"kind": "tariff", "axis": "hour_of_week", "points": [[0, 0.1]]}})", "energy_price/axis",
         "hour_of_day and hour_of_week"},
        {R"({})", R"({"demand_charges": [{"per_kw_month": 7}]})", "demand_charges", "0 entries and 1"},
        {R"({"demand_charges": [{"per_kw_month": 7, "months": [6, 7]}]})",
         R"({"demand_charges": [{"per_kw_month": 7, "months": [6, 8]}]})", "demand_charges/0/months", "[6, 7] and [6, 8]"},
    };
    for (const Site& row : rows) {
        json scenario = json::parse(kAgreed);
        for (const auto& [pool, text] : {std::pair(0, row.first), std::pair(1, row.second)}) {
            scenario["pools"][pool]["site"] = {{"id", "here"}, {"energy_price", 0.1}};
            scenario["pools"][pool]["site"].update(json::parse(text));
        }
        expect_refused(scenario, "site_conflict /scenario/pools/1/site", {"site here", "own and second", row.field, row.values});
    }
}

TEST(Contradictions, ExtraCostsWhereTheirBaseIsMissing) {
    const char* const cost = R"([{"name": "plan", "per_month": 1}, {"name": "bad", "%": 5}])";
    const auto extra = [&](std::string_view base) {
        std::string text = cost;
        return text.replace(text.find('%'), 1, base);
    };
    const std::string units = extra("per_unit_month");
    const std::string bill = extra("fraction_of_bill");
    const std::string price = extra("per_year_of_price");
    expect_all_refused({
        {"/extra_costs", units.c_str(), "not_allowed /scenario/extra_costs/1/per_unit_month", {"is 5", "cloud and owned"}},
        {"/pools/0/extra_costs", bill.c_str(), "not_allowed /scenario/pools/0/extra_costs/1/fraction_of_bill", {"is 5", "api"}},
        {"/pools/2/extra_costs", price.c_str(), "not_allowed /scenario/pools/2/extra_costs/1/per_year_of_price", {"is 5", "owned"}},
        {"/pools/0/site/extra_costs",
         price.c_str(),
         "not_allowed /scenario/pools/0/site/extra_costs/1/per_year_of_price",
         {"is 5", "owned pools"}},
        {"/extra_costs",
         R"([{"name": "bad", "category": "energy", "per_month": 1}])",
         "unknown_value /scenario/extra_costs/0/category",
         {"energy", "staff"}},
    });
}

TEST(Contradictions, TaxAndGrowth) {
    expect_all_refused({
        {"/finance",
         R"({"tax_depreciation": "table", "tax_depreciation_table": [0.5, 0.3, 0.1]})",
         "inconsistent /scenario/finance/tax_depreciation_table",
         {"0.9", "not 1"}},
        {"/finance", R"({"tax_depreciation": "table"})", "missing /scenario/finance/tax_depreciation_table", {"fractions by year"}},
        {"/finance",
         R"({"tax_depreciation": "macrs_5", "tax_depreciation_table": [0.5, 0.5]})",
         "not_allowed /scenario/finance/tax_depreciation_table",
         {"2 fractions", "macrs_5"}},
        {"/finance",
         R"({"tax_depreciation": "table", "tax_depreciation_table": [1.2]})",
         "out_of_range /scenario/finance/tax_depreciation_table/0",
         {"is 1.2", "0 to 1"}},
        {"/finance",
         R"({"tax_depreciation": "declining_balance"})",
         "missing /scenario/finance/tax_depreciation_rate",
         {"declining_balance"}},
        {"/finance",
         R"({"bonus_depreciation_fraction": 1.5})",
         "out_of_range /scenario/finance/bonus_depreciation_fraction",
         {"is 1.5", "0 to 1"}},
        {"/finance",
         R"({"growth_rates": {"energy": 0.1}})",
         "unknown_value /scenario/finance/growth_rates/energy",
         {"energy", "0.1", "demand_charge"}},
        {"/finance", R"({"decide_by": "price"})", "unknown_value /scenario/finance/decide_by", {"price", "npv_after_tax"}},
        {"/finance", R"({"at_end": "sell"})", "unknown_value /scenario/finance/at_end", {"sell", "exit", "continue"}},
    });
}

} // namespace
} // namespace costcurve::tests
