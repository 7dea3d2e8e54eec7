// What documents state for the first time, and what they leave out: fees and limits of endpoints, charges of sites, places.
#include "tests/api/distorted_documents.hpp"

namespace costcurve::tests {
namespace {

json hosted(const std::string& id, const json& more = json::object()) {
    json endpoint = {{"id", id},
                     {"provider", "acme"},
                     {"model", "llama-3.3-70b"},
                     {"currency", "USD"},
                     {"price_per_million_units", {{"input", 0.6}, {"output", 0.7}}}};
    endpoint.update(more);
    return endpoint;
}

TEST_F(DistortedDocuments, AreLimitsOfEndpointsThatNoHostHas) {
    store(Kind::endpoint, hosted("acme.plain"));
    store(Kind::endpoint, hosted("acme.limited", {{"max_units_per_s", 2000}}));
    for (const char* const id : {"acme.plain", "acme.new"}) {
        for (const double limit : {0.0, 1.0, 5e7}) {
            expect_held(Kind::endpoint, {hosted(id, {{"max_units_per_s", limit}})}, fmt::format("{}: {} units/s", id, limit));
        }
        for (const double limit : {50.0, 2.5e6}) {
            expect_landing(Kind::endpoint, {hosted(id, {{"max_units_per_s", limit}})}, fmt::format("{}: {} units/s", id, limit));
        }
    }
    expect_landing(Kind::endpoint, {hosted("acme.limited", {{"max_units_per_s", 6000}})}, "another account");
    expect_held(Kind::endpoint, {hosted("acme.limited", {{"max_units_per_s", 0}})}, "none at all");
}

// The dearest published are 0.014 USD a request, 0.05 a search, 0.25 an image and 0.03 a tool's call.
TEST_F(DistortedDocuments, AreFeesTwiceTheDearestPublished) {
    store(Kind::endpoint, hosted("acme.free"));
    for (const auto& [fee, published, off] : {std::tuple("request", 0.014, 0.03), std::tuple("search", 0.05, 0.1),
                                              std::tuple("image", 0.25, 0.5), std::tuple("tool_call", 0.03, 0.1)}) {
        for (const char* const id : {"acme.free", "acme.new"}) {
            expect_landing(Kind::endpoint, {hosted(id, {{"fees", {{fee, published}}}})}, fee);
            expect_held(Kind::endpoint, {hosted(id, {{"fees", {{fee, off}}}})}, fee);
        }
    }
    json price = price_by_days({{kDistortedDay, 0.01}});
    price["currency"] = "XAF";
    expect_held(Kind::endpoint, {hosted("acme.free", {{"fees", {{"request", price}}}})}, "in a currency without a known rate");
}

// A list without a charge leaves it as it is.
TEST_F(DistortedDocuments, AreNoSitesThatLeaveAChargeOut) {
    json site = renamed(catalogue(Kind::site).front(), "site.charging");
    for (const char* const list : {"demand_charges", "riders", "minimum_bill", "extra_costs"}) {
        site.erase(list);
    }
    site["currency"] = "USD";
    site["network_per_month"] = 5000;
    site["storage_per_month"] = 500;
    site["demand_charge_per_kw_month"] = 20;
    site["minimum_bill"] = {{"per_month", 100}, {"per_kw_month", 1}};
    store(Kind::site, site);
    json row = {{"id", "site.charging"}, {"energy_price", site["energy_price"]}, {"currency", "USD"}, {"storage_per_month", 600}};
    expect_landing(Kind::site, {row}, "no network charge");
    row.erase("storage_per_month");
    row["minimum_bill"] = {{"per_kw_month", 1.2}};
    expect_landing(Kind::site, {row}, "no demand charge");
    row["network_per_month"] = 500;
    expect_held(Kind::site, {row}, "a tenth of the network charge");
    row.erase("currency");
    expect_held(Kind::site, {row}, "a tenth in the stored currency");
}

TEST_F(DistortedDocuments, ArePricesOfAnotherRegionOrSeller) {
    const Documents& offers = catalogue(Kind::offer);
    const json& offer = *std::ranges::find_if(offers, [](const json& it) { return !it.value("region", "").empty(); });
    json moved = offer;
    moved["region"] = "af-south-1";
    const auto reasons = held(Kind::offer, {moved});
    ASSERT_EQ(reasons.size(), 1U);
    EXPECT_EQ(reasons.begin()->second.find("its region is af-south-1, and was " + offer["region"].get<std::string>()), 0U)
        << reasons.begin()->second;
    json sold = offer;
    sold["provider"] = "acme";
    expect_held(Kind::offer, {sold}, "another seller");
    expect_landing(Kind::offer, {offer}, "as it is");
    store(Kind::endpoint, hosted("acme.fra", {{"region", "eu-central-1"}}));
    expect_held(Kind::endpoint, {hosted("acme.fra", {{"region", "us-east-1"}})}, "an endpoint's region");
    expect_landing(Kind::endpoint, {hosted("acme.fra")}, "no region stated");
}

} // namespace
} // namespace costcurve::tests
