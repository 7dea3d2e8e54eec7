// Inference by the hour: replicas, headroom, overflow, bounds, and the cheapest route (model.md, section 6).
#include "model/dispatch/dispatch.hpp"

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::Answer;
using tests::cloud_scenario;
using tests::curve;
using tests::evaluate_document;
using tests::flat;
using tests::is_close;

constexpr double kHours = 744;
constexpr double kSeconds = kHours * 3600;

// A second pool like the scenario's first, and an entry that runs on it.
Pool& add_pool(ScenarioDocument& document, const std::string& id) {
    Pool pool = document.pools.front();
    pool.id = id;
    RunsOn entry = document.workloads[0].runs_on.front();
    entry.pool = id;
    document.workloads[0].runs_on.push_back(entry);
    document.pools.push_back(pool);
    return document.pools.back();
}

Pool& add_api(ScenarioDocument& document, const std::string& id, double price_per_million,
              std::optional<double> bound = std::nullopt) {
    Pool pool;
    pool.id = id;
    pool.kind = PoolKind::api;
    pool.price_per_million_units = tests::one_price(flat(price_per_million));
    pool.max_units_per_s = bound;
    document.pools.push_back(pool);
    RunsOn entry;
    entry.pool = id;
    document.workloads[0].runs_on.push_back(entry);
    return document.pools.back();
}

TEST(Dispatch, ReplicasAreWhole) {
    struct Row {
        double demand, peak_utilization;
        int devices;
        double replicas, served;
        const char* arithmetic;
    };
    const std::vector<Row> rows = {
        // at most 10 devices, 1 unit/s a replica
        {0, 1, 1, 0, 0, "no demand, no replica"},
        {0.01, 1, 1, 1, 0.01, "the first"},
        {1, 1, 1, 1, 1, "exactly one"},
        {1.01, 1, 1, 2, 1.01, "one more"},
        {0.1 * 3, 0.1, 1, 3, 0.3, "rounding never buys a replica"},
        {3, 0.5, 1, 6, 3, "headroom"},
        {3, 1, 4, 2, 2, "10 devices hold two replicas of four"},
        {99, 1, 1, 10, 10, "the bound"},
        {99, 0.5, 1, 10, 5, "the bound, with headroom"},
    };
    for (const Row& row : rows) {
        ScenarioDocument document = cloud_scenario();
        document.workloads[0].demand.mean_per_s = row.demand;
        document.workloads[0].peak_utilization = row.peak_utilization;
        document.workloads[0].runs_on[0].performance->devices = row.devices;
        document.workloads[0].runs_on[0].performance->spans_hosts = true;
        const Answer answer = evaluate_document(document);
        EXPECT_TRUE(is_close(answer.ledger.demanded(0, 0), row.demand * kSeconds)) << row.arithmetic;
        EXPECT_TRUE(is_close(answer.ledger.served(0, 0), row.served * kSeconds)) << row.arithmetic;
        EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 0), row.replicas * row.devices * kHours)) << row.arithmetic;
        EXPECT_TRUE(is_close(answer.ledger.busy_hours(0, 0), row.served * row.devices * kHours)) << row.arithmetic;
    }
}

TEST(Dispatch, DemandIsTheMeanTimesGrowthAndShapeInUnits) {
    ScenarioDocument document = cloud_scenario();
    document.months = 3;
    document.workloads[0].demand.mean_per_s = 2;
    document.workloads[0].demand.growth_per_month = 0.5;
    document.workloads[0].units_per_request.total = 10;
    document.workloads[0].demand.shape = curve(CurveKind::demand, Axis::hour_of_day, {0, 12}, {0.5, 1.5}, Interpolation::step);
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.demanded(0, 0), 20 * kSeconds));
    EXPECT_TRUE(is_close(answer.ledger.demanded(1, 0), 30 * 672 * 3600));
    EXPECT_TRUE(is_close(answer.ledger.demanded(2, 0), 45 * kSeconds));
}

TEST(Dispatch, UtilizationOfAReferenceFleetIsDemandInUnits) {
    ScenarioDocument document = cloud_scenario();
    Demand& demand = document.workloads[0].demand;
    demand.mean_per_s.reset();
    demand.utilization = curve(CurveKind::utilization, Axis::hour_of_week, {0, 24}, {1, 0.25}, Interpolation::step);
    demand.reference_devices = 4;
    demand.units_per_s_per_device = 2;
    document.workloads[0].units_per_request.total = 7; // has no part in it
    // January 2026 has four Mondays: 96 hours at 1, 648 at 0.25; 8 units/s.
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.demanded(0, 0), (96 + 648 * 0.25) * 8 * 3600));
}

TEST(Dispatch, ShapeIsReadInTheDemandsZone) {
    ScenarioDocument document = cloud_scenario();
    Demand& demand = document.workloads[0].demand;
    demand.shape = curve(CurveKind::demand, Axis::hour_of_week, {0, 1}, {1, 0}, Interpolation::step); // Monday 00:00 to 01:00
    document.start = {2026, 6};
    demand.time_zone = "America/New_York"; // June begins on a Monday; at 00:00 UTC it is Sunday 20:00 there
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.demanded(0, 0), 5 * 3600)) << "1, 8, 15, 22, 29 June";
    document.time_zone = "Asia/Tokyo"; // June begins there on 31 May, 11:00 in New York, and ends before 30 June, 11:00
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.demanded(0, 0), 5 * 3600));
    document.start = {2026, 3}; // March ends in Tokyo on the 31st, 11:00 in New York; Mondays 2, 9, 16, 23, 30
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.demanded(0, 0), 5 * 3600));
}

TEST(Dispatch, LaterEntriesTakeTheOverflow) {
    ScenarioDocument document = cloud_scenario();
    document.pools[0].max_instances = 3;
    add_pool(document, "second").max_instances = 2;
    document.workloads[0].demand.mean_per_s = 6;
    document.workloads[0].unserved_cost_per_unit = 0.5;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), 3 * kSeconds));
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), 2 * kSeconds));
    EXPECT_TRUE(is_close(answer.summary.workloads[0].units_unserved, kSeconds));
    EXPECT_TRUE(is_close(answer.ledger.cost(0, 2, static_cast<std::size_t>(Category::unserved)), kSeconds / 2))
        << "priced, in no pool";
}

TEST(Dispatch, WorkloadsAreServedInDocumentOrder) {
    ScenarioDocument document = cloud_scenario();
    document.pools[0].max_instances = 3;
    document.workloads[0].demand.mean_per_s = 2;
    document.workloads.push_back(document.workloads[0]);
    document.workloads[1].id = "second";
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), 2 * kSeconds));
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), kSeconds));
}

TEST(Dispatch, ApiTakesWhatIsAskedUpToItsBound) {
    ScenarioDocument document = cloud_scenario();
    document.pools.clear();
    document.workloads[0].runs_on.clear();
    document.workloads[0].demand.mean_per_s = 1e6;
    add_api(document, "api", 2);
    const Answer unbounded = evaluate_document(document);
    EXPECT_TRUE(is_close(unbounded.ledger.served(0, 0), 1e6 * kSeconds));
    EXPECT_TRUE(is_close(unbounded.summary.total.cost, 2 * kSeconds));
    EXPECT_EQ(unbounded.summary.pools[0].reserved_device_hours, 0.0);
    EXPECT_EQ(unbounded.ledger.busy_hours(0, 0), 0.0);
    document.pools[0].max_units_per_s = 1000;
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.served(0, 0), 1000 * kSeconds));
    document.pools[0].max_units_per_s = 0;
    EXPECT_EQ(evaluate_document(document).ledger.served(0, 0), 0.0);
}

TEST(Dispatch, ApiBoundIsSharedByAllWorkloadsInTheHour) {
    ScenarioDocument document = cloud_scenario();
    document.pools.clear();
    document.workloads[0].runs_on.clear();
    add_api(document, "api", 2, 10);
    document.workloads[0].demand.mean_per_s = 6;
    document.workloads[0].demand.shape = curve(CurveKind::demand, Axis::hour_of_day, {0, 12}, {1, 0}, Interpolation::step);
    document.workloads.push_back(document.workloads[0]);
    document.workloads[1].id = "second";
    document.workloads[1].demand.shape.reset();
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), 6 * kSeconds / 2));
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), (4 + 6) * kSeconds / 2)) << "4 beside the first, 6 alone";
}

TEST(Dispatch, CheapestRouteGoesByMarginalCost) {
    ScenarioDocument document = cloud_scenario();
    document.workloads[0].routing = Routing::cheapest;
    document.pools[0].max_instances = 1;
    Pool& second = add_pool(document, "second"); // 1 unit/s at 1.8 an hour
    second.max_instances = 1;
    second.offer->hourly_price = flat(1.8);
    add_api(document, "api", 700); // 2.52 an hour for 1 unit/s: between the two
    document.workloads[0].demand.mean_per_s = 2;
    const Answer answer = evaluate_document(document);
    EXPECT_EQ(answer.ledger.served(0, 0), 0.0) << "1000 a million units";
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), kSeconds)) << "500 a million units";
    EXPECT_TRUE(is_close(answer.ledger.served(0, 2), kSeconds)) << "700 a million units";
}

TEST(Dispatch, MarginalCostCountsWhatAReplicaDoes) {
    ScenarioDocument document = cloud_scenario(); // 3.6 an hour, 1 unit/s
    document.pools[0].max_instances = 16;
    document.workloads[0].routing = Routing::cheapest;
    document.workloads[0].demand.mean_per_s = 16;
    Pool& second = add_pool(document, "second"); // 8 devices at 32 an hour: 4 a device, 2 units/s a replica of one
    second.offer->devices = 8;
    second.offer->hourly_price = flat(32);
    document.workloads[0].runs_on[1].performance->units_per_s = flat(2);
    EXPECT_EQ(evaluate_document(document).ledger.served(0, 0), 0.0);
    document.workloads[0].runs_on[1].performance->units_per_s = flat(1);
    EXPECT_EQ(evaluate_document(document).ledger.served(0, 1), 0.0);
}

TEST(Dispatch, CommittedCapacityIsFreeAtTheMargin) {
    for (const Purchase purchase : {Purchase::reserved, Purchase::committed, Purchase::dedicated}) {
        ScenarioDocument document = cloud_scenario();
        document.workloads[0].routing = Routing::cheapest;
        Pool& second = add_pool(document, "second");
        second.offer->purchase = purchase;
        second.offer->hourly_price = flat(100);
        second.min_instances = second.max_instances = 1;
        EXPECT_TRUE(is_close(evaluate_document(document).ledger.served(0, 1), kSeconds)) << name_of(purchase);
    }
}

TEST(Dispatch, TiesKeepTheListsOrder) {
    for (const double factor : {1.0, 1 + 1e-12}) { // marginal costs tie at nine digits
        ScenarioDocument document = cloud_scenario();
        document.workloads[0].routing = Routing::cheapest;
        document.pools[0].offer->hourly_price = flat(3.6 * factor);
        add_pool(document, "second").offer->hourly_price = flat(3.6);
        EXPECT_EQ(evaluate_document(document).ledger.served(0, 1), 0.0) << factor;
    }
    ScenarioDocument document = cloud_scenario();
    document.workloads[0].routing = Routing::cheapest;
    document.pools[0].offer->hourly_price = flat(3.6 * (1 + 1e-6));
    add_pool(document, "second").offer->hourly_price = flat(3.6);
    EXPECT_EQ(evaluate_document(document).ledger.served(0, 0), 0.0) << "a real difference, though it is 1e-9 a unit";
}

TEST(Dispatch, CheapestRouteChangesByTheHour) {
    ScenarioDocument document = tests::owned_scenario();
    document.workloads[0].routing = Routing::cheapest;
    // Owned: (400 + 50 W) / 1000 x PUE 2 = 0.9 kWh for 3600 units. At 0.1: 25 a million units; at 0.5: 125. API: 75.
    document.pools[0].site->pue = flat(2);
    document.pools[0].site->energy_price = curve(CurveKind::tariff, Axis::hour_of_day, {0, 6}, {0.1, 0.5}, Interpolation::step);
    add_api(document, "api", 75);
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), 31 * 6 * 3600));
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), 31 * 18 * 3600));
    EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 0), 31 * 6));
}

TEST(Dispatch, CheapestRouteReadsALoadPueAtTheLoad) {
    ScenarioDocument document = tests::owned_scenario(); // 600 W at full load, 150 W without work
    document.workloads[0].routing = Routing::cheapest;
    document.pools[0].site->pue = curve(CurveKind::pue, Axis::load, {0, 1}, {9, 2}); // 7.25 at a quarter of the load
    add_api(document, "api", 3.1); // 1200 W against 1087.5 W, at 0.1 a kWh over 3600 units
    EXPECT_EQ(evaluate_document(document).ledger.served(0, 0), 0.0) << "3.125 a million units";
    document.pools[1].price_per_million_units = tests::one_price(flat(3.2));
    EXPECT_EQ(evaluate_document(document).ledger.served(0, 1), 0.0);
}

TEST(Dispatch, NegativeTariffMakesOwnedDevicesTheCheapest) {
    ScenarioDocument document = tests::owned_scenario();
    document.workloads[0].routing = Routing::cheapest;
    Pool& free_api = add_api(document, "api", 0);
    std::swap(document.workloads[0].runs_on[0], document.workloads[0].runs_on[1]);
    EXPECT_EQ(free_api.kind, PoolKind::api);
    document.pools[0].site->energy_price = flat(-0.01);
    EXPECT_EQ(evaluate_document(document).ledger.served(0, 0), 0.0);
    document.pools[0].site->energy_price = flat(0.01);
    EXPECT_EQ(evaluate_document(document).ledger.served(0, 1), 0.0);
}

TEST(Dispatch, CheapestRouteBearsEgressAtItsGrownPrice) {
    ScenarioDocument document = cloud_scenario(); // 1000 a million units
    document.months = 8;
    document.workloads[0].routing = Routing::cheapest;
    document.workloads[0].egress_gb_per_unit = 0.001;
    document.finance.growth_rates = {{"egress", -0.9}};
    Pool& second = add_pool(document, "second");
    second.offer->hourly_price = flat(3.51); // 975, and 100 of egress x 0.1^(m/12): above 25 until month 7 (m = 12 lg 4 = 7.22)
    second.offer->egress_per_gb = 0.1;
    const Answer early = evaluate_document(document);
    EXPECT_EQ(early.summary.pools[1].total.cost, 0.0);
    document.months = 9;
    const Answer answer = evaluate_document(document);
    EXPECT_EQ(answer.ledger.served(7, 1), 0.0);
    EXPECT_EQ(answer.ledger.served(8, 0), 0.0);
    second.min_instances = second.max_instances = 1; // committed instances are free at the margin, their egress is not
    second.offer->purchase = Purchase::committed;
    document.pools[0].offer->hourly_price = flat(0.324); // 90
    EXPECT_EQ(evaluate_document(document).ledger.served(0, 1), 0.0);
}

TEST(Dispatch, CheapestRouteBearsTheCarbonPriceWhereCarbonIsKnown) {
    ScenarioDocument document = tests::owned_scenario(); // 450 W over 3600 units at 0.1: 12.5 a million units
    document.workloads[0].routing = Routing::cheapest;
    document.finance.carbon_price_per_tonne = 100;
    document.pools[0].site->carbon_g_per_kwh = curve(CurveKind::carbon, Axis::hour_of_day, {0, 12}, {0, 400}, Interpolation::step);
    add_api(document, "api", 17.4); // 0.125 kWh a thousand units x 400 g at 0.1 a kg: 5 a million units from noon on
    Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), 31 * 12 * 3600)) << "17.5 is above 17.4";
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), 31 * 12 * 3600));

    ScenarioDocument rented = cloud_scenario(); // 400 W at the devices x PUE 1.2 x 400 g: 5.333 a million units
    rented.workloads[0].routing = Routing::cheapest;
    rented.finance.carbon_price_per_tonne = 100;
    Pool& reserved = rented.pools[0];
    reserved.offer->purchase = Purchase::reserved;
    reserved.min_instances = reserved.max_instances;
    reserved.offer->site.emplace();
    reserved.offer->site->pue = flat(1.2);
    reserved.offer->site->carbon_g_per_kwh = flat(400);
    add_api(rented, "api", 5.33);
    EXPECT_EQ(evaluate_document(rented).ledger.served(0, 0), 0.0);
    rented.pools[1].price_per_million_units = tests::one_price(flat(5.34));
    EXPECT_EQ(evaluate_document(rented).ledger.served(0, 1), 0.0);
}

TEST(Dispatch, OfChainedTiesTheLeastPriceDecides) {
    const auto with_chain = [](ScenarioDocument document) {
        document.workloads[0].routing = Routing::cheapest;
        document.pools[0].offer->hourly_price = flat(3.6 * (1 + 1.4e-9)); // equal to the second, dearer than the third
        add_pool(document, "second").offer->hourly_price = flat(3.6 * (1 + 0.7e-9));
        add_pool(document, "third").offer->hourly_price = flat(3.6);
        return evaluate_document(document);
    };
    EXPECT_TRUE(is_close(with_chain(tests::training_scenario()).ledger.served(0, 1), 36000));
    EXPECT_TRUE(is_close(with_chain(cloud_scenario()).ledger.served(0, 0), kSeconds)) << "the list's bill is level with the second";
}

TEST(Dispatch, WhatIsPaidAnywayCostsNothingMore) {
    ScenarioDocument document = cloud_scenario(); // 3.6 an hour, 1 unit/s
    document.workloads[0].routing = Routing::cheapest;
    Pool& paid = add_pool(document, "paid");
    paid.offer->hourly_price = flat(5);
    paid.min_instances = 1;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), kSeconds));
    EXPECT_TRUE(is_close(answer.summary.total.cost, 5.0 * 744));
    EXPECT_EQ(answer.ledger.routed_hours(0, 0), 0.0);
    EXPECT_EQ(answer.ledger.routed_hours(0, 2), 744.0) << "in chunks";
}

TEST(Dispatch, TwoWorkloadsShareAnInstanceByMarginalCost) {
    ScenarioDocument document = cloud_scenario();
    document.pools[0].offer->hourly_price = flat(12); // one replica
    document.workloads[0].routing = Routing::cheapest;
    Pool& large = add_pool(document, "large");
    large.offer->devices = 2;
    large.offer->hourly_price = flat(20); // 10 a replica where two run, 20 for the first
    document.workloads.push_back(document.workloads[0]);
    document.workloads[1].id = "more";
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.summary.total.cost, 20.0 * 744)) << "two of the list are 24, and so are chunks";
    EXPECT_EQ(answer.ledger.routed_hours(0, 1), 744.0);
}

TEST(Dispatch, PartsThatFailAreAskedOfOthers) {
    ScenarioDocument document = cloud_scenario();
    Workload& work = document.workloads[0];
    work.routing = Routing::cheapest;
    work.demand.mean_per_s = 1.5;
    work.checkpoint.restart_s = 3600;
    document.pools[0].offer->hourly_price = flat(30);
    Pool& paid = add_pool(document, "paid"); // a replica of 2 units/s is up in 0.8 of its time
    paid.min_instances = paid.max_instances = 1;
    paid.offer->hourly_price = flat(3.6);
    paid.offer->interruptions_per_hour = 0.25;
    document.workloads[0].runs_on[1].performance->units_per_s = flat(2);
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.served(0, 1), 0.8 * 1.5 * kSeconds)) << "the plan is all of it";
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), 0.2 * 1.5 * kSeconds)) << "one replica, where the list has two";
    EXPECT_TRUE(is_close(answer.summary.total.cost, (30 + 3.6) * 744));
    EXPECT_EQ(answer.ledger.lost(0, 0), 0.0);
}

TEST(Dispatch, CloudRampServesNothingAndPaysTheMinimum) {
    ScenarioDocument document = cloud_scenario();
    document.months = 3;
    document.pools[0].ramp_months = 2;
    document.pools[0].min_instances = 2;
    const Answer answer = evaluate_document(document);
    const auto compute = static_cast<std::size_t>(Category::compute);
    EXPECT_EQ(answer.ledger.served(0, 0), 0.0);
    EXPECT_EQ(answer.ledger.served(1, 0), 0.0);
    EXPECT_TRUE(is_close(answer.ledger.served(2, 0), kSeconds));
    EXPECT_TRUE(is_close(answer.ledger.cost(0, 0, compute), 2 * 3.6 * 744));
    EXPECT_TRUE(is_close(answer.ledger.cost(1, 0, compute), 2 * 3.6 * 672));
}

TEST(Dispatch, LongerListNeverServesLess) {
    ScenarioDocument document = cloud_scenario();
    document.pools[0].max_instances = 2;
    document.workloads[0].demand.mean_per_s = 7;
    double last = 0;
    for (int pools = 1; pools < 6; ++pools) {
        const double served = evaluate_document(document).summary.workloads[0].units_served;
        EXPECT_GE(served, last);
        last = served;
        add_pool(document, "pool" + std::to_string(pools));
    }
    EXPECT_TRUE(is_close(last, 7 * kSeconds));
}

} // namespace
} // namespace costcurve::model
