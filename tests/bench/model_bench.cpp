// What one evaluation costs: compile and evaluate, evaluate alone, and the parts of a request around them.
#include <string_view>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/evaluate.hpp"
#include "model/summary.hpp"
#include "server/api/decode.hpp"
#include "server/api/encode.hpp"
#include "server/api/evaluate_scenario.hpp"
#include "server/api/json_text.hpp"
#include "tests/bench/scenarios.hpp"

namespace costcurve::bench {

namespace {

model::ScenarioDocument document_of(const std::string& text) { return api::decode_scenario(*api::parse_json(text)).document; }

model::Result<api::Evaluated> evaluate_text(const std::string& text) {
    work::Source nowhere;
    return api::evaluate_text(text, nowhere);
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
        benchmark::DoNotOptimize(api::encode_result(*evaluate_text(text), false));
    }
    state.counters["request_bytes"] = static_cast<double>(text.size());
}

void parse_and_decode(benchmark::State& state, const std::string& text) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(api::decode_scenario(*api::parse_json(text)).document.months);
    }
}

void encode_answer(benchmark::State& state, const std::string& text) {
    const auto evaluated = evaluate_text(text);
    for (auto _ : state) {
        benchmark::DoNotOptimize(api::encode_result(*evaluated, false));
    }
}

void register_all() {
    const auto add = [](const char* name, auto function, const std::string& text) {
        benchmark::RegisterBenchmark(name, function, text)->Unit(benchmark::kMicrosecond);
    };
    add("week/compile+evaluate", compile_and_evaluate, weekly_scenario());
    add("week/compile", compile_alone, weekly_scenario());
    add("week/evaluate", evaluate_alone, weekly_scenario());
    add("week/summarize", summarize_alone, weekly_scenario());
    add("office/compile+evaluate", compile_and_evaluate, office_scenario());
    add("office/evaluate", evaluate_alone, office_scenario());
    add("year/compile", compile_alone, yearly_scenario());
    add("year/compile+evaluate", compile_and_evaluate, yearly_scenario());
    add("year/evaluate", evaluate_alone, yearly_scenario());
    add("flat/compile", compile_alone, flat_scenario());
    add("flat/compile+evaluate", compile_and_evaluate, flat_scenario());
    add("flat/evaluate", evaluate_alone, flat_scenario());
    add("flat/summarize", summarize_alone, flat_scenario());
    add("request/week text to text", text_to_text, weekly_scenario());
    add("request/week parse+decode", parse_and_decode, weekly_scenario());
    add("request/week encode", encode_answer, weekly_scenario());
    add("usual/compile", compile_alone, usual_scenario());
    add("usual/compile+evaluate", compile_and_evaluate, usual_scenario());
    add("usual/text to text", text_to_text, usual_scenario());
    add("request/flat text to text", text_to_text, flat_scenario());
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
