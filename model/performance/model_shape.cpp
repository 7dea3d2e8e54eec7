// Shapes of models that state all of it, and of those that don't.
#include "model/performance/model_shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "model/performance/device_facts.hpp"

namespace costcurve::model {

namespace {

constexpr double kBytes16 = 2.0;

} // namespace

ModelShape assumed_shape(const Model& model) {
    ModelShape shape;
    shape.parameters = model.parameters;
    shape.active_parameters = model.active_parameters;
    shape.layers = model.layers;
    shape.hidden = std::sqrt(model.active_parameters / (12.0 * model.layers)); // 12 h^2 parameters a layer of a transformer
    shape.kv_values_per_token = model.kv_bytes_per_token / kBytes16;
    shape.kv_heads = std::numeric_limits<double>::max(); // no rank holds a copy
    shape.attention_flop_decode = 4.0 * model.layers * shape.hidden;
    shape.attention_flop_prompt = shape.attention_flop_decode;
    if (model.active_parameters < model.parameters) { // as of experts alone, of the commonest number
        constexpr double kExperts = 128.0;
        shape.expert_parameters = model.parameters - model.active_parameters / 2.0;
        shape.experts = kExperts;
        shape.experts_per_token = std::max(1.0, kExperts * (model.active_parameters / 2.0) / shape.expert_parameters);
    }
    return shape;
}

std::string published_precision(const Model& model) {
    if (model.published_precision) {
        return std::string(name_of(*model.published_precision));
    }
    return model.weight_bytes.contains("bf16") || model.weight_bytes.empty() ? "bf16" : model.weight_bytes.begin()->first;
}

std::string architecture_of(const ModelShape& shape) {
    return fmt::format("{}x{}-kv{}x{}-e{}x{}-v{}", shape.layers, shape.hidden, shape.kv_heads,
                       shape.kv_values_per_token + shape.kv_values_in_window, shape.experts, shape.experts_per_token,
                       shape.hidden > 0.0 ? std::lround(shape.embedding_parameters / shape.hidden) : 0);
}

std::vector<std::string> precisions_for(const Model& model, const Device& device, const Workload& workload,
                                        const std::string& least_precision) {
    const auto bits = [](const std::string& word) { return -static_cast<int>(*weight_precision(word)); };
    const std::string least = !workload.precision.empty() ? workload.precision
                              : !least_precision.empty()  ? least_precision
                                                          : published_precision(model);
    std::vector<std::string> found;
    for (const auto& [word, bytes] : model.weight_bytes) {
        const auto precision = weight_precision(word);
        const bool is_allowed = workload.precision.empty() ? weight_precision(least) && precision && bits(word) >= bits(least)
                                                           : word == workload.precision;
        if (precision && is_allowed && computes_in(device, *precision)) {
            found.push_back(word);
        }
    }
    return found;
}

} // namespace costcurve::model
