// What the arguments of an inference server say: model, precision, parallelism, lengths. Knows no manifest.
#pragma once

#include <string>
#include <vector>

namespace costcurve::gate::deployed {

/// Arguments of vLLM (docs.vllm.ai, "Engine Arguments"), SGLang (docs.sglang.ai, "Server Arguments"), TensorRT-LLM (trtllm-serve),
/// Text Generation Inference and Dynamo's workers of these. "" and 0 of what is not stated.
struct ServingArguments {
    std::string model;
    std::string precision; ///< of the weights, as performances call it: bf16, fp8, int4, fp4
    int tensor_parallel = 0;
    int pipeline_parallel = 0;
    int data_parallel = 0;
    bool shares_data_parallel = false; ///< its ranks are within the tensor parallel ones (SGLang's attention)
    bool has_reference = false;        ///< a number of these is no number, such as a reference to a variable
    bool hides_model = false;          ///< a model is a path, an address or a reference
    double max_tokens = 0.0;           ///< of a request and its answer

    /// Devices that one server takes; 0 where that is not stated.
    [[nodiscard]] int devices() const;
};

/// Of a container's command and arguments, in their order; a shell's line is taken apart at its blanks. The model is that of
/// --model (--model-path, --model-id), the first word after `serve` or `trtllm-serve`, or else the served name where it is one of a
/// hub. A path, an address or a reference to a variable names no model.
[[nodiscard]] ServingArguments read_serving_arguments(const std::vector<std::string>& words);

} // namespace costcurve::gate::deployed
