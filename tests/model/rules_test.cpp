// Rules of scenarios, pools, sites and demand: every code and the pointer of the field to mend (model.md, sections 2, 5 and 8).
#include "model/rules.hpp"

#include <functional>

#include "model/scenario.hpp"
#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::api_scenario;
using tests::cloud_scenario;
using tests::curve;
using tests::flat;
using tests::issues_of;
using tests::owned_scenario;
using tests::training_scenario;
using Issues = std::vector<std::string>;
using Change = std::function<void(ScenarioDocument&)>;

struct Row {
    const char* what;
    ScenarioDocument from;
    Change change;
    Issues expected;
};

void expect_issues(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        ScenarioDocument document = row.from;
        row.change(document);
        EXPECT_EQ(issues_of(document), row.expected) << row.what;
    }
}

TEST(Rules, ScenariosThatTestsStartFromBreakNone) {
    for (const ScenarioDocument& document : {cloud_scenario(), owned_scenario(), training_scenario(), api_scenario()}) {
        EXPECT_EQ(issues_of(document), Issues{});
    }
}

TEST(Rules, WorkThatIsBoundToRegionsRunsInNoOther) {
    const auto bound = [](std::vector<std::string> regions, std::string region) {
        return [=](auto& d) {
            d.workloads[0].regions = regions;
            d.pools[0].offer->region = region;
        };
    };
    expect_issues({
        {"by region", cloud_scenario(), bound({"eu-west-1"}, "eu-west-1"), {}},
        {"by group", cloud_scenario(), bound({"us", "eu"}, "eu-west-1"), {}},
        {"a name of its own", cloud_scenario(), bound({"hall-7"}, "hall-7"), {}},
        {"elsewhere", cloud_scenario(), bound({"eu"}, "us-east-1"), {"not_allowed /workloads/0/runs_on/0/pool"}},
        {"nowhere",
         cloud_scenario(),
         bound({"eu-central-9"}, "us-east-1"),
         {"unknown_value /workloads/0/regions/0", "not_allowed /workloads/0/runs_on/0/pool"}},
    });
    ScenarioDocument unknown = cloud_scenario();
    unknown.workloads[0].regions = {"eu"};
    unknown.pools[0].offer->region.clear();
    unknown.pools[0].offer->site.reset();
    const Result<Scenario> made = make_scenario(unknown);
    ASSERT_TRUE(made);
    EXPECT_TRUE(std::any_of(made->warnings().begin(), made->warnings().end(),
                            [](const Issue& warning) { return warning.code == Code::place_unknown; }));
}

TEST(Rules, ZonesAreIanaNames) {
    for (const char* zone : {"../x", "localtime", "Nope/Zone", "", "/etc/localtime"}) {
        expect_issues({
            {zone, cloud_scenario(), [&](auto& d) { d.time_zone = zone; }, {"unknown_value /time_zone"}},
            {zone,
             cloud_scenario(),
             [&](auto& d) { d.workloads[0].demand.time_zone = zone; },
             {"unknown_value /workloads/0/demand/time_zone"}},
            {zone,
             owned_scenario(),
             [&](auto& d) { d.pools[0].site->time_zone = zone; },
             {"unknown_value /pools/0/site/time_zone"}},
            {zone,
             cloud_scenario(),
             [&](auto& d) { d.pools[0].offer->site.emplace().time_zone = zone; },
             {"unknown_value /pools/0/offer/site/time_zone"}},
        });
    }
}

TEST(Rules, IdsAreThereAndDiffer) {
    expect_issues({
        {"no pool id",
         cloud_scenario(),
         [](auto& d) { d.pools[0].id = d.workloads[0].runs_on[0].pool = ""; },
         {"missing /pools/0/id"}},
        {"no workload id", cloud_scenario(), [](auto& d) { d.workloads[0].id = ""; }, {"missing /workloads/0/id"}},
        {"two pools of a name", cloud_scenario(), [](auto& d) { d.pools.push_back(d.pools[0]); }, {"duplicate /pools/1/id"}},
        {"two workloads of a name",
         cloud_scenario(),
         [](auto& d) { d.workloads.push_back(d.workloads[0]); },
         {"duplicate /workloads/1/id"}},
        {"a pool twice in a route",
         cloud_scenario(),
         [](auto& d) { d.workloads[0].runs_on.push_back(d.workloads[0].runs_on[0]); },
         {"duplicate /workloads/0/runs_on/1/pool"}},
        {"an unknown pool",
         cloud_scenario(),
         [](auto& d) { d.workloads[0].runs_on[0].pool = "nowhere"; },
         {"unknown_reference /workloads/0/runs_on/0/pool"}},
    });
}

TEST(Rules, InstancesHaveTheirBounds) {
    expect_issues({
        {"min above max",
         cloud_scenario(),
         [](auto& d) { d.pools[0].min_instances = 11; },
         {"inconsistent /pools/0/min_instances"}},
        {"min is max", cloud_scenario(), [](auto& d) { d.pools[0].min_instances = 10; }, {}},
        {"spot between bounds", cloud_scenario(), [](auto& d) { d.pools[0].offer->purchase = Purchase::spot; }, {}},
    });
    for (const Purchase purchase : {Purchase::reserved, Purchase::committed, Purchase::dedicated}) {
        expect_issues({
            {"a commitment has one number",
             cloud_scenario(),
             [&](auto& d) { d.pools[0].offer->purchase = purchase; },
             {"inconsistent /pools/0/min_instances"}},
            {"a commitment with one number",
             cloud_scenario(),
             [&](auto& d) {
                 d.pools[0].offer->purchase = purchase;
                 d.pools[0].min_instances = 10;
             },
             {}},
        });
    }
}

TEST(Rules, UpfrontGoesWithATerm) {
    const auto pay = [](Purchase purchase, std::optional<int> term) {
        return [purchase, term](ScenarioDocument& d) {
            d.pools[0].offer->purchase = purchase;
            d.pools[0].offer->upfront = 100;
            d.pools[0].offer->term_months = term;
            d.pools[0].min_instances = 10;
        };
    };
    expect_issues({
        {"on demand has none", cloud_scenario(), pay(Purchase::on_demand, 12), {"not_allowed /pools/0/offer/upfront"}},
        {"spot has none", cloud_scenario(), pay(Purchase::spot, 12), {"not_allowed /pools/0/offer/upfront"}},
        {"reserved without a term", cloud_scenario(), pay(Purchase::reserved, {}), {"missing /pools/0/offer/term_months"}},
        {"committed without a term", cloud_scenario(), pay(Purchase::committed, {}), {"missing /pools/0/offer/term_months"}},
        {"reserved with a term", cloud_scenario(), pay(Purchase::reserved, 12), {}},
        {"dedicated has a month", cloud_scenario(), pay(Purchase::dedicated, {}), {}},
    });
}

TEST(Rules, PowersAndHeightsFit) {
    expect_issues({
        {"idle above full load",
         owned_scenario(),
         [](auto& d) { d.pools[0].server->device.idle_w = 501; },
         {"inconsistent /pools/0/server/device/idle_w"}},
        {"idle above full load, rented",
         cloud_scenario(),
         [](auto& d) { d.pools[0].offer->device.idle_w = 501; },
         {"inconsistent /pools/0/offer/device/idle_w"}},
        {"host idle above full load",
         owned_scenario(),
         [](auto& d) { d.pools[0].server->host_idle_w = 101; },
         {"inconsistent /pools/0/server/host_idle_w"}},
        {"a server above what a rack carries",
         owned_scenario(),
         [](auto& d) { d.pools[0].site->rack_kw = 0.599; },
         {"ineligible_rack_power /pools/0/site/rack_kw"}},
        {"a server that a rack just carries", owned_scenario(), [](auto& d) { d.pools[0].site->rack_kw = 0.6; }, {}},
        {"a server higher than a rack",
         owned_scenario(),
         [](auto& d) { d.pools[0].server->rack_units = 43; },
         {"inconsistent /pools/0/server/rack_units"}},
        {"racks of unknown number",
         owned_scenario(),
         [](auto& d) { d.pools[0].site->space_per_rack_month = 1; },
         {"missing /pools/0/server/rack_units"}},
        {"racks by height",
         owned_scenario(),
         [](auto& d) {
             d.pools[0].site->space_per_rack_month = 1;
             d.pools[0].server->rack_units = 42;
         },
         {}},
        {"own build without a life",
         owned_scenario(),
         [](auto& d) { d.pools[0].site->facility_price_per_w = 1; },
         {"missing /pools/0/site/facility_life_months"}},
    });
}

TEST(Rules, OwnedDevicesAreToBeHad) {
    expect_issues({
        {"a TPU can't be owned",
         owned_scenario(),
         [](auto& d) { d.pools[0].server->device.kind = DeviceKind::tpu; },
         {"ineligible_device /pools/0/server/device"}},
        {"a TPU that can",
         owned_scenario(),
         [](auto& d) {
             d.pools[0].server->device.kind = DeviceKind::tpu;
             d.pools[0].server->device.ownable = true;
         },
         {}},
        {"a GPU that can't",
         owned_scenario(),
         [](auto& d) { d.pools[0].server->device.ownable = false; },
         {"ineligible_device /pools/0/server/device"}},
        {"a TPU is rented", cloud_scenario(), [](auto& d) { d.pools[0].offer->device.kind = DeviceKind::tpu; }, {}},
    });
}

TEST(Rules, ApiPoolsAreForInferenceWithoutDevices) {
    expect_issues({
        {"no ramp", api_scenario(), [](auto& d) { d.pools[0].ramp_months = 1; }, {"not_allowed /pools/0/ramp_months"}},
        {"no performance",
         api_scenario(),
         [](auto& d) { d.workloads[0].runs_on[0].performance.emplace(); },
         {"not_allowed /workloads/0/runs_on/0/performance"}},
        {"no training",
         api_scenario(),
         [](auto& d) {
             d.workloads[0] = training_scenario().workloads[0];
             d.workloads[0].runs_on[0].performance.reset();
         },
         {"not_allowed /workloads/0/runs_on/0/pool"}},
        {"a class without a price of its own or its kin's",
         api_scenario(),
         [](auto& d) {
             d.pools[0].price_per_million_units = tests::in_and_out(flat(1), flat(2));
             d.pools[0].price_per_million_units->input.reset();
         },
         {"missing /workloads/0/runs_on/0/pool"}},
        {"split units may have one price",
         api_scenario(),
         [](auto& d) { d.workloads[0].units_per_request = tests::in_and_out(3, 1); },
         {}},
    });
}

TEST(Rules, DemandIsGivenInOneWay) {
    const auto by_utilization = [](ScenarioDocument& d) {
        d.workloads[0].demand.mean_per_s.reset();
        d.workloads[0].demand.utilization = flat(0.5);
        d.workloads[0].demand.reference_devices = 4;
        d.workloads[0].demand.units_per_s_per_device = 2;
    };
    ScenarioDocument utilization = cloud_scenario();
    by_utilization(utilization);
    expect_issues({
        {"by utilization", utilization, [](auto&) {}, {}},
        {"neither",
         cloud_scenario(),
         [](auto& d) { d.workloads[0].demand.mean_per_s.reset(); },
         {"missing /workloads/0/demand/mean_per_s"}},
        {"both",
         utilization,
         [](auto& d) { d.workloads[0].demand.mean_per_s = 1; },
         {"not_allowed /workloads/0/demand/mean_per_s"}},
        {"no reference",
         utilization,
         [](auto& d) { d.workloads[0].demand.reference_devices.reset(); },
         {"missing /workloads/0/demand/reference_devices"}},
        {"no rate",
         utilization,
         [](auto& d) { d.workloads[0].demand.units_per_s_per_device.reset(); },
         {"missing /workloads/0/demand/units_per_s_per_device"}},
        {"a shape", utilization, [](auto& d) { d.workloads[0].demand.shape = flat(1); }, {"not_allowed /workloads/0/demand/shape"}},
        {"a reference beside a mean",
         cloud_scenario(),
         [](auto& d) { d.workloads[0].demand.reference_devices = 4; },
         {"not_allowed /workloads/0/demand/reference_devices"}},
        {"a rate beside a mean",
         cloud_scenario(),
         [](auto& d) { d.workloads[0].demand.units_per_s_per_device = 4; },
         {"not_allowed /workloads/0/demand/units_per_s_per_device"}},
        {"a request without units",
         api_scenario(),
         [](auto& d) { d.workloads[0].units_per_request = tests::in_and_out(0, 0); },
         {"out_of_range /workloads/0/units_per_request"}},
        {"training has no demand", training_scenario(), [](auto& d) { d.workloads[0].demand.mean_per_s.reset(); }, {}},
    });
}

TEST(Rules, DecliningBalanceNeedsItsRate) {
    expect_issues({
        {"without",
         cloud_scenario(),
         [](auto& d) { d.finance.tax_depreciation = TaxDepreciation::declining_balance; },
         {"missing /finance/tax_depreciation_rate"}},
        {"with",
         cloud_scenario(),
         [](auto& d) {
             d.finance.tax_depreciation = TaxDepreciation::declining_balance;
             d.finance.tax_depreciation_rate = 0.3;
         },
         {}},
    });
}

TEST(Rules, OtherCurrenciesNeedTheirRates) {
    expect_issues({
        {"an offer",
         cloud_scenario(),
         [](auto& d) { d.pools[0].offer->currency = "EUR"; },
         {"missing_exchange_rate /pools/0/offer/currency"}},
        {"the region of an offer, whose energy nobody here pays",
         cloud_scenario(),
         [](auto& d) { d.pools[0].offer->site.emplace().currency = "EUR"; },
         {}},
        {"a server and a site",
         owned_scenario(),
         [](auto& d) { d.pools[0].server->currency = d.pools[0].site->currency = "JPY"; },
         {"missing_exchange_rate /pools/0/server/currency", "missing_exchange_rate /pools/0/site/currency"}},
        {"the scenario's own", cloud_scenario(), [](auto& d) { d.pools[0].offer->currency = "USD"; }, {}},
        {"a rate that is there",
         cloud_scenario(),
         [](auto& d) {
             d.pools[0].offer->currency = "EUR";
             d.exchange_rates["EUR"] = 1.1;
         },
         {}},
    });
}

TEST(Rules, ScenarioTooLargeToEvaluateIsRefused) {
    ScenarioDocument document = cloud_scenario();
    document.months = 240;
    document.workloads[0].demand.shape = curve(CurveKind::demand, Axis::hour_of_year, {0, 4000}, {1, 1});
    for (int p = 1; p < 64; ++p) {
        document.pools.push_back(document.pools[0]);
        document.pools.back().id = "pool" + std::to_string(p);
        document.workloads[0].runs_on.push_back(document.workloads[0].runs_on[0]);
        document.workloads[0].runs_on.back().pool = document.pools.back().id;
    }
    for (int w = 1; w < 64; ++w) {
        document.workloads.push_back(document.workloads[0]);
        document.workloads.back().id = "work" + std::to_string(w);
    }
    // 240 months x 744 hours x (64 pools + 64 x 64 entries) is 7e8.
    EXPECT_EQ(issues_of(document), (Issues{"too_large /months"}));
    document.months = 12;
    EXPECT_EQ(issues_of(document), Issues{}) << "4e7";
}

TEST(Rules, FindAllIssuesAtOnce) {
    ScenarioDocument document = owned_scenario();
    document.time_zone = "Nope/Zone";
    document.pools[0].server->host_idle_w = 1000;
    document.pools[0].site->facility_price_per_w = 1;
    document.pools[0].site->currency = "EUR";
    document.workloads[0].demand.mean_per_s.reset();
    document.workloads[0].runs_on[0].pool = "nowhere";
    EXPECT_EQ(issues_of(document).size(), 6U);
}

TEST(Rules, PurchaseThatIsNeverUsedIsAWarning) {
    struct Case {
        int month;
        bool refresh, warned;
    };
    for (const Case& each : {Case{0, false, false}, Case{1, false, true}, Case{200, true, true}, Case{-47, false, false},
                             Case{-48, false, true}, Case{-48, true, false}}) {
        ScenarioDocument document = owned_scenario();
        document.pools[0].purchases.push_back({each.month, 1, std::nullopt});
        document.pools[0].refresh = each.refresh;
        document.finance.at_end = AtEnd::continuing; // no sale at the end, and no warning of it
        document.pools[0].server->price_date.text = "2026-01-01";
        const Result<Scenario> scenario = make_scenario(document);
        ASSERT_TRUE(scenario);
        ASSERT_EQ(scenario->warnings().size(), each.warned ? 1U : 0U) << each.month;
        if (!each.warned) {
            continue;
        }
        EXPECT_EQ(scenario->warnings()[0].code, Code::unused_purchase);
        EXPECT_EQ(scenario->warnings()[0].pointer, "/pools/0/purchases/1/month");
    }
}

} // namespace
} // namespace costcurve::model
