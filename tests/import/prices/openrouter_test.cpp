// OpenRouter's list: prices as texts with float noise, and what in it is no price of a token of text.
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const Options kOpenRouterDay{.date = "2026-08-01"};

TEST(OpenRouter, PricesAreTextsPerToken) {
    const Reading reading = read_fixture("openrouter", "openrouter_models.json", kOpenRouterDay);
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 6U);
    EXPECT_EQ(reading.report.skipped, 2U) << "another name, and images";
    const auto* const flash = reading.find<model::Endpoint>("openrouter.qwen3.7-flash");
    ASSERT_NE(flash, nullptr);
    EXPECT_EQ(flash->provider, "openrouter");
    EXPECT_EQ(flash->model, "qwen3.7-flash");
    const model::UnitPrice& price = *flash->price_per_million_units;
    EXPECT_EQ(price.input->curve->y, std::vector<double>{0.03});
    EXPECT_EQ(price.output->curve->y, std::vector<double>{0.13});
    EXPECT_EQ(price.cached_input->curve->y, std::vector<double>{0.006});
    EXPECT_EQ(price.cache_write->curve->y, std::vector<double>{0.038});
    ASSERT_EQ(flash->above.size(), 2U);
    EXPECT_EQ(flash->above[0].input_tokens, 32000);
    EXPECT_EQ(flash->above[1].input_tokens, 256000);
    EXPECT_EQ(flash->above[1].price_per_million_units->cache_write->curve->y, std::vector<double>{0.25});
    const auto* const search = reading.find<model::Endpoint>("openrouter.sonar-deep-research");
    ASSERT_NE(search, nullptr);
    EXPECT_EQ(search->price_per_million_units->reasoning->curve->y, std::vector<double>{3});
    EXPECT_EQ(search->fees->search->curve->y, std::vector<double>{0.005});
    const auto* const gemini = reading.find<model::Endpoint>("openrouter.gemini-2.5-pro");
    ASSERT_NE(gemini, nullptr);
    EXPECT_FALSE(gemini->price_per_million_units->cache_write) << "0.375 beside 1.25: storage";
    EXPECT_TRUE(says(reading.report.warnings, 0, "1 models have an input_cache_write below their price of input"));
}

TEST(OpenRouter, IdsAreThoseOfLiteLlm) {
    const Reading ours = read_fixture("openrouter", "openrouter_models.json", kOpenRouterDay);
    const Reading theirs =
        read_text("litellm_prices", R"({"openrouter/anthropic/claude-sonnet-4.5": {"litellm_provider": "openrouter",
        "mode": "chat", "input_cost_per_token": 3e-06, "output_cost_per_token": 1.5e-05}})",
                  kOpenRouterDay);
    ASSERT_NE(theirs.find<model::Endpoint>("openrouter.claude-sonnet-4.5"), nullptr);
    ASSERT_NE(ours.find<model::Endpoint>("openrouter.claude-sonnet-4.5"), nullptr);
    EXPECT_EQ(ours.find<model::Endpoint>("openrouter.claude-sonnet-4.5")->price_per_million_units->output->curve->y,
              theirs.find<model::Endpoint>("openrouter.claude-sonnet-4.5")->price_per_million_units->output->curve->y);
}

TEST(OpenRouter, WhatIsNoPriceIsSkippedOrRejected) {
    const Reading reading = read_text("openrouter", R"({"data": [
        {"id": "a/free:free", "pricing": {"prompt": "0", "completion": "0"}},
        {"id": "a/router", "pricing": {"prompt": "-1", "completion": "-1"}},
        {"id": "a/zero", "pricing": {"prompt": "0", "completion": "0"}},
        {"id": "a/half", "pricing": {"prompt": "0.000001"}},
        {"id": "a/text", "pricing": {"prompt": "cheap", "completion": "0.000001"}},
        {"id": "a/noise", "pricing": {"prompt": "0.00000012500000000000002", "completion": "0.000001", "internal_reasoning": "0"}},
        {"pricing": {}}, 7]})",
                                      kOpenRouterDay);
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.skipped, 2U);
    EXPECT_TRUE(says(reading.report.rejected, 3, "a/zero: prompt is no price above 0"));
    EXPECT_TRUE(says(reading.report.rejected, 4, "a/half: completion is no price above 0"));
    EXPECT_TRUE(says(reading.report.rejected, 5, "a/text: prompt is no price above 0"));
    EXPECT_TRUE(says(reading.report.rejected, 7, "an id and pricing are needed"));
    EXPECT_TRUE(says(reading.report.rejected, 8, "an id and pricing are needed"));
    const auto* const noise = reading.find<model::Endpoint>("openrouter.noise");
    ASSERT_NE(noise, nullptr);
    EXPECT_EQ(noise->price_per_million_units->input->curve->y, std::vector<double>{0.125});
    EXPECT_FALSE(noise->price_per_million_units->reasoning);
    for (const std::string_view text : {"", "{}", R"({"data": 7})", R"({"data": []})", R"({"error": "rate limited"})"}) {
        EXPECT_TRUE(read_text("openrouter", text, kOpenRouterDay).error) << text;
    }
}

TEST(OpenRouter, TheRealAnswerIsRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("openrouter", {"openrouter/openrouter_models_2026-08-01.json"}, kOpenRouterDay);
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 76U);
    EXPECT_EQ(reading.report.rejected.count, 0U);
    EXPECT_EQ(reading.report.skipped + reading.documents.size(), 76U);
    const auto* const luna = reading.find<model::Endpoint>("openrouter.gpt-5.6-luna");
    ASSERT_NE(luna, nullptr);
    EXPECT_EQ(luna->price_per_million_units->input->curve->y, std::vector<double>{0.1}); // half of OpenAI's own
    EXPECT_EQ(luna->price_per_million_units->output->curve->y, std::vector<double>{0.6}) << "0.0000006000000000000001 a token";
}

} // namespace
} // namespace costcurve::imports
