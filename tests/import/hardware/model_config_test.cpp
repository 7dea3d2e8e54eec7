// Configurations of checkpoints: parameters counted from layers and widths are the published ones, and what is missing is named.
#include "model/performance/stated_shape.hpp"
#include "tests/import/reading.hpp"

namespace costcurve::imports {
namespace {

using model::Model;

Reading read_config(std::string_view text) { return read_text("model_config", text, {.name = "config.json", .id = "it"}); }

constexpr std::string_view kLlama = R"({"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256,
    "max_position_embeddings": 131072, "tie_word_embeddings": false, "torch_dtype": "bfloat16"})";
constexpr std::string_view kDeepseek = R"({"model_type": "deepseek_v3", "hidden_size": 7168, "num_hidden_layers": 61,
    "num_attention_heads": 128, "num_key_value_heads": 128, "intermediate_size": 18432, "moe_intermediate_size": 2048,
    "n_routed_experts": 256, "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 3, "moe_layer_freq": 1,
    "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
    "vocab_size": 129280, "max_position_embeddings": 163840, "tie_word_embeddings": false,
    "quantization_config": {"quant_method": "fp8"}})";
constexpr std::string_view kGptOss = R"({"model_type": "gpt_oss", "hidden_size": 2880, "num_hidden_layers": 36,
    "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64, "intermediate_size": 2880, "num_local_experts": 128,
    "num_experts_per_tok": 4, "sliding_window": 128, "attention_bias": true, "vocab_size": 201088,
    "max_position_embeddings": 131072, "tie_word_embeddings": false, "quantization_config": {"quant_method": "mxfp4"}})";

TEST(ModelConfig, CountsThePublishedParameters) {
    // Counts of the published checkpoints, deploy/catalog/sources/model_configs.csv.
    const struct {
        std::string_view config;
        double parameters;
        double active;
        double kv_bytes_per_token;
    } rows[] = {
        {kLlama, 8030261248, 8030261248, 131072},
        {R"({"model_type": "qwen3", "hidden_size": 1024, "num_hidden_layers": 28, "num_attention_heads": 16, "head_dim": 128,
             "num_key_value_heads": 8, "intermediate_size": 3072, "vocab_size": 151936, "max_position_embeddings": 40960,
             "tie_word_embeddings": true, "use_sliding_window": false, "sliding_window": null})",
         596049920, 596049920, 114688},
        {R"({"model_type": "qwen2", "hidden_size": 3584, "num_hidden_layers": 28, "num_attention_heads": 28,
             "num_key_value_heads": 4, "intermediate_size": 18944, "vocab_size": 152064, "max_position_embeddings": 32768,
             "use_sliding_window": false, "sliding_window": 131072})",
         7615616512, 7615616512, 57344},
        {R"({"model_type": "mistral", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
             "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 32768, "max_position_embeddings": 32768,
             "sliding_window": null})",
         7248023552, 7248023552, 131072},
        {R"({"model_type": "mixtral", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
             "num_key_value_heads": 8, "intermediate_size": 14336, "num_local_experts": 8, "num_experts_per_tok": 2,
             "vocab_size": 32000, "max_position_embeddings": 32768})",
         46702792704, 12879925248, 131072},
        {R"({"model_type": "qwen3_moe", "hidden_size": 2048, "num_hidden_layers": 48, "num_attention_heads": 32, "head_dim": 128,
             "num_key_value_heads": 4, "moe_intermediate_size": 768, "num_experts": 128, "num_experts_per_tok": 8,
             "decoder_sparse_step": 1, "mlp_only_layers": [], "vocab_size": 151936, "max_position_embeddings": 40960})",
         30532122624, 3353032704, 98304},
        {kDeepseek, 671026404352, 37552282624, 70272}, // without the 14,848 of the router's corrections
        {kGptOss, 116829156672, 5711982912, 36864},    // by hand: all less 31 of 32 of 4,608 experts of 24,891,840
    };
    for (const auto& row : rows) {
        const Reading reading = read_config(row.config);
        ASSERT_FALSE(reading.error) << reading.error->message;
        const Model* const found = reading.find<Model>("it");
        ASSERT_NE(found, nullptr) << row.config;
        EXPECT_EQ(found->parameters, row.parameters) << row.config;
        EXPECT_NEAR(found->active_parameters, row.active, 1e-9 * row.active) << row.config;
        EXPECT_EQ(found->kv_bytes_per_token, row.kv_bytes_per_token) << row.config;
        EXPECT_TRUE(model::shape_of(*found)) << row.config;
    }
}

TEST(ModelConfig, HasTheWholeShapeOfLatentAttention) {
    const Reading reading = read_config(kDeepseek);
    const Model* const found = reading.find<Model>("it");
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->published_precision, model::NumberFormat::fp8);
    EXPECT_EQ(found->experts, (model::Experts{256, 8, 1}));
    EXPECT_EQ(found->kv_heads, 1);
    EXPECT_EQ(found->heads, 128);
    EXPECT_EQ(found->attention->kind, model::AttentionKind::latent);
    EXPECT_EQ(found->attention->decode_flop, 16990208);
    EXPECT_EQ(found->attention->prompt_flop, 4997120);
    EXPECT_NEAR(*found->expert_parameters, 653.9e9, 0.1e9);
    EXPECT_EQ(found->embedding_parameters, 926679040);
}

TEST(ModelConfig, CountsLayersWithAWindowApart) {
    const Reading reading = read_config(kGptOss);
    const Model* const found = reading.find<Model>("it");
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->attention->window_tokens, 128);
    EXPECT_EQ(found->attention->window_bytes_per_token, 36864);
    EXPECT_EQ(found->published_precision, model::NumberFormat::fp4);
    EXPECT_NEAR(found->weight_bytes.at("fp4"), 65.3e9, 1e9) << "60.8 GiB are published";
}

TEST(ModelConfig, ReadsTheTextPartOfAModelThatSees) {
    const Reading reading =
        read_config(R"({"model_type": "sees", "_name_or_path": "acme/Sees-8B", "text_config": )" + std::string(kLlama) + "}");
    const Model* const found = reading.find<Model>("it");
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->parameters, 8030261248);
    EXPECT_EQ(found->aliases, (std::vector<std::string>{"acme/Sees-8B"}));
}

TEST(ModelConfig, NamesWhatIsMissingOrNotKnown) {
    const auto refusal = [](std::string_view text) {
        const Reading reading = read_config(text);
        return reading.error ? reading.error->message : "";
    };
    EXPECT_EQ(refusal(R"({"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "vocab_size": 10,
                          "intermediate_size": 1, "max_position_embeddings": 10})"),
              "the configuration lacks num_attention_heads");
    EXPECT_NE(refusal(R"({"model_type": "mamba2", "hidden_size": 4096})").find("model_type is \"mamba2\"; llama, mistral"),
              std::string::npos);
    EXPECT_NE(refusal("{}").find("model_type is \"\""), std::string::npos);
    EXPECT_NE(refusal("[1, 2]"), "");
    std::string wrong(kLlama);
    wrong.replace(wrong.find("4096"), 4, "-1.5");
    EXPECT_NE(refusal(wrong).find("hidden_size"), std::string::npos);
    std::string other(kDeepseek);
    other.replace(other.find("\"fp8\""), 5, "\"hqq\"");
    EXPECT_NE(refusal(other).find("quant_method is \"hqq\"; fp8, mxfp4, gptq and awq are read"), std::string::npos);
}

} // namespace
} // namespace costcurve::imports
