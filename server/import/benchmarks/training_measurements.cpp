// Measured rates of training as documents: rows of one model on one gang in one layout by one publisher are one series.
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "model/documents/measurement.hpp"
#include "server/import/benchmarks/measured_rates.hpp"
#include "server/import/identity/aliases.hpp"
#include "server/import/identity/model_name.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/read_rows.hpp"
#include "server/import/text/table.hpp"

namespace costcurve::imports {

namespace {

using model::Measurement;

class TrainingRates {
public:
    TrainingRates(Table& table, const Options& options, Report& report) : table_(table), options_(options), report_(report) {}

    // Why the row can't be used; "" where it is in a series now.
    std::string read_row() {
        const double rate = number(rate_);
        const double sequence = number(sequence_);
        if (rate <= 0.0 || sequence <= 0.0) {
            return rate <= 0.0 ? "tok_s_device is missing: tokens/s of a device" : "seq is missing: tokens of a sample";
        }
        Measurement series;
        if (std::string reason = describe(series); !reason.empty()) {
            return reason;
        }
        const double step = sequence * number(samples_); // 0: not stated
        series.id = id_of(series, step > 0.0);
        if (!seen_.insert(fmt::format("{}|{}|{}|{}", series.id, sequence, step, rate)).second) {
            ++report_.skipped;
            return "";
        }
        model::MeasuredPoints& points = series_.try_emplace(series.id, series).first->second.points;
        points.sequence.push_back(sequence);
        points.tokens_per_s.push_back(rate * series.devices);
        if (step > 0.0) {
            points.tokens_per_step.push_back(step);
        }
        return "";
    }
    void finish() { report_.add_all(series_); }

private:
    std::string text(Column column) const { return std::string(table_.text(column)); }
    double number(Column column) const { return table_.number(column).value; }

    std::string describe(Measurement& series) const {
        const std::string named = text(device_);
        const bool is_id = named.find('.') != std::string::npos && make_id({named}) == named;
        const std::optional<std::string> device = is_id ? named : device_of(named);
        if (!device) {
            return fmt::format("no device is called \"{}\"; add an alias (/v1/aliases)", named);
        }
        const std::optional<int> devices = count_of(number(devices_));
        if (!devices) {
            return fmt::format("devices is \"{}\"; a whole number from 1 is needed", text(devices_));
        }
        const auto precision = model::value_of<model::NumberFormat>(precision_of(text(precision_)));
        if (!precision) {
            return fmt::format("precision is \"{}\"; bf16, fp16, fp8, int8 or fp4 are needed", text(precision_));
        }
        const std::string task = text(task_);
        if (task != "pretrain" && task != "sft" && task != "lora") {
            return fmt::format("task is \"{}\"; pretrain, sft and lora are read", task);
        }
        series.kind = model::MeasurementKind::training;
        series.method = task == "lora" ? model::TrainingMethod::lora : model::TrainingMethod::full;
        series.model = model_id_of(text(model_));
        series.device = *device;
        series.devices = *devices;
        series.precision = *precision;
        set_layout(series);
        series.framework = text(framework_);
        series.version = text(version_);
        set_date(series);
        series.publisher = text(publisher_);
        series.source = source_of(options_, series.publisher);
        return "";
    }

    // Replicas of the model are what is left of the devices.
    void set_layout(Measurement& series) const {
        const double tp = number(tp_);
        const double pp = number(pp_);
        const double cp = std::max(1.0, number(cp_));
        const double ep = std::max(1.0, number(ep_));
        const double replicas = series.devices / (tp * pp * cp);
        if (tp >= 1.0 && pp >= 1.0 && replicas >= 1.0 && replicas == std::floor(replicas) && ep <= series.devices) {
            series.parallel = {static_cast<int>(tp), static_cast<int>(pp), static_cast<int>(ep), static_cast<int>(replicas),
                               static_cast<int>(cp)};
        }
    }
    // Many tables state a month or a year.
    void set_date(Measurement& series) const {
        constexpr std::size_t kDay = std::string_view("YYYY-MM-DD").size();
        const std::string measured = text(measured_);
        if (measured.size() == kDay) {
            series.date.text = measured;
        } else if (!measured.empty()) {
            series.note = fmt::format("Of {}.", measured);
        }
    }
    std::string id_of(const Measurement& series, bool has_step) const {
        std::string layout;
        if (const std::optional<model::Parallel>& parallel = series.parallel) {
            model::for_each_field<model::Parallel>([&](const auto& field) {
                const int devices = (*parallel).*field.member;
                layout += devices > 1 ? fmt::format("{}{}", field.name, devices) : "";
            });
        }
        return make_id({series.publisher, series.model, gang_name(series.devices, series.device), layout,
                        model::name_of(series.precision), fmt::format("{}-{}", series.framework, series.version), text(measured_),
                        "training", text(task_), has_step ? "steps" : ""});
    }

    Table& table_;
    const Options& options_;
    Report& report_;
    Column publisher_ = table_.column("source"), measured_ = table_.column("measured"), device_ = table_.column("device"),
           devices_ = table_.column("devices"), model_ = table_.column("model"), sequence_ = table_.column("seq"),
           samples_ = table_.column("gbs"), tp_ = table_.column("tp"), pp_ = table_.column("pp"), cp_ = table_.column("cp"),
           ep_ = table_.column("ep"), precision_ = table_.column("precision"), framework_ = table_.column("framework"),
           version_ = table_.column("version"), task_ = table_.column("task"), rate_ = table_.column("tok_s_device");
    std::map<std::string, Measurement> series_; ///< by id
    std::set<std::string> seen_;
};

} // namespace

HardError read_training_rates(std::string_view text, const Options& options, Report& report) {
    Bytes bytes{text};
    Table table(bytes);
    if (!table.require({"source", "device", "devices", "model", "seq", "precision", "task", "tok_s_device"})) {
        return table.error();
    }
    TrainingRates rates(table, options, report);
    HardError error = each_row(table, report, [&] { return rates.read_row(); });
    if (!error) {
        rates.finish();
    }
    return error;
}

} // namespace costcurve::imports
