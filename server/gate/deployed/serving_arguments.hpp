// Parses an inference server's arguments: model, precision, parallelism, lengths. Knows no manifest.
#pragma once

#include <string>
#include <vector>

namespace costcurve::gate::deployed {

/// Arguments of vLLM (docs.vllm.ai, "Engine Arguments"), SGLang (docs.sglang.ai, "Server Arguments"), TensorRT-LLM (trtllm-serve),
/// Text Generation Inference, llama.cpp (llama-server), Triton and Dynamo's workers of these. "" and 0 of what is not stated.
struct ServingArguments {
    std::string model;
    std::string nameless;  ///< what stands in the place of a model's name, such as a path, in words; "" of nothing
    std::string precision; ///< of the weights, as performances call it: bf16, fp8, int8, int4, fp4
    std::string dtype;     ///< as a precision, of what is not quantized
    int tensor_parallel = 0;
    int pipeline_parallel = 0;
    int data_parallel = 0;
    int context_parallel = 0;          ///< of prompts; that of decoding is within the tensor parallel ranks
    int processes = 0;                 ///< ranks that mpirun or Triton's launcher starts
    int nodes = 0;                     ///< that its ranks are spread over
    int local_ranks = 0;               ///< of the data parallel ones, on a node
    int slots = 0;                     ///< requests that share one context (llama.cpp)
    int max_requests = 0;              ///< at once
    bool is_ranked = false;            ///< its rank among the nodes is a number: other nodes have arguments of their own
    bool shares_data_parallel = false; ///< its ranks are within the tensor parallel ones (SGLang's attention)
    bool has_reference = false;        ///< a number of these is no number, such as a reference to a variable
    double max_tokens = 0.0;           ///< of a request and its answer
    std::vector<std::string> open;     ///< what matters to the cost and is not read, a sentence each

    /// Devices that one server takes; 0 where that is not stated.
    [[nodiscard]] int devices() const;
    /// Pods that one server takes, one a node; 1 where that is not stated.
    [[nodiscard]] int pods() const;
    /// Whether anything of a server stands in them.
    [[nodiscard]] bool is_stated() const;
};

/// Of a container's command and arguments, in their order; a shell's line is taken apart at its blanks. The model is that of
/// --model (--model-path, --model-id, -hf), the first word after `serve` or `trtllm-serve`, or else the served name where it is one
/// of a hub. A path, an address or a reference to a variable names no model. The precision is that of --quantization, else of the
/// checkpoint's name (Llama-3.1-8B-FP8), else of --dtype.
[[nodiscard]] ServingArguments read_serving_arguments(const std::vector<std::string>& words);

} // namespace costcurve::gate::deployed
