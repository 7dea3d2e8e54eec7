// What a reader never looked at is said, once, with how often it is there.
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const Options kSeller{.date = "2026-10-20", .provider = "seller"};

TEST(UnreadFields, OfATableAreItsColumnsWithValues) {
    const Reading reading =
        read_text("skypilot",
                  "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,Price,Region,MinimumHours,SetupFee,Empty\n"
                  "a,H100,1,8,2.5,r,24,100,\nb,H100,1,8,2.5,r,,100,\n",
                  kSeller);
    EXPECT_EQ(reading.count<model::Offer>(), 2U);
    ASSERT_EQ(reading.report.warnings.count, 1U);
    EXPECT_EQ(reading.report.warnings.first[0].reason,
              "fields that are not read, and how often they have a value: SetupFee (2), MinimumHours (1)");
}

TEST(UnreadFields, OfJsonAreMembersThatNobodyAskedFor) {
    const std::string list = R"({"m": {"litellm_provider": "openai", "mode": "chat", "input_cost_per_token": 1e-06,
        "output_cost_per_token": 2e-06, "max_tokens": 9, "supports_vision": true, "citation_cost_per_token": 0.012,
        "rounding": null}})";
    const Reading reading = read_text("litellm_prices", list, {.date = "2026-10-20"});
    EXPECT_EQ(reading.count<model::Endpoint>(), 1U);
    EXPECT_TRUE(
        says(reading.report.warnings, 0, "fields that are not read, and how often they have a value: citation_cost_per_token (1)"));
}

TEST(UnreadFields, AreNoneWhereEachRowIsRejected) {
    const std::string list = R"({"m": {"litellm_provider": "openai", "mode": "chat", "input_cost_per_token": 0,
        "output_cost_per_token": 2e-06, "citation_cost_per_token": 0.012}})";
    const Reading reading = read_text("litellm_prices", list, {.date = "2026-10-20"});
    EXPECT_EQ(reading.report.rejected.rows, 1U);
    EXPECT_EQ(reading.report.warnings.count, 0U) << "no row was read to its end";
}

TEST(UnreadFields, OfATariffNameTheChargesThatVanish) {
    const std::string flat = "[" + [] {
        std::string months;
        for (int month = 0; month < 12; ++month) {
            months += std::string(month == 0 ? "" : ",") + "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]";
        }
        return months;
    }() + "]";
    const Reading reading = read_text(
        "openei", R"({"items": [{"label": "t", "energyratestructure": [[{"rate": 0.1, "unit": "kWh"}]],
        "energyweekdayschedule": )" +
                      flat + R"(, "energyweekendschedule": )" + flat + R"(, "annualmincharge": 120000, "newcharge": 0.6}]})");
    ASSERT_EQ(reading.count<model::Curve>(), 1U);
    EXPECT_TRUE(says(reading.report.warnings, 1, "site.openei.t lacks a minimum charge a year"));
    EXPECT_TRUE(says(reading.report.warnings, 0, "newcharge (1)"));
}

TEST(UnreadFields, OfYamlAreKeysThatNobodyAskedFor) {
    const std::string list = "id: vendor\n"
                             "models:\n"
                             "  - id: m\n"
                             "    prices:\n"
                             "      input_mtok: 1\n"
                             "      output_mtok: 2\n"
                             "      searches_kcount: 5\n"
                             "  - id: n\n"
                             "    prices: {input_mtok: 1, output_mtok: 2, searches_kcount: 7}\n";
    const Reading reading = read_text("genai_prices", list, {.date = "2026-10-20"});
    EXPECT_EQ(reading.count<model::Endpoint>(), 2U);
    EXPECT_TRUE(says(reading.report.warnings, 0, "fields that are not read, and how often they have a value: searches_kcount (2)"));
}

} // namespace
} // namespace costcurve::imports
