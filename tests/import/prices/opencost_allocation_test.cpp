// OpenCost's allocations: lines by day with labels as tags, idle capacity, and what answers of other clusters have in them.
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

// Two days of a namespace and of what was idle, in the shape of OpenCost's published example with a GPU of its own.
const std::string kTwoDays = R"({"code": 200, "data": [
    {"search": {"name": "search", "properties": {"cluster": "c1", "namespace": "search", "controller": "vllm",
            "controllerKind": "deployment", "labels": {"team": "blue", "app": "vllm"},
            "namespaceLabels": {"team": "platform", "cost_center": "cc-1"}},
        "window": {"start": "2026-10-01T00:00:00Z", "end": "2026-10-02T00:00:00Z"},
        "start": "2026-10-01T00:00:00Z", "end": "2026-10-01T23:59:14Z", "minutes": 1439.2,
        "gpuHours": 96, "gpuCost": 240, "gpuCostAdjustment": -12, "cpuCoreHours": 24, "cpuCost": 1.5, "ramByteHours": 1073741824,
        "ramCost": 0.5, "networkCost": null, "pvCost": 0, "pvs": null, "sharedCostBreakdown": {}, "gpuEfficiency": 0.4,
        "totalCost": 230},
     "__idle__": {"name": "__idle__", "properties": {"cluster": "c1"}, "start": "2026-10-01T00:00:00Z",
        "end": "2026-10-02T00:00:00Z", "gpuHours": 96, "gpuCost": 240, "totalCost": 240}},
    null,
    {"search": {"properties": {"cluster": "c1", "namespace": "search"}, "start": "2026-10-02T00:00:00Z",
        "end": "2026-10-03T00:00:00Z", "gpuHours": 10, "gpuCost": 25, "totalCost": 25}}]})";

TEST(OpenCostAllocation, BecomesLinesWithLabels) {
    const Reading reading = read_text("opencost_allocation", kTwoDays, {.device = "H100"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 3U);
    EXPECT_EQ(reading.report.rejected.count + reading.report.warnings.count, 0U);
    ASSERT_EQ(reading.bill.size(), 5U);
    const BillLine& gpu = reading.bill[0];
    EXPECT_EQ(gpu.category, "allocation");
    EXPECT_EQ(gpu.provider, "opencost");
    EXPECT_EQ(gpu.account, "c1");
    EXPECT_EQ(gpu.sku, "gpu");
    EXPECT_EQ(gpu.resource, "search");
    EXPECT_EQ(gpu.device, "nvidia.h100-sxm5-80gb");
    EXPECT_EQ(gpu.device_hours, 96.0);
    EXPECT_EQ(gpu.effective_cost, 228.0) << "with its adjustment";
    EXPECT_EQ(gpu.currency, "USD");
    EXPECT_EQ(gpu.tags, R"({"app":"vllm","controller":"vllm","controllerKind":"deployment","cost_center":"cc-1",)"
                        R"("namespace":"search","team":"blue"})")
        << "a pod's label wins over its namespace's";
    EXPECT_EQ(reading.bill[1].sku, "cpu");
    EXPECT_EQ(reading.bill[1].device, "");
    EXPECT_EQ(reading.bill[2].consumed_quantity, 1.0) << "GiB-Hours";
    EXPECT_EQ(reading.bill[3].resource, "__idle__");
    EXPECT_EQ(reading.bill[3].tags, "");
    EXPECT_EQ(reading.bill[4].day, gpu.day + 1);
}

TEST(OpenCostAllocation, OfSeveralDaysIsSpreadByTheHour) {
    const Reading reading =
        read_text("opencost_allocation", R"([{"a": {"properties": {}, "window": {"start": "2026-10-01T12:00:00Z",
        "end": "2026-10-03T12:00:00Z"}, "gpuHours": 48, "gpuCost": 480}}])");
    ASSERT_EQ(reading.bill.size(), 3U);
    EXPECT_EQ(reading.bill[0].effective_cost, 120.0);
    EXPECT_EQ(reading.bill[1].effective_cost, 240.0);
    EXPECT_EQ(reading.bill[2].device_hours, 12.0);
    EXPECT_TRUE(says(reading.report.warnings, 1, "1 allocations are of more than a day"));
}

TEST(OpenCostAllocation, NamesWhatCannotBeUsed) {
    const Reading reading = read_text("opencost_allocation", R"({"data": [{
        "no times": {"properties": {"cluster": "c"}, "gpuCost": 1},
        "backwards": {"start": "2026-10-02T00:00:00Z", "end": "2026-10-01T00:00:00Z", "gpuCost": 1},
        "text": {"start": "2026-10-01T00:00:00Z", "end": "2026-10-02T00:00:00Z", "gpuCost": "a lot"},
        "negative": {"start": "2026-10-01T00:00:00Z", "end": "2026-10-02T00:00:00Z", "gpuHours": -1},
        "absent": null,
        "other total": {"start": "2026-10-01T00:00:00Z", "end": "2026-10-02T00:00:00Z", "gpuCost": 1, "totalCost": 5},
        "ze\u0000ro": {"start": "2026-10-01T00:00:00Z", "end": "2026-10-02T00:00:00Z", "gpuCost": 1},
        "in its cluster": {"properties": {"cluster": "\u0000"}, "start": "2026-10-01T00:00:00Z", "end": "2026-10-02T00:00:00Z",
                           "gpuCost": 1},
        "nothing": {"start": "2026-10-01T00:00:00Z", "end": "2026-10-01T00:00:00Z"}}]})");
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.report.rejected.count, 6U);
    EXPECT_TRUE(says(reading.report.rejected, 1, "no times has no start and end"));
    EXPECT_TRUE(says(reading.report.rejected, 2, "backwards has no start and end"));
    EXPECT_TRUE(says(reading.report.rejected, 3, "text: gpuCost is no number"));
    EXPECT_TRUE(says(reading.report.rejected, 4, "negative: gpuHours is no number from 0"));
    for (const std::size_t row : {7U, 8U}) {
        EXPECT_TRUE(says(reading.report.rejected, row, "has the character U+0000, which not every store can keep; leave it out"));
    }
    EXPECT_EQ(reading.report.skipped, 1U);
    EXPECT_TRUE(says(reading.report.warnings, 6, "other total: its parts add up to 1, totalCost is 5"));
    EXPECT_EQ(reading.bill.size(), 1U);
}

TEST(OpenCostAllocation, SaysWhereIdleCostIsBelowNothing) {
    const Reading reading = read_text("opencost_allocation", R"({"data": [{"__idle__": {"properties": {"cluster": "c"},
        "start": "2026-10-01T00:00:00Z", "end": "2026-10-02T00:00:00Z", "cpuCost": -12.62}}]})");
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.bill.size(), 1U);
    EXPECT_TRUE(says(reading.report.warnings, 1, "__idle__: its cost is -12.62, below 0"));
}

TEST(OpenCostAllocation, RefusesOtherFiles) {
    const auto message = [](std::string_view text) {
        const Reading reading = read_text("opencost_allocation", text);
        return reading.error ? reading.error->message : "";
    };
    EXPECT_EQ(message(R"({"code": 400, "message": "bad window"})"), "it is OpenCost's error 400: bad window; query it again");
    EXPECT_EQ(message(R"({"code": 200})"), "it has no list named data; give an answer of OpenCost's /allocation");
    EXPECT_EQ(message(R"({"data": [3]})"), "data has an entry that is no object of allocations by name");
    EXPECT_EQ(message(R"({"data": [{}, null]})"), "data has no allocations; was the window before OpenCost ran?");
    EXPECT_NE(message("{"), "");
}

TEST(OpenCostAllocation, ReadsTheRealFile) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("opencost_allocation", {"opencost-allocation/allocation-example-output.json"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 3U);
    EXPECT_EQ(reading.report.rejected.count, 0U);
    double cost = 0.0;
    std::int64_t first_day = 1000000;
    std::int64_t last_day = 0;
    for (const BillLine& line : reading.bill) {
        cost += line.effective_cost;
        first_day = std::min(first_day, line.day);
        last_day = std::max(last_day, line.day);
        EXPECT_NE(line.sku, "gpu") << "its GPU cost is 0";
    }
    EXPECT_NEAR(cost, 1.52743 + 0.10937 + 0.14136, 2e-5) << "the sums of totalCost";
    EXPECT_EQ(last_day - first_day, 7) << "from the middle of a day to the middle of the seventh after it";
    EXPECT_TRUE(says(reading.report.warnings, 1, "3 allocations are of more than a day"));
}

} // namespace
} // namespace costcurve::imports
