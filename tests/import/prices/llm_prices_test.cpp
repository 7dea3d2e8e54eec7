// llm-prices: the history of a price becomes its curve.
#include "model/documents/calendar.hpp"
#include "tests/import/complaints.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

const Options kLlmPricesDay{.date = "2026-08-01"};

std::vector<double> llm_prices_days(const std::vector<std::string_view>& dates) {
    std::vector<double> days;
    for (const std::string_view date : dates) {
        EXPECT_TRUE(model::parse_date(date, days.emplace_back()));
    }
    return days;
}

TEST(LlmPrices, AreCurvesOfTheirHistory) {
    const Reading reading = read_fixture("llm_prices", "llm_prices_openai.json", kLlmPricesDay);
    ASSERT_FALSE(reading.error) << reading.error->message;
    EXPECT_EQ(reading.report.rows, 4U);
    EXPECT_EQ(reading.report.skipped, 1U);
    EXPECT_EQ(reading.documents.size(), 3U);
    const auto* const luna = reading.find<model::Endpoint>("openai.gpt-5.6-luna");
    ASSERT_NE(luna, nullptr);
    EXPECT_EQ(luna->price_per_million_units->input->curve->x, llm_prices_days({"2026-07-29", "2026-07-30", "2026-08-01"}));
    EXPECT_EQ(luna->price_per_million_units->input->curve->y, (std::vector<double>{1.0, 0.2, 0.2}));
    EXPECT_EQ(luna->price_per_million_units->output->curve->y, (std::vector<double>{6.0, 1.2, 1.2}));
    EXPECT_EQ(luna->price_per_million_units->cached_input->curve->y, (std::vector<double>{0.1, 0.02, 0.02}));
    EXPECT_EQ(reading.find<model::Endpoint>("openai.gpt-5.6-terra-272k"), nullptr);
    const auto* const terra = reading.find<model::Endpoint>("openai.gpt-5.6-terra");
    ASSERT_EQ(terra->above.size(), 1U);
    EXPECT_EQ(terra->above[0].input_tokens, 272000);
    EXPECT_EQ(terra->above[0].price_per_million_units->input->curve->x, terra->price_per_million_units->input->curve->x);
    EXPECT_EQ(terra->above[0].price_per_million_units->input->curve->y, (std::vector<double>{5, 4, 4}));
    EXPECT_EQ(terra->above[0].price_per_million_units->output->curve->y, (std::vector<double>{22.5, 18, 18}));
    EXPECT_TRUE(reading.find<model::Endpoint>("openai.gpt-4o")->above.empty());
    // Before the step that is to come the old price holds.
    const Reading before = read_fixture("llm_prices", "llm_prices_openai.json", {.date = "2026-07-01"});
    EXPECT_EQ(before.find<model::Endpoint>("openai.gpt-5.6-luna")->price_per_million_units->input->curve->x,
              llm_prices_days({"2026-07-01", "2026-07-30"}));
}

TEST(LlmPrices, WithoutACachedPriceOnADayHaveThatOfInput) {
    const Reading reading = read_text("llm_prices", R"({"vendor": "a", "models": [{"id": "m", "price_history": [
        {"input": 3, "output": 9, "from_date": "2026-01-01", "to_date": "2026-02-01", "input_cached": null},
        {"input": 2, "output": 8, "from_date": "2026-02-01", "to_date": null, "input_cached": 0.5}]}]})",
                                      {.date = "2026-02-01"});
    ASSERT_EQ(reading.documents.size(), 1U);
    const auto* const endpoint = reading.find<model::Endpoint>("a.m");
    EXPECT_EQ(endpoint->price_per_million_units->cached_input->curve->y, (std::vector<double>{3, 0.5}));
    EXPECT_EQ(endpoint->price_per_million_units->input->curve->x, llm_prices_days({"2026-01-01", "2026-02-01"}));
}

TEST(LlmPrices, OfTheSitesListsAreReadToo) {
    const Reading history = read_text("llm_prices", R"({"prices": [
        {"id": "m", "vendor": "a", "name": "M", "input": 2, "output": 8, "from_date": "2026-02-01", "to_date": null},
        {"id": "m", "vendor": "a", "name": "M", "input": 3, "output": 9, "from_date": null, "to_date": "2026-02-01"},
        {"id": "m", "vendor": "x-ai", "name": "M", "input": 1, "output": 1, "from_date": null, "to_date": null}]})",
                                      kLlmPricesDay);
    ASSERT_FALSE(history.error) << history.error->message;
    EXPECT_EQ(history.find<model::Endpoint>("a.m")->price_per_million_units->input->curve->y, (std::vector<double>{3, 2, 2}));
    EXPECT_NE(history.find<model::Endpoint>("xai.m"), nullptr);
    const Reading current =
        read_text("llm_prices", R"({"updated_at": "2026-08-01", "prices": [{"id": "m", "vendor": "a", "input": 2, "output": 8}]})",
                  kLlmPricesDay);
    EXPECT_EQ(current.find<model::Endpoint>("a.m")->price_per_million_units->output->curve->y, std::vector<double>{8});
}

TEST(LlmPrices, ThatCannotBeAreRejected) {
    const Reading reading = read_text("llm_prices", R"({"prices": [
        {"id": "free", "vendor": "a", "input": 0, "output": 0},
        {"id": "ended", "vendor": "a", "input": 1, "output": 1, "from_date": null, "to_date": "2026-07-01"},
        {"id": "back", "vendor": "a", "input": 1, "output": 1, "from_date": "2026-02-01", "to_date": "2026-01-01"},
        {"id": "both", "vendor": "a", "input": 1, "output": 1}, {"id": "both", "vendor": "a", "input": 2, "output": 2},
        {"id": "day", "vendor": "a", "input": 1, "output": 1, "from_date": "soon"},
        {"id": "nobody", "input": 1, "output": 1}]})",
                                      kLlmPricesDay);
    ASSERT_FALSE(reading.error);
    EXPECT_EQ(reading.documents.size(), 0U);
    EXPECT_TRUE(says(reading.report.rejected, 1, "free: input is no price above 0"));
    EXPECT_TRUE(says(reading.report.rejected, 2, "ended: its prices have ended"));
    EXPECT_TRUE(says(reading.report.rejected, 3, "back: a price ends on 2026-01-01 and begins on 2026-02-01"));
    EXPECT_TRUE(says(reading.report.rejected, 4, "both: it has two prices of 2026-08-01"));
    EXPECT_TRUE(says(reading.report.rejected, 6, "day: from_date or to_date is no day"));
    EXPECT_TRUE(says(reading.report.rejected, 7, "nobody: its vendor or id is missing"));
    for (const std::string_view text : {"", "[]", "{}", R"({"prices": []})", R"({"vendor": "a", "models": 7})"}) {
        EXPECT_TRUE(read_text("llm_prices", text, kLlmPricesDay).error) << text;
    }
}

TEST(LlmPrices, OfTheRealFilesAreRead) {
    SKIP_WITHOUT_SHARED();
    std::size_t models = 0;
    for (const std::string_view vendor :
         {"amazon", "anthropic", "deepseek", "google", "meta-ai", "minimax", "mistral", "moonshot-ai", "openai", "qwen", "xai"}) {
        const Reading reading = read_shared("llm_prices", {"llm-prices/" + std::string(vendor) + ".json"}, kLlmPricesDay);
        ASSERT_FALSE(reading.error) << vendor << " " << reading.error->message;
        models += reading.report.rows;
        EXPECT_EQ(reading.report.rejected.count, 0U) << vendor;
        EXPECT_GT(reading.documents.size(), 0U) << vendor;
    }
    EXPECT_EQ(models, 142U);
    const Reading openai = read_shared("llm_prices", {"llm-prices/openai.json"}, kLlmPricesDay);
    EXPECT_EQ(openai.find<model::Endpoint>("openai.gpt-5.6-terra")->price_per_million_units->output->curve->y,
              (std::vector<double>{15, 12, 12}));
}

} // namespace
} // namespace costcurve::imports
