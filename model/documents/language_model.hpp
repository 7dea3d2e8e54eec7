// A language model as a document: parameters, cache, and the architecture that rates and estimates are made from.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/documents/curve.hpp"
#include "model/documents/values.hpp"

namespace costcurve::model {

/// How numbers are stored and computed with.
enum class NumberFormat { bf16, fp16, fp8, int8, fp4, int4, tf32, fp32 };
enum class AttentionKind { full, latent, linear };

template <>
inline constexpr auto enum_names<NumberFormat> = std::to_array<std::string_view>({"bf16", "fp16", "fp8", "int8", "fp4", "int4",
                                                                                  "tf32", "fp32"});
template <> inline constexpr auto enum_names<AttentionKind> = std::to_array<std::string_view>({"full", "latent", "linear"});

/// Routed experts of a layer of a mixture.
struct Experts {
    int count = 1;
    int active = 1; ///< that a token goes through
    int shared = 0; ///< that all tokens go through besides
    friend bool operator==(const Experts&, const Experts&) = default;
};

/// What attention keeps and computes beside kv_bytes_per_token.
struct Attention {
    AttentionKind kind = AttentionKind::full;
    double decode_flop = 0.0; ///< of a token out and token of its context, all layers
    double prompt_flop = 0.0; ///< of a token in and token before it
    double window_tokens = 0.0;
    double window_bytes_per_token = 0.0; ///< of cache at 16 bit, in layers that see a window alone
    double state_bytes = 0.0;            ///< of a sequence at 16 bit, in layers whose state does not grow
    friend bool operator==(const Attention&, const Attention&) = default;
};

/// A model that is served or trained: what estimates are made from.
struct Model {
    std::string id, source, note;
    Stored stored;
    std::string name;
    double parameters = 0.0;
    double active_parameters = 0.0;             ///< that a token passes
    std::map<std::string, double> weight_bytes; ///< by precision
    double kv_bytes_per_token = 0.0;            ///< at 16 bit
    int layers = 1;
    double context_tokens = 0.0;
    std::optional<int> hidden; ///< width
    std::optional<int> heads;
    std::optional<int> kv_heads; ///< of the cache; 1 where attention is latent
    std::optional<int> vocabulary;
    std::optional<double> embedding_parameters; ///< of an input embedding of its own; 0: tied to the output
    std::optional<Experts> experts;
    std::optional<double> expert_parameters; ///< in routed experts
    std::optional<Attention> attention;
    std::optional<NumberFormat> published_precision; ///< of the weights, as the maker publishes them
    std::vector<std::string> aliases;                ///< hub names and other spellings
    Date released;
    std::string licence;
    friend bool operator==(const Model&, const Model&) = default;
};

} // namespace costcurve::model
