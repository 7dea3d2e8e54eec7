// A table of flags over the words of a command line.
#include "server/gate/deployed/serving_arguments.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "model/documents/text.hpp"

namespace costcurve::gate::deployed {

namespace {

using Read = void (*)(ServingArguments& arguments, const std::string& value);

template <int ServingArguments::*kMember> void read_count(ServingArguments& arguments, const std::string& value) {
    constexpr int kMaxParallel = 1000;
    const auto number = model::read_number<int>(value);
    const bool is_count = number && *number > 0 && *number <= kMaxParallel;
    arguments.*kMember = is_count ? *number : 0;
    arguments.has_reference = arguments.has_reference || !is_count;
}

bool is_model_name(std::string_view value) {
    constexpr std::size_t kMaxName = 200;
    return !value.empty() && value.size() <= kMaxName && !value.starts_with('/') && !value.starts_with('.') &&
           !value.starts_with('-') && value.find('$') == std::string_view::npos && value.find("://") == std::string_view::npos &&
           value.find("{{") == std::string_view::npos;
}

struct PrecisionRow {
    std::string_view word;
    std::string_view precision;
};
// Rates know one float of 16 bits.
constexpr auto kPrecisions = std::to_array<PrecisionRow>({
    {"bfloat16", "bf16"},
    {"float16", "bf16"},
    {"half", "bf16"},
    {"fp8", "fp8"},
    {"mxfp8", "fp8"},
    {"awq", "int4"},
    {"awq_marlin", "int4"},
    {"gptq", "int4"},
    {"gptq_marlin", "int4"},
    {"marlin", "int4"},
    {"bitsandbytes-nf4", "int4"},
    {"mxfp4", "fp4"},
    {"nvfp4", "fp4"},
    {"modelopt_fp4", "fp4"},
    {"modelopt_fp8", "fp8"},
    {"fbgemm_fp8", "fp8"},
    {"ptpc_fp8", "fp8"},
    {"w8a8_fp8", "fp8"},
    {"w8a8_int8", "int8"},
    {"eetq", "int8"},
});
// Words that leave it to the checkpoint, and need no question.
constexpr auto kUnquantized = std::to_array<std::string_view>({"", "auto", "none", "None", "null"});

// Parts of a checkpoint's name.
constexpr auto kPrecisionsInNames = std::to_array<PrecisionRow>({
    {"bf16", "bf16"},
    {"fp8", "fp8"},
    {"int8", "int8"},
    {"w8a8", "int8"},
    {"q8", "int8"},
    {"awq", "int4"},
    {"gptq", "int4"},
    {"int4", "int4"},
    {"w4a16", "int4"},
    {"q4", "int4"},
    {"fp4", "fp4"},
    {"nvfp4", "fp4"},
    {"mxfp4", "fp4"},
});

std::string precision_in(std::string_view name) {
    std::string parts = model::lower(name.substr(name.rfind('/') + 1)); // npos + 1 is 0
    std::ranges::replace_if(
        parts, [](char c) { return c == '-' || c == '_' || c == '.' || c == ':'; }, ' ');
    std::istringstream blanks(parts);
    for (std::string part; blanks >> part;) {
        const auto row = std::ranges::find(kPrecisionsInNames, part, &PrecisionRow::word);
        if (row != kPrecisionsInNames.end()) {
            return std::string(row->precision);
        }
    }
    return "";
}

template <int ServingArguments::*kMember> void read_limit(ServingArguments& arguments, const std::string& value) {
    arguments.*kMember = std::max(model::read_number<int>(value).value_or(0), 0);
}

// An address may have a password, and is not printed.
std::string nameless_words(std::string_view value) {
    constexpr std::size_t kMaxPath = 100;
    return value.find("{{") != std::string_view::npos    ? "a template that was not rendered"
           : value.find('$') != std::string_view::npos   ? "a reference to a variable"
           : value.find("://") != std::string_view::npos ? "an address"
           : value.size() <= kMaxPath                    ? fmt::format("{}, a path", value)
                                                         : "a path";
}

void read_model(ServingArguments& arguments, const std::string& value) {
    constexpr std::string_view kHub = "hf://";
    const std::string name = value.starts_with(kHub) ? value.substr(kHub.size()) : value;
    if (is_model_name(name)) {
        arguments.model = name;
    } else if (!value.empty() && !value.starts_with('-')) {
        arguments.nameless = nameless_words(value);
    }
}

// A repository, and the file in it: ggml-org/gemma-3-4b-it-GGUF:Q4_K_M.
void read_repository(ServingArguments& arguments, const std::string& value) {
    read_model(arguments, value);
    arguments.model = arguments.model.substr(0, arguments.model.find(':'));
    arguments.precision = precision_in(value);
}

void read_served_name(ServingArguments& arguments, const std::string& value) {
    if (arguments.model.empty() && is_model_name(value) && value.find('/') != std::string::npos) {
        arguments.model = value;
    }
}

void read_shared_ranks(ServingArguments& arguments, const std::string& /*value*/) { arguments.shares_data_parallel = true; }

void read_rank(ServingArguments& arguments, const std::string& value) {
    arguments.is_ranked = model::read_number<int>(value).has_value();
}

constexpr std::string_view kPrecisionOpen = "its rates may be of another precision than --quantization ";

void read_quantization(ServingArguments& arguments, const std::string& value) {
    const auto row = std::ranges::find(kPrecisions, value, &PrecisionRow::word);
    arguments.precision = row == kPrecisions.end() ? "" : std::string(row->precision);
    if (row == kPrecisions.end() && std::ranges::find(kUnquantized, value) == kUnquantized.end()) {
        constexpr std::size_t kMaxWord = 30;
        const bool is_word = value.size() <= kMaxWord && value.find_first_of("$/{:") == std::string::npos;
        arguments.open.push_back(std::string(kPrecisionOpen) + (is_word ? value : "a reference"));
    }
}

void read_dtype(ServingArguments& arguments, const std::string& value) {
    const auto row = std::ranges::find(kPrecisions, value, &PrecisionRow::word);
    arguments.dtype = row == kPrecisions.end() ? arguments.dtype : std::string(row->precision);
}

void read_length(ServingArguments& arguments, const std::string& value) {
    const bool is_thousands = value.ends_with('k') || value.ends_with('K');
    const auto number = model::read_number<double>(value.substr(0, value.size() - (is_thousands ? 1 : 0)));
    arguments.max_tokens = number.value_or(0.0) * (value.ends_with('K') ? 1024.0 : is_thousands ? 1000.0 : 1.0);
}

// Rates are of weights on accelerators, one token a step.
constexpr char kFile[] = "its arguments are in a file, too, which is not read: model, precision and parallelism may be others";
constexpr char kSpeculative[] = "it decodes speculatively, which its rates are without";
constexpr char kOffload[] = "a part of its weights is in the memory of its host, which its rates are without";

template <const char* kWhat> void ask(ServingArguments& arguments, const std::string& value) {
    if (value != "0") {
        arguments.open.emplace_back(kWhat);
    }
}

// Programs whose flags mean something else to others.
constexpr std::string_view kLlamaServer = "llama-server";
constexpr std::string_view kMpi = "mpirun";

struct FlagRow {
    std::string_view flag;
    Read read;
    std::string_view program = {}; ///< "" of any
};
constexpr auto kFlags = std::to_array<FlagRow>({
    {"--model", read_model},
    {"--model-path", read_model},
    {"--model-id", read_model},
    {"--served-model-name", read_served_name},
    {"--hf-repo", read_repository},
    {"-hf", read_repository},
    {"-hfr", read_repository},
    {"-m", read_model, kLlamaServer},
    {"--model-repository", read_model},
    {"--model-repo", read_model},
    {"--model-store", read_model},
    {"--tensor-parallel-size", read_count<&ServingArguments::tensor_parallel>},
    {"-tp", read_count<&ServingArguments::tensor_parallel>},
    {"--tp", read_count<&ServingArguments::tensor_parallel>},
    {"--tp-size", read_count<&ServingArguments::tensor_parallel>},
    {"--num-shard", read_count<&ServingArguments::tensor_parallel>},
    {"--pipeline-parallel-size", read_count<&ServingArguments::pipeline_parallel>},
    {"-pp", read_count<&ServingArguments::pipeline_parallel>},
    {"--pp", read_count<&ServingArguments::pipeline_parallel>},
    {"--pp-size", read_count<&ServingArguments::pipeline_parallel>},
    {"--data-parallel-size", read_count<&ServingArguments::data_parallel>},
    {"-dp", read_count<&ServingArguments::data_parallel>},
    {"--dp", read_count<&ServingArguments::data_parallel>},
    {"--dp-size", read_count<&ServingArguments::data_parallel>},
    {"--enable-dp-attention", read_shared_ranks},
    {"--data-parallel-size-local", read_count<&ServingArguments::local_ranks>},
    {"-dpl", read_count<&ServingArguments::local_ranks>},
    {"--prefill-context-parallel-size", read_count<&ServingArguments::context_parallel>},
    {"-pcp", read_count<&ServingArguments::context_parallel>},
    {"--cp-size", read_count<&ServingArguments::context_parallel>},
    {"--world-size", read_count<&ServingArguments::processes>},
    {"-n", read_count<&ServingArguments::processes>, kMpi},
    {"-np", read_count<&ServingArguments::processes>, kMpi},
    {"--nnodes", read_count<&ServingArguments::nodes>},
    {"--node-rank", read_rank},
    {"--dtype", read_dtype},
    {"--quantization", read_quantization},
    {"--quantize", read_quantization},
    {"-q", read_quantization},
    {"--max-num-seqs", read_limit<&ServingArguments::max_requests>},
    {"--max-running-requests", read_limit<&ServingArguments::max_requests>},
    {"--max-batch-size", read_limit<&ServingArguments::max_requests>},
    {"--parallel", read_limit<&ServingArguments::slots>, kLlamaServer},
    {"-np", read_limit<&ServingArguments::slots>, kLlamaServer},
    {"--max-model-len", read_length},
    {"--context-length", read_length},
    {"--max-seq-len", read_length},
    {"--max-total-tokens", read_length},
    {"--ctx-size", read_length},
    {"-c", read_length, kLlamaServer},
    {"--config", ask<kFile>},
    {"--config-file", ask<kFile>},
    {"--extra-llm-api-options", ask<kFile>},
    {"--speculative-config", ask<kSpeculative>},
    {"--speculative-model", ask<kSpeculative>},
    {"--speculative-algorithm", ask<kSpeculative>},
    {"--speculate", ask<kSpeculative>},
    {"--model-draft", ask<kSpeculative>},
    {"-md", ask<kSpeculative>, kLlamaServer},
    {"--cpu-offload-gb", ask<kOffload>},
});

std::vector<std::string> split(const std::vector<std::string>& words) {
    std::vector<std::string> parts;
    for (const std::string& word : words) {
        std::istringstream blanks(word);
        for (std::string part; blanks >> part;) {
            std::erase_if(part, [](char c) { return c == '"' || c == '\''; });
            if (part != "\\" && !part.empty()) {
                parts.push_back(part);
            }
        }
    }
    return parts;
}

bool is_serve(std::string_view word) { return word == "serve" || word == "trtllm-serve" || word.ends_with("/trtllm-serve"); }

void take(ServingArguments& arguments, std::string_view flag, std::string_view program, const std::string& value) {
    const auto row = std::ranges::find_if(
        kFlags, [&](const FlagRow& of) { return of.flag == flag && (of.program.empty() || program.ends_with(of.program)); });
    if (row != kFlags.end()) {
        row->read(arguments, value);
    } else if (is_serve(flag) && arguments.model.empty() && !is_serve(value)) {
        read_model(arguments, value);
    }
}

// What stands for several arguments together.
void settle(ServingArguments& arguments) {
    const std::string named = precision_in(arguments.model);
    const bool is_named = arguments.precision.empty() && !named.empty();
    arguments.precision = is_named ? named : arguments.precision.empty() ? arguments.dtype : arguments.precision;
    std::erase_if(arguments.open, [&](const std::string& what) { return is_named && what.starts_with(kPrecisionOpen); });
    if (arguments.slots > 0) {
        arguments.max_requests = arguments.slots;
        arguments.max_tokens /= arguments.slots;
    }
    std::ranges::sort(arguments.open);
    arguments.open.erase(std::unique(arguments.open.begin(), arguments.open.end()), arguments.open.end());
}

} // namespace

bool ServingArguments::is_stated() const { return !model.empty() || !nameless.empty(); }

int ServingArguments::devices() const {
    const bool is_stated = tensor_parallel > 0 || pipeline_parallel > 0 || data_parallel > 0 || context_parallel > 0;
    const int ranks = shares_data_parallel ? 1 : std::max(data_parallel, 1);
    return has_reference ? 0
           : is_stated   ? std::max(tensor_parallel, 1) * std::max(pipeline_parallel, 1) * std::max(context_parallel, 1) * ranks
                         : processes;
}

int ServingArguments::pods() const {
    const bool is_spread = !has_reference && nodes == 0 && local_ranks > 0 && data_parallel > local_ranks;
    return is_spread ? data_parallel / local_ranks : std::max(nodes, 1);
}

ServingArguments read_serving_arguments(const std::vector<std::string>& words) {
    constexpr auto kPrograms = std::to_array<std::string_view>({kLlamaServer, kMpi});
    ServingArguments arguments;
    std::string_view program;
    const std::vector<std::string> parts = split(words);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t equals = std::min(parts[i].find('='), parts[i].size());
        std::string flag = parts[i].substr(0, equals);
        if (flag.starts_with("--")) {
            std::ranges::replace(flag, '_', '-'); // vLLM takes both
        }
        const bool has_value = equals < parts[i].size();
        const std::string value = has_value ? parts[i].substr(equals + 1) : i + 1 < parts.size() ? parts[i + 1] : "";
        const bool is_program =
            std::ranges::any_of(kPrograms, [&](std::string_view name) { return std::string_view(parts[i]).ends_with(name); });
        program = is_program ? std::string_view(parts[i]) : program;
        take(arguments, flag, program, value);
    }
    settle(arguments);
    return arguments;
}

} // namespace costcurve::gate::deployed
