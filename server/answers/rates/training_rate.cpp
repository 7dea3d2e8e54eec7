// Training rate of a stored model on a gang of stored devices.
#include "server/answers/rates/training_rate.hpp"

#include <fmt/format.h>

#include "model/performance/device_facts.hpp"
#include "server/answers/rates/rate_names.hpp"
#include "server/documents/stored_rates.hpp"
#include "server/import/identity/spellings.hpp"

namespace costcurve::answers {

using model::Code;

namespace {

// The smallest power of two of devices whose memory holds the model's training state.
model::Result<int> training_devices(const RatesRequest& request, const model::Model& model, const model::Device& device,
                                    const model::TrainingQuestion& question) {
    constexpr int kMaxDevices = 1 << 17; // that a request may state
    const double bytes = model::training_state_bytes(model, question.precision, question.method);
    const double adapters = model::training_state_bytes(model, question.precision, model::TrainingMethod::lora);
    if (!device.memory_gib) {
        return request.devices ? model::Result<int>(*request.devices)
                               : tl::unexpected(model::Failure{
                                     {"/devices", Code::missing,
                                      fmt::format("devices is required: {} states no memory_gib to find them by", device.id)}});
    }
    const double memory = *device.memory_gib * model::kBytesPerGib;
    int fewest = 1;
    while (fewest < kMaxDevices && fewest * memory < bytes) {
        fewest *= 2;
    }
    const int devices = request.devices.value_or(fewest);
    if (devices * memory >= bytes) {
        return devices;
    }
    return tl::unexpected(
        model::Failure{{"/devices", Code::exceeds_memory,
                        fmt::format("{} of {} have {:.4g} GB, and training {} keeps {:.4g} GB at least; give {} or more{}", devices,
                                    device.id, devices * memory / model::kBytesPerGb, model.id, bytes / model::kBytesPerGb, fewest,
                                    adapters <= devices * memory ? ", or method lora" : "")}});
}

} // namespace

model::Result<RatesAnswer> training_rate_of(const RatesRequest& request, documents::Source& source) {
    const std::vector<model::Model> models = documents::all_of_kind<model::Model>(source);
    const std::vector<model::Device> devices = documents::all_of_kind<model::Device>(source);
    const model::Model* const model = find_model(models, request.model);
    const model::Device* const device = find_device(devices, request.device);
    model::Failure issues;
    if (model == nullptr) {
        issues.push_back(unknown_model(models, request.model));
    } else if (model->context_tokens > 0.0 && *request.sequence > model->context_tokens) {
        issues.push_back({"/sequence", Code::out_of_range,
                          fmt::format("sequence is {:.0f} tokens; the context of {} is {:.0f}: give shorter samples",
                                      *request.sequence, model->id, model->context_tokens)});
    }
    const std::string precision = request.precision.empty() ? "bf16" : request.precision;
    const auto products = model::weight_precision(precision);
    if (device == nullptr) {
        issues.push_back(unknown_device(devices, request.device));
    } else if (!model::trains_in(*device, *products)) {
        issues.push_back({"/precision", Code::ineligible_precision,
                          fmt::format("{} states no peak of {}; it has those of {}", device->id, precision, peaks_of(*device))});
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    const std::string framework = imports::framework_in(request.framework);
    model::TrainingQuestion question;
    question.precision = *products;
    question.method = request.method.value_or(model::TrainingMethod::full);
    question.sequence = *request.sequence;
    question.tokens_per_step = request.tokens_per_step.value_or(0.0);
    question.framework = framework.empty() ? request.framework : framework;
    const model::Result<int> count = training_devices(request, *model, *device, question);
    if (!count) {
        return tl::unexpected(count.error());
    }
    question.devices = *count;
    const model::RatedTraining rated =
        *source.rates().training->rate(*model, *device, question); // never null: the device has a peak
    RatesAnswer answer;
    answer.model = model->id;
    answer.device = device->id;
    answer.devices = *count;
    answer.precision = precision;
    answer.method = question.method;
    answer.sequence = question.sequence;
    answer.tokens_per_step = request.tokens_per_step.value_or(model::kUsualStepTokens * question.devices);
    answer.tokens_per_s = rated.tokens_per_s;
    answer.tokens_per_s_device = rated.tokens_per_s / question.devices;
    answer.mfu = rated.mfu;
    answer.low = rated.low;
    answer.high = rated.high;
    answer.evidence = rated.evidence;
    answer.ceiling = rated.ceiling;
    for (const model::RunInfluence& influence : rated.from) {
        answer.from.push_back({influence.run->measurement, influence.run->point, influence.weight});
    }
    return answer;
}

} // namespace costcurve::answers
