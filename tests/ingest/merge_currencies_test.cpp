// Curves of money of two currencies: what an import joins, replaces and refuses.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "model/documents/documents.hpp"
#include "server/ingest/merge_fields.hpp"

namespace costcurve::ingest {
namespace {

model::Curve money(model::Axis axis, std::vector<double> x, std::string currency) {
    model::Curve curve;
    curve.id = "c";
    curve.kind = axis == model::Axis::date ? model::CurveKind::price : model::CurveKind::tariff;
    curve.axis = axis;
    curve.y.assign(x.size(), 2.0);
    curve.x = std::move(x);
    curve.currency = std::move(currency);
    return curve;
}

struct Outcome {
    std::string currency;
    std::size_t points = 0;
    std::string refused;
    std::vector<std::string> warnings;
};
Outcome merged(const model::Curve& stored, const model::Curve& given) {
    Outcome outcome;
    const auto both = merge_documents(stored, model::AnyDocument(given), false, &outcome.warnings);
    if (!both) {
        outcome.refused = both.error().reason;
        return outcome;
    }
    const auto& curve = std::get<model::Curve>(*both);
    outcome.currency = curve.currency;
    outcome.points = curve.x.size();
    return outcome;
}

constexpr auto kDate = model::Axis::date;
constexpr auto kDay = model::Axis::hour_of_day;

TEST(MergeCurrencies, DatedPricesOfTwoCurrenciesAreNotJoined) {
    const Outcome outcome = merged(money(kDate, {1}, "GBP"), money(kDate, {2}, "USD"));
    EXPECT_NE(outcome.refused.find("in GBP, the import in USD"), std::string::npos) << outcome.refused;
    const Outcome whole = merged(money(kDate, {1}, "GBP"), money(kDate, {1, 2}, "USD"));
    EXPECT_EQ(whole.refused, "") << "all of the curve at once";
    EXPECT_EQ(whole.currency, "USD");
}

TEST(MergeCurrencies, ATariffIsReplacedWithItsCurrency) {
    const Outcome outcome = merged(money(kDay, {0}, "GBP"), money(kDay, {0, 12}, "USD"));
    EXPECT_EQ(outcome.refused, "");
    EXPECT_EQ(outcome.currency, "USD");
    EXPECT_EQ(outcome.points, 2U);
    EXPECT_TRUE(outcome.warnings.empty());
}

TEST(MergeCurrencies, ValuesThatStateNoneAreTakenForTheOthersWithAWarning) {
    const Outcome stored = merged(money(kDate, {1}, ""), money(kDate, {2}, "USD"));
    EXPECT_EQ(stored.refused, "");
    EXPECT_EQ(stored.currency, "USD");
    EXPECT_EQ(stored.points, 2U);
    EXPECT_EQ(stored.warnings, std::vector<std::string>{"c: its stored values state no currency and are taken for USD"});
    const Outcome given = merged(money(kDay, {0}, "EUR"), money(kDay, {0, 1}, ""));
    EXPECT_EQ(given.currency, "EUR");
    EXPECT_EQ(given.warnings, std::vector<std::string>{"c: its new values state no currency and are taken for EUR"});
    EXPECT_TRUE(merged(money(kDay, {0}, ""), money(kDay, {0, 1}, "EUR")).warnings.empty()) << "nothing of before is left";
}

TEST(MergeCurrencies, OfAnOffersCurveCountsBeforeTheOffers) {
    model::Offer stored;
    stored.id = "o";
    stored.currency = "USD";
    stored.hourly_price.curve = money(kDate, {1}, "GBP");
    model::Offer given = stored;
    given.hourly_price.curve = money(kDate, {2}, "");
    EXPECT_FALSE(merge_documents(stored, model::AnyDocument(given), false, nullptr)) << "pounds and dollars";
    given.currency = "GBP";
    const auto both = merge_documents(stored, model::AnyDocument(given), false, nullptr);
    ASSERT_TRUE(both);
    EXPECT_EQ(std::get<model::Offer>(*both).hourly_price.curve->x.size(), 2U);
}

} // namespace
} // namespace costcurve::ingest
