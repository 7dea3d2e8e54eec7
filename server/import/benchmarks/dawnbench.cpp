// Reads DAWNBench entries: a JSON with the machine and its price and, for training, a TSV with epochs and hours. Training gives a
// rate and an offer, inference a rate and a latency.
#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "server/import/demand/week_hours.hpp"
#include "server/import/identity/machine_text.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/table.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

// The benchmarks, recognized by the metric that they report. Rules: dawn.cs.stanford.edu/benchmark. Sizes of the training sets:
// ILSVRC 2012 1281167 images (Russakovsky et al. 2015, table 2); CIFAR-10 50000 (Krizhevsky 2009); SQuAD v1.1 87599 questions
// (train-v1.1.json; Rajpurkar et al. 2016).
struct Benchmark {
    std::string_view name;
    std::string_view measure; // column of the TSV, member of the JSON
    double target;
    double epoch_size;
    std::string_view unit;
};
constexpr auto kBenchmarks = std::to_array<Benchmark>({
    {"imagenet", "top5Accuracy", 93.0, 1281167.0, "images"}, // first: ImageNet entries have top1Accuracy too
    {"squad", "f1Score", 0.75, 87599.0, "questions"},
    {"cifar10", "top1Accuracy", 94.0, 50000.0, "images"},
});

struct DawnbenchEpoch {
    double number = 0.0;
    double hours = 0.0;
    double measure = 0.0;
};

struct Training {
    const Benchmark* benchmark = nullptr;
    std::vector<DawnbenchEpoch> epochs;
};

// The files of one entry.
struct DawnbenchEntry {
    std::size_t row = 0;
    const NamedText* json = nullptr;
    const NamedText* tsv = nullptr;
    bool ambiguous = false;
};

struct Context {
    const Options& options;
    Report& report;
    std::map<std::string, model::Offer> offers; // prices of one machine at several dates form one curve
};

std::string entry_name(std::string_view name) { return std::string(name.substr(0, name.rfind('.'))); }
bool has_ending(std::string_view name, std::string_view ending) { return lower(name).ends_with(ending); }

// Reads the epochs of a TSV. Gives the reason if the file can't be used, else "".
std::string read_epochs(const NamedText& file, Training& training, Report& report) {
    Bytes bytes{std::string_view(file.text)};
    Table table(bytes);
    if (!table.require({"epoch", "hours"})) {
        return table.error()->message;
    }
    Column measure;
    for (auto one = kBenchmarks.begin(); one != kBenchmarks.end() && !measure; ++one) {
        measure = table.column(one->measure);
        training.benchmark = one;
    }
    if (!measure) {
        return "it has no column top5Accuracy, top1Accuracy or f1Score";
    }
    const Column epoch = table.column("epoch");
    const Column hours = table.column("hours");
    while (table.next()) {
        const Number number = table.number(epoch);
        const Number time = table.number(hours);
        const Number reached = table.number(measure);
        const bool onward =
            training.epochs.empty() || (number.value > training.epochs.back().number && time.value > training.epochs.back().hours);
        if (!number || !time || !reached || time.value <= 0 || !onward) {
            report.warnings.add(table.row(),
                                fmt::format("{}: the row was left out: epoch, hours and {} must be numbers, and epochs and "
                                            "hours ascend",
                                            file.name, training.benchmark->measure));
            continue;
        }
        training.epochs.push_back({number.value, time.value, reached.value});
    }
    if (table.error()) {
        return table.error()->message;
    }
    return training.epochs.size() < 2 ? "it has fewer than two epochs" : "";
}

// Whether epoch 0 is the first trained epoch. Some logs number epochs from 0; others log an evaluation before training as epoch 0,
// which takes a small part of an epoch's time. Compares with the next row only, since later epochs take longer if image sizes
// grow.
bool numbered_from_zero(const std::vector<DawnbenchEpoch>& epochs) {
    const double per_epoch = (epochs[1].hours - epochs[0].hours) / (epochs[1].number - epochs[0].number);
    return epochs[0].number == 0.0 && epochs[0].hours >= 0.5 * per_epoch;
}

constexpr std::string_view kHostToo = " The price is of the host and the TPU together.";

struct Described {
    const NamedText& file;
    std::string stem, hardware, framework, model;
    std::optional<std::string> device;
    std::optional<int> devices;
    MachineText machine;
    std::string precision = {};
};

Described describe_entry(const NamedText& file, const Json& json, const Options& options) {
    const std::string hardware(text_of(json, "hardware"));
    MachineText machine = machine_in(hardware);
    std::optional<std::string> device = machine.device;
    std::optional<int> devices = machine.devices;
    if (!device || !devices) { // the options fill in what the text doesn't state
        device = device ? device : device_option(options);
        devices = devices ? devices : devices_option(options);
    }
    return {file,
            entry_name(file.name),
            hardware,
            std::string(text_of(json, "framework")),
            std::string(text_of(json, "model")),
            device,
            devices,
            std::move(machine)};
}

std::string unknown_machine(const Described& entry) {
    return fmt::format("{}: hardware is \"{}\": {}; give device and devices, with files of that hardware alone", entry.file.name,
                       entry.hardware,
                       entry.device ? "how many devices it has is not certain" : "which device it has is not certain");
}

void add_offer(const DawnbenchEntry& files, const Described& entry, const Json& json, double price, Context& context) {
    if (entry.machine.provider.empty()) {
        context.report.rejected.add(files.row, fmt::format("{}: hardware is \"{}\": no provider for an offer of {} USD an hour",
                                                           entry.file.name, entry.hardware, price));
        return;
    }
    std::optional<Moment> moment = parse_moment(text_of(json, "timestamp"));
    moment = moment ? moment : parse_moment(context.options.date);
    if (!moment) {
        context.report.rejected.add(
            files.row,
            fmt::format("{}: timestamp is blank or no date: since when the price holds is not known; give date", entry.file.name));
        return;
    }
    const std::string& sku = entry.machine.instance;
    const std::string machine = fmt::format("{}{}", entry.machine.machines > 1 ? fmt::format("{}x-", entry.machine.machines) : "",
                                            sku.empty() ? gang_name(*entry.devices, *entry.device) : sku);
    const std::string id = make_id({"dawnbench", entry.machine.provider, machine});
    const double day = day_of(*moment);
    const auto [at, is_new] = context.offers.try_emplace(id);
    model::Offer& offer = at->second;
    if (is_new) {
        offer.id = id;
        offer.provider = entry.machine.provider;
        offer.sku = sku;
        offer.device.id = *entry.device;
        offer.device.stored.is_reference = true;
        offer.devices = *entry.devices;
        offer.currency = "USD";
        // No text from a single entry: the same machine must give the same document, whoever submitted it.
        offer.source = source_of(context.options, fmt::format("DAWNBench, costPerHour of {}", machine));
        offer.note = fmt::format("The whole machine{}, as the entries state it; that it is the price on demand is assumed.{}",
                                 entry.machine.machines > 1 ? fmt::format("s: {} of them as one", entry.machine.machines) : "",
                                 entry.machine.has_host_price ? kHostToo : "");
        offer.hourly_price.curve.emplace();
        offer.hourly_price.curve->interpolation = model::Interpolation::step;
    }
    model::Curve& curve = *offer.hourly_price.curve;
    const auto place = std::lower_bound(curve.x.begin(), curve.x.end(), day);
    const auto index = place - curve.x.begin();
    if (place == curve.x.end() || *place != day) {
        curve.x.insert(place, day);
        curve.y.insert(curve.y.begin() + index, price);
    } else if (curve.y[static_cast<std::size_t>(index)] != price) {
        context.report.warnings.add(files.row,
                                    fmt::format("{}: {} USD an hour; another entry of the same machine and day says {}, which "
                                                "was taken",
                                                entry.file.name, price, curve.y[static_cast<std::size_t>(index)]));
    }
}

model::Performance performance_of(const Described& entry, std::string_view benchmark, std::string_view what,
                                  const Context& context) {
    model::Performance performance;
    performance.id = make_id({"dawnbench", benchmark, what, entry.stem});
    performance.device.id = *entry.device;
    performance.devices = *entry.devices;
    performance.framework = framework_in(entry.framework);
    performance.source = source_of(context.options, fmt::format("DAWNBench {} {} {}", benchmark, what, entry.stem));
    return performance;
}

// Adds a training entry. Gives the reason if the entry can't be used, else "".
std::string add_training(const DawnbenchEntry& files, const Described& entry, const Json& json, Context& context) {
    Training training;
    if (const std::string why = read_epochs(*files.tsv, training, context.report); !why.empty()) {
        return fmt::format("{}: {}", files.tsv->name, why);
    }
    if (!entry.device || !entry.devices) {
        return unknown_machine(entry);
    }
    const Benchmark& benchmark = *training.benchmark;
    const std::vector<DawnbenchEpoch>& epochs = training.epochs;
    auto reached =
        std::find_if(epochs.begin(), epochs.end(), [&](const DawnbenchEpoch& one) { return one.measure >= benchmark.target; });
    const bool reaches = reached != epochs.end();
    if (!reaches) {
        context.report.warnings.add(files.row, fmt::format("{}: it never reaches the target of {} {}: its last row was taken",
                                                           files.tsv->name, benchmark.target, benchmark.measure));
        reached = epochs.end() - 1;
    }
    const bool from_zero = numbered_from_zero(epochs);
    const double done = reached->number + (from_zero ? 1.0 : 0.0);
    const double hours_per_epoch = reached->hours / done;
    model::Performance performance = performance_of(entry, benchmark.name, "train", context);
    performance.units_per_s = model::Rate{benchmark.epoch_size / (hours_per_epoch * kSecondsPerHour), std::nullopt};
    performance.note =
        fmt::format("{}. {} {} an epoch (units_per_epoch); {:.6g} epochs in {:.6g} h, at the {} row{}: their mean, {:.6g} h "
                    "an epoch.",
                    entry.model, benchmark.epoch_size, benchmark.unit, done, reached->hours, reaches ? "first" : "last",
                    reaches ? fmt::format(" with {} of {}", benchmark.measure, benchmark.target) : "", hours_per_epoch);
    if (epochs[0].number == 0.0) {
        performance.note += from_zero ? " Epochs are numbered from 0, each row after its epoch."
                                      : " Row 0 is an evaluation before the first epoch.";
    }
    const Number price = number_of(json, "costPerHour");
    if (price && price.value > 0) {
        performance.note += fmt::format(" At {} USD an hour that is {:.2f} USD in all, {:.6g} USD an epoch.", price.value,
                                        price.value * reached->hours, price.value * hours_per_epoch);
        add_offer(files, entry, json, price.value, context);
    }
    performance.note += fmt::format(" Hardware: {}.{}", entry.hardware, entry.machine.has_host_price ? kHostToo : "");
    context.report.add(std::move(performance));
    return "";
}

// Adds an inference entry. Gives the reason if the entry can't be used, else "".
std::string add_inference(const Described& entry, const Json& json, Context& context) {
    const auto benchmark = std::find_if(kBenchmarks.begin(), kBenchmarks.end(),
                                        [&](const Benchmark& one) { return member(json, one.measure).has_value(); });
    const Number latency = number_of(json, "latency");
    if (benchmark == kBenchmarks.end() || latency.value <= 0) {
        return fmt::format("{}: it has no {}", entry.file.name,
                           latency.value > 0 ? "top5Accuracy, top1Accuracy or f1Score" : "latency above 0 ms");
    }
    if (!entry.device || !entry.devices) {
        return unknown_machine(entry);
    }
    const double latency_s = latency.value / kMsPerSecond;
    model::Performance performance = performance_of(entry, benchmark->name, "inference", context);
    performance.batch = 1;
    performance.itl_s = model::Rate{latency_s, std::nullopt};
    performance.units_per_s = model::Rate{1.0 / latency_s, std::nullopt};
    performance.note =
        fmt::format("{}. {} ms. One of the {} at a time: units_per_s is 1 / latency, the benchmark's own rule of cost.",
                    entry.model, latency.value, benchmark->unit);
    if (const Number cost = number_of(json, "cost"); cost && cost.value > 0) {
        performance.note +=
            fmt::format(" {:.6g} USD each, which is {:.4g} USD an hour.", cost.value, cost.value / latency_s * kSecondsPerHour);
    }
    performance.note += fmt::format(" Hardware: {}.{}", entry.hardware, entry.machine.has_host_price ? kHostToo : "");
    context.report.add(std::move(performance));
    return "";
}

// Adds an entry of either kind. Gives the reason if the entry can't be used, else "".
std::string add_entry(const std::string& stem, const DawnbenchEntry& files, Context& context) {
    if (files.ambiguous) {
        return fmt::format("{}: several files have this name; give each benchmark in a call of its own", stem);
    }
    if (files.json == nullptr) {
        return fmt::format("{}: its JSON, {}.json, is missing", files.tsv->name, stem);
    }
    const JsonFile file{std::string_view(files.json->text)};
    if (!file.root()) {
        return fmt::format("{}: {}", files.json->name, file.error()->message);
    }
    const Json& json = *file.root();
    const Described entry = describe_entry(*files.json, json, context.options);
    if (files.tsv != nullptr) {
        return add_training(files, entry, json, context);
    }
    return member(json, "latency") ? add_inference(entry, json, context)
                                   : fmt::format("{}: it has no latency, and its TSV, {}.tsv, is missing", files.json->name, stem);
}

} // namespace

HardError read_dawnbench(std::span<const NamedText> files, const Options& options, Report& report) {
    std::map<std::string, DawnbenchEntry> entries;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const NamedText& file = files[i];
        const bool json = has_ending(file.name, ".json");
        if (!json && !has_ending(file.name, ".tsv")) {
            report.rejected.add(i + 1, fmt::format("{}: neither .json nor .tsv", file.name));
            continue;
        }
        DawnbenchEntry& entry = entries.try_emplace(entry_name(file.name), DawnbenchEntry{i + 1}).first->second;
        const NamedText*& place = json ? entry.json : entry.tsv;
        entry.ambiguous = entry.ambiguous || place != nullptr;
        place = &file;
    }
    if (entries.empty()) {
        return hard_error(Code::bad_format, 0, "give the JSON of DAWNBench entries, and the TSV of those of training");
    }
    Context context{options, report, {}};
    report.rows += entries.size();
    for (const auto& [stem, entry] : entries) {
        if (std::string reason = add_entry(stem, entry, context); !reason.empty()) {
            report.rejected.add(entry.row, std::move(reason));
        }
    }
    report.add_all(context.offers);
    return std::nullopt;
}

} // namespace costcurve::imports
