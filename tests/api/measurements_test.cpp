// Measured rates as documents: stored whole, with references to a model and a device, and refused where they contradict themselves.
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

using nlohmann::json;

class Measurements : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(put("/v1/devices/acme.one", {{"kind", "gpu"}, {"tdp_w", 700}}).status, 201);
        ASSERT_EQ(put("/v1/models/small-8b", kModel).status, 201);
    }
    http::Response put(const std::string& path, const json& document) { return service.ask("PUT", path, document.dump()); }
    // "code pointer" of each thing that is wrong with the document.
    std::set<std::string> wrong(const std::string& path, const json& document) {
        const http::Response response = put(path, document);
        EXPECT_EQ(response.status, 422) << document.dump() << response.body;
        std::set<std::string> found;
        const json body = json::parse(response.body, nullptr, false);
        for (const json& error : body.value("errors", json::array())) {
            found.insert(error.at("code").get<std::string>() + " " + error.at("pointer").get<std::string>());
        }
        return found;
    }
    // Of the measurement with a patch (RFC 7396).
    std::set<std::string> wrong_with(const char* patch) {
        json document = kMeasurement;
        document.merge_patch(json::parse(patch));
        return wrong("/v1/measurements/wrong", document);
    }
    using Issues = std::set<std::string>;

    const json kModel = json::parse(R"({
      "parameters": 8e9, "active_parameters": 8e9, "weight_bytes": {"bf16": 16e9}, "kv_bytes_per_token": 131072, "layers": 32,
      "context_tokens": 131072})");
    const json kMeasurement = json::parse(R"({
      "kind": "serving", "model": "small-8b", "device": "acme.one", "devices": 4, "parallel": {"tp": 2, "dp": 2},
      "precision": "fp8", "kv_precision": "fp8", "framework": "vllm", "version": "0.13.1", "date": "2026-03-02",
      "publisher": "acme", "source": "acme/runs @1234 a.csv", "own": true, "percentiles": {"ttft_s": 95},
      "points": {"input": [100, 500], "cached_input": [0, 400], "output": [100, 50], "concurrency": [1, 16],
                 "output_per_s": [90, 1000], "ttft_s": [0.1, 0.4], "itl_s": [0.01, 0.015], "e2e_s": [1.1, 1.2],
                 "watts": [300, 690.5]}})");
    TestService service;
};

TEST_F(Measurements, AreStoredReadListedAndHaveAHistory) {
    const http::Response added = put("/v1/measurements/acme", kMeasurement);
    ASSERT_EQ(added.status, 201) << added.body;
    const json read = json::parse(service.ask("GET", "/v1/measurements/acme").body);
    json with_stated = read; // and defaults
    with_stated.merge_patch(kMeasurement);
    EXPECT_EQ(with_stated, read);
    EXPECT_EQ(put("/v1/measurements/acme", read).status, 200) << "an answer can be sent back";
    json slower = kMeasurement;
    slower["points"]["output_per_s"][1] = 900;
    EXPECT_EQ(put("/v1/measurements/acme", slower).status, 200);
    const json history = json::parse(service.ask("GET", "/v1/measurements/acme/revisions").body);
    EXPECT_EQ(history.at("items").size(), 2U) << "what was sent back is the same revision";
    EXPECT_EQ(json::parse(service.ask("GET", "/v1/measurements").body).at("items").size(), 1U);
}

TEST_F(Measurements, AreListedByWhatWasMeasuredByWhomAndWhen) {
    ASSERT_EQ(put("/v1/models/big-70b", kModel).status, 201);
    ASSERT_EQ(put("/v1/measurements/a", kMeasurement).status, 201);
    const auto add = [&](const std::string& id, const char* patch) {
        json document = kMeasurement;
        document.merge_patch(json::parse(patch));
        ASSERT_EQ(put("/v1/measurements/" + id, document).status, 201) << id;
    };
    add("b", R"({"model": "big-70b", "date": "2025-12-31", "publisher": "Other", "source": "Papers", "own": false})");
    add("c", R"({"precision": "bf16", "kind": "offline", "date": null, "own": null})");
    add("d", R"({"kind": "training", "percentiles": null, "parallel": null, "framework": "nemo",
                 "points": {"input": null, "cached_input": null, "output": null, "concurrency": null, "output_per_s": null,
                            "ttft_s": null, "itl_s": null, "e2e_s": null, "watts": null, "sequence": [4096],
                            "tokens_per_step": [4194304], "tokens_per_s": [640000]}})");
    const auto ids = [&](const std::string& query) {
        std::string found;
        const json answer = json::parse(service.ask("GET", "/v1/measurements?" + query).body);
        for (const json& item : answer.at("items")) {
            found += item.at("id").get<std::string>();
        }
        return found;
    };
    EXPECT_EQ(ids("model=big-70b"), "b");
    EXPECT_EQ(ids("model=small-8b&device=acme.one"), "acd");
    EXPECT_EQ(ids("device=acme.two"), "");
    EXPECT_EQ(ids("measurement_kind=training"), "d");
    EXPECT_EQ(ids("precision=bf16"), "c");
    EXPECT_EQ(ids("publisher=other"), "b");
    EXPECT_EQ(ids("source=PAPER"), "b");
    EXPECT_EQ(ids("own=false"), "bc");
    EXPECT_EQ(ids("from=2026-01-01"), "ad") << "c states no date";
    EXPECT_EQ(ids("from=2025-12-31&to=2026-03-01"), "b");
    EXPECT_EQ(ids("q=C&own=false"), "c") << "beside the text";
    // Pages go on behind the last that was let through.
    json page = json::parse(service.ask("GET", "/v1/measurements?model=small-8b&limit=2").body);
    EXPECT_EQ(page.at("items").size(), 2U);
    page =
        json::parse(service.ask("GET", "/v1/measurements?model=small-8b&limit=2&after=" + page.at("next").get<std::string>()).body);
    EXPECT_EQ(page.at("items")[0].at("id"), "d");
    EXPECT_EQ(page.at("items").size(), 1U);
    EXPECT_TRUE(page.at("next").is_null());
    const auto refused = [&](const std::string& query) {
        const http::Response response = service.ask("GET", "/v1/measurements?" + query);
        EXPECT_EQ(response.status, 422) << query;
        const json body = json::parse(response.body);
        const json& error = body.at("errors")[0];
        return error.at("code").get<std::string>() + " " + error.at("pointer").get<std::string>();
    };
    EXPECT_EQ(refused("measurement_kind=served"), "unknown_value /measurement_kind");
    EXPECT_EQ(refused("precision=fp5"), "unknown_value /precision");
    EXPECT_EQ(refused("from=2026-02-30"), "bad_format /from");
    EXPECT_EQ(refused("from=2026-02-03&to=2026-02-02"), "inconsistent /to");
    EXPECT_EQ(refused("own=yes"), "wrong_type /own");
    EXPECT_EQ(refused("region=x"), "unknown_field /region");
}

TEST_F(Measurements, OfTrainingHaveTokensTrained) {
    const json training = json::parse(R"({
      "kind": "training", "model": "small-8b", "device": "acme.one", "devices": 64, "precision": "bf16", "method": "lora",
      "points": {"sequence": [4096, 8192], "tokens_per_step": [4194304, 4194304], "tokens_per_s": [640000, 600000]}})");
    EXPECT_EQ(put("/v1/measurements/train", training).status, 201);
    json mixed = training;
    mixed["points"]["output"] = {1, 1};
    EXPECT_EQ(wrong("/v1/measurements/train", mixed), (Issues{"not_allowed /points/output"}));
    json empty = training;
    empty["points"].erase("tokens_per_s");
    EXPECT_EQ(wrong("/v1/measurements/train", empty), (Issues{"missing /points/tokens_per_s"}));
}

TEST_F(Measurements, OfPromptsAloneHaveTheirTime) {
    json prompts = json::parse(R"({
      "kind": "prefill", "model": "small-8b", "device": "acme.one", "precision": "bf16",
      "points": {"input": [2048], "output": [1], "ttft_s": [0.2]}})");
    EXPECT_EQ(put("/v1/measurements/prompts", prompts).status, 201);
    prompts["points"].erase("ttft_s");
    EXPECT_EQ(wrong("/v1/measurements/prompts", prompts), (Issues{"missing /points/ttft_s"}));
}

TEST_F(Measurements, ThatContradictThemselvesAreRefused) {
    EXPECT_EQ(wrong_with(R"({"points": {"output_per_s": null}})"), (Issues{"missing /points/output_per_s"}));
    EXPECT_EQ(wrong_with(R"({"points": {"output": null}})"), (Issues{"missing /points/output"}));
    EXPECT_EQ(wrong_with(R"({"points": {"ttft_s": [0.1]}})"), (Issues{"inconsistent /points/ttft_s"}));
    EXPECT_EQ(wrong_with(R"({"points": {"output_per_s": [0, 10]}})"), (Issues{"out_of_range /points/output_per_s/0"}));
    EXPECT_EQ(wrong_with(R"({"points": {"input": ["a", 10]}})"), (Issues{"wrong_type /points/input/0"}));
    EXPECT_EQ(wrong_with(R"({"points": {"cached_input": [0, 501]}})"), (Issues{"inconsistent /points/cached_input/1"}));
    EXPECT_EQ(wrong_with(R"({"points": {"input": null}})"), (Issues{"missing /points/input"}));
    EXPECT_EQ(wrong_with(R"({"points": {"tokens_per_s": [1, 2]}})"), (Issues{"not_allowed /points/tokens_per_s"}));
    EXPECT_EQ(wrong_with(R"({"points": {"ttft_s": [0.1, 3]}, "percentiles": null})"), (Issues{"inconsistent /points/ttft_s/1"}));
    EXPECT_EQ(wrong_with(R"({"points": {"speed": [1, 2]}})"), (Issues{"unknown_field /points/speed"}));
    EXPECT_EQ(wrong_with(R"({"parallel": {"tp": 8}})"), (Issues{"inconsistent /parallel/pp", "inconsistent /parallel/tp"}));
    EXPECT_EQ(wrong_with(R"({"parallel": {"pp": 4}})"), (Issues{"inconsistent /parallel/pp"}));
    EXPECT_EQ(wrong_with(R"({"method": "full"})"), (Issues{"not_allowed /method"}));
    EXPECT_EQ(wrong_with(R"({"devices": 0})").count("out_of_range /devices"), 1U);
    EXPECT_EQ(wrong_with(R"({"date": "2026-02-30"})"), (Issues{"bad_format /date"}));
    EXPECT_EQ(wrong_with(R"({"percentiles": {"ttft_s": 0}})"), (Issues{"out_of_range /percentiles/ttft_s"}));
}

TEST_F(Measurements, OfAnUnknownPrecisionAreRefusedWithTheKnownOnes) {
    json document = kMeasurement;
    document["precision"] = "fp7";
    const http::Response response = put("/v1/measurements/wrong", document);
    EXPECT_EQ(response.status, 422);
    EXPECT_NE(response.body.find("bf16, fp16, fp8, int8, fp4, int4"), std::string::npos) << response.body;
    document.erase("precision");
    EXPECT_EQ(wrong("/v1/measurements/wrong", document), (Issues{"missing /precision"}));
}

TEST_F(Measurements, NeedTheirModelAndTheirDevice) {
    EXPECT_EQ(wrong_with(R"({"model": "other-8b"})"), (Issues{"unknown_reference "}));
    EXPECT_EQ(wrong_with(R"({"device": "acme.two"})"), (Issues{"unknown_reference "}));
    ASSERT_EQ(put("/v1/measurements/acme", kMeasurement).status, 201);
    EXPECT_EQ(service.ask("DELETE", "/v1/models/small-8b").status, 409);
    EXPECT_EQ(service.ask("DELETE", "/v1/devices/acme.one").status, 409);
}

TEST_F(Measurements, HaveUpTo10000Points) {
    json document = kMeasurement;
    document["points"] = {{"output", std::vector<double>(10000, 100.0)}, {"output_per_s", std::vector<double>(10000, 90.5)}};
    EXPECT_EQ(put("/v1/measurements/long", document).status, 201);
    document["points"]["output"].push_back(100);
    EXPECT_EQ(wrong("/v1/measurements/long", document).count("out_of_range /points/output"), 1U);
}

TEST_F(Measurements, ModelsStateTheirArchitecture) {
    json model = kModel;
    model.merge_patch(json::parse(R"({
      "hidden": 4096, "heads": 32, "kv_heads": 8, "vocabulary": 128256, "embedding_parameters": 525336576,
      "attention": {"decode_flop": 524288, "prompt_flop": 524288, "window_tokens": 1024, "window_bytes_per_token": 4096,
                    "state_bytes": 10}, "experts": {"count": 8, "active": 2, "shared": 1}, "expert_parameters": 4e9,
      "published_precision": "fp8", "aliases": ["acme/Tiny"]})"));
    ASSERT_EQ(put("/v1/models/shaped", model).status, 201);
    const json read = json::parse(service.ask("GET", "/v1/models/shaped").body);
    json with_stated = read; // and defaults
    with_stated.merge_patch(model);
    EXPECT_EQ(with_stated, read);
    const auto wrong_model = [&](const char* patch) {
        json changed = model;
        changed.merge_patch(json::parse(patch));
        return wrong("/v1/models/wrong", changed);
    };
    EXPECT_EQ(wrong_model(R"({"experts": {"active": 9}})"), (Issues{"inconsistent /experts/active"}));
    EXPECT_EQ(wrong_model(R"({"experts": null})"), (Issues{"missing /experts"}));
    EXPECT_EQ(wrong_model(R"({"expert_parameters": null})"), (Issues{"missing /expert_parameters"}));
    EXPECT_EQ(wrong_model(R"({"expert_parameters": 9e9})"), (Issues{"inconsistent /expert_parameters"}));
    EXPECT_EQ(wrong_model(R"({"embedding_parameters": 9e9})"), (Issues{"inconsistent /embedding_parameters"}));
    EXPECT_EQ(wrong_model(R"({"kv_heads": 33})"), (Issues{"inconsistent /kv_heads"}));
    EXPECT_EQ(wrong_model(R"({"attention": {"window_tokens": null}})"), (Issues{"inconsistent /attention/window_tokens"}));
    EXPECT_EQ(wrong_model(R"({"published_precision": "fp7"})"), (Issues{"unknown_value /published_precision"}));
    EXPECT_EQ(json::parse(service.ask("GET", "/v1/models?q=tiny").body).at("items").size(), 1U) << "found by an alias";
}

TEST_F(Measurements, DevicesStateTheirLinks) {
    const json device = json::parse(R"({
      "kind": "gpu", "tdp_w": 700, "loaded_idle_w": 130,
      "links": {"intra_gb_per_s": 450, "inter_gb_per_s": 50, "kind": "nvlink"}})");
    ASSERT_EQ(put("/v1/devices/linked", device).status, 201);
    const json read = json::parse(service.ask("GET", "/v1/devices/linked").body);
    EXPECT_EQ(read.at("links"), device.at("links"));
    EXPECT_EQ(read.at("loaded_idle_w"), 130);
    json wrong_device = device;
    wrong_device["links"]["intra_gb_per_s"] = 0;
    EXPECT_EQ(wrong("/v1/devices/linked", wrong_device), (Issues{"out_of_range /links/intra_gb_per_s"}));
    wrong_device = device;
    wrong_device["links"]["kind"] = "rope";
    EXPECT_EQ(wrong("/v1/devices/linked", wrong_device), (Issues{"unknown_value /links/kind"}));
}

} // namespace
} // namespace costcurve::tests
