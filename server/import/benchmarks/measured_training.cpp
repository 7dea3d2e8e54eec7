// Reads the output of `costcurve measure --log` as a document: a training run's rate without warm-up and pauses.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "server/import/benchmarks/measured_run.hpp"
#include "server/import/readers.hpp"

namespace costcurve::imports {

namespace {

constexpr double kFewestSteps = 5.0; // after the warm-up

struct TrainingColumn {
    std::string_view name;
    std::vector<double> model::MeasuredPoints::*column;
    bool is_required;
};
constexpr auto kTrainingColumns = std::to_array<TrainingColumn>({
    {"sequence", &model::MeasuredPoints::sequence, true},
    {"tokens_per_s", &model::MeasuredPoints::tokens_per_s, true},
    {"tokens_per_step", &model::MeasuredPoints::tokens_per_step, false},
    {"watts", &model::MeasuredPoints::watts, false},
});

} // namespace

HardError read_measured_training(const Json& root, const Options& options, Report& report) {
    for (const std::string_view beside : {"seconds", "lines", "warm_up_steps"}) {
        note_read(beside);
    }
    model::Measurement measurement;
    if (HardError error = describe_measured(root, options, measurement)) {
        return error;
    }
    const auto method = model::value_of<model::TrainingMethod>(text_of(root, "method"));
    const auto phases = list_of(root, "phases");
    if (!method || !phases || phases->size() != 1) {
        return hard_error(model::Code::bad_format, 0, "method (full or lora) and one phase are needed: measure again");
    }
    const Json& row = *phases->begin();
    report.rows = 1;
    if (const Number steps = number_of(row, "steps"); !steps || steps.value < kFewestSteps) {
        return hard_error(model::Code::bad_format, 1,
                          fmt::format("{:g} steps or more behind the warm-up are needed", kFewestSteps));
    }
    for (const TrainingColumn& column : kTrainingColumns) {
        const Number number = number_of(row, column.name);
        const bool is_stated = number && std::isfinite(number.value) && number.value > 0.0;
        if (column.is_required && !is_stated) {
            return hard_error(model::Code::bad_format, 1, fmt::format("{} is needed, above 0", column.name));
        }
        if (is_stated) {
            (measurement.points.*column.column).push_back(number.value);
        }
    }
    measurement.kind = model::MeasurementKind::training;
    measurement.method = *method;
    measurement.note = fmt::format("costcurve measure --log: {:g} steps of a trainer's log, without warm-up and pauses",
                                   number_of(row, "steps").value);
    if (options.id.empty()) {
        measurement.id += fmt::format(".{}-{:g}", *method == model::TrainingMethod::lora ? "lora" : "training",
                                      measurement.points.sequence.front());
    }
    report.add(std::move(measurement));
    return std::nullopt;
}

} // namespace costcurve::imports
