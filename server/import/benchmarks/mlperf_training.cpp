// Reads MLPerf training: the run logs of a result set, with the system's description and scaling.json, give the rate of the gang.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "server/import/benchmarks/training_gangs.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"
#include "server/import/text/lines.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

constexpr std::string_view kMark = ":::MLLOG";
constexpr double kSecondsPerMinute = 60.0;
// Upper limit of a number of epochs; no benchmark runs longer. Some logs (BERT, GPT-3) write sample counts into epoch_num.
constexpr double kMaxEpochs = 1000.0;

struct TrainingRun {
    std::size_t row = 0; // first row of the run's file in the set
    std::string file;
    std::string benchmark, org, platform, status;
    std::optional<double> start_ms, stop_ms;
    std::optional<double> train_samples;   // per epoch
    std::optional<double> samples;         // total of the run
    std::optional<double> samples_at_stop; // from run_stop; training may go on after the target is reached
    std::optional<double> epochs;          // total of the run
    double batch = 0.0;                    // sequences or samples per step; 0: not stated
    double sequence = 0.0;                 // tokens per sequence; 0: not stated
    bool counts_tokens = false;            // tokens instead of samples
    double seconds = 0.0;
};

struct Set {
    std::vector<TrainingRun> runs; // successful runs only
    std::size_t aborted = 0;
};
using SetKey = std::tuple<std::string, std::string, std::string>; // org, benchmark, platform

struct Material {
    std::map<SetKey, Set> sets;
    std::vector<TrainingSystem> systems;
    std::vector<double> scalings;
};

std::optional<double> positive(const Json& json, std::string_view name) {
    const Number number = number_of(json, name);
    return number && number.value > 0 ? std::optional(number.value) : std::nullopt;
}

// Whether events with this key state how far the run got.
bool tells_progress(std::string_view key) {
    return key == "run_stop" || key == "eval_accuracy" || key == "eval_stop" || key == "block_stop" || key == "epoch_stop";
}

void read_event(const Json& event, TrainingRun& run) {
    const std::string_view key = text_of(event, "key");
    const Number time = number_of(event, "time_ms");
    for (const auto& [name, text] : {std::pair("submission_benchmark", &run.benchmark),
                                     {"submission_org", &run.org},
                                     {"submission_platform", &run.platform}}) {
        if (key == name) {
            *text = text_of(event, "value");
        }
    }
    for (const auto& [name, number] : {std::pair("global_batch_size", &run.batch), {"max_sequence_length", &run.sequence}}) {
        if (key == name) {
            *number = positive(event, "value").value_or(0.0);
        }
    }
    if (key == "train_samples") {
        run.train_samples = positive(event, "value");
    } else if (key == "run_start" && time && !run.start_ms) {
        run.start_ms = time.value;
    } else if (key == "run_stop" && time) {
        run.stop_ms = time.value;
    }
    const std::optional<Json> metadata = member(event, "metadata");
    if (!metadata || !run.start_ms || !tells_progress(key)) {
        return;
    }
    if (key == "run_stop") {
        run.status = text_of(*metadata, "status");
        run.samples_at_stop = positive(*metadata, "samples_count");
    }
    if (const std::optional<double> samples = positive(*metadata, "samples_count")) {
        run.samples = std::max(run.samples.value_or(0.0), *samples);
    }
    if (const std::optional<double> epochs = positive(*metadata, "epoch_num")) {
        run.epochs = std::max(run.epochs.value_or(0.0), *epochs);
    }
}

HardError read_log(const NamedText& file, TrainingRun& run, Report& report) {
    run.file = file.name;
    Bytes bytes{std::string_view(file.text)};
    Lines lines(bytes);
    std::size_t broken = 0;
    while (lines.next()) {
        const std::size_t at = lines.text().find(kMark); // a launcher may prefix the line with its own text
        if (at == std::string_view::npos) {
            continue;
        }
        const JsonFile json(lines.text().substr(at + kMark.size()));
        if (json.root()) {
            read_event(*json.root(), run);
        } else {
            ++broken;
        }
    }
    if (broken > 0) {
        report.warnings.add(run.row, fmt::format("{}: {} {} lines are no JSON and were left out", file.name, broken, kMark));
    }
    return lines.error();
}

// Whether epoch_num counts tokens, as MaxText writes it (GPT-3 on TPUs): a whole number of steps, each of a batch of sequences. A
// sample count is hardly ever a multiple of that.
bool tells_tokens(const TrainingRun& run) {
    const double step = run.batch * run.sequence;
    return run.epochs && *run.epochs > kMaxEpochs && run.sequence > 1 && step > 0 && std::fmod(*run.epochs, step) == 0.0;
}

// Completes the run's figures. Gives the reason if the rate is unknown, else "".
std::string complete(TrainingRun& run) {
    if (run.benchmark.empty()) {
        return "it names no submission_benchmark";
    }
    if (!run.start_ms || !run.stop_ms) {
        return fmt::format("it has no {}: it is truncated, or the run never ended", run.start_ms ? "run_stop" : "run_start");
    }
    if (*run.stop_ms <= *run.start_ms) {
        return "run_stop is not after run_start";
    }
    run.seconds = (*run.stop_ms - *run.start_ms) / kMsPerSecond;
    run.samples = run.samples_at_stop ? run.samples_at_stop : run.samples;
    if (run.samples) {
        return "";
    }
    if (tells_tokens(run)) {
        run.counts_tokens = true;
        run.samples = run.epochs;
        run.train_samples.reset(); // this run counts it in tokens too
        return "";
    }
    if (!run.epochs || !run.train_samples) {
        return "neither samples_count, nor epoch_num and train_samples, say how far the run got";
    }
    if (*run.epochs > kMaxEpochs) {
        return fmt::format("epoch_num is {}: it does not count epochs, and there is no samples_count", *run.epochs);
    }
    run.samples = *run.epochs * *run.train_samples;
    return "";
}

HardError take_log(const NamedText& file, std::size_t row, Material& material, Report& report) {
    TrainingRun run;
    run.row = row;
    if (HardError error = read_log(file, run, report)) {
        error->message = fmt::format("{}: {}", file.name, error->message);
        return error;
    }
    ++report.rows;
    const SetKey key{run.org, run.benchmark, run.platform};
    if (!run.status.empty() && run.status != "success") {
        ++material.sets[key].aborted;
        report.rejected.add(row,
                            fmt::format("{}: its status is {}: the run reached no target and is left out", file.name, run.status));
        return std::nullopt;
    }
    if (const std::string why = complete(run); !why.empty()) {
        report.rejected.add(row, fmt::format("{}: {}", file.name, why));
        return std::nullopt;
    }
    std::vector<TrainingRun>& runs = material.sets[key].runs;
    const bool again = std::any_of(runs.begin(), runs.end(), [&](const TrainingRun& one) {
        return one.start_ms == run.start_ms && one.stop_ms == run.stop_ms;
    });
    if (again) {
        ++report.skipped;
    } else {
        runs.push_back(std::move(run));
    }
    return std::nullopt;
}

void take_json(const NamedText& file, std::size_t row, Material& material, Report& report) {
    const JsonFile json{std::string_view(file.text)};
    if (!json.root()) {
        report.rejected.add(row, fmt::format("{}: it is neither a log with {} lines nor JSON", file.name, kMark));
    } else if (const std::optional<double> factor = positive(*json.root(), "scaling_factor")) {
        material.scalings.push_back(*factor);
    } else if (member(*json.root(), "accelerator_model_name")) {
        const Json& root = *json.root();
        material.systems.push_back({file.name, std::string(text_of(root, "submitter")), std::string(text_of(root, "system_name")),
                                    std::string(text_of(root, "accelerator_model_name")), std::string(text_of(root, "framework")),
                                    number_of(root, "number_of_nodes"), number_of(root, "accelerators_per_node")});
    } else {
        report.rejected.add(row, fmt::format("{}: it is neither a scaling.json nor the description of a system", file.name));
    }
}

// Whether a name is a template value that was never filled in, such as SUBMISSION_ORG_PLACEHOLDER.
bool is_placeholder(std::string_view name) { return name.empty() || lower(name).find("placeholder") != std::string::npos; }

// The system that a set ran on: the system with the platform's name, otherwise the only system of the set's submitter if that
// submitter has one set. Systems without a submitter count; if the set's submitter is a placeholder, all systems count.
const TrainingSystem* system_of(const SetKey& key, const Material& material) {
    const auto& [org, benchmark, platform] = key;
    const TrainingSystem* of_submitter = nullptr;
    std::size_t count = 0;
    for (const TrainingSystem& system : material.systems) {
        if (system.name == platform || system.file == platform + ".json") {
            return &system;
        }
        if (system.submitter.empty() || is_placeholder(org) || lower(system.submitter) == lower(org)) {
            of_submitter = &system;
            ++count;
        }
    }
    const auto sets = std::count_if(material.sets.begin(), material.sets.end(),
                                    [&, &submitter = org](const auto& set) { return std::get<0>(set.first) == submitter; });
    return count == 1 && sets == 1 ? of_submitter : nullptr;
}

// MLPerf's score: the mean without the fastest and the slowest run. A failed run counts as the slowest.
struct Score {
    std::vector<TrainingRun> runs; // runs in the mean
    std::optional<double> minutes; // nothing if there are too few runs
};

Score score_of(Set set) {
    std::sort(set.runs.begin(), set.runs.end(), [](const TrainingRun& a, const TrainingRun& b) { return a.seconds < b.seconds; });
    if (set.aborted > 1 || set.runs.size() + set.aborted < 3) {
        return {std::move(set.runs), std::nullopt};
    }
    set.runs.erase(set.runs.begin());
    if (set.aborted == 0) {
        set.runs.pop_back();
    }
    double seconds = 0.0;
    for (const TrainingRun& run : set.runs) {
        seconds += run.seconds;
    }
    const double minutes = seconds / static_cast<double>(set.runs.size()) / kSecondsPerMinute;
    return {std::move(set.runs), minutes};
}

std::string note_of(const Set& set, const Score& score, std::optional<double> scaling, double samples, double seconds) {
    const bool tokens = score.runs.front().counts_tokens;
    std::string note = fmt::format("{}/s of the gang, evaluation included: {:.6g} {} in {:.6g} s between run_start and "
                                   "run_stop of {} runs{}.{}",
                                   tokens ? "Tokens" : "Samples", samples, tokens ? "tokens" : "samples", seconds,
                                   score.runs.size(), score.minutes ? ", without the fastest and the slowest" : "",
                                   tokens ? " epoch_num of these logs counts tokens." : "");
    if (score.minutes && scaling) {
        note += fmt::format(" Score {:.4g} minutes: the mean time to train, {:.3f}, times the scaling factor {}.",
                            *score.minutes * *scaling, *score.minutes, *scaling);
    } else if (score.minutes) {
        note += fmt::format(" The mean time to train is {:.3f} minutes before scaling.", *score.minutes);
    } else {
        note += " Too few runs succeeded for a score.";
    }
    if (set.aborted > 0) {
        note += fmt::format(" {} more failed and {} left out (the first of them counts as the slowest).", set.aborted,
                            set.aborted == 1 ? "is" : "are");
    }
    if (const std::optional<double> epoch = score.runs.front().train_samples) {
        const auto [least, most] =
            std::minmax_element(score.runs.begin(), score.runs.end(),
                                [](const TrainingRun& a, const TrainingRun& b) { return *a.samples < *b.samples; });
        note += fmt::format(" An epoch has {:.0f} samples; the runs saw {:.3g} to {:.3g} epochs.", *epoch, *least->samples / *epoch,
                            *most->samples / *epoch);
    }
    return note;
}

void add_set(const SetKey& key, const Set& set, const Material& material, const Options& options, Report& report) {
    const auto& [org, benchmark, platform] = key;
    const TrainingSystem* const system = system_of(key, material);
    const TrainingGang gang = gang_of(platform, system, options);
    const std::string name = fmt::format("{} {} {}", org, platform, benchmark);
    if (set.runs.empty()) {
        return; // each run has been reported
    }
    if (!gang.contradiction.empty()) {
        report.rejected.add(set.runs.front().row, fmt::format("{}: {}; leave out one of them", name, gang.contradiction));
        return;
    }
    if (!gang.device || !gang.devices) {
        report.rejected.add(
            set.runs.front().row,
            fmt::format("{}: which device it ran on ({}), and how many, is not known{}; give the system's JSON of this "
                        "set alone, or device and devices",
                        name, gang.device.value_or("unknown"),
                        system == nullptr ? "" : ": accelerator_model_name is " + system->accelerator));
        return;
    }
    const Score score = score_of(set);
    double samples = 0.0;
    double seconds = 0.0;
    for (const TrainingRun& run : score.runs) {
        samples += *run.samples;
        seconds += run.seconds;
    }
    const bool one = material.sets.size() == 1;
    const std::optional<double> scaling =
        one && material.scalings.size() == 1 ? std::optional(material.scalings.front()) : std::nullopt;
    model::Performance performance;
    performance.id = one && !options.id.empty()
                         ? options.id
                         : make_id({"mlperf-training", benchmark, gang_name(*gang.devices, *gang.device), org, platform});
    performance.device.id = *gang.device;
    performance.devices = *gang.devices;
    performance.units_per_s = model::Rate{samples / seconds, std::nullopt};
    performance.framework = system == nullptr ? "" : framework_in(system->framework);
    performance.source = source_of(options, fmt::format("{}, {} logs", name, set.runs.size() + set.aborted));
    performance.note = note_of(set, score, scaling, samples, seconds);
    report.add(std::move(performance));
}

} // namespace

HardError read_mlperf_training(std::span<const NamedText> files, const Options& options, Report& report) {
    Material material;
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (files[i].text.find(kMark) == std::string::npos) {
            take_json(files[i], i + 1, material, report);
        } else if (HardError error = take_log(files[i], i + 1, material, report)) {
            return error;
        }
    }
    const bool any =
        std::any_of(material.sets.begin(), material.sets.end(), [](const auto& set) { return !set.second.runs.empty(); });
    if (!any) {
        return hard_error(Code::bad_format, 0,
                          report.rows == 0 ? "no file has :::MLLOG lines: give the logs of a result set (result_0.txt …)"
                                           : "no log has a run that succeeded: " + report.rejected.first.front().reason);
    }
    if (material.scalings.size() > 1 || (material.scalings.size() == 1 && material.sets.size() > 1)) {
        report.warnings.add(0, "scaling.json was not used: give each result set in a call of its own to have its score scaled");
    }
    if (material.sets.size() > 1 && !options.id.empty()) {
        report.warnings.add(0, "id was not used: there are several result sets");
    }
    for (const auto& [key, set] : material.sets) {
        add_set(key, set, material, options, report);
    }
    return std::nullopt;
}

} // namespace costcurve::imports
