// A table of flags over the words of a command line.
#include "server/gate/deployed/serving_arguments.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>
#include <string_view>

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

// An address may have a password.
bool is_model_name(std::string_view value) {
    constexpr std::size_t kMaxName = 200;
    return !value.empty() && value.size() <= kMaxName && !value.starts_with('/') && !value.starts_with('.') &&
           !value.starts_with('-') && value.find('$') == std::string_view::npos && value.find("://") == std::string_view::npos &&
           value.find("{{") == std::string_view::npos;
}

void read_model(ServingArguments& arguments, const std::string& value) {
    constexpr std::string_view kHub = "hf://";
    const std::string name = value.starts_with(kHub) ? value.substr(kHub.size()) : value;
    const bool is_name = is_model_name(name);
    arguments.model = is_name ? name : arguments.model;
    arguments.hides_model = arguments.hides_model || (!is_name && !name.empty() && !name.starts_with('-'));
}

void read_served_name(ServingArguments& arguments, const std::string& value) {
    if (arguments.model.empty() && is_model_name(value) && value.find('/') != std::string::npos) {
        arguments.model = value;
    }
}

void read_shared_ranks(ServingArguments& arguments, const std::string& /*value*/) { arguments.shares_data_parallel = true; }

struct PrecisionRow {
    std::string_view word;
    std::string_view precision;
};
// auto is the checkpoint's own. Rates know one float of 16 bits.
constexpr auto kPrecisions = std::to_array<PrecisionRow>({
    {"bfloat16", "bf16"},
    {"float16", "bf16"},
    {"half", "bf16"},
    {"fp8", "fp8"},
    {"awq", "int4"},
    {"awq_marlin", "int4"},
    {"gptq", "int4"},
    {"gptq_marlin", "int4"},
    {"mxfp4", "fp4"},
    {"nvfp4", "fp4"},
    {"modelopt_fp4", "fp4"},
    {"modelopt_fp8", "fp8"},
    {"w8a8_fp8", "fp8"},
});

void read_precision(ServingArguments& arguments, const std::string& value) {
    const auto row = std::ranges::find(kPrecisions, value, &PrecisionRow::word);
    arguments.precision = row == kPrecisions.end() ? arguments.precision : std::string(row->precision);
}

// What the weights are quantized to counts, whatever the type of the rest.
void read_dtype(ServingArguments& arguments, const std::string& value) {
    if (arguments.precision.empty()) {
        read_precision(arguments, value);
    }
}

void read_length(ServingArguments& arguments, const std::string& value) {
    const bool is_thousands = value.ends_with('k') || value.ends_with('K');
    const auto number = model::read_number<double>(value.substr(0, value.size() - (is_thousands ? 1 : 0)));
    arguments.max_tokens = number.value_or(0.0) * (value.ends_with('K') ? 1024.0 : is_thousands ? 1000.0 : 1.0);
}

struct FlagRow {
    std::string_view flag;
    Read read;
};
constexpr auto kFlags = std::to_array<FlagRow>({
    {"--model", read_model},
    {"--model-path", read_model},
    {"--model-id", read_model},
    {"--served-model-name", read_served_name},
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
    {"--quantization", read_precision},
    {"--quantize", read_precision},
    {"-q", read_precision},
    {"--dtype", read_dtype},
    {"--max-model-len", read_length},
    {"--context-length", read_length},
    {"--max-seq-len", read_length},
    {"--max-total-tokens", read_length},
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

} // namespace

int ServingArguments::devices() const {
    const bool is_stated = tensor_parallel > 0 || pipeline_parallel > 0 || data_parallel > 0;
    const int ranks = shares_data_parallel ? 1 : std::max(data_parallel, 1);
    return is_stated && !has_reference ? std::max(tensor_parallel, 1) * std::max(pipeline_parallel, 1) * ranks : 0;
}

ServingArguments read_serving_arguments(const std::vector<std::string>& words) {
    ServingArguments arguments;
    const std::vector<std::string> parts = split(words);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t equals = std::min(parts[i].find('='), parts[i].size());
        std::string flag = parts[i].substr(0, equals);
        if (flag.starts_with("--")) {
            std::ranges::replace(flag, '_', '-'); // vLLM takes both
        }
        const bool has_value = equals < parts[i].size();
        const std::string value = has_value ? parts[i].substr(equals + 1) : i + 1 < parts.size() ? parts[i + 1] : "";
        const auto row = std::ranges::find(kFlags, flag, &FlagRow::flag);
        if (row != kFlags.end()) {
            row->read(arguments, value);
        } else if (is_serve(flag) && arguments.model.empty() && !is_serve(value)) {
            read_model(arguments, value);
        }
    }
    return arguments;
}

} // namespace costcurve::gate::deployed
