// Parameters of the step model as a program; `costcurve rate --audit` is the audit.
// rate_audit --fit [--seed N] FILE...: prints the parameters and intervals of model/performance/rate_table.hpp.
// rate_audit --fit-training [--seed N] FILE...: prints the coefficients and intervals of model/performance/training_table.hpp.
// rate_audit --rows [--leave-out row|model|device|model_on_device|source] [--seed N] FILE...: each row beside its prediction.
// rate_audit --evaluate: a request a line on stdin, JSON of the step model's members; its rates a line on stdout, parameters first.
// rate_audit --correct: the same with "at", "drawn_by" (a device's watts) and "measured", which correct it; parameters and
// intervals first. rate_audit --evaluate-training: a run a line on stdin; its MFU and tokens/s a line on stdout, coefficients
// first. Files are tables of measured rates in a form that is read.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/performance/rate_audit.hpp"
#include "model/performance/rate_table.hpp"
#include "model/performance/rates.hpp"
#include "model/performance/training_table.hpp"
#include "tests/rates/rate_facts.hpp"

namespace costcurve::rates {
namespace {

struct Options {
    bool fit = false;
    bool fit_training = false;
    bool evaluate = false;
    bool evaluate_training = false;
    bool correct = false;
    model::LeaveOut leave_out = model::LeaveOut::model_on_device;
    std::uint64_t seed = 1;
    std::vector<std::string> files;
};

Options read_options(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--fit") {
            options.fit = true;
        } else if (word == "--fit-training") {
            options.fit_training = true;
        } else if (word == "--evaluate-training") {
            options.evaluate_training = true;
        } else if (word == "--correct") {
            options.correct = true;
        } else if (word == "--evaluate") {
            options.evaluate = true;
        } else if (word == "--rows") {
            options.fit = false;
        } else if (word == "--seed" && i + 1 < argc) {
            options.seed = std::strtoull(argv[++i], nullptr, 10);
        } else if (word == "--leave-out" && i + 1 < argc) {
            const auto& names = model::enum_names<model::LeaveOut>;
            options.leave_out = static_cast<model::LeaveOut>(std::ranges::find(names, argv[++i]) - names.begin());
        } else {
            options.files.emplace_back(word);
        }
    }
    return options;
}

struct Parameter {
    const char* name;
    double model::StepParameters::*member;
};
constexpr Parameter kParameters[] = {{"bandwidth_share", &model::StepParameters::bandwidth_share},
                                     {"shard_loss", &model::StepParameters::shard_loss},
                                     {"peak_share", &model::StepParameters::peak_share},
                                     {"peak_share_fp8", &model::StepParameters::peak_share_fp8},
                                     {"peak_share_experts", &model::StepParameters::peak_share_experts},
                                     {"expert_padding", &model::StepParameters::expert_padding},
                                     {"layer_s", &model::StepParameters::layer_s},
                                     {"expert_layer_s", &model::StepParameters::expert_layer_s},
                                     {"hard_layer_s", &model::StepParameters::hard_layer_s},
                                     {"step_s", &model::StepParameters::step_s},
                                     {"sequence_s", &model::StepParameters::sequence_s},
                                     {"reduce_s", &model::StepParameters::reduce_s},
                                     {"link_share", &model::StepParameters::link_share},
                                     {"tensorrt_sequence", &model::StepParameters::tensorrt_sequence},
                                     {"plain_layer", &model::StepParameters::plain_layer},
                                     {"plain_sequence", &model::StepParameters::plain_sequence},
                                     {"plain_experts_fp8", &model::StepParameters::plain_experts_fp8},
                                     {"first_prompt", &model::StepParameters::first_prompt},
                                     {"first_steps", &model::StepParameters::first_steps},
                                     {"first_s", &model::StepParameters::first_s},
                                     {"first_queue", &model::StepParameters::first_queue},
                                     {"first_sglang", &model::StepParameters::first_sglang}};

void print_parameters(const model::StepParameters& parameters) {
    for (const Parameter& row : kParameters) {
        std::cout << fmt::format("    .{} = {:.3g},\n", row.name, parameters.*row.member);
    }
}

model::ModelShape shape_of(const nlohmann::json& j) {
    return {j["parameters"],
            j["active_parameters"],
            j["expert_parameters"],
            j["embedding_parameters"],
            j["layers"],
            j["hidden"],
            j["kv_heads"],
            j["kv_values_per_token"],
            j["kv_values_in_window"],
            j["window_tokens"],
            j["state_values"],
            j["attention_flop_decode"],
            j["attention_flop_prompt"],
            j["experts"],
            j["experts_per_token"],
            j["has_latent_or_linear_attention"]};
}

model::StepDevice device_of(const nlohmann::json& j) {
    return {j["bandwidth"], j["memory_bytes"], j["peak_flops"], j["peak_flops_16"], j["link"], j["is_pcie"]};
}

model::StepRequest request_of(const nlohmann::json& j) {
    const std::string precision = j["precision"];
    return {j["input_tokens"],
            j["cached_input_tokens"],
            j["output_tokens"],
            j["concurrency"],
            j["devices"],
            j["attention_groups"],
            precision == "bf16"  ? model::WeightPrecision::bf16
            : precision == "fp8" ? model::WeightPrecision::fp8
                                 : model::WeightPrecision::fp4,
            j["kv_bytes_per_value"],
            j["is_plain"].get<bool>() ? model::Software::plain : model::Software::tuned,
            j["is_tensorrt"],
            j["is_sglang"],
            j["static_batch"]};
}

model::StepRate step_rate_of(const nlohmann::json& j) {
    return model::step_rate(shape_of(j), device_of(j), request_of(j), model::kStepParameters);
}

nlohmann::json parameters() {
    nlohmann::json parameters;
    for (const Parameter& row : kParameters) {
        parameters[row.name] = model::kStepParameters.*row.member;
    }
    return parameters;
}

// Each line of stdin evaluated; tests/reference/step_model.py does the same by itself.
int evaluate() {
    std::cout << parameters().dump() << "\n";
    for (std::string line; std::getline(std::cin, line);) {
        const model::StepRate rate = step_rate_of(nlohmann::json::parse(line));
        const nlohmann::json out{{"output_per_s", rate.output_per_s},
                                 {"requests_per_s", rate.requests_per_s},
                                 {"ttft_s", rate.ttft_s},
                                 {"itl_s", rate.itl_s},
                                 {"e2e_s", rate.e2e_s},
                                 {"running", rate.running},
                                 {"bandwidth_share", rate.bandwidth_share},
                                 {"peak_share", rate.peak_share},
                                 {"bound", static_cast<int>(rate.bound)}};
        std::cout << out.dump() << "\n";
    }
    return 0;
}

// Of what the step model takes and its "at": the numbers of what is the same.
model::RateConditions conditions_of(const nlohmann::json& j) {
    const nlohmann::json& at = j["at"];
    const model::StepRequest request = request_of(j);
    return {at["architecture"], at["device"],    at["family"],         at["framework"],       request.precision,   request.software,
            j["experts"] > 0.0, request.devices, request.input_tokens, request.output_tokens, request.concurrency, at["year"]};
}

// What a device draws, as its document says it.
model::Device drawing_device(const nlohmann::json& j) {
    model::Device device;
    device.tdp_w = j["tdp_w"];
    device.idle_w = j["idle_w"];
    if (j.contains("loaded_idle_w")) {
        device.loaded_idle_w = j["loaded_idle_w"].get<double>();
    }
    if (j.contains("power")) {
        device.power.emplace();
        device.power->kind = model::CurveKind::power;
        const auto axis = std::ranges::find(model::enum_names<model::Axis>, j["power"]["axis"].get<std::string>());
        device.power->axis = static_cast<model::Axis>(axis - model::enum_names<model::Axis>.begin());
        for (const nlohmann::json& point : j["power"]["points"]) {
            device.power->x.push_back(point[0]);
            device.power->y.push_back(point[1]);
        }
    }
    return device;
}

double watts_before(const nlohmann::json& j, const model::Device& device) {
    return model::unmeasured_watts(shape_of(j), device_of(j), request_of(j), device, step_rate_of(j).output_per_s);
}

// Watts of the request, moved by those measured, each on the device of the request.
model::RatedWatts watts_of(const nlohmann::json& j) {
    const model::Device device = drawing_device(j["drawn_by"]);
    std::vector<model::RateMeasurement> measured;
    for (const nlohmann::json& one : j["measured"]) {
        if (one["watts"] > 0.0) {
            model::RateMeasurement& watts = measured.emplace_back();
            watts.at = conditions_of(one);
            watts.residual = std::log(one["watts"].get<double>() / watts_before(one, device));
            watts.is_own = one["is_own"];
        }
    }
    const model::RateMeasurements watts(std::move(measured), model::kWattsScales);
    return model::corrected_watts(watts_before(j, device), watts.correction(conditions_of(j)), device);
}

// The same corrected by what was measured; tests/reference/rate_correction.py does it by itself.
int correct() {
    const nlohmann::json tables{{"parameters", parameters()},
                                {"intervals", [] {
                                     nlohmann::json intervals = nlohmann::json::array();
                                     for (const auto& row : model::kRateIntervals) {
                                         intervals.push_back({{row[0].low, row[0].high}, {row[1].low, row[1].high}});
                                     }
                                     return intervals;
                                 }()}};
    std::cout << tables.dump() << "\n";
    for (std::string line; std::getline(std::cin, line);) {
        const nlohmann::json j = nlohmann::json::parse(line);
        std::vector<model::RateMeasurement> measured;
        for (const nlohmann::json& one : j["measured"]) {
            measured.push_back(model::rate_measurement(step_rate_of(one), conditions_of(one),
                                                       {one["output_per_s"], one["ttft_s"], one["itl_s"]},
                                                       static_cast<std::uint32_t>(measured.size())));
            measured.back().is_own = one["is_own"];
            measured.back().is_guessed = one["is_guessed"];
        }
        const model::CorrectedRate corrected =
            model::corrected_rate(step_rate_of(j), conditions_of(j), model::RateMeasurements(measured), model::kRateIntervals);
        const model::RatedWatts watts = watts_of(j);
        const nlohmann::json out{{"output_per_s", corrected.rate.output_per_s},
                                 {"watts", watts.watts},
                                 {"watts_evidence", static_cast<int>(watts.evidence)},
                                 {"ttft_s", corrected.rate.ttft_s},
                                 {"itl_s", corrected.rate.itl_s},
                                 {"e2e_s", corrected.rate.e2e_s},
                                 {"low", corrected.low},
                                 {"high", corrected.high},
                                 {"evidence", static_cast<int>(corrected.correction.evidence)}};
        std::cout << out.dump() << "\n";
    }
    return 0;
}

// The same of training runs; tests/reference/training_model.py does them by itself.
int evaluate_training() {
    nlohmann::json coefficients;
    for (const model::TrainingTermRow& row : model::kTrainingTerms) {
        coefficients[row.name] = model::kTrainingCoefficients[static_cast<std::size_t>(row.term)];
    }
    std::cout << coefficients.dump() << "\n";
    for (std::string line; std::getline(std::cin, line);) {
        const nlohmann::json j = nlohmann::json::parse(line);
        const std::string device = j["device"];
        const std::string framework = j["framework"];
        const std::string publisher = j["publisher"];
        model::TrainingRun run;
        run.active_parameters = j["active_parameters"];
        run.layers = j["layers"];
        run.hidden = j["hidden"];
        run.attention_flop = j["attention_flop"];
        run.is_mixture = j["is_mixture"];
        run.expert_parameters = j["expert_parameters"];
        run.peak_flops = j["peak_flops"];
        run.peak_flops_16 = j["peak_flops_16"];
        run.family = model::training_family(device);
        run.software = model::training_software(framework, publisher);
        run.precision = *model::weight_precision(j["precision"].get<std::string>());
        run.method = j["is_lora"].get<bool>() ? model::TrainingMethod::lora : model::TrainingMethod::full;
        run.devices = j["devices"];
        run.sequence = j["sequence"];
        run.tokens_per_step = j["tokens_per_step"];
        run.year = j["year"];
        const double mfu = model::training_mfu(run, model::kTrainingCoefficients);
        std::cout << nlohmann::json{{"mfu", mfu}, {"tokens_per_s", mfu / model::training_token_s(run) * run.devices}}.dump()
                  << "\n";
    }
    return 0;
}

void print_intervals(const model::RateIntervals& intervals) {
    for (const auto& row : intervals) {
        std::cout << fmt::format("    {{{{{{{:.3f}, {:.3f}}}, {{{:.3f}, {:.3f}}}}}}},\n", row[0].low, row[0].high, row[1].low,
                                 row[1].high);
    }
}

// Parameters and intervals as rate_table.hpp has them.
void print_fit(const answers::AuditedFiles& rows, const Options& options) {
    std::vector<const model::RateRow*> all;
    for (const model::RateRow& row : rows.rows()) {
        all.push_back(&row);
    }
    print_parameters(model::fit_step_parameters(all, model::kStepParameters, 60));
    // Near measurements by rows left out; what no measurement is near to by models on devices left out.
    const auto widths = [&](model::LeaveOut leave_out) {
        return model::intervals_of(model::audit_rates(rows.rows(), leave_out, options.seed).rows, model::kRateIntervals);
    };
    model::RateIntervals intervals = widths(model::LeaveOut::row);
    const model::RateIntervals far = widths(options.leave_out);
    for (const auto evidence : {model::Evidence::estimated, model::Evidence::assumed}) {
        intervals[static_cast<std::size_t>(evidence)] = far[static_cast<std::size_t>(evidence)];
    }
    print_intervals(intervals);
}

// Coefficients and intervals as training_table.hpp has them.
void print_training_fit(const answers::AuditedFiles& rows, const Options& options) {
    std::vector<const model::TrainingRow*> all;
    for (const model::TrainingRow& row : rows.training_rows()) {
        all.push_back(&row);
    }
    const model::TrainingNumbers coefficients = model::fit_training(all);
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        std::cout << fmt::format("    {:.3f}, // {}\n", coefficients[i], model::kTrainingTerms[i].name);
    }
    const auto widths = [&](model::LeaveOut leave_out) {
        return model::intervals_of(model::audit_training(rows.training_rows(), leave_out, options.seed).rows,
                                   model::kTrainingIntervals);
    };
    model::RateIntervals intervals = widths(model::LeaveOut::row);
    const model::RateIntervals far = widths(options.leave_out);
    for (const auto evidence : {model::Evidence::estimated, model::Evidence::assumed}) {
        intervals[static_cast<std::size_t>(evidence)] = far[static_cast<std::size_t>(evidence)];
    }
    print_intervals(intervals);
}

void print_rows(const model::Audit& audit) {
    for (const model::AuditedRow& row : audit.rows) {
        const model::RateRow& r = *row.row;
        std::cout << fmt::format("{},{},{},{},{},{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.4g},{:.4g},{:.4g},{:.4g},{},{},{},{}\n",
                                 r.source, r.model, r.device, r.at.devices, static_cast<int>(r.at.precision), r.at.input_tokens,
                                 r.at.output_tokens, r.at.concurrency, r.output_per_s, row.predicted, row.low, row.high, r.ttft_s,
                                 row.ttft_s, r.itl_s, row.itl_s, static_cast<int>(row.evidence), r.request.attention_groups,
                                 static_cast<int>(r.request.software), r.at.framework);
    }
}

int run(const Options& options) {
    if (options.evaluate) {
        return evaluate();
    }
    if (options.correct) {
        return correct();
    }
    if (options.evaluate_training) {
        return evaluate_training();
    }
    const RateFacts facts = read_rate_facts();
    answers::AuditedFiles files(facts);
    for (const std::string& file : options.files) {
        for (const model::Issue& issue : files.add(file, file_text(file))) {
            std::cerr << file << ": " << issue.message << "\n";
            return 2;
        }
    }
    if (options.fit_training) {
        print_training_fit(files, options);
    } else if (options.fit) {
        print_fit(files, options);
    } else {
        print_rows(model::audit_rates(files.rows(), options.leave_out, options.seed));
    }
    return 0;
}

} // namespace
} // namespace costcurve::rates

int main(int argc, char** argv) { return costcurve::rates::run(costcurve::rates::read_options(argc, argv)); }
