// Prices that moved, by device and purchase.
#include <gtest/gtest.h>

#include "server/ingest/prices/price_moves.hpp"

namespace costcurve::ingest {
namespace {

storage::Record priced_offer(const std::string& device, std::vector<double> days, std::vector<double> prices,
                             const std::string& purchase = "on_demand") {
    storage::Record record;
    record.offer = storage::OfferFacts{"p", "r", device, purchase, prices.back()};
    record.series = {{"/hourly_price", std::move(days), std::move(prices)}};
    return record;
}

TEST(PriceMoves, AreTheMedianOfThoseBeyondTheThreshold) {
    PriceMoves moves;
    moves.add(priced_offer("h100", {1}, {4.0}), priced_offer("h100", {1, 2}, {4.0, 3.6}));  // -10 %
    moves.add(priced_offer("h100", {1}, {5.0}), priced_offer("h100", {1, 2}, {5.0, 4.0}));  // -20 %
    moves.add(priced_offer("h100", {1}, {2.0}), priced_offer("h100", {1, 2}, {2.0, 1.98})); // -1 %
    moves.add(priced_offer("h100", {1}, {2.0}), priced_offer("h100", {1, 2}, {2.0, 2.0}));  // as it was, seen again
    moves.add(priced_offer("l4", {1}, {1.0}, "spot"), priced_offer("l4", {1, 2}, {1.0, 1.5}, "spot"));
    const std::vector<PriceMove> found = moves.by_device(0.05);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].device, "h100");
    EXPECT_EQ(found[0].offers, 2U);
    EXPECT_EQ(found[0].seen, 4U);
    EXPECT_NEAR(found[0].median_fraction, -0.15, 1e-12);
    EXPECT_EQ(found[1].purchase, "spot");
    EXPECT_NEAR(found[1].median_fraction, 0.5, 1e-12);
    EXPECT_EQ(moves.by_device(0.0).front().offers, 3U);
    EXPECT_TRUE(moves.by_device(0.6).empty());
}

TEST(PriceMoves, PassOverHistoryAndWhatIsNoOffer) {
    PriceMoves moves;
    moves.add(priced_offer("h100", {5}, {4.0}), priced_offer("h100", {1, 5}, {9.0, 4.0})); // an older list
    moves.add(storage::Record{}, storage::Record{});
    EXPECT_TRUE(moves.by_device(0.0).empty());
    moves.add(priced_offer("h100", {5}, {4.0}), priced_offer("h100", {5}, {5.0})); // of the same day, mended
    EXPECT_EQ(moves.by_device(0.0).size(), 1U);
}

} // namespace
} // namespace costcurve::ingest
