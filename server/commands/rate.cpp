// `costcurve rate`: the rate of a stored model on a stored device.
#include <fmt/format.h>

#include "server/answers/rates/rate_audit.hpp"
#include "server/answers/rates/rates.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/input.hpp"
#include "server/commands/option_rows.hpp"
#include "server/commands/scenarios.hpp"
#include "server/commands/text_table.hpp"

namespace costcurve::commands {

namespace {

constexpr double kMsPerS = 1000.0;

std::string time_text(double seconds) {
    return seconds < 1.0 ? fmt::format("{:.3g} ms", seconds * kMsPerS) : fmt::format("{:.4g} s", seconds);
}

std::string step_text(const answers::StepParts& step) {
    return fmt::format("{}: reading {}, arithmetic {}, prompts {}, communication {}, overhead {}", time_text(step.total_s),
                       time_text(step.reading_s), time_text(step.arithmetic_s), time_text(step.prompts_s),
                       time_text(step.communication_s), time_text(step.overhead_s));
}

std::string loads_text(const std::vector<answers::RateAtLoad>& loads) {
    Table table;
    table.row(
        {"requests at a time", "tokens/s", "p10", "p90", "first token", "between tokens", "request", "W", "bound", "evidence"});
    for (const answers::RateAtLoad& load : loads) {
        table.row({fmt::format("{:.6g}", load.concurrency), figure(load.output_per_s), figure(load.low), figure(load.high),
                   time_text(load.ttft_s), time_text(load.itl_s), time_text(load.e2e_s), figure(load.watts),
                   std::string(name_of(*load.bound)), std::string(name_of(load.evidence))});
    }
    return "\n" + table.text();
}

std::string sources_text(const answers::RatesAnswer& rate) {
    std::string text = fmt::format("  {:16} {}\n", "evidence", name_of(rate.evidence));
    for (const answers::RateSource& from : rate.from) {
        text += fmt::format("  {:16} {} point {}, {}\n", "moved by", from.measurement, from.point, percent(from.weight));
    }
    return text;
}

std::string training_text(const answers::RatesAnswer& rate) {
    return fmt::format("{} at {} on {} {}: training, {}, {} tokens a sample, {} a step\n\n", rate.model, rate.precision,
                       rate.devices, rate.device, name_of(*rate.method), figure(rate.sequence), figure(rate.tokens_per_step)) +
           fmt::format("  {:16} {} tokens/s, p10 {}, p90 {}; {} a device\n", "trained", figure(rate.tokens_per_s), figure(rate.low),
                       figure(rate.high), figure(rate.tokens_per_s_device)) +
           fmt::format("  {:16} {} of the peak; {} of the ceiling\n", "MFU", percent(rate.mfu), percent(rate.ceiling)) +
           sources_text(rate);
}

std::string rate_text(const answers::RatesAnswer& rate) {
    std::string text =
        fmt::format("{} at {} on {} {}: {} tokens in, {} of them cached, {} out\n\n", rate.model, rate.precision, rate.devices,
                    rate.device, figure(*rate.input), figure(*rate.cached_input), figure(*rate.output));
    const auto line = [&](std::string_view name, const std::string& value) { text += fmt::format("  {:16} {}\n", name, value); };
    line("output", fmt::format("{} tokens/s, p10 {}, p90 {}", figure(rate.output_per_s), figure(rate.low), figure(rate.high)));
    line("requests",
         fmt::format("{:.6g} at a time, {:.6g} of them running; {:.3g}/s", rate.concurrency, rate.running, rate.requests_per_s));
    const std::string of = rate.percentile ? fmt::format(", percentile {:.6g}", *rate.percentile) : "";
    line("first token", time_text(rate.ttft_s) + of);
    line("between tokens", time_text(rate.itl_s) + of);
    line("request", time_text(rate.e2e_s) + of);
    line("step", step_text(*rate.step));
    line("bound", fmt::format("{}; {} of what the device's {} allows", name_of(*rate.bound), percent(rate.ceiling),
                              name_of(*rate.ceiling_of)));
    line("MFU", fmt::format("{} of the peak", percent(rate.mfu)));
    line("power", fmt::format("{} W without hosts, {:.3g} J a token out; {}", figure(rate.watts), rate.joules_per_output,
                              *rate.watts_evidence == model::Evidence::assumed ? "assumed: the device has no power curve"
                                                                               : name_of(*rate.watts_evidence)));
    return text + sources_text(rate) + (rate.loads.size() > 1 ? loads_text(rate.loads) : "");
}

} // namespace

int rate(const RateOptions& options) {
    answers::RatesRequest stated = options.request;
    if (options.slo.ttft_s || options.slo.itl_s || options.slo.e2e_s) {
        stated.slo = options.slo;
    }
    if (options.parallel != model::Parallel{}) {
        stated.parallel = options.parallel;
    }
    const auto request = answers::parse_request<answers::RatesRequest>(text_of(stated), {});
    if (!request) {
        return refuse(request.error());
    }
    return with_store(options.database, [&](const storage::Store* store) -> int {
        documents::Source source(*store, std::nullopt);
        const auto answer = answers::rate_of(*request, source);
        if (!answer) {
            return refuse(answer.error());
        }
        fmt::print("{}", options.format == "json" ? answers::encode_answer(*answer) + "\n"
                                                  : printable(answer->method ? training_text(*answer) : rate_text(*answer)));
        return kDone;
    });
}

namespace {

void add_audit(CLI::App& verb, CLI::Option& audit, RateOptions& options) {
    for (CLI::Option* const option :
         verb.get_options([&](const CLI::Option* option) { return option != &audit && option != verb.get_help_ptr(); })) {
        audit.excludes(option);
    }
    std::vector<std::string> kinds = words_of(model::enum_names<model::LeaveOut>);
    kinds.emplace_back(kLeaveOutAll);
    verb.add_option("--leave-out", options.leave_out, "of an audit: what is kept out together; all: each kind after the other")
        ->check(CLI::IsMember(kinds))
        ->needs(&audit)
        ->capture_default_str();
    verb.add_option("--seed", options.seed, "of an audit: of the folds that groups are dealt to")
        ->needs(&audit)
        ->capture_default_str();
}

} // namespace

void add_rate(CLI::App& verb, RateOptions& options) {
    using Request = answers::RatesRequest;
    using Objectives = answers::RateObjectives;
    Request& request = options.request;
    // What the request needs, an audit doesn't: its rows say that it is required.
    const std::vector<CLI::Option*> required = {
        verb.add_option("MODEL", request.model, "a stored model's id, such as llama-3.1-70b, or its published name"),
        add_member<Request>(verb, "--device", "device", request.device)->required(false),
    };
    CLI::Option* const input = add_member<Request>(verb, "--input", "input", request.input);
    CLI::Option* const output = add_member<Request>(verb, "--output", "output", request.output);
    CLI::Option* const train = verb.add_flag_function(
        "--train", [](std::int64_t /*count*/) {}, "the rate of a training run; with --sequence");
    CLI::Option* const sequence = add_member<Request>(verb, "--sequence", "sequence", request.sequence)->needs(train);
    verb.add_option_function<std::string>(
            "--method", [&request](const std::string& word) { request.method = model::value_of<model::TrainingMethod>(word); },
            "of training: full, all parameters, or lora, low-rank adapters")
        ->check(CLI::IsMember(words_of(model::enum_names<model::TrainingMethod>)))
        ->needs(train);
    add_member<Request>(verb, "--tokens-per-step", "tokens_per_step", request.tokens_per_step)->needs(train);
    CLI::Option* const load = add_member<Request>(verb, "--concurrency", "concurrency", request.concurrency);
    for (CLI::Option* const objective : {add_member<Objectives>(verb, "--ttft-s", "ttft_s", options.slo.ttft_s),
                                         add_member<Objectives>(verb, "--itl-s", "itl_s", options.slo.itl_s),
                                         add_member<Objectives>(verb, "--e2e-s", "e2e_s", options.slo.e2e_s)}) {
        objective->excludes(load);
    }
    add_member<Request>(verb, "--percentile", "percentile", request.percentile);
    add_member<Request>(verb, "--devices", "devices", request.devices);
    add_member<model::Parallel>(verb, "--tp", "tp", options.parallel.tp);
    add_member<model::Parallel>(verb, "--pp", "pp", options.parallel.pp);
    add_member<model::Parallel>(verb, "--ep", "ep", options.parallel.ep);
    add_member<model::Parallel>(verb, "--dp", "dp", options.parallel.dp);
    add_member<Request>(verb, "--cached", "cached_input", request.cached_input);
    add_member<Request>(verb, "--concurrencies", "concurrencies", request.concurrencies)->delimiter(',');
    add_member<Request>(verb, "--precision", "precision", request.precision);
    add_member<Request>(verb, "--kv-precision", "kv_precision", request.kv_precision);
    add_member<Request>(verb, "--framework", "framework", request.framework);
    CLI::Option* const audit = verb.add_option(
        "--audit", options.audited,
        "a file of measured rates: how far rates are from them, each predicted without its group; - is standard input");
    add_audit(verb, *audit, options);
    verb.callback([audit, train, required, sequence, input, output] {
        std::vector<const CLI::Option*> needed(required.begin(), required.end());
        if (train->count() > 0) {
            needed.push_back(sequence);
        } else {
            needed.insert(needed.end(), {input, output});
        }
        for (const CLI::Option* const option : needed) {
            if (audit->count() == 0 && option->count() == 0) {
                throw CLI::RequiredError(option->get_name());
            }
        }
    });
    add_format(verb, options.format, "table or json", {"table", "json"});
    add_database(verb, options.database)->capture_default_str();
}

} // namespace costcurve::commands
