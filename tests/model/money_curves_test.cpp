// Curves of money in a currency of their own: converted by that one's rate, whatever the document around them is in.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/documents/calendar.hpp"
#include "model/documents/field_check.hpp"
#include "model/documents/prices.hpp"
#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::api_scenario;
using tests::cloud_scenario;
using tests::evaluate_document;
using tests::issues_of;
using tests::owned_scenario;

constexpr double kGbp = 1.27; // USD
constexpr double kEur = 1.1;

Rate dated(double price, const std::string& currency) {
    Rate rate = tests::curve(CurveKind::price, Axis::date, {days_since_epoch(2026, 1, 1)}, {price}, Interpolation::step);
    rate.curve->currency = currency;
    return rate;
}
ScenarioDocument with_rates(ScenarioDocument document) {
    document.exchange_rates = {{"GBP", kGbp}, {"EUR", kEur}};
    return document;
}
double compute_of(const ScenarioDocument& document) { return evaluate_document(document).summary.total.cost; }

TEST(MoneyCurves, OfAnotherCurrencyAreConvertedByTheirOwnRate) {
    ScenarioDocument document = with_rates(cloud_scenario());
    Offer& offer = *document.pools[0].offer;
    struct Row {
        std::string of_offer, of_curve;
        double rate;
    };
    for (const Row& row : std::vector<Row>{{"", "GBP", kGbp},
                                           {"EUR", "GBP", kGbp}, // not 2 x 1.27 x 1.1
                                           {"EUR", "", kEur},
                                           {"EUR", "USD", 1.0},
                                           {"", "", 1.0}}) {
        offer.currency = row.of_offer;
        offer.hourly_price = dated(2.0, row.of_curve);
        EXPECT_TRUE(is_close(compute_of(document), 744 * 2.0 * row.rate)) << row.of_offer << " " << row.of_curve;
    }
}

TEST(MoneyCurves, OfAHostedModelAndOfPowerAreConverted) {
    ScenarioDocument hosted = with_rates(api_scenario());
    hosted.pools[0].price_per_million_units = tests::one_price(dated(100.0, "GBP"));
    const double requests = 744 * 3600.0;
    EXPECT_TRUE(is_close(compute_of(hosted), requests * 100e-6 * kGbp));
    hosted.pools[0].fees = HostedFees{dated(0.01, "EUR"), std::nullopt, std::nullopt, std::nullopt};
    EXPECT_TRUE(is_close(compute_of(hosted), requests * (100e-6 * kGbp + 0.01 * kEur)));

    ScenarioDocument owned = with_rates(owned_scenario());
    Site& site = *owned.pools[0].site;
    site.energy_price = tests::curve(CurveKind::tariff, Axis::hour_of_day, {0, 12}, {0.05, 0.15}, Interpolation::step);
    const auto energy = [&] {
        return evaluate_document(owned).summary.by_category[static_cast<std::size_t>(Category::energy)].cost;
    };
    const double base = energy();
    EXPECT_GT(base, 0.0);
    site.currency = "EUR";
    EXPECT_TRUE(is_close(energy(), base * kEur));
    site.energy_price.curve->currency = "GBP";
    EXPECT_TRUE(is_close(energy(), base * kGbp)) << "a GBP curve bills no euros and no dollars";
}

TEST(MoneyCurves, OfACurrencyWithoutARateAreRefusedWhereTheyStand) {
    ScenarioDocument document = with_rates(cloud_scenario());
    document.pools[0].offer->currency = "EUR";
    document.pools[0].offer->hourly_price = dated(2.0, "NOK");
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"missing_exchange_rate /pools/0/offer/hourly_price/currency"});
    ScenarioDocument hosted = with_rates(api_scenario());
    hosted.pools[0].price_per_million_units = tests::in_and_out(dated(1.0, "GBP"), dated(2.0, "PLN"));
    EXPECT_EQ(issues_of(hosted),
              std::vector<std::string>{"missing_exchange_rate /pools/0/price_per_million_units/output/currency"});
}

TEST(MoneyCurves, ThatAreStoredAndStateNoCurrencyAreWarnedOf) {
    ScenarioDocument document = with_rates(owned_scenario());
    Site& site = *document.pools[0].site;
    site.currency = "EUR";
    site.energy_price = tests::curve(CurveKind::tariff, Axis::hour_of_day, {0}, {0.1}, Interpolation::step);
    const auto warnings = [&] {
        std::vector<std::string> found;
        for (const Issue& issue : evaluate_document(document).summary.warnings) {
            if (issue.code == Code::currency_unknown) {
                found.push_back(issue.pointer + ": " + issue.message);
            }
        }
        return found;
    };
    EXPECT_TRUE(warnings().empty()) << "one that stands in the site is in the site's";
    site.energy_price.curve->id = "tariff.x";
    site.energy_price.curve->stored.revision = 3;
    EXPECT_EQ(warnings(), std::vector<std::string>{"/pools/0/site/energy_price: curve tariff.x states no currency: its values are "
                                                   "taken for EUR; give it currency"});
    const auto evidence = [&] { return evaluate_document(document).summary.workloads.front().evidence; };
    EXPECT_EQ(evidence(), Evidence::assumed);
    site.energy_price.curve->currency = "EUR";
    EXPECT_TRUE(warnings().empty());
    EXPECT_EQ(evidence(), Evidence::measured);
}

TEST(MoneyCurves, AloneHaveACurrency) {
    Curve curve;
    curve.kind = CurveKind::carbon;
    curve.axis = Axis::hour_of_day;
    curve.x = {0};
    curve.y = {400};
    EXPECT_TRUE(check_fields(curve).empty());
    curve.currency = "EUR";
    const Failure refused = check_fields(curve);
    ASSERT_EQ(refused.size(), 1U);
    EXPECT_EQ(refused.front().pointer, "/currency");
    EXPECT_EQ(refused.front().code, Code::not_allowed);
    curve.kind = CurveKind::tariff;
    EXPECT_TRUE(check_fields(curve).empty());
    curve.currency = "euro";
    EXPECT_EQ(check_fields(curve).front().code, Code::bad_format);
}

} // namespace
} // namespace costcurve::model
