// Runs of training: from a day of the first month till the work is done, and whether that is in time (model.md, section 6).
#include <gtest/gtest.h>

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::Answer;
using tests::curve;
using tests::evaluate_document;
using tests::is_close;
using tests::training_scenario;

// A gang of 1 unit/s does an epoch of 3600 units an hour; the horizon begins in January 2026.
ScenarioDocument run_of(double hours, int months = 3) {
    ScenarioDocument document = training_scenario();
    document.months = months;
    document.pools[0].max_instances = 4; // a run is one gang
    document.workloads[0].units_per_epoch = 3600;
    document.workloads[0].epochs_per_month.reset();
    document.workloads[0].epochs = hours;
    return document;
}

bool has_issue(const ScenarioDocument& document, std::string_view pointer, Code code) {
    const Result<Scenario> scenario = make_scenario(document);
    return !scenario && std::ranges::any_of(scenario.error(),
                                            [&](const Issue& issue) { return issue.pointer == pointer && issue.code == code; });
}

TEST(Runs, GoOnFromTheirDayTillTheyEnd) {
    struct Row {
        double hours;
        int start_day;
        double days;
    };
    for (const Row& row : {Row{240, 1, 10}, Row{240, 25, 10}, Row{1000, 12, 1000.0 / 24}, Row{744 + 672, 1, 59}}) {
        ScenarioDocument document = run_of(row.hours);
        document.workloads[0].start_day = row.start_day;
        const Answer answer = evaluate_document(document);
        ASSERT_TRUE(answer.summary.workloads[0].days);
        EXPECT_TRUE(is_close(*answer.summary.workloads[0].days, row.days)) << row.hours << " from " << row.start_day;
        EXPECT_TRUE(is_close(answer.summary.total.cost, 3.6 * row.hours)) << "3.6 an hour, whatever the month";
        const double first = std::min(row.hours, 24.0 * (32 - row.start_day));
        EXPECT_TRUE(is_close(answer.ledger.reserved_hours(0, 0, 0), first));
    }
}

TEST(Runs, ThatEndTooLateAreInfeasible) {
    ScenarioDocument document = run_of(1000);
    document.workloads[0].start_day = 12;
    document.workloads[0].within_days = 41.7;
    EXPECT_TRUE(evaluate_document(document).summary.is_feasible());
    document.workloads[0].within_days = 41.6;
    const Summary late = evaluate_document(document).summary;
    ASSERT_EQ(late.infeasible_because.size(), 1U);
    EXPECT_EQ(late.infeasible_because[0].code, InfeasibleCode::deadline);
    EXPECT_TRUE(is_close(late.infeasible_because[0].value, 1000.0 / 24));
    EXPECT_EQ(late.infeasible_because[0].limit, 41.6);
    document.workloads[0].epochs = 3000; // beyond the three months: 2160 hours less 11 days
    const Summary cut = evaluate_document(document).summary;
    EXPECT_FALSE(cut.workloads[0].days);
    ASSERT_EQ(cut.infeasible_because.size(), 2U) << "left undone, and too late already";
    EXPECT_TRUE(is_close(cut.infeasible_because[1].value, 90 - 11));
}

TEST(Runs, DontWaitForCheapHours) {
    ScenarioDocument document = run_of(372, 1);
    document.pools = tests::owned_scenario().pools;
    Site& site = *document.pools[0].site;
    site.energy_price = curve(CurveKind::tariff, Axis::hour_of_day, {0, 12}, {0.1, 0.3}, Interpolation::step);
    document.pools[0].purchases[0].servers = 1;
    const Answer run = evaluate_document(document);
    document.workloads[0].epochs.reset();
    document.workloads[0].epochs_per_month = tests::flat(372);
    const Answer waiting = evaluate_document(document);
    EXPECT_TRUE(is_close(*run.summary.workloads[0].days, 15.5));
    const auto energy = [](const Answer& answer) { return answer.ledger.cost(0, 0, static_cast<std::size_t>(Category::energy)); };
    EXPECT_GT(energy(run), energy(waiting)) << "which runs in the cheap half of each day";
}

// Of what is there for half of the hours: alone, and with a second entry for the other half; a third zone has half of the rest.
TEST(Runs, GoOnOnTheNextEntryInTheHoursThatAreLeft) {
    ScenarioDocument document = run_of(700);
    document.pools[0].offer->availability_fraction = 0.5;
    EXPECT_TRUE(is_close(*evaluate_document(document).summary.workloads[0].days, 31 + 28.0 * (700 - 372) / 336)) << "alone";
    document.pools.push_back(document.pools[0]);
    document.pools[1].id = "second";
    document.pools[1].offer->availability_fraction = 1;
    document.pools[1].offer->hourly_price = tests::flat(7.2);
    document.workloads[0].runs_on.push_back(document.workloads[0].runs_on[0]);
    document.workloads[0].runs_on[1].pool = "second";
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(*answer.summary.workloads[0].days, 700.0 / 24));
    EXPECT_TRUE(is_close(answer.summary.total.cost, 350 * 3.6 + 350 * 7.2)) << "each when the first is there or not";
    document.pools[1].offer->availability_fraction = 0.5;
    const Answer zones = evaluate_document(document);
    EXPECT_TRUE(is_close(*zones.summary.workloads[0].days, 31 + (700 - 0.75 * 744) / 18)) << "one of both in three quarters";
    EXPECT_TRUE(is_close(zones.summary.total.cost, 700 * (2.0 / 3 * 3.6 + 1.0 / 3 * 7.2)));
}

// Half of the hours are to be had: by the day d 12·d hours are done, the rest goes on at twice the price.
TEST(Runs, FallBackToTheLastEntryAfterTheirDays) {
    ScenarioDocument document = run_of(700);
    document.pools[0].offer->availability_fraction = 0.5;
    document.pools.push_back(document.pools[0]);
    document.pools[1].id = "second";
    document.pools[1].offer->availability_fraction = 1;
    document.pools[1].offer->hourly_price = tests::flat(7.2);
    Workload& run = document.workloads[0];
    run.runs_on.push_back(run.runs_on[0]);
    run.runs_on[1].pool = "second";
    const double waits = 31 + 28.0 * (700 - 372) / 336;
    struct Row {
        double after;
        int start_day;
        double days, at_second;
    };
    for (const Row& row :
         {Row{0, 1, 700.0 / 24, 700}, Row{10, 1, 10 + 580.0 / 24, 580}, Row{10, 25, 10 + 580.0 / 24, 580},
          Row{40, 1, 40 + 220.0 / 24, 220}, Row{58, 1, 58 + 4.0 / 24, 4}, Row{waits, 1, waits, 0}, Row{400, 1, waits, 0}}) {
        run.fall_back_after_days = row.after;
        run.start_day = row.start_day;
        const Answer answer = evaluate_document(document);
        EXPECT_TRUE(is_close(*answer.summary.workloads[0].days, row.days)) << row.after << " from " << row.start_day;
        EXPECT_TRUE(is_close(answer.summary.total.cost, (700 - row.at_second) * 3.6 + row.at_second * 7.2)) << row.after;
    }
    // Another zone before the last: it takes the other half of the hours, at the price of the first.
    run.start_day = 1;
    run.fall_back_after_days = 10;
    document.pools.push_back(document.pools[0]);
    document.pools[2].id = "zone";
    document.pools[2].offer->availability_fraction = 1;
    run.runs_on.insert(run.runs_on.begin() + 1, run.runs_on[0]);
    run.runs_on[1].pool = "zone";
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.summary.total.cost, 240 * 3.6 + 460 * 7.2));
    EXPECT_TRUE(is_close(*answer.summary.workloads[0].days, 700.0 / 24));
}

TEST(Runs, SayWhatTheyNeed) {
    ScenarioDocument document = run_of(10);
    document.workloads[0].epochs_per_month = tests::flat(1);
    EXPECT_TRUE(has_issue(document, "/workloads/0/epochs_per_month", Code::not_allowed));
    document.workloads[0].epochs.reset();
    document.workloads[0].within_days = 3;
    EXPECT_TRUE(has_issue(document, "/workloads/0/within_days", Code::not_allowed));
    document.workloads[0].epochs_per_month.reset();
    EXPECT_TRUE(has_issue(document, "/workloads/0/epochs_per_month", Code::missing));
    document = run_of(10);
    document.workloads[0].fall_back_after_days = 1;
    EXPECT_TRUE(has_issue(document, "/workloads/0/fall_back_after_days", Code::not_allowed)) << "to what?";
    document.workloads[0].runs_on.push_back(document.workloads[0].runs_on[0]);
    document.workloads[0].routing = Routing::cheapest;
    EXPECT_TRUE(has_issue(document, "/workloads/0/fall_back_after_days", Code::not_allowed));
    document.workloads[0].routing = Routing::in_order;
    EXPECT_FALSE(has_issue(document, "/workloads/0/fall_back_after_days", Code::not_allowed));
    document = run_of(10);
    document.start = {2026, 2};
    document.workloads[0].start_day = 29;
    EXPECT_TRUE(has_issue(document, "/workloads/0/start_day", Code::out_of_range));
    document.workloads[0].start_day = 28;
    document.workloads[0].carry_over = false;
    EXPECT_TRUE(has_issue(document, "/workloads/0/carry_over", Code::not_allowed));
}

} // namespace
} // namespace costcurve::model
