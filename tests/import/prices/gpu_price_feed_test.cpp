// gpu-price-feed: prices a day become curves of offers, and a card's name is never stretched to a device.
#include "model/documents/calendar.hpp"
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

double feed_day(std::string_view date) {
    double day = 0.0;
    EXPECT_TRUE(model::parse_date(date, day));
    return day;
}

std::string feed_line(std::string_view time, std::string_view prices) {
    return R"({"schema_version": 2, "collected_at": ")" + std::string(time) + R"(", "cheapest": )" + std::string(prices) + "}\n";
}

const model::Curve* feed_curve(const Reading& reading, std::string_view id) {
    const auto* const offer = reading.find<model::Offer>(id);
    return offer == nullptr || !offer->hourly_price.curve ? nullptr : &*offer->hourly_price.curve;
}

TEST(GpuPriceFeed, HasAPointOfEachDay) {
    const Reading reading = read_fixture("gpu_price_feed", "gpu_price_feed.jsonl", {.source = "a feed"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 2U);
    const std::vector<double> days = {feed_day("2026-07-23"), feed_day("2026-10-01")};
    struct Row {
        std::string_view id, device;
        std::vector<double> prices;
    };
    // SOURCES.md of the collection: prices of 07-23 and 10-01.
    const std::vector<Row> rows = {
        {"digitalocean.1x-h100-sxm5-80gb.on-demand", "nvidia.h100-sxm5-80gb", {3.39, 4.41}},
        {"digitalocean.1x-mi300x.on-demand", "amd.mi300x", {1.99, 2.59}},
        {"datacrunch.1x-h200-sxm-141gb.on-demand", "nvidia.h200-sxm-141gb", {4.00, 4.732}},
        {"datacrunch.1x-gb300.on-demand", "nvidia.gb300", {8.62, 9.915}},
        {"lambda.1x-h100-sxm5-80gb.on-demand", "nvidia.h100-sxm5-80gb", {3.99, 3.99}},
        {"runpod.1x-b200-sxm-180gb.on-demand", "nvidia.b200-sxm-180gb", {5.89, 5.98}},
        {"vastai.1x-rtx-4090.on-demand", "nvidia.rtx-4090", {0.263, 0.3881}},
    };
    for (const Row& row : rows) {
        const model::Curve* const curve = feed_curve(reading, row.id);
        ASSERT_NE(curve, nullptr) << row.id;
        EXPECT_EQ(curve->x, days) << row.id;
        EXPECT_EQ(curve->y, row.prices) << row.id;
        EXPECT_EQ(reading.find<model::Offer>(row.id)->device.id, row.device);
    }
    const auto* const scaleway = reading.find<model::Offer>("scaleway.1x-h100-sxm5-80gb.on-demand");
    ASSERT_NE(scaleway, nullptr);
    EXPECT_EQ(scaleway->source, "a feed scaleway H100 80GB SXM");
    EXPECT_EQ(scaleway->currency, "USD");
    EXPECT_NE(scaleway->note.find("EUR"), std::string::npos);
    EXPECT_NE(reading.find<model::Offer>("runpod.1x-b200-sxm-180gb.on-demand")->note.find("form of the card is not stated"),
              std::string::npos);
}

TEST(GpuPriceFeed, NeverGuessesACard) {
    const Reading reading = read_fixture("gpu_price_feed", "gpu_price_feed.jsonl");
    EXPECT_TRUE(
        says(reading.report.rejected, 1, "V100 16GB (form unstated) may be nvidia.v100-pcie-16gb or nvidia.v100-sxm2-16gb"));
    EXPECT_TRUE(says(reading.report.rejected, 1,
                     "H200 141GB (form unstated) may be nvidia.h200-nvl-141gb or nvidia.h200-sxm-141gb; store an alias"));
    EXPECT_TRUE(says(reading.report.rejected, 1, "A16 16GB is a GPU that no alias knows"));
    EXPECT_TRUE(says(reading.report.rejected, 2, "MI350X 294GB is a GPU that no alias knows"));
    EXPECT_TRUE(says(reading.report.rejected, 2, "RTX 4090D is a GPU that no alias knows"));
    EXPECT_EQ(reading.report.rejected.count, 5U) << "each name once";
    const std::string others = R"-({"x": {"RTX 4090 48GB": 1, "A100 40GB PCIe": 1, "RTX PRO 6000 Blackwell 48GB Server MIG": 1, )-"
                               R"-("RTX PRO 6000 Blackwell 96GB (form unstated)": 1}})-";
    const Reading cards = read_text("gpu_price_feed", feed_line("2026-10-01T00:00:00Z", others));
    EXPECT_EQ(cards.documents.size(), 0U) << "other memory, other form, a part of a card";
    EXPECT_EQ(cards.report.rejected.count, 4U);
}

TEST(GpuPriceFeed, WarnsOfWhatIsNoLongerListed) {
    const Reading reading = read_fixture("gpu_price_feed", "gpu_price_feed.jsonl");
    EXPECT_EQ(reading.report.warnings.count, 1U);
    EXPECT_TRUE(says(reading.report.warnings, 2, "vultr no longer lists A40 48GB: the last price is kept since 2026-07-23"));
}

TEST(GpuPriceFeed, TakesTheLastLineOfADayAndTheCheaperOfTwoSpellings) {
    const Reading reading =
        read_text("gpu_price_feed",
                  feed_line("2026-10-01T23:00:00+00:00", R"-({"x": {"B200 180GB SXM": 7, "B200 180GB (form unstated)": 6}})-") +
                      "\n" + feed_line("2026-10-01T06:00:00+00:00", R"({"x": {"B200 180GB SXM": 5}})") +
                      feed_line("2026-09-30T06:00:00+00:00", R"({"x": {"B200 180GB SXM": 4}})"));
    const model::Curve* const curve = feed_curve(reading, "x.1x-b200-sxm-180gb.on-demand");
    ASSERT_NE(curve, nullptr);
    EXPECT_EQ(curve->y, (std::vector<double>{4, 6}));
    EXPECT_EQ(reading.report.rows, 3U);
}

TEST(GpuPriceFeed, RejectsLinesThatAreNotOfItsSchema) {
    const std::string good =
        feed_line("2026-10-01T23:00:00+00:00", R"({"x": {"B200 180GB SXM": 7, "L4 24GB": 0, "T4 16GB": "1"}})");
    const Reading reading =
        read_text("gpu_price_feed", good + R"({"collected_at": "2026-07-22T00:00:00Z", "cheapest": {"x": {"H100 80GB": 2}}})" +
                                        "\n{\n" + feed_line("2026-10-01", "{}") + feed_line("2026-10-01T00:00:00Z", "[]") +
                                        feed_line("2026-10-01T00:00:00Z", R"({"x": 7})"));
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.documents.size(), 1U);
    EXPECT_TRUE(says(reading.report.rejected, 1, "x L4 24GB: the price is no number above 0"));
    EXPECT_TRUE(says(reading.report.rejected, 1, "x T4 16GB: the price is no number above 0"));
    EXPECT_TRUE(says(reading.report.rejected, 2, "schema_version is not 2"));
    EXPECT_TRUE(says(reading.report.rejected, 3, "it is not JSON"));
    EXPECT_TRUE(says(reading.report.rejected, 4, "collected_at is \"2026-10-01\""));
    EXPECT_TRUE(says(reading.report.rejected, 5, "cheapest is no object"));
    EXPECT_TRUE(says(reading.report.rejected, 6, "x is no object of prices"));
    for (const std::string_view text : {"", "\n", "<html>", "[]", R"({"cheapest": {}})"}) {
        EXPECT_TRUE(read_text("gpu_price_feed", text).error) << text;
    }
}

TEST(GpuPriceFeed, OfTheRealLinesIsRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("gpu_price_feed", {"gpu-price-feed/v2_2026-10-01.jsonl"});
    ASSERT_FALSE(reading.error) << reading.error->message;
    const model::Curve* const b200 = feed_curve(reading, "datacrunch.1x-b200-sxm-180gb.on-demand");
    ASSERT_NE(b200, nullptr);
    EXPECT_EQ(b200->y, std::vector<double>{6.9175});
    EXPECT_EQ(feed_curve(reading, "runpod.1x-h100-sxm5-80gb.on-demand")->y, std::vector<double>{2.69});
    EXPECT_TRUE(says(reading.report.rejected, 1, "RTX 3090 24GB is a GPU that no alias knows"));
    EXPECT_EQ(reading.report.rejected.rows, 1U);
}

} // namespace
} // namespace costcurve::imports
