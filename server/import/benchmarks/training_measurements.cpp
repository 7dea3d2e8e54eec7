// Turns measured training rates into documents: rows with the same model, gang, layout and publisher form one series.
#include <array>
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

class TrainingSeries {
public:
    TrainingSeries(const Options& options, Report& report) : options_(options), report_(report) {}

    // Adds the run to its series. Gives the reason if the run can't be used, else "".
    std::string add(const MeasuredTraining& run) {
        Measurement series;
        if (std::string reason = describe(run, series); !reason.empty()) {
            return reason;
        }
        const double step = run.sequence * run.samples_per_step; // 0: not stated
        series.id = id_of(run, series);
        if (!seen_.insert(fmt::format("{}|{}|{}|{}", series.id, run.sequence, step, run.device_tokens_per_s)).second) {
            ++report_.skipped;
            return "";
        }
        model::MeasuredPoints& points = series_.try_emplace(series.id, series).first->second.points;
        points.sequence.push_back(run.sequence);
        points.tokens_per_s.push_back(run.device_tokens_per_s * series.devices);
        if (step > 0.0) {
            points.tokens_per_step.push_back(step);
        }
        return "";
    }
    void finish() { report_.add_all(series_); }

private:
    std::string describe(const MeasuredTraining& run, Measurement& series) const {
        const bool is_id = run.device.find('.') != std::string::npos && make_id({run.device}) == run.device;
        const std::optional<std::string> device = is_id ? run.device : device_of(run.device);
        if (!device) {
            return fmt::format("no device is called \"{}\"; add an alias (/v1/aliases)", run.device);
        }
        const std::optional<int> devices = count_of(run.devices);
        if (!devices) {
            return fmt::format("devices is {}; a whole number from 1 is needed", run.devices);
        }
        const auto precision = model::value_of<model::NumberFormat>(precision_of(run.precision));
        if (!precision) {
            return fmt::format("precision is \"{}\"; bf16, fp16, fp8, int8 or fp4 are needed", run.precision);
        }
        if (run.task != "pretrain" && run.task != "sft" && run.task != "lora") {
            return fmt::format("task is \"{}\"; pretrain, sft and lora are read", run.task);
        }
        series.kind = model::MeasurementKind::training;
        series.method = run.task == "lora" ? model::TrainingMethod::lora : model::TrainingMethod::full;
        series.model = model_id_of(run.model);
        series.device = *device;
        series.devices = *devices;
        series.precision = *precision;
        set_layout(run, series);
        series.framework = run.framework;
        series.version = run.version;
        set_date(run.measured, series);
        series.publisher = run.source;
        series.source = source_of(options_, series.publisher);
        return "";
    }

    // Sets the degrees of parallelism; the devices divided by all others give the data-parallel replicas.
    static void set_layout(const MeasuredTraining& run, Measurement& series) {
        const double cp = std::max(1.0, run.cp);
        const double ep = std::max(1.0, run.ep);
        const double replicas = series.devices / (run.tp * run.pp * cp);
        if (run.tp >= 1.0 && run.pp >= 1.0 && replicas >= 1.0 && replicas == std::floor(replicas) && ep <= series.devices) {
            series.parallel = {static_cast<int>(run.tp), static_cast<int>(run.pp), static_cast<int>(ep), static_cast<int>(replicas),
                               static_cast<int>(cp)};
        }
    }
    // Sets the date. Many tables state only a month or a year: the middle of that period is used, and the note tells the period.
    static void set_date(const std::string& measured, Measurement& series) {
        constexpr std::size_t kYear = std::string_view("YYYY").size();
        constexpr std::size_t kMonth = std::string_view("YYYY-MM").size();
        series.date.text = measured;
        if (measured.size() == kMonth || measured.size() == kYear) {
            series.date.text += measured.size() == kMonth ? "-15" : "-07-01";
            series.note = fmt::format("Of {}; the day is not stated.", measured);
        }
    }
    static std::string id_of(const MeasuredTraining& run, const Measurement& series) {
        std::string layout;
        if (const std::optional<model::Parallel>& parallel = series.parallel) {
            model::for_each_field<model::Parallel>([&](const auto& field) {
                const int devices = (*parallel).*field.member;
                layout += devices > 1 ? fmt::format("{}{}", field.name, devices) : "";
            });
        }
        return make_id({series.publisher, series.model, gang_name(series.devices, series.device), layout,
                        model::name_of(series.precision), fmt::format("{}-{}", series.framework, series.version), run.measured,
                        "training", run.task, run.samples_per_step > 0.0 ? "steps" : ""});
    }

    const Options& options_;
    Report& report_;
    std::map<std::string, Measurement> series_; ///< by id
    std::set<std::string> seen_;
};

} // namespace

bool is_training_table(std::string_view text) {
    return text.substr(0, text.find('\n')).find("tok_s_device") != std::string_view::npos;
}

HardError read_training_runs(std::string_view text, Report& report, const OnMeasuredTraining& on_run) {
    Bytes bytes{text};
    Table table(bytes);
    if (!table.require({"source", "device", "devices", "model", "seq", "precision", "task", "tok_s_device"})) {
        return table.error();
    }
    struct TextColumn {
        std::string MeasuredTraining::*member;
        Column column;
    };
    const auto texts = std::to_array<TextColumn>({{&MeasuredTraining::source, table.column("source")},
                                                  {&MeasuredTraining::measured, table.column("measured")},
                                                  {&MeasuredTraining::model, table.column("model")},
                                                  {&MeasuredTraining::device, table.column("device")},
                                                  {&MeasuredTraining::framework, table.column("framework")},
                                                  {&MeasuredTraining::version, table.column("version")},
                                                  {&MeasuredTraining::precision, table.column("precision")},
                                                  {&MeasuredTraining::task, table.column("task")}});
    struct NumberColumn {
        double MeasuredTraining::*member;
        Column column;
    };
    const auto numbers = std::to_array<NumberColumn>({{&MeasuredTraining::devices, table.column("devices")},
                                                      {&MeasuredTraining::parameters, table.column("params")},
                                                      {&MeasuredTraining::active_parameters, table.column("active_params")},
                                                      {&MeasuredTraining::layers, table.column("layers")},
                                                      {&MeasuredTraining::hidden, table.column("hidden")},
                                                      {&MeasuredTraining::sequence, table.column("seq")},
                                                      {&MeasuredTraining::samples_per_step, table.column("gbs")},
                                                      {&MeasuredTraining::tp, table.column("tp")},
                                                      {&MeasuredTraining::pp, table.column("pp")},
                                                      {&MeasuredTraining::cp, table.column("cp")},
                                                      {&MeasuredTraining::ep, table.column("ep")},
                                                      {&MeasuredTraining::device_tokens_per_s, table.column("tok_s_device")}});
    return each_row(table, report, [&]() -> std::string {
        MeasuredTraining run;
        run.row = table.row();
        for (const TextColumn& row : texts) {
            run.*row.member = table.text(row.column);
        }
        for (const NumberColumn& row : numbers) {
            run.*row.member = table.number(row.column).value;
        }
        if (run.device_tokens_per_s <= 0.0 || run.sequence <= 0.0) {
            return run.sequence <= 0.0 ? "seq is missing: tokens of a sample" : "tok_s_device is missing: tokens/s of a device";
        }
        on_run(std::move(run));
        return "";
    });
}

HardError read_training_rates(std::string_view text, const Options& options, Report& report) {
    TrainingSeries series(options, report);
    HardError error = read_training_runs(text, report, [&](MeasuredTraining&& run) {
        if (std::string reason = series.add(run); !reason.empty()) {
            report.rejected.add(run.row, std::move(reason));
        }
    });
    if (!error) {
        series.finish();
    }
    return error;
}

} // namespace costcurve::imports
