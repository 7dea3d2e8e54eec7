// Every number of an encoded result can be named by its JSON Pointer, and is the same number then.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/questions/figure.hpp"
#include "server/answers/evaluate.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::tests {
namespace {

using nlohmann::json;

// What is in a result and no figure: texts, what was asked, batch sizes; and parts that no question names (docs/api.md, explain).
bool is_figure(const std::string& pointer) {
    const auto has = [&](std::string_view part) { return pointer.find(part) != std::string::npos; };
    return (pointer.starts_with("/total/") || pointer.starts_with("/by_") || pointer == "/unallocated_cost") && !has("/batch/") &&
           !has("/terminal/") && !has("/by_site/") && !has("/cost_by_class/");
}

TEST(Figures, EveryNumberOfEveryExamplesResultIsFoundByItsPointer) {
    std::size_t numbers = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(tests::source_folder() / "examples")) {
        if (entry.path().extension() != ".json") {
            continue;
        }
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        documents::Source nowhere;
        const auto evaluated = answers::evaluate_text(text.str(), nowhere);
        ASSERT_TRUE(evaluated) << entry.path();
        const model::Compiled compiled = model::compile(evaluated->scenario);
        const json flat = json::parse(answers::encode_result(*evaluated, false)).flatten();
        for (const auto& [pointer, value] : flat.items()) {
            if (value.is_number() && is_figure(pointer)) {
                const auto figure = model::bind_figure(evaluated->scenario.document(), pointer, "");
                ASSERT_TRUE(figure) << pointer;
                EXPECT_EQ(figure->read(evaluated->summary), value.get<double>()) << pointer;
                EXPECT_FALSE(figure->unit.empty()) << pointer;
                const auto parts = model::summarize(evaluated->scenario, compiled, evaluated->ledger, figure->wanted);
                EXPECT_EQ(figure->read(parts), value.get<double>()) << pointer << " of the parts that it wants";
                ++numbers;
            }
        }
    }
    EXPECT_GT(numbers, 1000U);
}

TEST(Figures, AWrongPointerSaysWhatIsThere) {
    std::ostringstream text;
    text << std::ifstream(tests::source_folder() / "examples/resnet50_epoch/v100_p3_16xlarge_pytorch.json").rdbuf();
    documents::Source nowhere;
    const auto evaluated = answers::evaluate_text(text.str(), nowhere);
    ASSERT_TRUE(evaluated);
    const auto message = [&](std::string_view pointer) {
        const auto figure = model::bind_figure(evaluated->scenario.document(), pointer, "/output");
        return figure ? std::string("found") : figure.error()[0].pointer + " " + figure.error()[0].message;
    };
    EXPECT_NE(message("/totals/cost").find("/output"), std::string::npos);
    EXPECT_NE(message("/totals/cost").find("total, by_category"), std::string::npos) << message("/totals/cost");
    EXPECT_NE(message("/total/coin").find("npv_after_tax"), std::string::npos);
    EXPECT_NE(message("/by_month/999/cost").find("0 to"), std::string::npos);
    EXPECT_NE(message("/total/cost/x").find("it is a number"), std::string::npos);
    EXPECT_NE(message("total/cost").find("by_month"), std::string::npos);
}

} // namespace
} // namespace costcurve::tests
