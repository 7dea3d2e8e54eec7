// A checkpoint's config.json, as Hugging Face's transformers writes it: the model with its whole shape. Parameters are counted from
// layers and widths; what a family has beside them is in its row.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"

namespace costcurve::imports {

namespace {

using model::Code;
using model::NumberFormat;

constexpr double kBytes16 = 2.0;
constexpr double kBytesMxfp4 = 0.5 + 1.0 / 32.0; // an 8-bit scale for 32 values
constexpr double kBytesInt4 = 0.5 + 2.0 / 128.0; // a 16-bit scale for 128 values
constexpr double kFlopPerProduct = 2.0;          // multiply and add
constexpr double kProductsOfAttention = 2.0;     // queries with keys, weights with values
constexpr double kMatricesOfMlp = 3.0;           // gate, up, down
constexpr double kMaxConfigNumber = 1e9;         // of any width, count or vocabulary

// How experts are named and what stands beside them.
enum class Mixture { none, mixtral, qwen, deepseek, gpt_oss };

struct ModelFamily {
    std::string_view type; ///< model_type
    Mixture mixture = Mixture::none;
    bool is_latent = false;
    bool has_qkv_bias = false; ///< unless attention_bias says otherwise
    bool has_qk_norm = false;  ///< of queries and keys, a weight a value of a head
};
constexpr auto kModelFamilies = std::to_array<ModelFamily>({
    {.type = "llama"},
    {.type = "mistral"},
    {.type = "qwen2", .has_qkv_bias = true},
    {.type = "qwen3", .has_qk_norm = true},
    {.type = "phi3"},
    {.type = "mixtral", .mixture = Mixture::mixtral},
    {.type = "qwen2_moe", .mixture = Mixture::qwen, .has_qkv_bias = true},
    {.type = "qwen3_moe", .mixture = Mixture::qwen, .has_qk_norm = true},
    {.type = "deepseek_v2", .mixture = Mixture::deepseek, .is_latent = true},
    {.type = "deepseek_v3", .mixture = Mixture::deepseek, .is_latent = true},
    {.type = "kimi_k2", .mixture = Mixture::deepseek, .is_latent = true},
    {.type = "gpt_oss", .mixture = Mixture::gpt_oss},
});

class ConfigReader {
public:
    ConfigReader(const Json& config, const ModelFamily& family) : config_(config), family_(family) {}

    // The model but for its id; `missing` has the names of what it needs and the file doesn't state.
    model::Model read() {
        hidden_ = needed("hidden_size");
        layers_ = needed("num_hidden_layers");
        heads_ = needed("num_attention_heads");
        vocabulary_ = needed("vocab_size");
        is_tied_ = flag("tie_word_embeddings", false);
        model_.context_tokens = needed("max_position_embeddings");
        model_.layers = static_cast<int>(layers_);
        model_.hidden = static_cast<int>(hidden_);
        model_.heads = static_cast<int>(heads_);
        model_.vocabulary = static_cast<int>(vocabulary_);
        model_.embedding_parameters = is_tied_ ? 0.0 : vocabulary_ * hidden_;
        const double norms = 2.0 * hidden_ * layers_ + hidden_;
        parameters_ = norms + vocabulary_ * hidden_ * (is_tied_ ? 1.0 : 2.0);
        model::Attention& attention = model_.attention.emplace();
        if (family_.is_latent) {
            read_latent(attention);
        } else {
            read_heads(attention);
        }
        read_layers();
        model_.parameters = parameters_;
        model_.active_parameters = active_parameters();
        read_precision();
        return model_;
    }
    std::vector<std::string> missing;
    std::vector<std::string> wrong;

private:
    std::optional<double> stated(std::string_view name) {
        const Number number = number_of(config_, name);
        if (number.state == Number::State::bad || (number && (number.value < 0.0 || number.value > kMaxConfigNumber))) {
            wrong.push_back(fmt::format("{} is no number from 0 to {}", name, kMaxConfigNumber));
        }
        return number ? std::optional(number.value) : std::nullopt;
    }
    double needed(std::string_view name) {
        const std::optional<double> value = stated(name);
        if (!value) {
            missing.emplace_back(name);
        } else if (*value < 1.0 || *value != std::floor(*value)) {
            wrong.push_back(fmt::format("{} is {}; a whole number from 1 is needed", name, *value));
        }
        return std::max(value.value_or(1.0), 1.0);
    }
    bool flag(std::string_view name, bool by_default) const {
        const std::optional<Json> value = member(config_, name);
        bool is_set = by_default;
        if (value && value->get(is_set) != simdjson::SUCCESS) {
            is_set = by_default;
        }
        return is_set;
    }

    void read_heads(model::Attention& attention) {
        const double kv_heads = stated("num_key_value_heads").value_or(heads_);
        const double head = stated("head_dim").value_or(hidden_ / heads_);
        const double bias = flag("attention_bias", family_.has_qkv_bias) ? (heads_ + 2.0 * kv_heads) * head : 0.0;
        double layer = 2.0 * hidden_ * heads_ * head + 2.0 * hidden_ * kv_heads * head + bias;
        layer += family_.has_qk_norm ? 2.0 * head : 0.0;
        layer += family_.mixture == Mixture::gpt_oss ? hidden_ + heads_ : 0.0; // bias of the output, sinks
        parameters_ += layers_ * layer;
        model_.kv_heads = static_cast<int>(kv_heads);
        attention.decode_flop = kFlopPerProduct * kProductsOfAttention * layers_ * heads_ * head;
        attention.prompt_flop = attention.decode_flop;
        const double window = window_tokens();
        const double with_window = window > 0.0 ? layers_with_window() : 0.0;
        model_.kv_bytes_per_token = (layers_ - with_window) * 2.0 * kv_heads * head * kBytes16;
        if (with_window > 0.0) {
            attention.window_tokens = window;
            attention.window_bytes_per_token = with_window * 2.0 * kv_heads * head * kBytes16;
        }
    }
    double window_tokens() {
        const bool is_used = flag("use_sliding_window", true);
        return is_used ? stated("sliding_window").value_or(0.0) : 0.0;
    }
    double layers_with_window() const {
        const std::vector<std::string_view> types = texts_of(config_, "layer_types");
        if (!types.empty()) {
            return static_cast<double>(std::count(types.begin(), types.end(), "sliding_attention"));
        }
        return family_.mixture == Mixture::gpt_oss ? std::floor(layers_ / 2.0) : layers_;
    }

    void read_latent(model::Attention& attention) {
        const double nope = needed("qk_nope_head_dim");
        const double rope = needed("qk_rope_head_dim");
        const double value = needed("v_head_dim");
        const double latent = needed("kv_lora_rank");
        const double query_latent = stated("q_lora_rank").value_or(0.0);
        const double query = query_latent > 0.0 ? hidden_ * query_latent + query_latent + query_latent * heads_ * (nope + rope)
                                                : hidden_ * heads_ * (nope + rope);
        parameters_ +=
            layers_ * (query + hidden_ * (latent + rope) + latent + latent * heads_ * (nope + value) + heads_ * value * hidden_);
        model_.kv_heads = 1;
        model_.kv_bytes_per_token = layers_ * (latent + rope) * kBytes16;
        attention.kind = model::AttentionKind::latent;
        attention.decode_flop = kFlopPerProduct * layers_ * heads_ * (latent + rope + latent); // keys and values are the latent
        attention.prompt_flop = kFlopPerProduct * layers_ * heads_ * (nope + rope + value);
    }

    void read_layers() {
        switch (family_.mixture) {
        case Mixture::none:
            parameters_ += layers_ * kMatricesOfMlp * hidden_ * needed("intermediate_size");
            break;
        case Mixture::mixtral:
            add_experts(layers_, needed("num_local_experts"), needed("num_experts_per_tok"), 0,
                        kMatricesOfMlp * hidden_ * needed("intermediate_size"), hidden_);
            break;
        case Mixture::gpt_oss: {
            const double width = needed("intermediate_size");
            add_experts(layers_, needed("num_local_experts"), needed("num_experts_per_tok"), 0,
                        kMatricesOfMlp * hidden_ * width + 2.0 * width + hidden_, hidden_ + 1.0);
            break;
        }
        case Mixture::qwen:
            read_qwen();
            break;
        case Mixture::deepseek:
            read_deepseek();
            break;
        }
    }
    void read_qwen() {
        const auto dense = list_of(config_, "mlp_only_layers");
        if (stated("decoder_sparse_step").value_or(1.0) != 1.0 || (dense && dense->size() > 0)) {
            wrong.emplace_back("decoder_sparse_step or mlp_only_layers leave layers without experts, which is not read");
        }
        add_experts(layers_, needed("num_experts"), needed("num_experts_per_tok"), 0,
                    kMatricesOfMlp * hidden_ * needed("moe_intermediate_size"), hidden_);
        if (const std::optional<double> shared = stated("shared_expert_intermediate_size"); shared && *shared > 0.0) {
            model_.experts->shared = 1;
            parameters_ += layers_ * (kMatricesOfMlp * hidden_ * *shared + hidden_); // with its gate
        }
    }
    void read_deepseek() {
        if (stated("moe_layer_freq").value_or(1.0) != 1.0) {
            wrong.emplace_back("moe_layer_freq is not 1, which is not read");
        }
        const double dense = std::min(stated("first_k_dense_replace").value_or(0.0), layers_);
        const double shared = stated("n_shared_experts").value_or(0.0);
        const double expert = kMatricesOfMlp * hidden_ * needed("moe_intermediate_size");
        add_experts(layers_ - dense, needed("n_routed_experts"), needed("num_experts_per_tok"), shared, expert, hidden_);
        parameters_ += (layers_ - dense) * shared * expert;
        parameters_ += dense > 0.0 ? dense * kMatricesOfMlp * hidden_ * needed("intermediate_size") : 0.0;
    }
    // Routed experts of `layers` layers, each of `expert` parameters and with a row of `router` ones.
    void add_experts(double layers, double count, double active, double shared, double expert, double router) {
        model_.experts = {static_cast<int>(count), static_cast<int>(active), static_cast<int>(shared)};
        model_.expert_parameters = layers * count * expert;
        parameters_ += *model_.expert_parameters + layers * count * router;
        if (active > count) {
            wrong.push_back(fmt::format("num_experts_per_tok is {}, above the {} experts", active, count));
        }
    }
    double active_parameters() const {
        if (!model_.experts) {
            return parameters_;
        }
        const double idle = 1.0 - static_cast<double>(model_.experts->active) / model_.experts->count;
        return parameters_ - *model_.expert_parameters * idle;
    }

    // As it is published, and at 16 bit, in which any can be run. Embedding and output stay at 16 bit.
    void read_precision() {
        const double wide = vocabulary_ * hidden_ * (is_tied_ ? 1.0 : 2.0);
        const std::optional<Json> quantized = member(config_, "quantization_config");
        const std::string method(quantized ? text_of(*quantized, "quant_method") : "");
        const auto bytes_of = [&](double bytes) { return (parameters_ - wide) * bytes + wide * kBytes16; };
        model_.weight_bytes["bf16"] = parameters_ * kBytes16;
        if (method == "fp8") {
            model_.published_precision = NumberFormat::fp8;
            model_.weight_bytes["fp8"] = bytes_of(1.0);
        } else if (method == "mxfp4") { // experts alone
            const double experts = model_.expert_parameters.value_or(parameters_ - wide);
            model_.published_precision = NumberFormat::fp4;
            model_.weight_bytes["fp4"] = experts * kBytesMxfp4 + (parameters_ - experts) * kBytes16;
        } else if (method == "gptq" || method == "awq") {
            if (stated("bits").value_or(number_of(*quantized, "bits").value) != 4.0) {
                wrong.push_back(fmt::format("quant_method is {} of another width than 4 bit, which is not read", method));
            }
            model_.published_precision = NumberFormat::int4;
            model_.weight_bytes["int4"] = bytes_of(kBytesInt4);
        } else if (quantized) {
            wrong.push_back(fmt::format("quant_method is \"{}\"; fp8, mxfp4, gptq and awq are read", method));
        } else {
            const std::string_view type =
                text_of(config_, "torch_dtype").empty() ? text_of(config_, "dtype") : text_of(config_, "torch_dtype");
            model_.published_precision = type == "float16" ? NumberFormat::fp16 : NumberFormat::bf16;
        }
    }

    const Json& config_;
    const ModelFamily& family_;
    model::Model model_;
    double hidden_ = 1.0;
    double layers_ = 1.0;
    double heads_ = 1.0;
    double vocabulary_ = 1.0;
    double parameters_ = 0.0;
    bool is_tied_ = false;
};

} // namespace

HardError read_model_config(Bytes& bytes, const Options& options, Report& report) {
    const JsonFile file(bytes);
    if (!file.root()) {
        return file.error();
    }
    const Json& root = *file.root();
    const std::optional<Json> text = member(root, "text_config"); // of a model that also sees
    const Json& config = text ? *text : root;
    ++report.rows;
    const std::string_view type = text_of(config, "model_type");
    const auto* const family = std::ranges::find(kModelFamilies, type, &ModelFamily::type);
    if (family == kModelFamilies.end()) {
        std::vector<std::string_view> known;
        std::ranges::transform(kModelFamilies, std::back_inserter(known), &ModelFamily::type);
        return hard_error(
            Code::bad_format, 0,
            fmt::format("model_type is \"{}\"; {} are read: PUT the model by hand, /v1/models", type, fmt::join(known, ", ")));
    }
    ConfigReader reader(config, *family);
    model::Model model = reader.read();
    if (!reader.missing.empty()) {
        return hard_error(Code::missing, 0, fmt::format("the configuration lacks {}", fmt::join(reader.missing, ", ")));
    }
    if (!reader.wrong.empty()) {
        return hard_error(Code::bad_format, 0, fmt::format("{}", fmt::join(reader.wrong, "; ")));
    }
    model.id = options.id;
    model.source = source_of(options, "parameters counted from layers and widths");
    if (const std::string_view name = text_of(root, "_name_or_path"); name.find('/') != std::string_view::npos && name[0] != '/') {
        model.aliases.emplace_back(name);
    }
    report.add(std::move(model));
    return std::nullopt;
}

} // namespace costcurve::imports
