// Zeus's measurements of training under power limits: throughput by batch at each limit, with watts and joules. If the epochs
// to a target are known, also trainings to that target. Also sweeps of one job over power limits.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "server/import/curves.hpp"
#include "server/import/identity/aliases.hpp"
#include "server/import/identity/device_name.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/table.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

// Training samples per epoch of data sets with a fixed size. Sources: ILSVRC 2012; Krizhevsky 2009. Other sets depend on how they
// are split and filtered, so their unit is the epoch.
struct DatasetRow {
    std::string_view name;
    double samples;
};
constexpr auto kDatasets = std::to_array<DatasetRow>({{"imagenet", 1281167.0}, {"cifar100", 50000.0}});

constexpr std::string_view kNoDevice = "the file's name has no device that is known; give the option device";

struct ZeusJob {
    std::string dataset, network, optimizer;
    bool operator<(const ZeusJob& b) const {
        return std::tie(dataset, network, optimizer) < std::tie(b.dataset, b.network, b.optimizer);
    }
};
struct Setting {
    std::string device;
    ZeusJob job;
    double limit_w = 0.0;
    bool operator<(const Setting& b) const { return std::tie(device, job, limit_w) < std::tie(b.device, b.job, b.limit_w); }
};
struct ZeusEpoch {
    double seconds = 0.0, watts = 0.0;
    bool operator==(const ZeusEpoch&) const = default;
};
/// Epochs to reach a target, summed over the runs of a batch size.
struct Runs {
    int reached = 0, missed = 0;
    double epochs = 0.0; ///< sum of those that reached it
};

using Epochs = std::map<int, ZeusEpoch>;                                  ///< by batch
using Targets = std::map<ZeusJob, std::map<double, std::map<int, Runs>>>; ///< by job, target and batch

class ZeusReader {
public:
    ZeusReader(std::span<const NamedText> files, const Options& options, Report& report)
        : files_(files), options_(options), report_(report) {}

    HardError read() {
        for (const NamedText& file : files_) {
            file_ = &file;
            if (HardError error = read_one()) {
                error->message = files_.size() > 1 ? fmt::format("{}: {}", file.name, error->message) : error->message;
                return error;
            }
        }
        for (const auto& [setting, epochs] : settings_) {
            add_setting(setting, epochs);
        }
        add_targets();
        if (made_ == 0) {
            return hard_error(Code::missing, 0,
                              targets_.empty()
                                  ? "no row has a power limit and what was measured at it"
                                  : "epochs to a target (summary_train) need the time of an epoch beside them: give the "
                                    "summary_power file of the same trace too");
        }
        return std::nullopt;
    }

private:
    void reject(std::size_t row, std::string_view reason) { report_.rejected.add(row, named(reason)); }
    [[nodiscard]] std::string named(std::string_view text) const {
        return files_.size() > 1 ? fmt::format("{}: {}", file_->name, text) : std::string(text);
    }

    HardError read_one() {
        Bytes bytes(file_->text);
        Table table(bytes);
        if (table.column("window_name")) {
            return read_sweep(table);
        }
        if (table.column("target_epoch")) {
            return read_train(table);
        }
        if (!table.error() && !table.column("power_limit")) {
            return hard_error(
                Code::missing, 1,
                "a column power_limit (summary_power), target_epoch (summary_train) or window_name (a sweep) is needed");
        }
        return read_power(table);
    }

    // The device from the option or the file's name; "" if neither states it.
    std::string device_by(std::string_view spelling) {
        const std::optional<std::string> given = device_option(options_);
        std::string device = given ? *given : device_of(spelling).value_or("");
        if (!given && !device.empty()) {
            report_.warnings.add(0, named(fmt::format("the device is read off the file's name, as {}; give the option device if it "
                                                      "was another board",
                                                      device)));
        }
        return device;
    }

    bool all_above_zero(const Table& table, std::initializer_list<std::pair<std::string_view, Column>> columns) {
        for (const auto& [name, column] : columns) {
            const Number number = table.number(column);
            if (!number || number.value <= 0.0) {
                reject(table.row(), number.state == Number::State::blank
                                        ? fmt::format("{} is blank", name)
                                        : fmt::format("{} is {}; a number above 0 is needed", name, table.text(column)));
                return false;
            }
        }
        return true;
    }

    // A batch size as an integer; 0 and a rejected row if it isn't from 1 to 1000000.
    int batch_of(const Table& table, Column column) {
        const std::optional<int> batch = count_of(table.number(column).value); // 0 if not a number
        if (!batch) {
            reject(table.row(),
                   fmt::format("batch_size is \"{}\"; a whole number from 1 to 1000000 is needed", table.text(column)));
        }
        return batch.value_or(0);
    }

    HardError read_power(Table& table) {
        if (!table.require({"dataset", "network", "batch_size", "optimizer", "power_limit", "time_per_epoch", "average_power"})) {
            return table.error();
        }
        const std::string_view stem = stem_of(file_->name);
        const std::string device = device_by(stem.substr(stem.rfind('_') + 1));
        if (device.empty()) {
            return hard_error(Code::missing, 0, kNoDevice);
        }
        const Column limit = table.column("power_limit");
        const Column time = table.column("time_per_epoch");
        const Column power = table.column("average_power");
        while (table.next()) {
            ++report_.rows;
            const int batch = batch_of(table, table.column("batch_size"));
            if (batch == 0 ||
                !all_above_zero(table, {{"power_limit", limit}, {"time_per_epoch", time}, {"average_power", power}})) {
                continue;
            }
            const ZeusEpoch epoch{table.number(time).value, table.number(power).value};
            const Setting setting{device, job_of(table), table.number(limit).value};
            const auto [at, is_new] = settings_[setting].try_emplace(batch, epoch);
            if (!is_new && at->second == epoch) {
                ++report_.skipped;
            } else if (!is_new) {
                reject(table.row(), fmt::format("batch size {} at {:g} W was measured in a row above, with another result", batch,
                                                setting.limit_w));
            }
        }
        return table.error();
    }

    static ZeusJob job_of(Table& table) {
        return {std::string(table.text(table.column("dataset"))), std::string(table.text(table.column("network"))),
                std::string(table.text(table.column("optimizer")))};
    }

    HardError read_train(Table& table) {
        if (!table.require({"dataset", "network", "batch_size", "optimizer", "target_metric", "target_epoch"})) {
            return table.error();
        }
        const Column target = table.column("target_metric");
        const Column epoch = table.column("target_epoch");
        while (table.next()) {
            ++report_.rows;
            const int batch = batch_of(table, table.column("batch_size"));
            const Number metric = table.number(target);
            const Number epochs = table.number(epoch);
            if (batch == 0) {
                continue;
            }
            if (!metric || epochs.state == Number::State::bad || (epochs && epochs.value <= 0.0)) {
                reject(table.row(),
                       !metric ? fmt::format("target_metric is \"{}\"; a number is needed", table.text(target))
                               : fmt::format("target_epoch is \"{}\"; a number above 0, or nan, is needed", table.text(epoch)));
                continue;
            }
            Runs& runs = targets_[job_of(table)][metric.value][batch];
            (epochs ? runs.reached : runs.missed) += 1; // nan: the run missed the target
            runs.epochs += epochs.value;
        }
        return table.error();
    }

    static double units_of(const ZeusJob& job) {
        const auto* const row = std::ranges::find(kDatasets, job.dataset, &DatasetRow::name);
        return row == kDatasets.end() ? 1.0 : row->samples;
    }

    void add_setting(const Setting& setting, const Epochs& epochs) {
        const double units = units_of(setting.job);
        std::map<int, double> rates;
        std::string note;
        for (const auto& [batch, epoch] : epochs) {
            rates[batch] = units / epoch.seconds;
            note += fmt::format("{}{}: {:.4g} W, {:.4g} s, {:.4g} kJ", note.empty() ? "" : "; ", batch, epoch.watts, epoch.seconds,
                                epoch.watts * epoch.seconds / 1000.0);
        }
        add_performance(setting, "", rates,
                        fmt::format("{} of one device under a power limit of {:g} W. An epoch, by batch size: {}.",
                                    units > 1.0 ? fmt::format("Samples/s ({:.0f} an epoch)", units) : std::string("Epochs/s"),
                                    setting.limit_w, note));
    }

    // Adds a training to each target, at the largest power limit of each device and job.
    void add_targets() {
        std::map<std::pair<std::string, ZeusJob>, double> largest;
        for (const auto& [setting, epochs] : settings_) {
            double& limit = largest[{setting.device, setting.job}];
            limit = std::max(limit, setting.limit_w);
        }
        std::set<ZeusJob> used;
        for (const auto& [setting, epochs] : settings_) {
            const auto found = targets_.find(setting.job);
            if (found == targets_.end() || setting.limit_w != largest[{setting.device, setting.job}]) {
                continue;
            }
            used.insert(setting.job);
            for (const auto& [target, batches] : found->second) {
                add_target(setting, target, batches, epochs);
            }
        }
        for (const auto& [job, targets] : targets_) {
            if (!used.contains(job) && !settings_.empty()) {
                report_.warnings.add(0, fmt::format("epochs of {} {} {} are left out: no time of an epoch is beside them",
                                                    job.dataset, job.network, job.optimizer));
            }
        }
    }

    void add_target(const Setting& setting, double target, const std::map<int, Runs>& batches, const Epochs& epochs) {
        std::map<int, double> rates;
        std::string note;
        for (const auto& [batch, runs] : batches) {
            const auto epoch = epochs.find(batch);
            if (runs.missed > 0) {
                note += fmt::format(" Batch {} is left out: {} of {} runs did not reach it.", batch, runs.missed,
                                    runs.missed + runs.reached);
            } else if (epoch == epochs.end()) {
                note += fmt::format(" Batch {} is left out: it has no time of an epoch.", batch);
            } else {
                rates[batch] = 1.0 / (runs.epochs / runs.reached * epoch->second.seconds);
            }
        }
        if (!rates.empty()) {
            add_performance(
                setting, fmt::format("to-{:g}", target), rates,
                fmt::format("Trainings/s to a metric of {:g}, under a power limit of {:g} W: 1 / (mean epochs of the runs "
                            "x seconds of an epoch).{}",
                            target, setting.limit_w, note));
        }
    }

    // Adds a curve over batch, and a performance that uses the curve's best batch.
    void add_performance(const Setting& setting, const std::string& target, const std::map<int, double>& rates,
                         const std::string& note) {
        const std::string network = setting.job.network + "-" + setting.job.optimizer;
        const std::string limit = fmt::format("cap-{:g}w", setting.limit_w);
        model::Curve curve =
            empty_curve(model::CurveKind::throughput, model::Axis::batch,
                        make_id({"throughput.zeus", setting.job.dataset, network, target, setting.device, limit}),
                        source_of(options_, fmt::format("{}, {}, {}, power_limit {:g}", setting.job.dataset, setting.job.network,
                                                        setting.job.optimizer, setting.limit_w)),
                        note);
        for (const auto& [batch, rate] : rates) {
            append_point(curve, batch, rate);
        }
        const auto best =
            std::max_element(rates.begin(), rates.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        model::Performance performance;
        performance.id = make_id({"zeus", setting.job.dataset, network, target, setting.device, limit});
        performance.device.id = setting.device;
        performance.framework = "pytorch"; // all of Zeus's traces use PyTorch
        performance.batch = best->first;
        performance.source = curve.source;
        performance.note = "Read at its fastest batch size. " + curve.note.substr(0, curve.note.find('.') + 1);
        performance.units_per_s.emplace().curve.emplace().id = curve.id;
        performance.units_per_s->curve->kind = curve.kind;
        performance.units_per_s->curve->stored.is_reference = true;
        report_.add(std::move(curve));
        report_.add(std::move(performance));
        ++made_;
    }

    HardError read_sweep(Table& table) {
        if (!table.require({"window_name", "elapsed_time"})) {
            return table.error();
        }
        std::vector<Column> energies;
        for (std::size_t i = 0; i < table.header().size(); ++i) {
            if (lower(table.header()[i]).ends_with("energy")) {
                energies.push_back({static_cast<int>(i)});
            }
        }
        if (energies.empty()) {
            return hard_error(Code::missing, 1, "a column of energy for each GPU (gpu0_energy) is needed");
        }
        const std::string_view stem = stem_of(file_->name);
        const std::string device = device_by(stem.substr(0, stem.find('+')));
        if (device.empty()) {
            return hard_error(Code::missing, 0, kNoDevice);
        }
        const std::size_t plus = stem.find('+'); // "A40+resnet50+gpu0"
        const std::string_view job = plus == std::string_view::npos ? stem : stem.substr(plus + 1, stem.rfind('+') - plus - 1);
        std::set<double> limits;
        while (table.next()) {
            ++report_.rows;
            read_window(table, energies, device, job, limits);
        }
        return table.error();
    }

    void read_window(Table& table, const std::vector<Column>& energies, const std::string& device, std::string_view job,
                     std::set<double>& limits) {
        const std::string_view window = table.text(table.column("window_name"));
        const Number limit = parse_number(window.substr(window.find_last_not_of("0123456789.") + 1));
        if (!limit || limit.value <= 0.0) {
            reject(table.row(), fmt::format("window_name \"{}\" does not end in a power limit", window));
            return;
        }
        const Column elapsed = table.column("elapsed_time");
        double joules = 0.0;
        for (const Column& energy : energies) {
            if (!all_above_zero(table,
                                {{"elapsed_time", elapsed}, {table.header()[static_cast<std::size_t>(energy.index)], energy}})) {
                return;
            }
            joules += table.number(energy).value;
        }
        if (!limits.insert(limit.value).second) {
            reject(table.row(), fmt::format("the limit of {:g} W has a window above", limit.value));
            return;
        }
        const auto gpus = static_cast<double>(energies.size());
        const double seconds = table.number(elapsed).value;
        model::Performance performance;
        performance.id = make_id({"zeus.sweep", job, fmt::format("{:g}x-{}", gpus, device), fmt::format("cap-{:g}w", limit.value)});
        performance.device.id = device;
        performance.devices = static_cast<int>(energies.size());
        performance.units_per_s.emplace().number = 1.0 / seconds;
        performance.framework = "pytorch";
        Options options = options_;
        options.name = file_->name;
        performance.source = source_of(options, fmt::format("window {}", window));
        performance.note =
            fmt::format("Measurement windows/s of {:g} devices under a power limit of {:g} W: the same piece of work at "
                        "each limit, to compare limits only. {:.4g} W a device, {:.4g} J a window.",
                        gpus, limit.value, joules / seconds / gpus, joules);
        report_.add(std::move(performance));
        ++made_;
    }

    std::span<const NamedText> files_;
    const Options& options_;
    Report& report_;
    const NamedText* file_ = nullptr; ///< that is read
    std::map<Setting, Epochs> settings_;
    Targets targets_;
    std::size_t made_ = 0;
};

} // namespace

HardError read_zeus_power(std::span<const NamedText> files, const Options& options, Report& report) {
    return ZeusReader(files, options, report).read();
}

} // namespace costcurve::imports
