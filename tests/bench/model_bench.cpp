// What one evaluation costs: compile and evaluate, evaluate alone, and the parts of a request around them.
#include <string_view>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/evaluate.hpp"
#include "model/summary.hpp"
#include "server/answers/encode_result.hpp"
#include "server/answers/evaluate.hpp"
#include "server/documents/decode.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/patch.hpp"
#include "tests/bench/scenarios.hpp"

namespace costcurve::bench {

namespace {

model::ScenarioDocument document_of(const std::string& text) {
    return documents::decode_scenario(**costcurve::parse(text)).document;
}

model::Result<answers::Evaluated> evaluate_text(const std::string& text) {
    documents::Source nowhere;
    return answers::evaluate_text(text, nowhere);
}

void compile_and_evaluate(benchmark::State& state, const std::string& text) {
    const auto scenario = model::make_scenario(document_of(text));
    for (auto _ : state) {
        const model::Compiled compiled = model::compile(*scenario);
        model::Workspace workspace(compiled);
        benchmark::DoNotOptimize(model::evaluate(compiled, workspace).cost(0, 0, 0));
    }
}

void compile_alone(benchmark::State& state, const std::string& text) {
    const auto scenario = model::make_scenario(document_of(text));
    for (auto _ : state) {
        benchmark::DoNotOptimize(model::compile(*scenario).months);
    }
}

void evaluate_alone(benchmark::State& state, const std::string& text) {
    const auto scenario = model::make_scenario(document_of(text));
    const model::Compiled compiled = model::compile(*scenario);
    model::Workspace workspace(compiled);
    for (auto _ : state) {
        benchmark::DoNotOptimize(model::evaluate(compiled, workspace).cost(0, 0, 0));
    }
    double hours = 0;
    for (const model::MonthHours& month : compiled.hours.months) {
        hours += static_cast<double>(compiled.hours.sets[month.set].distinct);
    }
    state.counters["distinct_hours"] = hours;
}

void summarize_alone(benchmark::State& state, const std::string& text) {
    const auto scenario = model::make_scenario(document_of(text));
    const model::Compiled compiled = model::compile(*scenario);
    model::Workspace workspace(compiled);
    const model::Ledger& ledger = model::evaluate(compiled, workspace);
    for (auto _ : state) {
        benchmark::DoNotOptimize(model::summarize(*scenario, compiled, ledger).npv);
    }
}

void text_to_text(benchmark::State& state, const std::string& text) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(answers::encode_result(*evaluate_text(text), false));
    }
    state.counters["request_bytes"] = static_cast<double>(text.size());
}

// What a bare handler would do with the body, for comparison.
void bare_parse_and_dump(benchmark::State& state, const std::string& text) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(nlohmann::json::parse(text).dump());
    }
}

// The stages of a request, in their order.

void parse(benchmark::State& state, const std::string& text) {
    for (auto _ : state) {
        benchmark::DoNotOptimize((*costcurve::parse(text))->size());
    }
}

void decode(benchmark::State& state, const std::string& text) {
    const auto parsed = costcurve::parse(text);
    for (auto _ : state) {
        benchmark::DoNotOptimize(documents::decode_scenario(**parsed).document.months);
    }
}

void hash_inputs(benchmark::State& state, const std::string& text) {
    const model::ScenarioDocument document = document_of(text);
    for (auto _ : state) {
        benchmark::DoNotOptimize(answers::hash_of(document));
    }
}

// One value set; `place` says whether it is read into its field, or the scenario goes through JSON.
void set_value(benchmark::State& state, const std::string& text, const char* place) {
    const model::ScenarioDocument document = document_of(text);
    const ParsedJson set(nlohmann::json{{place, 2}});
    documents::Source nowhere;
    for (auto _ : state) {
        benchmark::DoNotOptimize(documents::patched(document, *set, "/scenario", "/set", nowhere)->months);
    }
}

void check_rules(benchmark::State& state, const std::string& text) {
    const model::ScenarioDocument document = document_of(text);
    for (auto _ : state) { // and a copy of the document, which a request moves
        benchmark::DoNotOptimize(model::make_scenario(document)->document().months);
    }
}

void encode_answer(benchmark::State& state, const std::string& text) {
    const auto evaluated = evaluate_text(text);
    for (auto _ : state) {
        benchmark::DoNotOptimize(answers::encode_result(*evaluated, false));
    }
    state.counters["answer_bytes"] = static_cast<double>(answers::encode_result(*evaluated, false).size());
}

void register_all() {
    const auto add = [](const std::string& name, auto function, const std::string& text) {
        benchmark::RegisterBenchmark(name.c_str(), function, text)->Unit(benchmark::kMicrosecond);
    };
    const std::pair<std::string, std::string> scenarios[] = {{"week", weekly_scenario()},     {"classes", classes_scenario()},
                                                             {"failing", failing_scenario()}, {"cheapest", cheapest_scenario()},
                                                             {"office", office_scenario()},   {"year", yearly_scenario()},
                                                             {"flat", flat_scenario()},       {"usual", usual_scenario()}};
    for (const auto& [name, text] : scenarios) {
        add(name + "/compile+evaluate", compile_and_evaluate, text);
        add(name + "/compile", compile_alone, text);
        add(name + "/evaluate", evaluate_alone, text);
        add(name + "/summarize", summarize_alone, text);
    }
    for (const auto& [name, text] : scenarios) {
        if (name != "usual" && name != "week") {
            continue;
        }
        const std::string request = "request/" + name;
        add(request + "/all", text_to_text, text);
        add(request + "/1 parse", parse, text);
        add(request + "/2 decode", decode, text);
        add(request + "/3 canonical text and its hash", hash_inputs, text);
        add(request + "/4 rules", check_rules, text);
        add(request + "/5 compile", compile_alone, text);
        add(request + "/6 evaluate", evaluate_alone, text);
        add(request + "/7 summarize", summarize_alone, text);
        add(request + "/8 encode", encode_answer, text);
        add(request + "/bare parse+dump", bare_parse_and_dump, text);
        for (const char* const place : {"/months", "/revision"}) { // the latter is no field: by way of JSON
            benchmark::RegisterBenchmark((request + "/set " + place).c_str(), set_value, text, place)
                ->Unit(benchmark::kMicrosecond);
        }
    }
}

} // namespace

} // namespace costcurve::bench

int main(int argc, char** argv) {
    if (argc == 3 && std::string_view(argv[1]) == "--print") { // for request_bench.py
        fmt::print("{}",
                   argv[2] == std::string_view("week") ? costcurve::bench::weekly_scenario() : costcurve::bench::usual_scenario());
        return 0;
    }
    costcurve::bench::register_all();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
