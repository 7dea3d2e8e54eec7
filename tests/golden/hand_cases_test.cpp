// The cases worked by hand in ../shared/cases/hand-2.json, where that file is at hand: each figure that the model has.
#include <filesystem>
#include <fstream>
#include <set>

#include <nlohmann/json.hpp>

#include "model/questions/figure.hpp"
#include "server/documents/decode.hpp"
#include "tests/golden/published.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::golden {
namespace {

using namespace costcurve::model;
using nlohmann::json;

// What a result says that is no figure with a name of its own.
const std::set<std::string> kNoFigure = {"/feasible", "/infeasible_because/0/value"};

std::optional<double> figure_of(const tests::Answer& answer, const std::string& pointer) {
    const Result<BoundFigure> bound = bind_figure(answer.scenario.document(), pointer, "");
    return bound ? bound->read(answer.summary) : std::nullopt;
}

// The sums by hand take a device without a curve as a line from idle_w to tdp_w, which the model was until version 2.4.0.
void draw_in_lines(json& document) {
    for (json& part : document) {
        if (part.is_structured()) {
            draw_in_lines(part);
        }
    }
    if (document.is_object() && document.contains("tdp_w") && !document.contains("power")) {
        document["power"] = {{"kind", "power"},
                             {"axis", "throughput_share"},
                             {"points", {{0, document.value("idle_w", 0.0)}, {1, document.at("tdp_w")}}}};
    }
}

TEST(HandCases, FiguresAreThoseWorkedByHand) {
    const std::filesystem::path path = tests::source_folder().parent_path() / "shared/cases/hand-2.json";
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "the shared cases are not beside this repository";
    }
    std::ifstream file(path);
    for (json hand : json::parse(file)) {
        const std::string id = hand.at("id");
        draw_in_lines(hand.at("scenario"));
        const auto document = documents::decode_scenario(hand.at("scenario"));
        ASSERT_TRUE(document.issues.empty()) << id << document.issues.front().pointer << ": " << document.issues.front().message;
        const tests::Answer answer = tests::evaluate_document(document.document);
        for (const auto& [pointer, expected] : hand.at("expected").items()) {
            if (pointer == "/feasible") {
                EXPECT_EQ(answer.summary.is_feasible(), expected.get<bool>()) << id;
            }
            if (pointer == "/infeasible_because/0/value") {
                EXPECT_TRUE(is_published(id, answer.summary.infeasible_because.at(0).value, expected.get<double>(), {1e-9, 1e-9}));
            }
            if (kNoFigure.contains(pointer) || expected.is_null()) {
                continue;
            }
            const std::optional<double> figure = figure_of(answer, pointer);
            ASSERT_TRUE(figure) << id << pointer;
            EXPECT_TRUE(is_published(id + pointer, *figure, expected.get<double>(), {1e-9, 1e-9})) << id << pointer;
        }
    }
}

// Cases of ../shared/cases/hand-3.json: those of prices by threshold and fees, of inference to the cheapest, and of shares.
TEST(HandCases, HostedRequestsAndRoutesAreThoseWorkedByHand) {
    const std::filesystem::path path = tests::source_folder().parent_path() / "shared/cases/hand-3.json";
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "the shared cases are not beside this repository";
    }
    std::ifstream file(path);
    std::size_t count = 0;
    for (const json& hand : json::parse(file)) {
        const std::string id = hand.at("id");
        const std::string text = hand.at("scenario").dump();
        const auto has = [&](const char* word) { return text.find(word) != std::string::npos; };
        if (!has("\"above\"") && !has("\"cheapest\"") && !has("\"share\"")) {
            continue;
        }
        const auto document = documents::decode_scenario(hand.at("scenario"));
        ASSERT_TRUE(document.issues.empty()) << id << document.issues.front().pointer << ": " << document.issues.front().message;
        const tests::Answer answer = tests::evaluate_document(document.document);
        for (const auto& [pointer, expected] : hand.at("expected").items()) {
            const std::optional<double> figure = figure_of(answer, pointer);
            ASSERT_TRUE(figure) << id << pointer;
            EXPECT_TRUE(is_published(id + pointer, *figure, expected.get<double>(), {1e-12, 1e-12})) << id << pointer;
            ++count;
        }
    }
    EXPECT_EQ(count, 21U);
}

} // namespace
} // namespace costcurve::golden
