// Shapes of models that state their architecture, and of those that don't.
#include "model/performance/stated_shape.hpp"

#include <gtest/gtest.h>

namespace costcurve::model {
namespace {

// As gpt-oss-120b: a mixture, half of whose layers have a window.
Model mixture() {
    Model model;
    model.parameters = 116.8e9;
    model.active_parameters = 5.1e9;
    model.kv_bytes_per_token = 36864;
    model.layers = 36;
    model.hidden = 2880;
    model.kv_heads = 8;
    model.embedding_parameters = 579133440;
    model.experts = Experts{128, 4, 0};
    model.expert_parameters = 114.7e9;
    model.attention = Attention{AttentionKind::full, 294912, 294912, 128, 36864, 0};
    return model;
}

TEST(StatedShape, HasEveryFactInTheUnitsOfTheStepModel) {
    const std::optional<ModelShape> shape = shape_of(mixture());
    ASSERT_TRUE(shape);
    EXPECT_EQ(shape->parameters, 116.8e9);
    EXPECT_EQ(shape->active_parameters, 5.1e9);
    EXPECT_EQ(shape->expert_parameters, 114.7e9);
    EXPECT_EQ(shape->embedding_parameters, 579133440);
    EXPECT_EQ(shape->layers, 36);
    EXPECT_EQ(shape->hidden, 2880);
    EXPECT_EQ(shape->kv_heads, 8);
    EXPECT_EQ(shape->kv_values_per_token, 18432) << "values, at 2 bytes each";
    EXPECT_EQ(shape->kv_values_in_window, 18432);
    EXPECT_EQ(shape->window_tokens, 128);
    EXPECT_EQ(shape->state_values, 0);
    EXPECT_EQ(shape->attention_flop_decode, 294912);
    EXPECT_EQ(shape->attention_flop_prompt, 294912);
    EXPECT_EQ(shape->experts, 128);
    EXPECT_EQ(shape->experts_per_token, 4);
    EXPECT_FALSE(shape->has_latent_or_linear_attention);
}

TEST(StatedShape, IsLatentOrLinearByTheKindOfAttention) {
    for (const AttentionKind kind : {AttentionKind::latent, AttentionKind::linear}) {
        Model model = mixture();
        model.attention->kind = kind;
        model.attention->state_bytes = 100;
        EXPECT_TRUE(shape_of(model)->has_latent_or_linear_attention);
        EXPECT_EQ(shape_of(model)->state_values, 50);
    }
}

TEST(StatedShape, IsNothingWhereAFactIsMissing) {
    const auto without = [](const auto& forget) {
        Model model = mixture();
        forget(model);
        return shape_of(model).has_value();
    };
    EXPECT_FALSE(without([](Model& model) { model.hidden.reset(); }));
    EXPECT_FALSE(without([](Model& model) { model.kv_heads.reset(); }));
    EXPECT_FALSE(without([](Model& model) { model.embedding_parameters.reset(); }));
    EXPECT_FALSE(without([](Model& model) { model.attention.reset(); }));
    EXPECT_FALSE(without([](Model& model) { model.experts.reset(); })) << "a mixture whose experts are not known";
    EXPECT_TRUE(without([](Model& model) {
        model.experts.reset();
        model.expert_parameters.reset();
        model.active_parameters = model.parameters;
    })) << "dense";
}

} // namespace
} // namespace costcurve::model
