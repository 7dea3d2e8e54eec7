// LiteLLM's list of hosted models: prices a token by class become endpoints that pools name.
#include "server/import/prices/hosted_models.hpp"
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const Options kAugust{.name = "model_prices.json", .date = "2026-08-01"};

TEST(HostedModels, HaveOneSpelling) {
    const std::vector<std::array<std::string_view, 3>> rows = {
        {"groq/llama-3.3-70b-versatile", "llama-3.3-70b", ""},
        {"groq/moonshotai/kimi-k2-instruct-0905", "kimi-k2-instruct-0905", ""},
        {"cerebras/llama3.1-70b", "llama-3.1-70b", ""},
        {"fireworks_ai/accounts/fireworks/models/glm-5p2", "glm-5.2", ""},
        {"us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5-20250929", "us"},
        {"bedrock/us-gov-east-1/anthropic.claude-sonnet-4-v1:0", "claude-sonnet-4", "us-gov-east-1"},
        {"meta.llama4-scout-17b-instruct-v1:0", "llama-4-scout-17b", ""},
        {"Command-R+", "command-r-plus", ""},
        {"gpt-4.1", "gpt-4.1", ""},
        {"/", "", ""},
        {"", "", ""},
    };
    for (const auto& [name, slug, region] : rows) {
        EXPECT_EQ(model_slug(name), slug) << name;
        EXPECT_EQ(hosted_region(name), region) << name;
    }
}

TEST(LiteLlmPrices, AreEndpointsByClass) {
    const Reading reading = read_text("litellm_prices",
                                      R"({"sample_spec": {"mode": "one of: chat"},
        "gpt-x": {"litellm_provider": "openai", "mode": "chat", "input_cost_per_token": 3e-07,
                  "cache_read_input_token_cost": 3e-08, "cache_creation_input_token_cost": 0.0, "output_cost_per_token": 1.2e-06,
                  "output_cost_per_reasoning_token": 4e-06, "input_cost_per_token_batches": 1.5e-07,
                  "output_cost_per_token_batches": 6e-07, "input_cost_per_token_above_200k_tokens": 1e-06},
        "embed": {"litellm_provider": "openai", "mode": "embedding", "input_cost_per_token": 1e-07}})",
                                      kAugust);
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.report.rows, 3U);
    EXPECT_EQ(reading.report.skipped, 2U);
    const auto* const endpoint = reading.find<model::Endpoint>("openai.gpt-x");
    ASSERT_NE(endpoint, nullptr);
    const model::UnitPrice& price = *endpoint->price_per_million_units;
    EXPECT_EQ(price.input->curve->y, std::vector<double>{0.3});
    EXPECT_EQ(price.cached_input->curve->y, std::vector<double>{0.03});
    EXPECT_FALSE(price.cache_write) << "0 is no price: that of input holds";
    EXPECT_EQ(price.output->curve->y, std::vector<double>{1.2});
    EXPECT_EQ(price.reasoning->curve->y, std::vector<double>{4.0});
    EXPECT_EQ(endpoint->batch_price_fraction, 0.5);
    ASSERT_EQ(endpoint->above.size(), 1U);
    EXPECT_EQ(endpoint->above[0].input_tokens, 200000);
    EXPECT_EQ(endpoint->above[0].price_per_million_units->input->curve->y, std::vector<double>{1.0});
    EXPECT_FALSE(endpoint->above[0].price_per_million_units->output) << "it keeps its price";
}

TEST(LiteLlmPrices, ByRangesOfThePromptAreThresholds) {
    const auto list = [](std::string_view second) {
        return R"({"dashscope/plus": {"litellm_provider": "dashscope", "mode": "chat",
            "input_cost_per_request": 0.01, "tiered_pricing": [
            {"range": [0, 256000.0], "input_cost_per_token": 4e-07, "output_cost_per_token": 1.2e-06},
            {"range": )" +
               std::string(second) + R"(, "input_cost_per_token": 1.2e-06, "output_cost_per_token": 3.6e-06}]}})";
    };
    const Reading reading = read_text("litellm_prices", list("[256000, 1000000]"), kAugust);
    const auto* const plus = reading.find<model::Endpoint>("dashscope.plus");
    ASSERT_NE(plus, nullptr);
    EXPECT_EQ(plus->price_per_million_units->input->curve->y, std::vector<double>{0.4});
    ASSERT_EQ(plus->above.size(), 1U);
    EXPECT_EQ(plus->above[0].input_tokens, 256000);
    EXPECT_EQ(plus->above[0].price_per_million_units->output->curve->y, std::vector<double>{3.6});
    EXPECT_EQ(plus->fees->request->curve->y, std::vector<double>{0.01});
    EXPECT_EQ(read_text("litellm_prices", list("[300000, 1000000]"), kAugust).count<model::Endpoint>(), 0U) << "a gap";
}

TEST(LiteLlmPrices, ThatAreNoneAreRejected) {
    const Reading reading = read_text("litellm_prices",
                                      R"({"free": {"mode": "chat", "input_cost_per_token": 0, "output_cost_per_token": 0},
        "half": {"mode": "chat", "input_cost_per_token": 1e-6},
        "text": {"mode": "chat", "input_cost_per_token": "cheap", "output_cost_per_token": 1e-6},
        "number": 7,
        "azure/a": {"litellm_provider": "azure", "mode": "chat", "input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6,
                    "input_cost_per_token_batches": 5e-7, "output_cost_per_token_batches": 1.6e-6},
        "azure/A": {"litellm_provider": "azure", "mode": "chat", "input_cost_per_token": 3e-6, "output_cost_per_token": 4e-6}})",
                                      kAugust);
    ASSERT_FALSE(reading.error);
    EXPECT_TRUE(says(reading.report.rejected, 1, "input_cost_per_token is no price"));
    EXPECT_TRUE(says(reading.report.rejected, 2, "output_cost_per_token is no price"));
    EXPECT_TRUE(says(reading.report.rejected, 3, "input_cost_per_token is no price"));
    EXPECT_TRUE(says(reading.report.warnings, 5, "the larger is taken"));
    EXPECT_TRUE(says(reading.report.warnings, 6, "whose price is kept"));
    ASSERT_EQ(reading.documents.size(), 1U);
    EXPECT_EQ(reading.find<model::Endpoint>("azure.a")->batch_price_fraction, 0.8);
}

TEST(LiteLlmPrices, RefuseOtherFiles) {
    for (const std::string_view text : {"", "[]", "{}", R"({"a": {"mode": "embedding"}})", R"({"a": )"}) {
        EXPECT_TRUE(read_text("litellm_prices", text, kAugust).error) << text;
    }
}

TEST(LiteLlmPrices, OfTheRealFileAreRead) {
    SKIP_WITHOUT_SHARED();
    const Reading reading = read_shared("litellm_prices", {"litellm-prices/model_prices_2026-08-01.json"}, kAugust);
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.report.rows, 153U);
    EXPECT_EQ(reading.report.rejected.count, 4U); // zero prices
    const auto* const luna = reading.find<model::Endpoint>("openai.gpt-5.6-luna");
    ASSERT_NE(luna, nullptr);
    EXPECT_EQ(luna->price_per_million_units->input->curve->y, std::vector<double>{0.2});
    EXPECT_EQ(luna->price_per_million_units->output->curve->y, std::vector<double>{1.2});
}

} // namespace
} // namespace costcurve::imports
