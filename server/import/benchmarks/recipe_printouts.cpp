// Reads printouts in recipes: MaxText's step lines with the folder that they are quoted from, and the output of vLLM's serving
// benchmark.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "server/import/benchmarks/recipe_results.hpp"
#include "server/import/curves.hpp"
#include "server/import/identity/aliases.hpp"
#include "server/import/identity/model_name.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/text/utf8.hpp"

namespace costcurve::imports {

namespace {

constexpr std::size_t kMaxFolder = 300;   // bytes of a folder name that a source may quote
constexpr double kWholeTolerance = 0.005; // seconds and rates are printed with three decimals
constexpr double kRateTolerance = 0.02;

// The number behind a label, up to the next comma; blank if the label is absent.
Number number_after(std::string_view line, std::string_view label) {
    const std::size_t at = line.find(label);
    if (at == std::string_view::npos) {
        return {};
    }
    line.remove_prefix(at + label.size());
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    return parse_number(line.substr(0, line.find_first_of(", \t\"")));
}

// TPU slices such as "v6e-256" and "2x-v6e-256", as chips.
std::optional<Machine> slices_of(std::string_view folder) {
    const std::size_t x = folder.find("x-");
    const Number several = parse_number(folder.substr(0, x));
    if (x == std::string_view::npos || !several || !count_of(several.value)) {
        return tpu_slice_of(folder);
    }
    std::optional<Machine> machine = tpu_slice_of(folder.substr(x + 2));
    const std::optional<int> devices = machine ? count_of(machine->devices * several.value) : std::nullopt;
    return devices ? std::optional(Machine{machine->device, *devices}) : std::nullopt;
}

// Reads model, device and chips from a folder such as "training/trillium/Llama3.1-8B-MaxText/v6e-8/README.md".
void read_folder(std::string_view path, RecipeResult& result, std::optional<int>& devices) {
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        const std::string_view part = path.substr(0, end);
        path.remove_prefix(std::min(end + 1, path.size()));
        if (const std::optional<Machine> slice = slices_of(part)) {
            devices = slice->devices;
            result.device = slice->device;
        } else if (const std::optional<std::string> device = device_of_word(part)) {
            result.device = *device;
        } else if (names_size(part)) {
            result.model = model_id_of(part);
        } else if (const std::string precision = precision_of(part); !precision.empty()) {
            result.precision = precision;
        }
    }
}

// The number of devices of a step: tokens / seconds / rate of one device. Gives the reason if it is unknown, else "".
std::string count_step(std::string_view line, std::optional<int> said, RecipeResult& result) {
    const Number seconds = number_after(line, "seconds:");
    const Number rate = number_after(line, "Tokens/s/device:");
    const Number tokens = number_after(line, "total_weights:");
    if (!seconds || seconds.value <= 0 || !rate || rate.value <= 0) {
        return "seconds and Tokens/s/device of the step must be numbers above 0; quote the whole line, or leave it out";
    }
    if (!tokens && !said) {
        return "total_weights, the tokens of the step, is not said: give devices";
    }
    const double ratio = tokens ? tokens.value / seconds.value / rate.value : *said;
    const std::optional<int> devices = count_of(std::round(ratio));
    if (!devices || std::fabs(ratio - *devices) > kWholeTolerance * *devices || (said && *said != *devices)) {
        return fmt::format("total_weights / seconds / (Tokens/s/device) is {:.5g} devices{}: one of the numbers is wrong", ratio,
                           said ? fmt::format(", and {} are said", *said) : "");
    }
    result.devices = *devices;
    result.units_per_s = tokens ? tokens.value / seconds.value : rate.value * *devices;
    result.note = fmt::format("Tokens/s in training {}, {} devices together, {:.6g} each; a step takes {:.6g} s{}.", result.model,
                              *devices, rate.value, seconds.value, tokens ? fmt::format(" for {:.0f} tokens", tokens.value) : "");
    return "";
}

void read_step(std::string_view line, std::size_t at, std::size_t row, RecipeFile& file) {
    ++file.report.rows;
    RecipeResult result;
    result.row = row;
    result.device = device_of_file(file);
    result.model = model_of_file(file);
    result.what = kTraining;
    result.framework = "jax";
    std::string_view path = line.substr(0, at);
    path = path.substr(0, path.rfind(':') == std::string_view::npos ? 0 : path.rfind(':'));
    std::optional<int> devices = devices_option(file.options);
    read_folder(path, result, devices);
    result.entry = path.empty() ? fmt::format("row {}, step line", row) : fmt::format("{}, step line", clipped(path, kMaxFolder));
    std::string why = count_step(line, devices, result);
    why = why.empty() ? unnamed(result) : why;
    if (why.empty()) {
        file.steps.push_back({std::string(line.substr(at)), std::move(result)});
    } else {
        file.report.rejected.add(row, why);
    }
}

struct ServingField {
    std::string_view label;
    Number ServingRun::*member;
};
// Labels of `vllm bench serve`.
constexpr auto kServingFields = std::to_array<ServingField>({
    {"Maximum request concurrency:", &ServingRun::concurrency},
    {"Successful requests:", &ServingRun::requests},
    {"Failed requests:", &ServingRun::failed},
    {"Benchmark duration (s):", &ServingRun::seconds},
    {"Total input tokens:", &ServingRun::input},
    {"Total generated tokens:", &ServingRun::output},
    {"Output token throughput (tok/s):", &ServingRun::output_rate},
    {"Total Token throughput (tok/s):", &ServingRun::total_rate},
    {"Mean TPOT (ms):", &ServingRun::token_ms},
    {"Mean TTFT (ms):", &ServingRun::first_ms},
});

bool is_positive(const Number& number) { return number && number.value > 0; }

// Why the printout can't be used, or "".
std::string check_serving(const ServingRun& run) {
    if (!is_positive(run.requests) || !is_positive(run.seconds) || !is_positive(run.input) || !is_positive(run.output) ||
        !is_positive(run.total_rate)) {
        return "Successful requests, Benchmark duration, Total input tokens, Total generated tokens and Total Token throughput "
               "must be "
               "numbers above 0; quote the whole printout";
    }
    const double rate = (run.input.value + run.output.value) / run.seconds.value;
    if (std::fabs(rate - run.total_rate.value) > kRateTolerance * rate) {
        return fmt::format("its tokens over its duration are {:.6g} a second, and Total Token throughput says {:.6g}: one is wrong",
                           rate, run.total_rate.value);
    }
    return run.concurrency && count_of(run.concurrency.value) ? "" : "Maximum request concurrency must be a whole number";
}

// Ends the current printout and keeps its run.
void keep_serving(RecipeFile& file) {
    const ServingRun run = std::exchange(file.serving, ServingRun{});
    if (run.row == 0) {
        return;
    }
    ++file.report.rows;
    RecipeResult result;
    result.row = run.row;
    result.device = device_of_file(file);
    result.model = model_of_file(file);
    result.devices = devices_option(file.options).value_or(0);
    std::string why = check_serving(run);
    why = why.empty() ? unnamed(result) : why;
    why = why.empty() && result.devices == 0 ? "how many devices served is not said: give devices" : why;
    if (!why.empty()) {
        file.report.rejected.add(run.row, why);
        return;
    }
    if (is_positive(run.failed)) {
        file.report.warnings.add(run.row, fmt::format("{:.0f} requests failed", run.failed.value));
    }
    result.framework = framework_in("vllm");
    const double requests = run.requests.value;
    result.mix = {run.input.value / requests, run.output.value / requests};
    result.what = length_name(run.input.value / requests) + "-" + length_name(run.output.value / requests);
    Serving& serving = file.servings.try_emplace(recipe_id(file, result), Serving{result, {}}).first->second;
    if (!serving.runs.emplace(run.concurrency.value, run).second) {
        file.report.rejected.add(
            run.row, fmt::format("a printout of {:.0f} requests at a time stands before it; leave one out", run.concurrency.value));
    }
}

void add_serving(RecipeFile& file, Serving& serving) {
    constexpr double kSecondsPerMs = 0.001;
    const std::map<double, ServingRun>& runs = serving.runs;
    RecipeResult& result = serving.result;
    const bool one = runs.size() == 1;
    result.entry = fmt::format("row {}, printout{} of vllm bench serve", result.row, one ? "" : "s");
    result.batch = one ? count_of(runs.begin()->first) : std::nullopt;
    std::string out;
    for (const auto& [concurrency, run] : runs) {
        out += run.output_rate ? fmt::format("{}{:.6g}", out.empty() ? "" : ", ", run.output_rate.value) : "";
    }
    const ServingRun& first = runs.begin()->second;
    result.note =
        fmt::format("Counts tokens in and out together of {} devices, {:.0f} in and {:.0f} out{}. batch is the requests at a "
                    "time. itl_s is the mean time per output token, ttft_s the mean.",
                    result.devices, first.input.value / first.requests.value, first.output.value / first.requests.value,
                    out.empty() ? "" : fmt::format("; of output tokens alone {} a second", out));
    model::Performance performance = recipe_document(file, result);
    performance.units_per_s =
        rate_over_batch(model::CurveKind::throughput, runs, [](const ServingRun& run) { return run.total_rate.value; });
    const auto all = [&](Number ServingRun::*member) {
        return std::all_of(runs.begin(), runs.end(), [&](const auto& run) { return is_positive(run.second.*member); });
    };
    if (all(&ServingRun::token_ms)) {
        performance.itl_s = rate_over_batch(model::CurveKind::latency, runs,
                                            [](const ServingRun& run) { return run.token_ms.value * kSecondsPerMs; });
    }
    if (all(&ServingRun::first_ms)) {
        performance.ttft_s = rate_over_batch(model::CurveKind::latency, runs,
                                             [](const ServingRun& run) { return run.first_ms.value * kSecondsPerMs; });
    }
    file.report.add(std::move(performance));
}

} // namespace

bool read_printout(std::string_view line, std::size_t row, RecipeFile& file) {
    const std::size_t step = std::min(line.find("completed step:"), line.find("step:"));
    if (step != std::string_view::npos && line.find("Tokens/s/device:") != std::string_view::npos) {
        read_step(line, step, row, file);
        return true;
    }
    if (line.find("Serving Benchmark Result") != std::string_view::npos) {
        keep_serving(file);
        file.serving.row = row;
        return true;
    }
    if (file.serving.row == 0) {
        return false;
    }
    if (line.starts_with("====") || line.starts_with("```")) {
        keep_serving(file);
        return true;
    }
    for (const ServingField& field : kServingFields) {
        if (line.starts_with(field.label)) {
            file.serving.*field.member = number_after(line, field.label);
        }
    }
    return true;
}

void finish_printouts(RecipeFile& file) {
    keep_serving(file);
    std::map<std::string_view, std::pair<const StepLine*, const StepLine*>>
        said; // the first step line of a recipe, or the first of another model
    for (const StepLine& step : file.steps) {
        const auto found = said.try_emplace(step.said, &step, nullptr).first;
        if (found->second.second == nullptr && found->second.first->result.model != step.result.model) {
            found->second.second = &step;
        }
    }
    for (const StepLine& step : file.steps) {
        const auto& [first, other] = said.at(step.said);
        if (other == nullptr) {
            add_recipe(file, step.result);
            continue;
        }
        const RecipeResult& copy = first->result.model == step.result.model ? other->result : first->result;
        file.report.rejected.add(step.result.row,
                                 fmt::format("row {} has the same line of {}: one of the two is a copy, and which is "
                                             "not known; leave out the wrong one",
                                             copy.row, copy.model));
    }
    for (auto& [id, serving] : file.servings) {
        add_serving(file, serving);
    }
}

} // namespace costcurve::imports
