// Figures that another version of the model moved: the difference of two results and the reasons of comparisons say so.
#include <optional>

#include <gtest/gtest.h>

#include "model/version.hpp"
#include "server/recalculation/recalculate.hpp"
#include "server/recalculation/recalculation.hpp"
#include "server/recalculation/standings.hpp"
#include "server/recalculation/upgrade_report.hpp"
#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

const std::string kVersionChange = fmt::format("version 1.0.0 → {} of the model", model::kModelVersion);

class ModelVersion : public testing::Test {
protected:
    ModelVersion() { put("/v1/scenarios/s", json::parse(kSmallest)); }

    void put(const std::string& path, const json& document) {
        const http::Response response = service.ask("PUT", path, document.dump());
        EXPECT_LT(response.status, 300) << response.body;
    }
    json get(const std::string& path) {
        const http::Response response = service.ask("GET", path);
        EXPECT_EQ(response.status, 200) << response.body;
        return json::parse(response.body);
    }
    // What a program of that version keeps, which has so much of our cost, of all or of one scenario.
    void recalculate(const std::string& version, double of_all = 1.0, const std::string& only = "") {
        storage::RunRequest request;
        request.scope = storage::Scope::all;
        request.model_version = version;
        const auto run = std::get<std::int64_t>(service.store.begin_run({"cli", ""}, request));
        const auto evaluate = [&](const storage::RunItem& item, recalculation::Worker& worker) {
            const double fraction = only.empty() || item.scenario == only ? of_all : 1.0;
            storage::RunOutcome outcome = recalculation::recalculate({item.document, item.scenario, ""}, worker);
            if (outcome.result) {
                json body = json::parse(storage::unpack(outcome.result->packed));
                body["total"]["cost"] = fraction * body["total"]["cost"].get<double>();
                outcome.result->model_version = version;
                outcome.result->headline.cost *= fraction;
                outcome.result->headline.npv *= fraction;
                outcome.result->headline.carbon_kg = carbon_kg;
                outcome.result->packed = storage::pack(body.dump());
            }
            return outcome;
        };
        recalculation::execute_run(
            service.store, run,
            {.model_version = version, .recalculate = evaluate, .threads = 1, .at_end = recalculation::record_end});
    }

    TestService service;
    std::optional<double> carbon_kg; ///< that the older program knew
};

TEST_F(ModelVersion, IsNamedByTheDifferenceOfTwoResults) {
    recalculate("1.0.0", 0.5);
    recalculate(std::string(model::kModelVersion));
    const json diff = get("/v1/scenarios/s/results/latest/diff");
    EXPECT_EQ(diff.at("from_model_version"), "1.0.0");
    EXPECT_EQ(diff.at("to_model_version"), model::kModelVersion);
    ASSERT_EQ(diff.at("by_document").size(), 1U) << diff;
    const json& share = diff.at("by_document").at(0);
    EXPECT_EQ(share.at("documents"), json::array());
    EXPECT_EQ(share.at("because"), kVersionChange);
    EXPECT_DOUBLE_EQ(share.at("amount").get<double>(), diff.at("total").at("cost").get<double>());
}

TEST_F(ModelVersion, IsChargedApartFromTheDocumentsThatChanged) {
    recalculate("1.0.0", 0.5);
    const double older = get("/v1/scenarios/s/results/latest").at("total").at("cost");
    json dearer = json::parse(kSmallest);
    dearer["pools"][0]["offer"]["hourly_price"] = 7.2;
    put("/v1/scenarios/s", dearer);
    recalculate(std::string(model::kModelVersion));
    const json shares = get("/v1/scenarios/s/results/latest/diff").at("by_document");
    ASSERT_EQ(shares.size(), 2U) << shares;
    EXPECT_EQ(shares[0].at("because"), kVersionChange);
    EXPECT_NEAR(shares[0].at("amount").get<double>(), older, 1e-9 * older) << "half of the cost was missing";
    EXPECT_EQ(shares[1].at("documents").at(0).at("id"), "s");
    EXPECT_FALSE(shares[1].contains("because"));
    EXPECT_NEAR(shares[1].at("amount").get<double>(), 2 * older, 1e-9 * older) << "the price has doubled";
}

TEST_F(ModelVersion, OfTwoOlderOnesIsNotToldApartFromDocuments) {
    recalculate("1.0.0", 0.5);
    json dearer = json::parse(kSmallest);
    dearer["pools"][0]["offer"]["hourly_price"] = 7.2;
    put("/v1/scenarios/s", dearer);
    recalculate("1.1.0", 0.25);
    const json diff = get("/v1/scenarios/s/results/latest/diff");
    const json& shares = diff.at("by_document");
    ASSERT_EQ(shares.size(), 1U) << shares;
    EXPECT_EQ(shares[0].at("because"), "version 1.0.0 → 1.1.0 of the model");
    EXPECT_EQ(shares[0].at("documents").size(), 1U);
    EXPECT_EQ(shares[0].at("amount"), diff.at("total").at("cost"));
}

TEST_F(ModelVersion, OfTheSameIsNoReason) {
    recalculate(std::string(model::kModelVersion));
    json dearer = json::parse(kSmallest);
    dearer["pools"][0]["offer"]["hourly_price"] = 7.2;
    put("/v1/scenarios/s", dearer);
    recalculate(std::string(model::kModelVersion));
    const json diff = get("/v1/scenarios/s/results/latest/diff");
    for (const json& share : diff.at("by_document")) {
        EXPECT_FALSE(share.contains("because")) << share;
    }
}

TEST_F(ModelVersion, IsAReasonOfAComparisonThatMoved) {
    put("/v1/scenarios/t", json::parse(kSmallest));
    put("/v1/comparisons/c", {{"scenarios", {"s", "t"}}, {"objective", "cost"}, {"threshold_fraction", 0.1}});
    recalculate("1.0.0", 0.5);
    recalculate(std::string(model::kModelVersion));
    const json events = get("/v1/events?kind=comparison_changed").at("items");
    ASSERT_EQ(events.size(), 1U) << events;
    const json& because = events[0].at("data").at("because");
    ASSERT_EQ(because.size(), 2U) << because;
    for (const json& reason : because) {
        EXPECT_TRUE(reason.at("why").get<std::string>().starts_with(kVersionChange)) << reason;
    }
}

TEST_F(ModelVersion, ThatDidNotKnowAFigureHasNoneInItsReport) {
    json greener = json::parse(kSmallest);
    greener["finance"]["decide_by"] = "carbon_kg";
    put("/v1/scenarios/s", greener); // of a cloud that states no carbon
    recalculate("1.0.0");
    const recalculation::UpgradeReport alike = recalculation::upgrade_report(service.store, 0.01);
    EXPECT_EQ(alike.compared, 1U);
    EXPECT_TRUE(alike.moved.empty()) << "neither version knows it";

    carbon_kg = 5.0;
    recalculate("1.1.0");
    const recalculation::UpgradeReport report = recalculation::upgrade_report(service.store, 0.01);
    ASSERT_EQ(report.moved.size(), 1U) << "what was known is not known any more";
    EXPECT_EQ(report.moved[0].figure, "carbon_kg");
    EXPECT_EQ(report.moved[0].before, std::optional(5.0));
    EXPECT_EQ(report.moved[0].now, std::nullopt);
    EXPECT_EQ(report.moved[0].change_fraction, std::nullopt);
}

class UpgradedComparison : public ModelVersion {
protected:
    UpgradedComparison() { // s costs 3.6 an hour, t 3.0
        json cheaper = json::parse(kSmallest);
        cheaper["pools"][0]["offer"]["hourly_price"] = 3;
        put("/v1/scenarios/t", cheaper);
        put("/v1/comparisons/c",
            {{"scenarios", {"s", "t"}}, {"objective", "cost"}, {"threshold_fraction", 0.01}, {"budget", 2500}});
        put("/v1/webhooks/hook", {{"url", "https://hooks.example/x"}, {"secret", "sixteen bytes it is"}});
    }
    // Those of comparisons, the oldest first.
    json events() {
        json found = json::array();
        const json page = get("/v1/events");
        for (const json& event : page.at("items")) {
            if (event.at("subject") == "comparison/c") {
                found.insert(found.begin(), event);
            }
        }
        return found;
    }
    std::size_t deliveries_of(const json& event) {
        return get(fmt::format("/v1/deliveries?event={}", event.at("event").get<std::int64_t>())).at("items").size();
    }
};

TEST_F(UpgradedComparison, FlipsByTheModelWithoutCallingAnybody) {
    recalculate("1.0.0", 0.5, "s"); // s is the cheapest of the older model, at 1,339.2
    ASSERT_TRUE(events().empty()) << events();
    recalculate(std::string(model::kModelVersion)); // s is 2,678.4, t 2,232
    const json found = events();
    ASSERT_EQ(found.size(), 2U) << found;
    EXPECT_EQ(found[0].at("kind"), "comparison_flipped");
    EXPECT_EQ(found[0].at("data").at("cause"), "model_version");
    EXPECT_EQ(found[0].at("data").at("now").at("cheapest"), "t");
    ASSERT_EQ(found[0].at("data").at("because").size(), 1U);
    EXPECT_EQ(found[0].at("data").at("because")[0].at("why"), kVersionChange);
    EXPECT_EQ(found[1].at("kind"), "budget_exceeded");
    EXPECT_EQ(found[1].at("data").at("cause"), "model_version");
    EXPECT_EQ(deliveries_of(found[0]) + deliveries_of(found[1]), 0U);

    recalculate(std::string(model::kModelVersion)); // of one version, nothing has moved
    EXPECT_EQ(events().size(), 2U);
}

TEST_F(UpgradedComparison, TellsPricesApartFromTheModel) {
    recalculate("1.0.0", 0.5, "t"); // t is the cheapest at 1,116, and stays so by this version
    json dearer = json::parse(kSmallest);
    dearer["pools"][0]["offer"]["hourly_price"] = 7.2;
    put("/v1/scenarios/t", dearer);
    recalculate(std::string(model::kModelVersion));
    const json found = events();
    ASSERT_EQ(found.size(), 4U) << found;
    EXPECT_EQ(found[0].at("data").at("scenario"), "s") << "above its budget from the first";
    EXPECT_EQ(found[1].at("kind"), "comparison_changed") << "from 1,116 to 2,232 by the model";
    EXPECT_EQ(found[1].at("data").at("cause"), "model_version");
    EXPECT_EQ(deliveries_of(found[1]), 0U);
    EXPECT_EQ(found[2].at("kind"), "comparison_flipped") << "from 2,232 to 5,356.8 by its price";
    EXPECT_FALSE(found[2].at("data").contains("cause"));
    EXPECT_DOUBLE_EQ(found[2].at("data").at("before").at("figure").get<double>(), 2232.0);
    EXPECT_EQ(found[2].at("data").at("now").at("cheapest"), "s");
    EXPECT_EQ(deliveries_of(found[2]), 1U);
    EXPECT_EQ(found[3].at("kind"), "budget_exceeded") << "t, by its price";
    EXPECT_FALSE(found[3].at("data").contains("cause"));
}

} // namespace
} // namespace costcurve::tests
