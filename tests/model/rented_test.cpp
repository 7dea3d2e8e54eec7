// Days, blocks of days, tiers, storage and support of rented machines (model.md, sections 5 and 8), worked by hand.
#include <algorithm>
#include <cmath>

#include "model/categories/seller_tiers.hpp"
#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::Answer;
using tests::cloud_scenario;
using tests::cost_by_category;
using tests::evaluate_document;
using tests::flat;
using tests::is_close;
using tests::issues_of;

// One machine for days of January 2026, 1 unit/s asked and done.
ScenarioDocument rented_for_days(Purchase purchase, int days, double hourly_price, double upfront) {
    ScenarioDocument document = cloud_scenario();
    Pool& pool = document.pools[0];
    pool.offer->purchase = purchase;
    pool.offer->term_days = days;
    pool.offer->hourly_price = flat(hourly_price);
    pool.offer->upfront = upfront;
    pool.min_instances = pool.max_instances = 1;
    return document;
}

TEST(BlocksOfDays, ServeInTheirDaysAlone) {
    ScenarioDocument document = rented_for_days(Purchase::block, 14, 0, 100);
    document.pools[0].from_day = 10;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.summary.workloads[0].units_served, 14 * 86400.0));
    EXPECT_TRUE(is_close(answer.summary.workloads[0].units_unserved, 17 * 86400.0));
    EXPECT_TRUE(is_close(answer.ledger.available_hours(0, 0), 14 * 24.0));
    EXPECT_TRUE(is_close(answer.summary.total.cost, 100)) << "used or not";
    EXPECT_FALSE(answer.summary.is_feasible());
}

TEST(BlocksOfDays, EndWhereOthersBeginAgain) {
    ScenarioDocument document = rented_for_days(Purchase::block, 7, 0, 100);
    document.pools[0].days = 21;
    EXPECT_TRUE(is_close(evaluate_document(document).summary.total.cost, 300));
    document.pools[0].offer->purchase = Purchase::reserved;
    document.pools[0].days = std::nullopt; // five terms reach over January's 31 days, of which the last has three
    const Answer reserved = evaluate_document(document);
    EXPECT_TRUE(is_close(reserved.summary.total.cost, 500));
    EXPECT_TRUE(is_close(reserved.summary.workloads[0].units_served, 31 * 86400.0));
}

TEST(BlocksOfDays, ThatTheHorizonCutsArePaidWhole) {
    ScenarioDocument document = rented_for_days(Purchase::block, 14, 0, 100);
    document.pools[0].from_day = 25;
    EXPECT_TRUE(is_close(evaluate_document(document).summary.total.cost, 100));
    document.finance.at_end = AtEnd::continuing;
    const Answer goes_on = evaluate_document(document);
    EXPECT_TRUE(is_close(goes_on.summary.total.cost, 50));
    EXPECT_TRUE(is_close(goes_on.summary.total.cash, 50));
}

TEST(TermsInDays, ThatAreCutAreOwed) {
    const ScenarioDocument document = rented_for_days(Purchase::reserved, 7, 2, 0);
    EXPECT_TRUE(is_close(evaluate_document(document).summary.total.cost, 2.0 * 24 * 35)) << "five weeks";
}

TEST(TermsInDays, AreOfTheCalendarsDays) {
    ScenarioDocument document = rented_for_days(Purchase::block, 14, 0, 100);
    document.start = {2026, 3};
    document.time_zone = "America/New_York"; // the night of 8 March has an hour less
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.available_hours(0, 0), 14 * 24.0 - 1));
    document.start = {2028, 2};
    document.time_zone = "UTC";
    document.pools[0].from_day = 29;
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.available_hours(0, 0), 24));
}

// 100 epochs of 1000 units take 27.8 hours, from the block's first hour on.
TEST(BlocksOfDays, TakeARunAsLongAsItTakes) {
    ScenarioDocument document = tests::training_scenario();
    Workload& work = document.workloads[0];
    work.epochs_per_month.reset();
    work.epochs = 100;
    work.start_day = 30;
    document.months = 2;
    document.pools[0] = rented_for_days(Purchase::block, 3, 0, 100).pools[0];
    document.pools[0].from_day = 31; // a day after the run's start
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.summary.workloads[0].units_served, 1e5));
    EXPECT_TRUE(is_close(*answer.summary.workloads[0].days, 1 + 1e5 / 86400)) << "a day of waiting";
    EXPECT_TRUE(is_close(answer.ledger.served(0, 0), 86400));
    document.pools[0].offer->begins_at_utc_hour = 11.5;
    EXPECT_TRUE(is_close(*evaluate_document(document).summary.workloads[0].days, 1.5 + 1e5 / 86400)) << "from 12:00";
}

// Whatever the rate, the hours of a run add up to its units but for rounding, which is no other hour of it.
TEST(BlocksOfDays, EndARunWithItsLastUnit) {
    ScenarioDocument document = tests::training_scenario();
    Workload& work = document.workloads[0];
    work.epochs_per_month.reset();
    work.epochs = 5;
    document.pools[0] = rented_for_days(Purchase::block, 3, 0, 100).pools[0];
    for (int i = 0; i < 100; ++i) {
        const double rate = 0.5 + 0.0731 * i;
        work.runs_on[0].performance->units_per_s = flat(rate);
        EXPECT_TRUE(is_close(*evaluate_document(document).summary.workloads[0].days, 5000 / rate / 86400)) << rate;
    }
}

// AWS: "All Capacity Blocks end at 11:30AM UTC"
// (https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/capacity-blocks-purchase.html). Hours that begin in a day are within it.
TEST(BlocksOfDays, BeginAtTheirHourInUtc) {
    ScenarioDocument document = rented_for_days(Purchase::block, 1, 0, 100);
    document.pools[0].offer->begins_at_utc_hour = 11.5;
    document.pools[0].from_day = 31;
    const Answer cut = evaluate_document(document);
    EXPECT_TRUE(is_close(cut.ledger.available_hours(0, 0), 12)) << "from 11:30 of the horizon's last day";
    EXPECT_TRUE(is_close(cut.summary.total.cost, 100));
    document.months = 2;
    const Answer both = evaluate_document(document);
    EXPECT_TRUE(is_close(both.ledger.available_hours(0, 0), 12));
    EXPECT_TRUE(is_close(both.ledger.available_hours(1, 0), 12));
    EXPECT_TRUE(is_close(both.ledger.cost(0, 0, static_cast<std::size_t>(Category::commitment)), 100 * 12.5 / 24));
    document.time_zone = "America/New_York"; // from 06:30
    document.months = 1;
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.available_hours(0, 0), 17));
}

TEST(BlocksOfDays, OfAnHourThatIsTheDayBeforeHereBeginInItsMonth) {
    ScenarioDocument document = rented_for_days(Purchase::block, 1, 0, 100);
    document.pools[0].offer->begins_at_utc_hour = 2;
    document.pools[0].from_month = 1; // 1 February, 02:00 in UTC, is 31 January, 18:00 in Los Angeles
    document.months = 2;
    document.time_zone = "America/Los_Angeles";
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.available_hours(0, 0), 6));
    EXPECT_TRUE(is_close(answer.ledger.available_hours(1, 0), 18));
    document.pools[0].from_month = 0;
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"out_of_range /pools/0/from_day"});
}

// 1000 units an epoch at 1 unit/s: 100 epochs take 27.8 hours.
TEST(BlocksOfDays, EndARunThatLastsLonger) {
    ScenarioDocument document = tests::training_scenario();
    document.workloads[0].epochs_per_month = flat(100);
    const ScenarioDocument rented = rented_for_days(Purchase::block, 1, 0, 100);
    document.pools[0] = rented.pools[0];
    document.pools[0].from_day = 3;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.summary.workloads[0].units_served, 86400));
    EXPECT_FALSE(answer.summary.is_feasible()) << "what can't be done in the block is not done";
}

TEST(RentedMachines, AreRefusedWithWhatToDo) {
    using Change = void (*)(ScenarioDocument&);
    const std::vector<std::pair<Change, std::string>> rows = {
        {[](ScenarioDocument& d) { d.pools[0].offer->term_months = 1; }, "not_allowed /pools/0/offer/term_days"},
        {[](ScenarioDocument& d) { d.pools[0].offer->term_days.reset(); }, "missing /pools/0/offer/term_days"},
        {[](ScenarioDocument& d) { d.pools[0].offer->hourly_price = flat(1); }, "inconsistent /pools/0/offer/hourly_price"},
        {[](ScenarioDocument& d) { d.pools[0].months = 1; }, "not_allowed /pools/0/months"},
        {[](ScenarioDocument& d) { d.pools[0].offer->resale = TermResale{}; }, "not_allowed /pools/0/offer/resale"},
        {[](ScenarioDocument& d) { d.pools[0].days = 15; }, "term_not_whole /pools/0/days"},
        {[](ScenarioDocument& d) { d.pools[0].from_month = -1; }, "out_of_range /pools/0/from_month"},
        {[](ScenarioDocument& d) {
             d.start = {2026, 2}, d.pools[0].from_day = 29;
         },
         "out_of_range /pools/0/from_day"},
        {[](ScenarioDocument& d) {
             d.pools[0].offer->volume_tiers = {{5, 1}, {5, 0.5}};
         },
         "not_ascending /pools/0/offer/volume_tiers/1/above"},
        {[](ScenarioDocument& d) {
             d.pools[0].offer->egress_tiers = {{"peer", 5, 1}};
         },
         "missing /pools/0/offer/egress_tiers/0/above_gb"},
        {[](ScenarioDocument& d) { d.workloads[0].egress_destination = "peer", d.workloads[0].egress_gb_per_unit = 1; },
         "missing /pools/0/offer/egress_tiers"},
        {[](ScenarioDocument& d) { // to the internet, of which the seller states nothing
             d.pools[0].offer->egress_tiers = {{"peer", 0, 1}}, d.workloads[0].egress_gb_per_unit = 1;
         },
         "missing /pools/0/offer/egress_tiers"},
        {[](ScenarioDocument& d) {
             d.support_plans = {{"s", "", 0, {{10, 0.1}, {0, 0.2}}}};
         },
         "not_ascending /support_plans/0/brackets/1/above"},
    };
    for (const auto& [change, issue] : rows) {
        ScenarioDocument document = rented_for_days(Purchase::block, 14, 0, 100);
        change(document);
        EXPECT_EQ(issues_of(document), std::vector<std::string>{issue});
    }
    ScenarioDocument by_hour = cloud_scenario();
    by_hour.pools[0].days = 7;
    by_hour.pools[0].offer->term_days = 7;
    EXPECT_EQ(issues_of(by_hour), (std::vector<std::string>{"not_allowed /pools/0/offer/term_days", "not_allowed /pools/0/days"}));
    ScenarioDocument by_month = cloud_scenario();
    by_month.pools[0].offer->begins_at_utc_hour = 11.5;
    EXPECT_EQ(issues_of(by_month), std::vector<std::string>{"not_allowed /pools/0/offer/begins_at_utc_hour"});
}

// Two pools of one offer run 744 device-hours each: 1000 at the list price, 488 at half.
TEST(VolumeTiers, CountAllPoolsOfAnOffer) {
    ScenarioDocument document = cloud_scenario();
    document.pools[0].offer->volume_tiers = {{1000, 0.5}};
    document.pools[0].min_instances = document.pools[0].max_instances = 1;
    document.pools.push_back(document.pools[0]);
    document.pools[1].id = "other";
    const double cost = evaluate_document(document).summary.total.cost;
    EXPECT_TRUE(is_close(cost, 3.6 * (1000 + 0.5 * 488)));
    document.pools[1].offer->sku = "another";
    EXPECT_TRUE(is_close(evaluate_document(document).summary.total.cost, 2 * 3.6 * 744)) << "each by itself";
}

// A term of three months of which January is used: February owes 672 hours and March 744. Of one pool's 500 are at the list price;
// two pools of the offer share them.
TEST(VolumeTiers, AreOfHoursOwedToo) {
    ScenarioDocument document = cloud_scenario();
    Offer& offer = *document.pools[0].offer;
    offer.purchase = Purchase::reserved;
    offer.term_months = 3;
    offer.hourly_price = flat(1);
    offer.volume_tiers = {{500, 0.5}};
    document.pools[0].min_instances = document.pools[0].max_instances = 1;
    const Answer one = evaluate_document(document);
    EXPECT_TRUE(is_close(one.summary.terminal.obligations, 2 * 500 + 0.5 * (172 + 244)));
    EXPECT_TRUE(is_close(one.compiled.payments[0].obligation, 2 * 500 + 0.5 * (172 + 244)));
    document.pools.push_back(document.pools[0]);
    document.pools[1].id = "other";
    EXPECT_TRUE(is_close(evaluate_document(document).summary.terminal.obligations, 2 * 500 + 0.5 * (844 + 988)));
    document.finance.discount_rate = 0.1;
    const double discounted = (500 + 0.5 * 844) * std::pow(1.1, -1.0 / 12) + (500 + 0.5 * 988) * std::pow(1.1, -2.0 / 12);
    EXPECT_TRUE(is_close(evaluate_document(document).summary.terminal.obligations, discounted));
}

// Five weeks from the first of January owe four days of February.
TEST(VolumeTiers, AreOfDaysOwedToo) {
    ScenarioDocument document = rented_for_days(Purchase::reserved, 7, 2, 0);
    document.pools[0].offer->volume_tiers = {{50, 0.5}};
    document.finance.discount_rate = 0.1;
    const double owed = 2 * (50 + 0.5 * 46) * std::pow(1.1, -1.0 / 12);
    EXPECT_TRUE(is_close(evaluate_document(document).summary.terminal.obligations, owed));
}

TEST(Storage, IsOfWeightsAndCheckpointsInTheDaysOfThePool) {
    ScenarioDocument document = rented_for_days(Purchase::block, 14, 0, 0);
    document.pools[0].offer->storage_per_gb_month = 0.31;
    document.workloads[0].stored_gb = 140;
    document.workloads[0].checkpoint.size_gb = 20;
    document.workloads[0].checkpoint.kept = 3;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(cost_by_category(answer, Category::storage), 0.31 * 200 * 14 / 31));
    const Evidence known = answer.compiled.entries[0].evidence;
    document.workloads[0].stored_gb.reset();
    const Answer unknown = evaluate_document(document);
    EXPECT_EQ(unknown.compiled.entries[0].evidence, Evidence::assumed) << "of a size that nobody states";
    document.workloads[0].stored_gb = 140;
    document.pools[0].offer->storage_per_gb_month.reset();
    EXPECT_EQ(evaluate_document(document).compiled.entries[0].evidence, Evidence::assumed) << "of a price that nobody states";
    document.pools[0].offer->storage_per_gb_month = 0;
    EXPECT_EQ(evaluate_document(document).compiled.entries[0].evidence, known) << "free";
}

TEST(Support, IsReadOffTheBillOfItsSeller) {
    ScenarioDocument document = cloud_scenario();
    document.pools[0].min_instances = document.pools[0].max_instances = 1;
    const double bill = 3.6 * 744;
    document.support_plans = {{"support", "", 100, {{0, 0.1}, {1000, 0.05}}}};
    EXPECT_TRUE(is_close(evaluate_document(document).summary.total.cost, bill + 100 + 0.05 * (bill - 1000)));
    document.support_plans[0].provider = "nobody";
    const Answer none = evaluate_document(document);
    EXPECT_TRUE(is_close(none.summary.total.cost, bill + 100)) << "the minimum";
    EXPECT_EQ(std::ranges::count(none.scenario.warnings(), "/support_plans/0/provider", &Issue::pointer), 1);
}

} // namespace
} // namespace costcurve::model
