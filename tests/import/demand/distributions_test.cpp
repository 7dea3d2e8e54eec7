// Cumulative distributions: duration curves, and power without utilization.
#include <numeric>

#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

TEST(UtilizationDistribution, IsADurationCurveWithTheMeanOfTheDistribution) {
    // A quarter of all samples is 0, the rest rises evenly to 100 %: the mean is 0.75 x 0.5 = 0.375.
    const Reading reading = read_text("utilization_distribution", "gpu_util_percent,cdf_percent\n0.0,0.0\n0.0,25\n100.0,100.0\n",
                                      {.name = "util.csv", .id = "utilization.x"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const curve = reading.find<model::Curve>("utilization.x");
    ASSERT_NE(curve, nullptr);
    ASSERT_EQ(curve->y.size(), 168U);
    EXPECT_NEAR(std::accumulate(curve->y.begin(), curve->y.end(), 0.0) / 168, 0.375, 1e-12);
    EXPECT_TRUE(std::is_sorted(curve->y.rbegin(), curve->y.rend())) << "it descends";
    // The busiest 168th lies between shares 167/168 and 1; the line has slope 1/0.75: 1 - 1/168/0.75/2.
    EXPECT_NEAR(curve->y[0], 1.0 - 1.0 / 168 / 0.75 / 2, 1e-12);
    EXPECT_DOUBLE_EQ(curve->y[126], 0.0) << "the last 42 hours, a quarter";
    EXPECT_GT(curve->y[125], 0.0);
    EXPECT_NE(curve->note.find("A duration curve, not a course in time"), std::string::npos);
    EXPECT_NE(curve->note.find("Mean 0.375."), std::string::npos) << curve->note;
}

TEST(UtilizationDistribution, ReadsFractionsAndSteps) {
    // Half of the samples are 0.2, half 0.6: two points have the share 0.5.
    const Reading reading = read_text("utilization_distribution", "cdf_fraction,util_fraction\n0,0.2\n0.5,0.2\n0.5,0.6\n1,0.6\n",
                                      {.id = "utilization.x"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const curve = reading.find<model::Curve>("utilization.x");
    EXPECT_DOUBLE_EQ(curve->y[83], 0.6);
    EXPECT_DOUBLE_EQ(curve->y[84], 0.2);
}

TEST(UtilizationDistribution, RefusesWhatIsNone) {
    struct Row {
        const char* text;
        const char* message;
    };
    const Row rows[] = {
        {"util_percent,share\n1,2\n", "row 1: a column cdf_percent, or cdf_fraction, of the cumulative share is needed"},
        {"load,cdf_percent\n1,2\n", "row 1: the values' column is \"load\": its name has to say what it is, with its unit"},
        {"util_percent,cdf_percent\n0,0\n110,100\n", "row 3: it has 110 and 100; a value of 0 to 100 and its share are needed"},
        {"util_percent,cdf_percent\n0,0\n,100\n", "row 3: it has  and 100; a value of 0 to 100 and its share are needed"},
        {"util_percent,cdf_percent\n10,0\n5,100\n", "row 3: values and shares of a cumulative distribution never fall"},
        {"util_percent,cdf_percent\n10,0\n50,60\n", "the shares do not reach 100 %: is the file cut off?"},
        {"util_percent,cdf_percent\n", "the shares do not reach 100 %: is the file cut off?"},
    };
    for (const Row& row : rows) {
        const Reading reading = read_text("utilization_distribution", row.text, {.id = "utilization.x"});
        ASSERT_TRUE(reading.error) << row.text;
        EXPECT_EQ(reading.error->message, row.message);
        EXPECT_TRUE(reading.documents.empty());
    }
    EXPECT_TRUE(read_text("utilization_distribution", "", {.id = "utilization.x"}).error);
}

TEST(PowerDistribution, EstimatesIdleAndFullLoadAndSaysSo) {
    // A straight line from 0 to 400 W: the 5th percentile is 20 W, the 99th 396 W, the mean 200 W.
    const Reading reading =
        read_text("power_distribution", "gpu_power_w,cdf_percent\n0,0\n400,100\n", {.name = "power.csv", .id = "power.x"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const curve = reading.find<model::Curve>("power.x");
    ASSERT_NE(curve, nullptr);
    EXPECT_EQ(curve->x, (std::vector<double>{0, 1}));
    EXPECT_NEAR(curve->y[0], 20, 1e-9);
    EXPECT_NEAR(curve->y[1], 396, 1e-9);
    EXPECT_TRUE(curve->note.starts_with("An estimate from a distribution, which has no utilization"));
    EXPECT_NE(curve->note.find("Mean of the distribution: 200 W."), std::string::npos);
    EXPECT_EQ(reading.report.warnings.count, 1U);
}

TEST(PowerDistribution, OfServersNeedsTheirDevices) {
    const std::string text = "server_power_kw,cdf_percent\n0,0\n8,100\n";
    EXPECT_NE(read_text("power_distribution", text, {.id = "power.x"}).error->message.find("give the option devices"),
              std::string::npos);
    const Reading reading = read_text("power_distribution", text, {.devices = "8", .id = "power.x"});
    ASSERT_FALSE(reading.error);
    EXPECT_NEAR(reading.find<model::Curve>("power.x")->y[1], 990, 1e-9) << "99 % of 8 kW over 8 devices";
    EXPECT_NE(reading.find<model::Curve>("power.x")->note.find("host_idle_w and host_max_w are 0"), std::string::npos);
}

TEST(Distributions, OfTheRealFilesAreRead) {
    SKIP_WITHOUT_SHARED();
    const Reading util =
        read_shared("utilization_distribution", {"acme-trace/util_gpu_philly_cdf.csv"}, {.id = "utilization.philly"});
    ASSERT_FALSE(util.error) << util.error->message;
    EXPECT_EQ(util.report.rows, 1000U);
    EXPECT_DOUBLE_EQ(util.find<model::Curve>("utilization.philly")->y[0], 1.0);
    EXPECT_NEAR(util.find<model::Curve>("utilization.philly")->y[83], 0.4857, 0.01) << "the median is 48.57 %";
    const Reading gpu = read_shared("power_distribution", {"acme-trace/gpu_power_seren_cdf.csv"}, {.id = "power.seren"});
    ASSERT_FALSE(gpu.error) << gpu.error->message;
    EXPECT_NEAR(gpu.find<model::Curve>("power.seren")->y[0], 61.8, 0.1);
    EXPECT_NEAR(gpu.find<model::Curve>("power.seren")->y[1], 436.621, 1e-6) << "436.6 W at 98.999 %, 438.7 W at 99.099 %";
    const Reading server = read_shared("power_distribution", {"acme-trace/server_power_gpu_nodes_cdf.csv"},
                                       {.devices = "8", .id = "power.seren-server"});
    ASSERT_FALSE(server.error) << server.error->message;
    EXPECT_NEAR(server.find<model::Curve>("power.seren-server")->y[0], 1512.0 / 8, 0.5);
}

} // namespace
} // namespace costcurve::imports
