// Field by field; caches and states in values, not bytes.
#include "model/performance/stated_shape.hpp"

namespace costcurve::model {

std::optional<ModelShape> shape_of(const Model& model) {
    const bool has_width = model.hidden && model.kv_heads && model.embedding_parameters && model.attention;
    const bool is_mixture = model.active_parameters < model.parameters;
    if (!has_width || (is_mixture && (!model.experts || !model.expert_parameters))) {
        return std::nullopt;
    }
    const Attention& attention = *model.attention;
    ModelShape shape;
    shape.parameters = model.parameters;
    shape.active_parameters = model.active_parameters;
    shape.embedding_parameters = *model.embedding_parameters;
    shape.layers = model.layers;
    shape.hidden = *model.hidden;
    shape.kv_heads = *model.kv_heads;
    shape.kv_values_per_token = model.kv_bytes_per_token / kBytesOf16Bit;
    shape.kv_values_in_window = attention.window_bytes_per_token / kBytesOf16Bit;
    shape.window_tokens = attention.window_tokens;
    shape.state_values = attention.state_bytes / kBytesOf16Bit;
    shape.attention_flop_decode = attention.decode_flop;
    shape.attention_flop_prompt = attention.prompt_flop;
    shape.has_latent_or_linear_attention = attention.kind != AttentionKind::full;
    if (model.experts) {
        shape.expert_parameters = *model.expert_parameters;
        shape.experts = model.experts->count;
        shape.experts_per_token = model.experts->active;
    }
    return shape;
}

} // namespace costcurve::model
