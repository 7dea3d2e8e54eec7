// Terms of ln MFU, and the families and software that they are of.
#include "model/performance/training_model.hpp"

#include <algorithm>
#include <cmath>

#include "model/performance/device_facts.hpp"

namespace costcurve::model {

namespace {

constexpr double kForwardAndBackward = 6.0; // FLOP a parameter and token
constexpr double kAdapters = 4.0;           // without gradients of weights

constexpr double kAttentionFlop = 4.0; // forward, a token, token before it, layer and width: queries by keys, weights by values

constexpr double kUsualParameters = 1e10;
constexpr double kUsualDevices = 8.0;
constexpr double kOctaves = 5.0; // doublings of devices that terms are a unit of
constexpr double kUsualSequence = 4096.0;
constexpr double kUsualYear = 2025.0;
constexpr double kUsualExpert = 4e7;
constexpr double kUsualMixtureDevices = 64.0;

struct FamilyTerm {
    std::string_view family;
    TrainingTerm term;
};
constexpr auto kFamilyTerms = std::to_array<FamilyTerm>({{"ampere", TrainingTerm::ampere},
                                                         {"hopper", TrainingTerm::hopper},
                                                         {"blackwell", TrainingTerm::blackwell},
                                                         {"grace_blackwell", TrainingTerm::grace_blackwell},
                                                         {"ada", TrainingTerm::ada},
                                                         {"cdna3", TrainingTerm::cdna3},
                                                         {"cdna4", TrainingTerm::cdna4},
                                                         {"tpu", TrainingTerm::tpu},
                                                         {"gaudi", TrainingTerm::gaudi}});

struct SoftwareWord {
    std::string_view within;
    TrainingSoftware software;
};
constexpr auto kSoftwareWords = std::to_array<SoftwareWord>({{"mlperf", TrainingSoftware::mlperf},
                                                             {"megatron", TrainingSoftware::megatron},
                                                             {"nemo", TrainingSoftware::megatron},
                                                             {"maxtext", TrainingSoftware::maxtext},
                                                             {"llm-foundry", TrainingSoftware::llm_foundry},
                                                             {"torchtitan", TrainingSoftware::torchtitan}});

TrainingTerm precision_term(WeightPrecision precision) {
    switch (precision) {
    case WeightPrecision::fp8:
        return TrainingTerm::fp8;
    case WeightPrecision::fp4:
        return TrainingTerm::fp4;
    case WeightPrecision::bf16:
        break;
    }
    return TrainingTerm::bf16;
}

} // namespace

std::string_view training_family(std::string_view device) {
    return device.starts_with("nvidia.gb") ? "grace_blackwell" : device_family(device);
}

TrainingSoftware training_software(std::string_view framework, std::string_view publisher) {
    if (publisher.starts_with("mlperf")) {
        return TrainingSoftware::mlperf;
    }
    const auto found = std::ranges::find_if(
        kSoftwareWords, [&](const SoftwareWord& row) { return framework.find(row.within) != std::string_view::npos; });
    return found == kSoftwareWords.end() ? TrainingSoftware::other : found->software;
}

double training_token_s(const TrainingRun& run) {
    const double flop = run.method == TrainingMethod::lora ? kAdapters : kForwardAndBackward;
    const double width = run.attention_flop > 0.0 ? run.attention_flop / kAttentionFlop : run.layers * run.hidden;
    return flop * (run.active_parameters / run.peak_flops + width * run.sequence / run.peak_flops_16);
}

TrainingNumbers training_features(const TrainingRun& run) {
    TrainingNumbers features{};
    const auto put = [&](TrainingTerm term, double value) { features[static_cast<std::size_t>(term)] = value; };
    const double size = std::log10(run.active_parameters / kUsualParameters);
    const double step = run.tokens_per_step > 0.0 ? run.tokens_per_step / run.devices : kUsualStepTokens;
    put(TrainingTerm::level, 1.0);
    put(TrainingTerm::size, size);
    put(TrainingTerm::small_size, -std::min(0.0, size) * std::min(0.0, size));
    put(TrainingTerm::devices, std::log2(run.devices / kUsualDevices) / kOctaves);
    put(TrainingTerm::small_steps, std::min(0.0, std::log(step / kUsualStepTokens)));
    put(TrainingTerm::sequence, std::log10(run.sequence / kUsualSequence));
    put(TrainingTerm::year,
        std::clamp(run.year > 0.0 ? run.year : kTrainingYear, kFirstTrainingYear, kLastTrainingYear) - kUsualYear);
    put(precision_term(run.precision), 1.0);
    if (run.is_mixture) {
        put(TrainingTerm::mixture, 1.0);
        put(TrainingTerm::expert_size, run.expert_parameters > 0.0 ? std::log10(run.expert_parameters / kUsualExpert) : 0.0);
        put(TrainingTerm::mixture_devices, std::log2(run.devices / kUsualMixtureDevices) / kOctaves);
    }
    const auto family = std::ranges::find(kFamilyTerms, run.family, &FamilyTerm::family);
    if (family != kFamilyTerms.end()) {
        put(family->term, 1.0);
    }
    if (run.software != TrainingSoftware::other) { // the terms of software stand in the order of its names
        const auto first = static_cast<std::size_t>(TrainingTerm::megatron);
        features[first + static_cast<std::size_t>(run.software) - 1] = 1.0;
    }
    return features;
}

double training_mfu(const TrainingRun& run, const TrainingNumbers& coefficients) {
    const TrainingNumbers features = training_features(run);
    double sum = 0.0;
    for (std::size_t i = 0; i < features.size(); ++i) {
        sum += features[i] * coefficients[i];
    }
    return std::min(kPeakCeiling, std::exp(sum));
}

} // namespace costcurve::model
