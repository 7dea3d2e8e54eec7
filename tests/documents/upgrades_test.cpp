// The chain of upgrades: one version after the other, of one kind.
#include "server/documents/upgrades.hpp"

#include <array>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace costcurve::documents {
namespace {

using nlohmann::json;
using storage::Kind;

constexpr auto kChain = std::to_array<Upgrade>({
    {2, Kind::site, [](json& body) { body["steps"] += 2; }},
    {1, Kind::site, [](json& body) { body["steps"] += 1; }},
    {3, Kind::site, [](json& body) { body["steps"] += 3; }},
    {1, Kind::offer, [](json& body) { body["steps"] += 9; }},
});

std::string upgraded(Kind kind, int encoding, int to) {
    json body = {{"steps", json::array()}};
    upgrade(body, kind, encoding, to, kChain);
    return body["steps"].dump();
}

TEST(Upgrades, GoFromVersionToVersion) {
    EXPECT_EQ(upgraded(Kind::site, 1, 4), "[1,2,3]");
    EXPECT_EQ(upgraded(Kind::site, 2, 4), "[2,3]");
    EXPECT_EQ(upgraded(Kind::site, 1, 2), "[1]");
}

TEST(Upgrades, LeaveOtherKindsAndTheNewestVersionAsTheyAre) {
    EXPECT_EQ(upgraded(Kind::device, 1, 4), "[]");
    EXPECT_EQ(upgraded(Kind::site, 4, 4), "[]");
    EXPECT_EQ(upgraded(Kind::offer, 1, 4), "[9]");
}

// economics.md, A13: version 1 wrote 0 where nothing was stated.
TEST(Upgrades, InterruptionsOf0OfASpotOfferOfVersion1AreNotStated) {
    const json spot = {{"purchase", "spot"}, {"interruptions_per_hour", 0}};
    const json rented = {{"purchase", "on_demand"}, {"interruptions_per_hour", 0}};
    const json measured = {{"purchase", "spot"}, {"interruptions_per_hour", 0.02}};
    json scenario = {
        {"pools", {{{"offer", spot}}, {{"offer", rented}}, {{"offer", measured}}, {{"offer", "an-id"}}, {{"id", "api"}}}}};
    upgrade(scenario, Kind::scenario, 1);
    EXPECT_EQ(scenario["pools"][0]["offer"], json({{"purchase", "spot"}}));
    EXPECT_EQ(scenario["pools"][1]["offer"], rented);
    EXPECT_EQ(scenario["pools"][2]["offer"], measured);
    EXPECT_EQ(scenario["pools"][3]["offer"], "an-id");
    json offer = spot;
    upgrade(offer, Kind::offer, 1);
    EXPECT_EQ(offer, json({{"purchase", "spot"}}));
    offer = spot;
    upgrade(offer, Kind::offer, 2); // it leaves defaults out: what stands there was stated
    EXPECT_EQ(offer, spot);
}

// Until version 3 a replica could take devices of several hosts: those of TPUs are one fabric, others must say so.
TEST(Upgrades, ReplicasOfTpusSpanHosts) {
    const auto entry = [](const char* pool, double devices) {
        return json{{"pool", pool}, {"performance", {{"devices", devices}, {"units_per_s", 1}}}};
    };
    const auto pool = [](const char* id, const char* kind) { return json{{"id", id}, {"offer", {{"device", {{"kind", kind}}}}}}; };
    json scenario = {{"workloads", {{{"runs_on", {entry("tpu", 16), entry("tpu", 1), entry("gpu", 4), {{"pool", "tpu"}}}}}}},
                     {"pools", {pool("tpu", "tpu"), pool("gpu", "gpu"), {{"id", "stored"}, {"offer", "an-id"}}}}};
    upgrade(scenario, Kind::scenario, 3);
    const json& runs_on = scenario["workloads"][0]["runs_on"];
    EXPECT_EQ(runs_on[0]["performance"].value("spans_hosts", false), true);
    for (const std::size_t i : {1U, 2U}) {
        EXPECT_FALSE(runs_on[i]["performance"].contains("spans_hosts")) << i;
    }
    EXPECT_EQ(runs_on[3], json({{"pool", "tpu"}}));
}

} // namespace
} // namespace costcurve::documents
