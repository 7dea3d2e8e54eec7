// JSON as it is published, through readers: what is refused, and numbers in texts.
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

TEST(ImportedJson, AKeyThatAnObjectHasTwiceIsAnError) {
    const Options june{.date = "2024-06-11"};
    const Reading outside = read_text("tpu_prices", R"json({"TPU v4": {}, "TPU v4": {}})json", june);
    ASSERT_TRUE(outside.error);
    EXPECT_EQ(outside.error->message, "an object has the key \"TPU v4\" twice; remove one");
    const Reading inside = read_text(
        "tpu_prices", R"json({"TPU v4": {"here": {"On Demand (USD)": 3.22, "Location": "a", "On Demand (USD)": 4}}})json", june);
    ASSERT_TRUE(inside.error);
    EXPECT_EQ(inside.error->message, "an object has the key \"On Demand (USD)\" twice; remove one");
    const Reading apart = read_text(
        "tpu_prices", R"json({"TPU v4": {"here": {"On Demand (USD)": 3.22}, "there": {"On Demand (USD)": 4}}})json", june);
    EXPECT_FALSE(apart.error) << "each in an object of its own";
    EXPECT_EQ(apart.documents.size(), 2U);
}

TEST(ImportedJson, ATextWithOneCommaIsNoNumber) {
    const auto read = [](const std::string& tflops) {
        return read_text("calculon", R"({"matrix":{"float16":{"tflops":")" + tflops + R"("}},"mem1":{"GiB":80,"GBps":3072}})",
                         {.name = "h100_80g.json", .tdp_w = "700"});
    };
    EXPECT_TRUE(read("1,234").error) << "thousands or a decimal: nothing tells";
    const Reading thousands = read("1,234.5");
    ASSERT_FALSE(thousands.error);
    EXPECT_EQ(thousands.find<model::Device>("nvidia.h100-sxm5-80gb")->peak_flops.at("fp16"), 1234.5e12);
}

} // namespace
} // namespace costcurve::imports
