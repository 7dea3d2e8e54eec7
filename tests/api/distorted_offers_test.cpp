// Offers of a new seller, or of one that is known in another currency, whose price is off: each is held.
#include "tests/api/distorted_documents.hpp"

namespace costcurve::tests {
namespace {

using DistortedOffers = DistortedDocuments;

// A device on demand at the median of those that sell it for dollars, where three do.
struct SoldDevice {
    std::string device;
    double price = 0.0; // a device-hour
};

json offer_of(const SoldDevice& sold, const std::string& seller, const char* currency,
              const std::vector<std::pair<std::string, double>>& points) {
    return {{"id", fmt::format("{}.{}.on-demand", seller, sold.device)},
            {"provider", seller},
            {"sku", "box"},
            {"device", sold.device},
            {"devices", 1},
            {"purchase", "on_demand"},
            {"currency", currency},
            {"hourly_price", price_by_days(points)}};
}

std::vector<SoldDevice> sold_devices(const Documents& offers) {
    std::map<std::string, std::map<std::string, double>> asks;
    for (const json& offer : offers) {
        if (offer["purchase"] == "on_demand" && offer.value("currency", "") == "USD" && offer["hourly_price"].is_object()) {
            asks[offer["device"]][offer["provider"]] =
                offer["hourly_price"]["points"].back()[1].get<double>() / offer.value("devices", 1.0);
        }
    }
    std::vector<SoldDevice> sold;
    for (const auto& [device, of_device] : asks) {
        std::vector<double> prices;
        for (const auto& [seller, price] : of_device) {
            prices.push_back(price);
        }
        std::ranges::sort(prices);
        if (prices.size() >= 3) {
            sold.push_back({device, prices[prices.size() / 2]});
        }
    }
    return sold;
}

TEST_F(DistortedOffers, AreOffersOfANewSeller) {
    const std::vector<SoldDevice> sold = sold_devices(catalogue(Kind::offer));
    ASSERT_GE(sold.size(), 5U);
    const auto all = [&](const char* currency, const auto& points) {
        Documents documents;
        for (const SoldDevice& one : sold) {
            documents.push_back(offer_of(one, "acme", currency, points(one.price)));
        }
        return documents;
    };
    using Points = std::vector<std::pair<std::string, double>>;
    for (const double honest : {0.6, 1.0, 1.4}) {
        expect_landing(Kind::offer, all("USD", [&](double price) { return Points{{kDistortedDay, honest * price}}; }), "honest");
    }
    expect_landing(Kind::offer,
                   all("USD",
                       [&](double price) {
                           return Points{{"2026-09-01", 1.7 * price}, {kDistortedDay, price}};
                       }),
                   "a cut of 41 %");
    for (const double factor : {100.0, 12.0, 0.08, 0.01}) {
        expect_held(Kind::offer,
                    all("USD",
                        [&](double price) {
                            return Points{{kDistortedDay, factor * price}};
                        }),
                    fmt::format("price times {}", factor));
    }
    for (const double factor : {0.01, 0.1, 0.25, 4.0, 30.0}) {
        const auto points = [&](double price) {
            return Points{{"2026-10-01", price}, {"2026-10-20", factor * price}, {kDistortedDay, price}};
        };
        expect_held(Kind::offer, all("USD", points), fmt::format("a day between, times {}", factor));
    }
    for (const char* const currency : {"PLN", "ILS", "AED", "SAR", "CNY", "INR", "JPY"}) { // of dollars, in lists of nobody's
        expect_held(Kind::offer, all(currency, [](double price) { return Points{{kDistortedDay, price}}; }), currency);
    }
}

// Of a device that a seller who asks in dollars hasn't sold before.
TEST_F(DistortedOffers, AreOffersInAnotherCurrencyThanTheirSellers) {
    std::map<std::string, std::set<std::string>> devices_of;
    for (const json& offer : catalogue(Kind::offer)) {
        if (offer.value("currency", "") == "USD") {
            devices_of[offer["provider"]].insert(offer["device"]);
        }
    }
    for (const SoldDevice& sold : sold_devices(catalogue(Kind::offer))) {
        Documents documents;
        Documents honest;
        for (const auto& [seller, devices] : devices_of) {
            if (!devices.contains(sold.device) && documents.size() < 5 && seller != "semianalysis") {
                honest.push_back(offer_of(sold, seller, "USD", {{kDistortedDay, sold.price}}));
                documents.push_back(honest.back());
            }
        }
        expect_landing(Kind::offer, honest, sold.device);
        for (const char* const currency : {"PLN", "ILS", "AED", "SAR", "EUR", "GBP"}) {
            for (json& document : documents) {
                document["currency"] = currency;
                document["hourly_price"]["points"][0][1] = 1.6 * sold.price; // three of them by the rough rate
            }
            expect_held(Kind::offer, documents, fmt::format("{} in {}", sold.device, currency));
        }
    }
}

// Each price by itself may be a new seller's; their median, or that of spot beside on demand, is no list's.
TEST_F(DistortedOffers, AreAListOfANewSellerAsAWhole) {
    const auto list = [&](double on_demand, double spot) {
        Documents documents;
        for (const SoldDevice& one : sold_devices(catalogue(Kind::offer))) {
            documents.push_back(offer_of(one, "acme", "USD", {{kDistortedDay, on_demand * one.price}}));
            documents.push_back(offer_of(one, "acme", "USD", {{kDistortedDay, spot * one.price}}));
            documents.back()["id"] = one.device + ".spot";
            documents.back()["purchase"] = "spot";
            documents[documents.size() - 2]["sku"] = documents.back()["sku"] = one.device;
        }
        return documents;
    };
    EXPECT_EQ(judged(Kind::offer, list(1.0, 0.3)).problem, "");
    EXPECT_EQ(judged(Kind::offer, list(0.4, 0.2)).problem, "") << "a seller below half of the others";
    EXPECT_NE(judged(Kind::offer, list(0.2, 0.1)).problem, "");
    EXPECT_NE(judged(Kind::offer, list(1.0, 0.1)).problem, "");
}

// A seller's machine in a part of the world in which nobody sells it yet: by what it asks elsewhere.
TEST_F(DistortedOffers, AreOfASellersOwnMachinesElsewhere) {
    std::map<std::pair<std::string, std::string>, std::vector<double>> asks;
    for (const json& offer : catalogue(Kind::offer)) {
        const bool is_listed = offer["purchase"] == "on_demand" && offer.value("currency", "") == "USD" &&
                               offer["hourly_price"].is_object() && offer.value("region", "") != "" &&
                               offer["provider"] != "semianalysis";
        if (is_listed) {
            asks[{offer["provider"], offer["device"]}].push_back(offer["hourly_price"]["points"].back()[1].get<double>() /
                                                                 offer.value("devices", 1.0));
        }
    }
    ASSERT_GE(asks.size(), 20U);
    const auto elsewhere = [&](double factor) {
        Documents documents;
        for (auto [what, prices] : asks) {
            std::ranges::sort(prices);
            json offer = offer_of({what.second, 1.0}, what.first, "USD", {{kDistortedDay, factor * prices[prices.size() / 2]}});
            offer["region"] = "af-south-9";
            documents.push_back(std::move(offer));
        }
        return documents;
    };
    expect_landing(Kind::offer, elsewhere(0.7), "honest");
    expect_landing(Kind::offer, elsewhere(1.3), "honest");
    for (const double factor : {0.15, 0.1, 7.0}) {
        expect_held(Kind::offer, elsewhere(factor), fmt::format("elsewhere, times {}", factor));
    }
}

} // namespace
} // namespace costcurve::tests
