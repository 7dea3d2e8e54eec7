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

TEST(LiteLlmPrices, OfWhatIsKeptForAnHourAreALifetimeOfTheCache) {
    const std::string list = R"({"claude-x": {"litellm_provider": "anthropic", "mode": "chat", "input_cost_per_token": 3e-06,
        "output_cost_per_token": 1.5e-05, "cache_creation_input_token_cost": 3.75e-06, "cache_read_input_token_cost": 3e-07,
        "cache_creation_input_token_cost_above_1hr": 6e-06, "input_cost_per_token_above_200k_tokens": 6e-06,
        "cache_creation_input_token_cost_above_1hr_above_200k_tokens": 1.2e-05},
        "plain": {"litellm_provider": "openai", "mode": "chat", "input_cost_per_token": 3e-06, "output_cost_per_token": 1.5e-05,
        "cache_read_input_token_cost": 3e-07}})";
    const Reading reading = read_text("litellm_prices", list, kAugust);
    const auto* const endpoint = reading.find<model::Endpoint>("anthropic.claude-x");
    ASSERT_NE(endpoint, nullptr);
    ASSERT_TRUE(endpoint->cache);
    const std::vector<model::CacheLifetime> lifetimes = {{300, std::nullopt}, {3600, 2.0}};
    EXPECT_EQ(endpoint->cache->write_lifetimes, lifetimes);
    EXPECT_FALSE(endpoint->cache->hit_fraction);
    EXPECT_EQ(reading.report.warnings.count, 0U) << "all fields are read";
    const auto* const plain = reading.find<model::Endpoint>("openai.plain");
    ASSERT_NE(plain, nullptr);
    EXPECT_FALSE(plain->cache) << "its lifetimes are not stated";
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
    EXPECT_TRUE(says(reading.report.warnings, 6, "at another price: it is held"));
    ASSERT_EQ(reading.documents.size(), 2U) << "a merge disputes them";
    const auto* const azure = reading.find<model::Endpoint>("azure.a");
    EXPECT_EQ(azure->batch_price_fraction, 1.0);
    ASSERT_TRUE(azure->service_tiers && azure->service_tiers->batch) << "the parts of input and output differ";
    EXPECT_EQ(azure->service_tiers->batch->price_per_million_units->input->curve->y, std::vector<double>{0.5});
    EXPECT_EQ(azure->service_tiers->batch->price_per_million_units->output->curve->y, std::vector<double>{1.6});
}

TEST(LiteLlmPrices, OfTiersAndFeesLand) {
    const Reading reading = read_text("litellm_prices",
                                      R"({"gpt-x": {"litellm_provider": "openai", "mode": "chat", "input_cost_per_token": 2e-06,
        "cache_read_input_token_cost": 5e-07, "output_cost_per_token": 8e-06, "input_cost_per_token_above_272k_tokens": 4e-06,
        "output_cost_per_token_above_272k_tokens": 12e-06, "input_cost_per_token_flex": 1e-06, "output_cost_per_token_flex": 4e-06,
        "input_cost_per_token_above_272k_tokens_flex": 2e-06, "output_cost_per_token_above_272k_tokens_flex": 6e-06,
        "input_cost_per_token_priority": 3.5e-06, "output_cost_per_token_priority": 1.4e-05, "input_cost_per_image": 0.0048,
        "search_context_cost_per_query": {"search_context_size_high": 0.012, "search_context_size_low": 0.005,
                                          "search_context_size_medium": 0.008}},
        "perplexity/sonar": {"litellm_provider": "perplexity", "mode": "chat", "input_cost_per_token": 1e-06,
        "output_cost_per_token": 1e-06, "citation_cost_per_token": 2e-06, "input_cost_per_audio_token": 1e-06,
        "search_context_cost_per_query": {"search_context_size_high": 0.012, "search_context_size_low": 0.005}},
        "deepseek/c": {"litellm_provider": "deepseek", "mode": "chat", "input_cost_per_token": 1e-06,
        "input_cost_per_token_cache_hit": 1e-07, "output_cost_per_token": 2e-06, "input_cost_per_token_batches": 2e-06,
        "output_cost_per_token_batches": 4e-06}})",
                                      kAugust);
    const auto* const endpoint = reading.find<model::Endpoint>("openai.gpt-x");
    ASSERT_NE(endpoint, nullptr);
    const model::ServiceTiers& tiers = *endpoint->service_tiers;
    EXPECT_FALSE(tiers.batch);
    EXPECT_EQ(tiers.flex->price_per_million_units->output->curve->y, std::vector<double>{4});
    EXPECT_FALSE(tiers.flex->price_per_million_units->cached_input) << "at most the standard price";
    ASSERT_EQ(tiers.flex->above.size(), 1U);
    EXPECT_EQ(tiers.flex->above[0].price_per_million_units->input->curve->y, std::vector<double>{2});
    EXPECT_EQ(tiers.priority->price_per_million_units->cached_input->curve->y, std::vector<double>{0.875})
        << "as much dearer as input: 0.5 x 3.5 / 2";
    EXPECT_TRUE(tiers.priority->above.empty());
    ASSERT_EQ(endpoint->above.size(), 1U);
    EXPECT_EQ(endpoint->fees->search->curve->y, std::vector<double>{0.012}) << "the dearest context";
    EXPECT_EQ(endpoint->fees->image->curve->y, std::vector<double>{0.0048});
    EXPECT_TRUE(endpoint->unknown_conditions.empty());
    const auto* const sonar = reading.find<model::Endpoint>("perplexity.sonar");
    ASSERT_NE(sonar, nullptr);
    EXPECT_EQ(sonar->fees->request->curve->y, std::vector<double>{0.012}) << "it always searches";
    EXPECT_FALSE(sonar->fees->search);
    EXPECT_EQ(sonar->unknown_conditions, std::vector<std::string>{"citation_cost_per_token (model_prices.json)"});
    const auto* const deepseek = reading.find<model::Endpoint>("deepseek.c");
    ASSERT_NE(deepseek, nullptr);
    EXPECT_EQ(deepseek->price_per_million_units->cached_input->curve->y, std::vector<double>{0.1});
    EXPECT_TRUE(says(reading.report.warnings, 3, "a batch costs 2 times the price"));
    EXPECT_EQ(deepseek->service_tiers->batch->price_per_million_units->output->curve->y, std::vector<double>{4}) << "dearer";
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
