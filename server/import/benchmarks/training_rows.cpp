// Makes rows of the MFU model from measured runs, with a reason for every rejected run.
#include "server/import/benchmarks/training_rows.hpp"

#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "server/import/identity/aliases.hpp"
#include "server/import/identity/model_name.hpp"
#include "server/import/identity/spellings.hpp"

namespace costcurve::imports {

namespace {

// The year of a run as a fraction: "2025-06" is the beginning of June, "2025" the middle of the year.
double year_of_run(const std::string& date) {
    constexpr std::size_t kYear = 4;  // YYYY
    constexpr std::size_t kMonth = 7; // YYYY-MM
    constexpr double kMonths = 12.0;
    if (date.size() < kYear) {
        return 0.0;
    }
    const double year = std::stod(date.substr(0, kYear));
    return date.size() < kMonth ? year + 0.5 : year + (std::stod(date.substr(kYear + 1, 2)) - 1.0) / kMonths;
}

struct TrainedModel {
    double active_parameters = 0.0, layers = 0.0, hidden = 0.0, attention_flop = 0.0, expert_parameters = 0.0;
    bool is_mixture = false;
    std::string architecture;
};

TrainedModel of_shape(const model::ModelShape& shape) {
    return {shape.active_parameters,
            shape.layers,
            shape.hidden,
            shape.attention_flop_prompt,
            shape.experts > 0.0 ? shape.expert_parameters / (shape.experts * shape.layers) : 0.0,
            shape.experts > 0.0,
            model::architecture_of(shape)};
}

TrainedModel of_row(const MeasuredTraining& run) {
    constexpr double kWidthALayer = 128.0;
    constexpr double kBlock = 12.0; // parameters per layer, divided by width squared
    constexpr double kSparse = 1.2; // a model is a mixture of experts if all parameters exceed the active ones by this factor
    TrainedModel trained;
    trained.active_parameters = run.active_parameters > 0.0 ? run.active_parameters : run.parameters;
    trained.layers = run.layers > 0.0 ? run.layers : std::cbrt(trained.active_parameters / (kBlock * kWidthALayer * kWidthALayer));
    trained.hidden = run.hidden > 0.0 && run.layers > 0.0 ? run.hidden : kWidthALayer * trained.layers;
    trained.is_mixture = run.parameters > kSparse * trained.active_parameters;
    trained.architecture = run.model;
    return trained;
}

} // namespace

TrainingRows::TrainingRows(const ModelShapes& shapes, const std::vector<model::Device>& devices) : shapes_(shapes) {
    for (const model::Device& device : devices) {
        devices_[device.id] = device;
    }
}

std::uint32_t TrainingRows::number_of(const std::string& name) {
    return numbers_.emplace(name, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

std::string TrainingRows::add(const MeasuredTraining& run, bool is_audited) {
    auto shape = shapes_.find(run.model);
    shape = shape == shapes_.end() ? shapes_.find(model_id_of(run.model)) : shape;
    const TrainedModel trained = shape == shapes_.end() ? of_row(run) : of_shape(shape->second);
    if (trained.active_parameters <= 0.0) {
        return "no parameters of " + run.model + ": neither its row nor the catalogue has them";
    }
    auto device = devices_.find(run.device);
    if (device == devices_.end()) {
        const std::optional<std::string> id = device_of(run.device);
        device = id ? devices_.find(*id) : device;
    }
    if (device == devices_.end()) {
        return "no such device: " + run.device;
    }
    const auto precision = model::weight_precision(precision_of(run.precision));
    if (!precision || run.devices < 1.0) {
        return "no precision or devices";
    }
    if (!model::trains_in(device->second, *precision)) {
        return fmt::format("doubtful: {} has no peak of {}", device->first, run.precision);
    }
    model::TrainingRow row;
    row.run.active_parameters = trained.active_parameters;
    row.run.layers = trained.layers;
    row.run.hidden = trained.hidden;
    row.run.attention_flop = trained.attention_flop;
    row.run.is_mixture = trained.is_mixture;
    row.run.expert_parameters = trained.expert_parameters;
    row.run.peak_flops = model::products_peak(device->second, *precision);
    row.run.peak_flops_16 = model::peak_16(device->second);
    row.run.family = model::training_family(device->first);
    row.run.software = model::training_software(run.framework, run.source);
    row.run.precision = *precision;
    row.run.method = run.task == "lora" ? model::TrainingMethod::lora : model::TrainingMethod::full;
    row.run.devices = run.devices;
    row.run.sequence = run.sequence;
    row.run.tokens_per_step = run.sequence * run.samples_per_step;
    row.run.year = year_of_run(run.measured);
    row.model = shape == shapes_.end() ? run.model : shape->first;
    row.device = device->first;
    row.source = run.source;
    row.at = model::training_conditions(row.run, number_of(trained.architecture + (run.task == "lora" ? " lora" : "")),
                                        number_of("device " + row.device), number_of("family " + std::string(row.run.family)));
    row.output_per_s = run.device_tokens_per_s * run.devices;
    row.is_audited = is_audited;
    const std::string key = fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", trained.architecture, row.device, run.devices,
                                        static_cast<int>(*precision), run.task, run.framework, run.version, run.measured,
                                        run.sequence, run.samples_per_step, run.tp, run.device_tokens_per_s);
    const auto [said, is_new] = by_key_.try_emplace(key, rows_.size());
    if (is_new) {
        rows_.push_back(std::move(row));
        return "";
    }
    if (!is_audited || rows_[said->second].is_audited) {
        return "says what another row says";
    }
    rows_[said->second].is_audited = true;
    return "";
}

} // namespace costcurve::imports
