// Small tables of spellings; what they don't know stays blank.
#include "server/import/identity/spellings.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/import/identity/aliases.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

constexpr double kMaxSpelledDevices = 1e6;

struct Spelling {
    std::string_view written;
    std::string_view name;
};

// A name that holds another one stands before it.
constexpr auto kFrameworks = std::to_array<Spelling>({
    {"tensorrt-llm", "tensorrt-llm"},
    {"tensorrt_llm", "tensorrt-llm"},
    {"trt-llm", "tensorrt-llm"},
    {"trtllm", "tensorrt-llm"},
    {"tensorrt", "tensorrt"},
    {"vllm", "vllm"},
    {"sglang", "sglang"},
    {"shark-ai", "shark-ai"},
    {"jetstream", "jetstream"},
    {"onnxruntime", "onnxruntime"},
    {"pytorch", "pytorch"},
    {"tensorflow", "tensorflow"},
    {"mxnet", "mxnet"},
    {"caffe", "caffe"},
    {"jax", "jax"},
    {"maxtext", "jax"},
    {"maxdiffusion", "jax"},
    {"flax", "jax"},
});

constexpr auto kPrecisions = std::to_array<Spelling>({
    {"bf16", "bf16"},
    {"bfloat16", "bf16"},
    {"fp16", "fp16"},
    {"float16", "fp16"},
    {"fp32", "fp32"},
    {"float32", "fp32"},
    {"tf32", "tf32"},
    {"fp8", "fp8"},
    {"fp4", "fp4"},
    {"mxfp4", "fp4"},
    {"nvfp4", "fp4"},
    {"int8", "int8"},
    {"w8a8", "int8"},
    {"int4", "int4"},
    {"uint4", "int4"},
    {"uint8", "int8"},
});

} // namespace

std::string framework_in(std::string_view text) {
    const std::string name = lower(text);
    std::size_t first = std::string::npos;
    std::string_view found;
    for (const Spelling& row : kFrameworks) {
        const std::size_t at = name.find(row.written);
        if (at < first) {
            first = at;
            found = row.name;
        }
    }
    return std::string(found);
}

std::string precision_of(std::string_view text) {
    const std::string name = lower(text);
    const auto found = std::ranges::find(kPrecisions, name, &Spelling::written);
    return found == kPrecisions.end() ? std::string() : std::string(found->name);
}

std::optional<std::string> device_in(std::string_view text) {
    if (std::optional<std::string> device = device_of(text)) {
        return device;
    }
    const std::size_t open = text.find_first_of("([");
    const std::size_t close = text.find_first_of(")]", open == std::string_view::npos ? text.size() : open);
    if (close == std::string_view::npos) {
        return std::nullopt;
    }
    return device_of(text.substr(open + 1, close - open - 1)); // "H100 (PCIe)" is not an H100 of another kind
}

std::optional<std::string> device_option(const Options& options) {
    if (options.device.empty()) {
        return std::nullopt;
    }
    return device_of(options.device).value_or(options.device);
}

std::optional<int> devices_option(const Options& options) {
    const Number devices = parse_number(options.devices);
    return devices ? count_of(devices.value) : std::nullopt;
}

std::optional<int> count_of(double devices) {
    if (devices >= 1.0 && devices <= kMaxSpelledDevices && devices == static_cast<int>(devices)) {
        return static_cast<int>(devices);
    }
    return std::nullopt;
}

std::string gang_name(int devices, std::string_view device) {
    return fmt::format("{}x-{}", devices, device.substr(device.find('.') + 1));
}

model::Rate rate_of_curve(std::string_view id) {
    model::Curve curve;
    curve.id = id;
    curve.stored.is_reference = true;
    return {0.0, std::move(curve)};
}

} // namespace costcurve::imports
