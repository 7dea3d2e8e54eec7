// Daly's optimum and goodput (model.md, section 4), and the number of instances that an interruption hits.
#include "model/performance/goodput.hpp"

#include "model/dispatch/outages.hpp"

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::is_close;

const double kLn2 = std::log(2.0);

double training(double rate, double write, double restart, std::optional<double> interval = std::nullopt) {
    CheckpointTimes times{Hours{write}, Hours{restart}, std::nullopt};
    if (interval) {
        times.interval = Hours{*interval};
    }
    return training_goodput(EventsPerHour{rate}, times);
}

double inference(double rate, double restart) { return up_fraction(EventsPerHour{rate}, Hours{restart}); }

TEST(Goodput, OptimumIntervalIsDalysHigherOrderEstimate) {
    struct Row {
        double write, mean_time, expected;
        const char* arithmetic;
    };
    const std::vector<Row> rows = {
        {1, 2, 25.0 / 18, "sqrt 4 = 2, C/2M = 1/4: 2 (1 + 1/6 + 1/36) - 1"},
        {2, 9, 6.0 * (1 + 1.0 / 9 + 1.0 / 81) - 2, "sqrt 36 = 6, C/2M = 1/9: 6 (1 + 1/9 + 1/81) - 2"},
        {0.02, 1, 0.2 * (1 + 0.1 / 3 + 0.01 / 9) - 0.02, "sqrt 0.04 = 0.2, C/2M = 0.01"},
        {2, 1, 1, "C = 2M: M"},
        {8, 1, 1, "C > 2M: M"},
    };
    for (const Row& row : rows) {
        EXPECT_TRUE(is_close(optimum_checkpoint_interval(Hours{row.write}, Hours{row.mean_time}).value, row.expected))
            << row.arithmetic;
    }
}

TEST(Goodput, OptimumIntervalTendsToYoungsForShortWrites) {
    // Young (1974): sqrt(2 C M); the next term is C (1/3 - 1).
    EXPECT_TRUE(is_close(optimum_checkpoint_interval(Hours{1e-8}, Hours{100}).value, std::sqrt(2e-6), 1e-5));
}

TEST(Goodput, OptimumIntervalIsNearlyTheBest) {
    for (const double write : {0.01, 0.05, 0.2}) {
        const double best = training(0.1, write, 0.3);
        for (double interval = 0.1; interval < 20; interval *= 1.05) {
            EXPECT_LE(training(0.1, write, 0.3, interval), best * (1 + 1e-5)) << write << ' ' << interval;
        }
    }
}

TEST(Goodput, TrainingKeepsWhatDalysFormulaSays) {
    struct Row {
        double rate, write, restart;
        std::optional<double> interval;
        double expected;
        const char* arithmetic;
    };
    const std::vector<Row> rows = {
        {kLn2, 0, 0, 1.0, kLn2, "ln 2 x 1 / (2 - 1)"},
        {kLn2, 0, 1, 1.0, kLn2 / 2, "the same / e^(ln 2 x 1)"},
        {kLn2, 0.5, 0, 0.5, kLn2 / 2, "ln 2 x 0.5 / (2 - 1)"},
        {kLn2, 1, 2, 1.0, kLn2 / 12, "ln 2 x 1 / (4 x (4 - 1))"},
        {0.1, 0, 0, 1.0, 0.950833194477505, "0.1 / (e^0.1 - 1), e^0.1 = 1.1051709180756477"},
    };
    for (const Row& row : rows) {
        EXPECT_TRUE(is_close(training(row.rate, row.write, row.restart, row.interval), row.expected)) << row.arithmetic;
    }
}

TEST(Goodput, TrainingUsesTheOptimumWhereNoIntervalIsStated) {
    // C = 1 h, M = 2 h: tau = 25/18.
    EXPECT_TRUE(is_close(training(0.5, 1, 0.25), training(0.5, 1, 0.25, 25.0 / 18)));
}

TEST(Goodput, TrainingHasItsLimits) {
    EXPECT_EQ(training(0, 0, 0), 1.0);
    EXPECT_EQ(training(0, 5, 7), 1.0) << "no interruption and no stated interval: no checkpoint is written";
    EXPECT_TRUE(is_close(training(0, 1, 9, 3.0), 0.75)) << "3 / (3 + 1)";
    EXPECT_TRUE(is_close(training(kLn2, 0, 3), 0.125)) << "C = 0: e^(-3 ln 2)";
    EXPECT_TRUE(is_close(training(1e-12, 1, 9, 3.0), 0.75, 1e-9)) << "continuous in the rate";
    EXPECT_TRUE(is_close(training(0.1, 1e-12, 0.5), std::exp(-0.05), 1e-5)) << "continuous in the write time";
    EXPECT_EQ(training(1e9, 1, 1, 1.0), 0.0) << "huge rate";
    EXPECT_EQ(training(1, 0, 1e6), 0.0) << "huge restart";
    EXPECT_GE(training(3.6e9, 300, 300), 0.0);
}

TEST(Goodput, TrainingFallsWithRateWriteAndRestart) {
    double last = 1.0;
    for (double rate = 1e-4; rate < 10; rate *= 2) {
        const double kept = training(rate, 0.1, 0.2);
        EXPECT_LT(kept, last);
        EXPECT_GT(kept, 0.0);
        EXPECT_LT(training(rate, 0.1, 0.3), kept);
        EXPECT_LT(training(rate, 0.15, 0.2, 1.0), training(rate, 0.1, 0.2, 1.0));
        last = kept;
    }
}

TEST(Goodput, TrainingDependsOnTimesMeasuredInMeanTimesOnly) {
    for (const double scale : {0.01, 3.0, 1000.0}) {
        EXPECT_TRUE(is_close(training(0.2 / scale, 0.3 * scale, 0.1 * scale), training(0.2, 0.3, 0.1)));
    }
}

TEST(Goodput, InferenceKeepsItsAvailability) {
    struct Row {
        double rate, restart, expected;
    };
    for (const Row& row : {Row{0, 5, 1}, Row{5, 0, 1}, Row{0.5, 2, 0.5}, Row{0.25, 1, 0.8}, Row{3, 33, 0.01}}) {
        EXPECT_TRUE(is_close(inference(row.rate, row.restart), row.expected));
    }
    EXPECT_LT(inference(0.2, 1), inference(0.1, 1));
    EXPECT_LT(inference(1e12, 1), 1e-11);
}

TEST(Goodput, InterruptionHitsEveryInstanceOfAGang) {
    struct Row {
        int gang, per_instance;
        double instances_hit;
    };
    for (const Row& row : {Row{1, 8, 1}, Row{8, 8, 1}, Row{9, 8, 2}, Row{16, 8, 2}, Row{3, 1, 3}}) {
        ScenarioDocument document = tests::training_scenario();
        document.pools[0].offer->devices = row.per_instance;
        document.pools[0].offer->interruptions_per_hour = 0.01;
        document.workloads[0].runs_on[0].performance->devices = row.gang;
        document.workloads[0].checkpoint = {0.0, 3600.0, std::nullopt, std::nullopt};
        // C = 0: e^(-0.01 x instances x 1 h)
        EXPECT_TRUE(is_close(tests::evaluate_document(document).compiled.entries[0].goodput, std::exp(-0.01 * row.instances_hit)))
            << row.gang << " on " << row.per_instance;
    }
}

TEST(Goodput, FailuresOfOwnedServersTakeReplicasDown) {
    ScenarioDocument document = tests::owned_scenario();
    document.pools[0].server->failures_per_hour = 0.5;
    document.pools[0].server->devices = 2;
    document.pools[0].purchases[0].servers = 3;
    document.workloads[0].runs_on[0].performance->devices = 4;
    document.workloads[0].runs_on[0].performance->spans_hosts = true;
    document.workloads[0].checkpoint.restart_s = 1800;
    // 4 devices are on 2 servers: rate 1 / h; 1 / (1 + 1 x 0.5)
    const tests::Answer answer = tests::evaluate_document(document);
    EXPECT_TRUE(is_close(answer.compiled.entries[0].replicas_up.up(), 2.0 / 3));
    EXPECT_TRUE(is_close(answer.compiled.entries[0].rate, 1.0)) << "of a replica that is up";
}

TEST(Goodput, CheckpointTimesAreGivenInSeconds) {
    ScenarioDocument document = tests::training_scenario();
    document.workloads[0].checkpoint = {900, 600, 2700.0, std::nullopt};
    EXPECT_TRUE(is_close(tests::evaluate_document(document).compiled.entries[0].goodput, 0.75)) << "0.75 h / (0.75 h + 0.25 h)";
}

} // namespace
} // namespace costcurve::model
