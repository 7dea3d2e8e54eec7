// The audit of rates as a program: rate_audit [--fit] [--leave-out row|model|device|model_on_device|source] [--seed N] [--format
// json]
// [--rows] FILE...
// rate_audit --evaluate: a request a line on stdin, JSON of the step model's members; its rates a line on stdout, parameters first.
// Files are tables of measured rates in a form that is read; --fit prints the parameters of model/performance/rate_table.hpp.
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/performance/rate_audit.hpp"
#include "model/performance/rate_table.hpp"
#include "tests/rates/rate_facts.hpp"

namespace costcurve::rates {
namespace {

struct Options {
    bool fit = false;
    bool json = false;
    bool rows = false;
    bool evaluate = false;
    model::LeaveOut leave_out = model::LeaveOut::model_on_device;
    std::string left = "model_on_device";
    std::uint64_t seed = 1;
    std::vector<std::string> files;
};

struct Name {
    std::string_view name;
    model::LeaveOut leave_out;
};
constexpr Name kNames[] = {{"row", model::LeaveOut::row},
                           {"model", model::LeaveOut::model},
                           {"device", model::LeaveOut::device},
                           {"model_on_device", model::LeaveOut::model_on_device},
                           {"source", model::LeaveOut::source}};

Options read_options(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word == "--fit") {
            options.fit = true;
        } else if (word == "--evaluate") {
            options.evaluate = true;
        } else if (word == "--rows") {
            options.rows = true;
        } else if (word == "--format" && i + 1 < argc) {
            options.json = std::string_view(argv[++i]) == "json";
        } else if (word == "--seed" && i + 1 < argc) {
            options.seed = std::strtoull(argv[++i], nullptr, 10);
        } else if (word == "--leave-out" && i + 1 < argc) {
            options.left = argv[++i];
            for (const Name& name : kNames) {
                options.leave_out = name.name == options.left ? name.leave_out : options.leave_out;
            }
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
                                     {"first_queue", &model::StepParameters::first_queue}};

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

// Each line of stdin evaluated; tests/reference/step_model.py does the same by itself.
int evaluate() {
    nlohmann::json parameters;
    for (const Parameter& row : kParameters) {
        parameters[row.name] = model::kStepParameters.*row.member;
    }
    std::cout << parameters.dump() << "\n";
    for (std::string line; std::getline(std::cin, line);) {
        const nlohmann::json j = nlohmann::json::parse(line);
        const model::StepDevice on{j["bandwidth"], j["memory_bytes"], j["peak_flops"], j["peak_flops_16"], j["link"], j["is_pcie"]};
        const std::string precision = j["precision"];
        const model::StepRequest request{j["input_tokens"],
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
                                         j["static_batch"]};
        const model::StepRate rate = model::step_rate(shape_of(j), on, request, model::kStepParameters);
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

void print_intervals(const model::RateIntervals& intervals) {
    for (const auto& row : intervals) {
        std::cout << fmt::format("    {{{{{{{:.3f}, {:.3f}}}, {{{:.3f}, {:.3f}}}}}}},\n", row[0].low, row[0].high, row[1].low,
                                 row[1].high);
    }
}

void print_table(const model::Audit& audit) {
    std::cout << fmt::format("{:34}{:>7}{:>8}{:>8}{:>8}{:>10}{:>7}\n", "class", "count", "within", "median", "bias", "coverage",
                             "width");
    for (const model::AuditClass& row : audit.classes) {
        std::cout << fmt::format("{:34}{:>7}{:>8.3f}{:>8.3f}{:>+8.3f}{:>10.3f}{:>7.2f}\n", row.name, row.count, row.within,
                                 row.median_error, row.bias, row.coverage, row.width);
    }
}

nlohmann::json json_of(const model::Audit& audit, const Options& options, std::size_t rows,
                       const std::map<std::string, int>& left) {
    nlohmann::json out{
        {"rows", rows}, {"used", audit.rows.size()}, {"folds", audit.folds}, {"seed", options.seed}, {"leave_out", options.left}};
    for (const auto& [reason, count] : left) {
        out["left_out"].push_back({{"reason", reason}, {"count", count}});
    }
    for (const model::AuditClass& row : audit.classes) {
        out["classes"].push_back({{"name", row.name},
                                  {"count", row.count},
                                  {"within", row.within},
                                  {"median_error", row.median_error},
                                  {"bias", row.bias},
                                  {"coverage", row.coverage},
                                  {"width", row.width}});
    }
    return out;
}

// Parameters and intervals as rate_table.hpp has them.
int print_fit(const imports::RateRows& rows, const Options& options) {
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
    return 0;
}

void print_rows(const model::Audit& audit) {
    for (const model::AuditedRow& row : audit.rows) {
        const model::RateRow& r = *row.row;
        std::cout << fmt::format("{},{},{},{},{},{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.4g},{:.4g}\n", r.source, r.model, r.device,
                                 r.at.devices, static_cast<int>(r.at.precision), r.at.input_tokens, r.at.output_tokens,
                                 r.at.concurrency, r.output_per_s, row.predicted, row.low, row.high, r.ttft_s, row.ttft_s);
    }
}

int run(const Options& options) {
    if (options.evaluate) {
        return evaluate();
    }
    const RateFacts facts = read_rate_facts();
    imports::RateRows rows(facts.shapes, facts.devices, facts.links);
    imports::Report report;
    std::map<std::string, int> left;
    for (const std::string& file : options.files) {
        const std::string text = file_text(file);
        const auto error = imports::read_measured_rates(text, report, [&](imports::MeasuredRate&& rate) {
            if (const std::string reason = rows.add(rate); !reason.empty()) {
                ++left[reason];
            }
        });
        if (error) {
            std::cerr << file << ": " << error->message << "\n";
            return 2;
        }
    }
    for (const auto& complaint : report.rejected.first) {
        ++left[complaint.reason.substr(0, complaint.reason.find(':'))];
    }
    if (options.fit) {
        return print_fit(rows, options);
    }
    const model::Audit audit = model::audit_rates(rows.rows(), options.leave_out, options.seed);
    left["above the ceilings"] += static_cast<int>(audit.above_ceiling);
    if (options.rows) {
        print_rows(audit);
    } else if (options.json) {
        std::cout << json_of(audit, options, report.rows, left).dump(2) << "\n";
    } else {
        std::cout << fmt::format("{} rows, {} used, left out by {}, {} folds, seed {}\n", report.rows, audit.rows.size(),
                                 options.left, audit.folds, options.seed);
        print_table(audit);
        for (const auto& [reason, count] : left) {
            std::cout << fmt::format("left out {:>6}  {}\n", count, reason);
        }
    }
    return 0;
}

} // namespace
} // namespace costcurve::rates

int main(int argc, char** argv) { return costcurve::rates::run(costcurve::rates::read_options(argc, argv)); }
