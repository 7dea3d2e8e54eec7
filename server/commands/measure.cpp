// `costcurve measure`: runs the program that measures a served model, or prints it, and lands what it wrote; `costcurve import
// measured` is the latter, and shows it beside what the catalogue and an estimate say.
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/performance/step_model.hpp"
#include "server/answers/rates/rates_by_evidence.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/input.hpp"
#include "server/commands/option_rows.hpp"
#include "server/commands/text_table.hpp"
#include "server/ingest/stored_names.hpp"

extern char** environ; // NOLINT: POSIX declares it nowhere

namespace costcurve::commands {

// ---- What a measurement is beside

namespace {

// What the file holds; nothing where it can't be read, which the import has said.
std::vector<model::Measurement> measurements_in(const ImportOptions& options, const storage::Store& store) {
    const imports::AddedNames names = ingest::stored_names(store);
    imports::Options checked = options.options;
    checked.names = &names;
    std::vector<model::Measurement> found;
    for (const std::string& path : options.files) {
        const std::optional<std::string> text = path == "-" ? std::nullopt : read_file(path);
        imports::Report report;
        report.on_document = [&](imports::Document&& document) {
            if (auto* const measurement = std::get_if<model::Measurement>(&document)) {
                found.push_back(std::move(*measurement));
            }
        };
        if (text) {
            imports::Bytes bytes{std::string_view(*text)};
            checked.name = std::filesystem::path(path).filename().string();
            (void)imports::read_file(*imports::find_format("measured"), bytes, checked, report);
        }
    }
    return found;
}

void serving_row(const model::MeasuredPoints& points, std::size_t i, const answers::RatesAnswer& catalogue,
                 const answers::RatesAnswer& estimate, Table& table) {
    table.row({fmt::format("{:.3g}", points.concurrency[i]), figure(points.input[i]), figure(points.output[i]),
               figure(points.output_per_s[i]), figure(catalogue.output_per_s), figure(estimate.output_per_s),
               figure(points.ttft_s[i]), figure(catalogue.ttft_s), figure(estimate.ttft_s),
               points.watts.empty() ? std::string(kMissing) : figure(points.watts[i]), figure(catalogue.watts),
               figure(estimate.watts)});
}

void training_row(const model::MeasuredPoints& points, std::size_t i, const answers::RatesAnswer& catalogue,
                  const answers::RatesAnswer& estimate, Table& table) {
    const double mfu = estimate.mfu * points.tokens_per_s[i] / estimate.tokens_per_s;
    table.row({std::to_string(catalogue.devices), figure(points.sequence[i]),
               points.tokens_per_step.empty() ? std::string(kMissing) : figure(points.tokens_per_step[i]),
               figure(points.tokens_per_s[i]), figure(catalogue.tokens_per_s), figure(estimate.tokens_per_s), percent(mfu),
               percent(catalogue.mfu), percent(estimate.mfu),
               points.watts.empty() ? std::string(kMissing) : figure(points.watts[i])});
    if (mfu > model::kPeakCeiling) {
        fmt::print(stderr,
                   "the measured rate is {} of the devices' peak, more than {}: it moves no rate; are --devices, --sequence "
                   "and --precision right?\n",
                   percent(mfu), percent(model::kPeakCeiling));
    }
}

// What is measured beside what the catalogue and an estimate say.
void print_rates(const model::Measurement& measurement, std::vector<answers::RatesBy>& by) {
    const bool is_training = measurement.kind == model::MeasurementKind::training;
    Table table;
    table.row(is_training
                  ? std::vector<std::string>{"devices", "tokens a sample", "tokens a step", "tokens/s measured", "catalogue",
                                             "estimate", "MFU measured", "catalogue", "estimate", "W"}
                  : std::vector<std::string>{"requests at a time", "tokens in", "tokens out", "tokens/s measured", "catalogue",
                                             "estimate", "first token, s", "catalogue", "estimate", "W", "catalogue", "estimate"});
    for (std::size_t i = 0; i < std::max(measurement.points.output.size(), measurement.points.tokens_per_s.size()); ++i) {
        const auto catalogue = answers::rate_of(answers::request_of(measurement, i), by[1].source);
        const auto estimate = answers::rate_of(answers::request_of(measurement, i), by[2].source);
        if (!catalogue || !estimate) {
            print_issues(measurement.id, catalogue ? estimate.error() : catalogue.error());
            return; // it is stored: what it is beside can't be said
        }
        (is_training ? training_row : serving_row)(measurement.points, i, *catalogue, *estimate, table);
    }
    fmt::print("\n{}", printable(table.text()));
}

// A scenario's text: a file's, or a stored document's.
std::optional<std::string> scenario_text(const std::string& name, documents::Source& source) {
    if (std::filesystem::exists(name)) {
        return read_file(name);
    }
    const auto revision = source.load({storage::Kind::scenario, name});
    return revision ? std::optional(revision->record.body) : std::nullopt;
}

double unserved_share(const model::Summary& summary) {
    double share = 0.0;
    for (const model::WorkloadSummary& workload : summary.workloads) {
        share = std::max(share, workload.units_demanded > 0 ? workload.units_unserved / workload.units_demanded : 0.0);
    }
    return share;
}

int print_costs(const std::vector<std::string>& scenarios, std::vector<answers::RatesBy>& by) {
    Table table;
    table.row({"scenario", "by", "cost", "unserved", "feasible"});
    std::string untouched;
    for (const std::string& name : scenarios) {
        std::vector<model::Summary> summaries;
        for (answers::RatesBy& evidence : by) {
            const std::optional<std::string> text = scenario_text(name, evidence.source);
            if (!text) {
                fmt::print(stderr, "{}: no file and no stored scenario is called so\n", one_line(name));
                return kWrongInput;
            }
            auto answer = answers::evaluate_by_rates(*text, evidence.source);
            if (!answer) {
                print_issues(name, answer.error());
                return kWrongInput;
            }
            table.row({one_line(name), std::string(evidence.name), money(answer->summary.total.cost),
                       percent(unserved_share(answer->summary)), answer->summary.is_feasible() ? "yes" : "no"});
            summaries.push_back(std::move(answer->summary));
        }
        if (summaries[0].total.cost == summaries[1].total.cost && unserved_share(summaries[0]) == unserved_share(summaries[1])) {
            untouched += fmt::format(
                "{}: the measurement moves no cost of it; its rates are stated, or of other models and devices\n", one_line(name));
        }
    }
    fmt::print("\n{}{}", printable(table.text()), untouched);
    return kDone;
}

} // namespace

int import_measured(const ImportOptions& options, const std::vector<std::string>& scenarios) {
    if (const int status = import_published(*imports::find_format("measured"), options); status != kDone || options.json) {
        return status;
    }
    return with_store(options.database.path, [&](const storage::Store* store) {
        const std::vector<model::Measurement> own = measurements_in(options, *store);
        std::vector<answers::RatesBy> by = answers::rates_by_evidence(*store, own);
        for (const model::Measurement& measurement : own) {
            print_rates(measurement, by);
        }
        return scenarios.empty() ? static_cast<int>(kDone) : print_costs(scenarios, by);
    });
}

// ---- The program

namespace {

// An option that the program reads, as `python3 measure.py --help` lists them; --out has a member of its own.
struct PassedOption {
    const char* flag;
    const char* help;
};
constexpr auto kPassed = std::to_array<PassedOption>({
    {"--endpoint", "of an OpenAI-compatible server, such as http://127.0.0.1:8000/v1"},
    {"--model", "the name that the server knows it by; its only one where absent"},
    {"--hosted", "the id of a stored endpoint, in place of a card: its latencies are measured, by few requests that are billed"},
    {"--precision", "of the weights: bf16, fp16, fp8, int8, fp4 or int4; needed but for --hosted"},
    {"--input", "tokens in of a request; 1000 where absent"},
    {"--output", "tokens out of a request; 300 where absent"},
    {"--mix", "a file of requests in their place: tokens in and out, a pair a line"},
    {"--metrics", "the page of DCGM's exporter, such as http://127.0.0.1:9400/metrics; nvidia-smi of this host where absent"},
    {"--gpus", "the cards that serve, by their numbers, such as 0,1; all where absent"},
    {"--device", "the card's name, where it can't be read, such as H100"},
    {"--devices", "how many cards serve; those that can be read where absent"},
    {"--framework", "of the server, where it doesn't state it: vllm, sglang, tgi, llama.cpp"},
    {"--framework-version", "of the framework"},
    {"--budget", "time in all, such as 90s, 10m or 1h; 10m where absent"},
    {"--timeout", "seconds of a request, after which it has failed; 120 where absent"},
    {"--max-concurrency", "requests at a time, at most; 1024 where absent"},
    {"--ttft-s", "objective: the 95th percentile of the time to the first token, at most"},
    {"--itl-s", "objective: the 95th percentile of the time between tokens, at most"},
    {"--key-env", "the environment variable with the server's key; OPENAI_API_KEY where absent"},
    {"--ca-file", "certificates that the server's is checked by"},
    {"--seed", "of the prompts and of the times between requests; 1 where absent"},
    {"--sequence", "of training: tokens of a sample, where the log doesn't state them"},
    {"--tokens-per-step", "of training: tokens of a step of all devices, where the log doesn't state them"},
    {"--method", "of training: full, all parameters, where absent, or lora, low-rank adapters"},
    {"--warm-up-steps", "of training: steps that are left out at its beginning; 10 where absent"},
    {"--date", "of training: of the run; the log's last day where absent"},
});

// A file of this process that goes with it.
class TemporaryFile {
public:
    explicit TemporaryFile(std::string_view text)
        : path_((std::filesystem::temp_directory_path() / "costcurve-measure-XXXXXX").string()) {
        const int file = mkstemp(path_.data());
        is_written_ = file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
        if (file >= 0) {
            close(file);
        }
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() { unlink(path_.c_str()); }
    [[nodiscard]] bool is_written() const { return is_written_; }
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
    bool is_written_ = false;
};

// Runs python3 with the words, on this process's terminal; its exit status.
int run_python(std::vector<std::string> words) {
    words.insert(words.begin(), "python3");
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    pid_t child = 0;
    if (const int error = posix_spawnp(&child, "python3", nullptr, nullptr, pointers.data(), environ); error != 0) {
        fmt::print(stderr,
                   "python3 can't be started: {}; install Python 3.8 or later, or take costcurve measure --script to a host "
                   "that has it\n",
                   std::strerror(error));
        return kWorldFailed;
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    return WIFEXITED(status) ? WEXITSTATUS(status) : kWorldFailed;
}

} // namespace

int measure(const MeasureOptions& options) {
    if (options.script) {
        fmt::print("{}", measure_program());
        return kDone;
    }
    const TemporaryFile program(measure_program());
    if (!program.is_written()) {
        fmt::print(stderr, "{} can't be written: is its disk full?\n", program.path());
        return kWorldFailed;
    }
    std::vector<std::string> words{program.path(), "--out", options.out};
    for (const auto& [flag, value] : options.passed) {
        words.push_back(fmt::format("{}={}", flag, value));
    }
    if (options.keep_eos) {
        words.emplace_back("--keep-eos");
    }
    if (options.log) {
        words.push_back(fmt::format("--log={}", *options.log));
    }
    if (!options.command.empty()) {
        words.emplace_back("--");
        words.insert(words.end(), options.command.begin(), options.command.end());
    }
    if (const int status = run_python(std::move(words)); status != kDone) {
        return status;
    }
    ImportOptions import;
    import.database = options.database;
    import.files = {options.out};
    import.dry_run = !options.save;
    return import_measured(import, options.scenarios);
}

void add_measure(CLI::App& verb, MeasureOptions& options) {
    CLI::Option* const script =
        verb.add_flag("--script", options.script, "print the program, for a host without costcurve, and measure nothing");
    for (const PassedOption& row : kPassed) {
        const std::string flag = row.flag;
        verb.add_option_function<std::string>(
                flag, [&options, flag](const std::string& value) { options.passed[flag] = value; }, row.help)
            ->excludes(script);
    }
    verb.get_option("--hosted")->excludes("--precision")->excludes("--device")->excludes("--metrics");
    verb.add_flag("--keep-eos", options.keep_eos, "let answers end where the model ends them")->excludes(script);
    verb.add_option("--out", options.out, "the file to write")->capture_default_str()->excludes(script);
    verb.add_flag("--save", options.save,
                  "store the measurement, as `costcurve import measured` does; without it the answer is shown")
        ->excludes(script);
    verb.add_option("--scenario", options.scenarios,
                    "ids or files of scenarios: what each costs by measurement, catalogue and estimate")
        ->excludes(script);
    verb.add_option("--log", options.log,
                    "what a trainer printed, in place of an endpoint; without a file, what the command behind -- prints")
        ->expected(0, 1)
        ->excludes(script)
        ->excludes(verb.get_option("--endpoint"));
    verb.add_option("COMMAND", options.command, "a trainer: it is run, and what it prints is read (--log -- COMMAND …)");
    verb.callback([script, &options] {
        const bool is_log = options.log.has_value();
        const bool is_hosted = options.passed.count("--hosted") != 0;
        for (const char* const needed : {is_log ? "--model" : "--endpoint", is_hosted ? "--hosted" : "--precision"}) {
            if (script->count() == 0 && options.passed.count(needed) == 0) {
                throw CLI::RequiredError(needed);
            }
        }
        if (is_log ? options.log->empty() == options.command.empty() : !options.command.empty()) {
            throw CLI::ValidationError("--log", "give a file, or a command behind --");
        }
    });
}

} // namespace costcurve::commands
