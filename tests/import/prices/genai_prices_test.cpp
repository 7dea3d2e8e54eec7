// genai-prices: prices with the days that they begin on become points; what depends on the hour or the length of a prompt does not.
#include "model/documents/calendar.hpp"
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const Options kGenaiDay{.date = "2026-08-01"};

std::vector<double> genai_days(const std::vector<std::string_view>& dates) {
    std::vector<double> days;
    for (const std::string_view date : dates) {
        EXPECT_TRUE(model::parse_date(date, days.emplace_back()));
    }
    return days;
}

TEST(GenaiPrices, BeginOnTheirDays) {
    const Reading reading = read_fixture("genai_prices", "genai_prices_openai.yml", kGenaiDay);
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 4U);
    EXPECT_EQ(reading.report.skipped, 1U) << "an embedding";
    const auto* const terra = reading.find<model::Endpoint>("openai.gpt-5.6-terra");
    ASSERT_NE(terra, nullptr);
    const model::UnitPrice& price = *terra->price_per_million_units;
    // The first price has no day: it held until the one of the second.
    EXPECT_EQ(price.input->curve->x, genai_days({"2026-07-29", "2026-07-30", "2026-08-01"}));
    EXPECT_EQ(price.input->curve->y, (std::vector<double>{2.5, 2, 2}));
    EXPECT_EQ(price.cached_input->curve->y, (std::vector<double>{0.25, 0.2, 0.2}));
    EXPECT_EQ(price.cache_write->curve->y, (std::vector<double>{3.125, 2.5, 2.5}));
    EXPECT_EQ(price.output->curve->y, (std::vector<double>{15, 12, 12}));
    ASSERT_EQ(terra->above.size(), 1U);
    EXPECT_EQ(terra->above[0].input_tokens, 272000);
    EXPECT_EQ(terra->above[0].price_per_million_units->input->curve->y, (std::vector<double>{5, 4, 4}));
    EXPECT_EQ(terra->above[0].price_per_million_units->cached_input->curve->y, (std::vector<double>{0.5, 0.4, 0.4}));
    EXPECT_EQ(terra->above[0].price_per_million_units->output->curve->y, (std::vector<double>{22.5, 18, 18}));
    const auto* const plain = reading.find<model::Endpoint>("openai.gpt-5.1");
    ASSERT_NE(plain, nullptr);
    EXPECT_EQ(plain->price_per_million_units->input->curve->x, genai_days({"2026-08-01"}));
    EXPECT_FALSE(plain->price_per_million_units->cache_write);
}

TEST(GenaiPrices, MayBeginOnADayToCome) {
    const Reading reading = read_fixture("genai_prices", "genai_prices_anthropic.yml", kGenaiDay);
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const sonnet = reading.find<model::Endpoint>("anthropic.claude-sonnet-5");
    ASSERT_NE(sonnet, nullptr);
    EXPECT_EQ(sonnet->price_per_million_units->input->curve->x, genai_days({"2026-08-01", "2026-09-01"}));
    EXPECT_EQ(sonnet->price_per_million_units->output->curve->y, (std::vector<double>{10, 15}));
    const auto* const opus = reading.find<model::Endpoint>("anthropic.claude-opus-4-6");
    ASSERT_NE(opus, nullptr);
    EXPECT_EQ(opus->note, "") << "its tiers have ended";
    ASSERT_TRUE(opus->cache);
    EXPECT_EQ(opus->cache->write_lifetimes.back(), (model::CacheLifetime{3600, 2.0})) << "cache_write_1h_mtok is 10, input 5";
    EXPECT_EQ(reading.find<model::Endpoint>("anthropic.claude-instant-1"), nullptr) << "removed";
}

TEST(GenaiPrices, ByTheHourAreTheDearestAndMarked) {
    const Reading reading = read_fixture("genai_prices", "genai_prices_deepseek.yml", kGenaiDay);
    ASSERT_FALSE(reading.error) << reading.error->message;
    const auto* const chat = reading.find<model::Endpoint>("deepseek.deepseek-chat");
    ASSERT_NE(chat, nullptr);
    EXPECT_EQ(chat->price_per_million_units->input->curve->y, std::vector<double>{0.27});
    EXPECT_EQ(chat->price_per_million_units->output->curve->y, std::vector<double>{1.1});
    EXPECT_EQ(chat->unknown_conditions,
              (std::vector<std::string>{"the time of day: another price from 00:30:00Z to 16:30:00Z (genai_prices_deepseek.yml)"}));
    const auto* const plain = reading.find<model::Endpoint>("deepseek.deepseek-v4-pro");
    ASSERT_NE(plain, nullptr);
    EXPECT_TRUE(plain->unknown_conditions.empty());
}

TEST(GenaiPrices, OfRequestsAndSearchesAreFees) {
    const Reading reading = read_text("genai_prices",
                                      "id: acme\nmodels:\n- id: m\n  prices: {input_mtok: 1, output_mtok: 3, requests_kcount: 12, "
                                      "web_searches_kcount: 5}\n- id: bad\n  prices: {input_mtok: 1, output_mtok: 3, "
                                      "web_searches_kcount: -1}\n",
                                      kGenaiDay);
    const auto* const endpoint = reading.find<model::Endpoint>("acme.m");
    ASSERT_NE(endpoint, nullptr);
    EXPECT_EQ(endpoint->fees->request->curve->y, std::vector<double>{0.012});
    EXPECT_EQ(endpoint->fees->search->curve->y, std::vector<double>{0.005});
    EXPECT_TRUE(says(reading.report.rejected, 5, "web_searches_kcount is no price"));
}

TEST(GenaiPrices, ThatAreNoneAreRejected) {
    const std::string begin = "id: acme\nmodels:\n";
    const Reading reading = read_text("genai_prices", begin + R"(- id: free
  prices: {input_mtok: 0, output_mtok: 0}
- id: text
  prices: {input_mtok: cheap, output_mtok: 1}
- prices: {input_mtok: 1, output_mtok: 1}
- id: twice
  prices:
  - prices: {input_mtok: 1, output_mtok: 1}
  - prices: {input_mtok: 2, output_mtok: 2}
- id: day
  prices:
  - prices: {input_mtok: 1, output_mtok: 1}
  - constraint: {start_date: 2026-02-30}
    prices: {input_mtok: 2, output_mtok: 2}
- id: good
  prices: {input_mtok: 1, output_mtok: 3, requests_kcount: 5}
- id: Good
  prices: {input_mtok: 9, output_mtok: 9}
)",
                                      kGenaiDay);
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_TRUE(says(reading.report.rejected, 3, "free: input_mtok is no price above 0"));
    EXPECT_TRUE(says(reading.report.rejected, 5, "text: input_mtok is no price above 0"));
    EXPECT_TRUE(says(reading.report.rejected, 7, "a model without an id"));
    EXPECT_TRUE(says(reading.report.rejected, 8, "two of its prices have no constraint"));
    EXPECT_TRUE(says(reading.report.rejected, 12, "start_date is 2026-02-30"));
    EXPECT_TRUE(says(reading.report.warnings, 19, "Good is acme.good, as good above, at another price: it is held"));
    ASSERT_EQ(reading.documents.size(), 2U) << "a merge disputes them";
    for (const std::string& text :
         {std::string(), begin, std::string("a: b"), std::string("[1, 2]"), std::string("a: [1"),
          std::string("id: a\nmodels:\n- id: e\n  prices: {input_mtok: 1}\n"), std::string("id: &a b\nmodels: [*a]\n")}) {
        EXPECT_TRUE(read_text("genai_prices", text, kGenaiDay).error) << text;
    }
}

TEST(GenaiPrices, OfTheRealFilesAreRead) {
    SKIP_WITHOUT_SHARED();
    struct Row {
        std::string_view file;
        std::size_t models;
        std::string_view id; // as LiteLLM's list has it
    };
    const std::vector<Row> rows = {
        {"anthropic", 23, "anthropic.claude-sonnet-4-6"},
        {"deepseek", 7, "deepseek.deepseek-v4-flash"},
        {"google", 47, "gemini.gemini-2.5-flash"},
        {"groq", 29, "groq.gpt-oss-120b"},
        {"minimax", 9, ""},
        {"mistral", 31, "mistral.codestral"},
        {"moonshotai", 13, "moonshot.kimi-k2.5"},
        {"openai", 86, "openai.gpt-5.4-mini"},
        {"x_ai", 17, "xai.grok-4.3"},
        {"zhipuai", 13, "zai.glm-5"},
    };
    for (const Row& row : rows) {
        const Reading reading = read_shared("genai_prices", {"genai-prices/" + std::string(row.file) + ".yml"}, kGenaiDay);
        ASSERT_FALSE(reading.error) << row.file << " " << reading.error->message;
        EXPECT_EQ(reading.report.rows, row.models) << row.file;
        EXPECT_TRUE(row.id.empty() || reading.find<model::Endpoint>(row.id) != nullptr) << row.id;
        for (const Complaint& complaint : reading.report.rejected.first) {
            const bool is_known = complaint.reason.find("zero and blank") != std::string::npos ||
                                  complaint.reason.find("depends on more than a date") != std::string::npos;
            EXPECT_TRUE(is_known) << row.file << " " << complaint.reason;
        }
    }
}

} // namespace
} // namespace costcurve::imports
