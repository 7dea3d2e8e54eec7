// Makes rows of the step model from measured rates, with a reason for every rejected rate.
#include "server/import/benchmarks/rate_rows.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "server/import/identity/aliases.hpp"
#include "server/import/identity/model_name.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/read_rows.hpp"
#include "server/import/text/table.hpp"

namespace costcurve::imports {

namespace {

// The serving software's efficiency. vLLM before 0.13, or without a stated version, is scaled down by the factors of
// Software::plain (decision 51).
model::Software software_of(const MeasuredRate& rate) {
    constexpr int kTunedFrom = 13; // minor version: 0.13
    if (framework_in(rate.framework) != "vllm" || rate.framework == "vllm-tpu" || rate.version.starts_with("nightly")) {
        return model::Software::tuned;
    }
    int major = 0;
    int minor = -1;
    const char* const end = rate.version.data() + rate.version.size();
    const auto [dot, error] = std::from_chars(rate.version.data(), end, major);
    if (error == std::errc{} && dot < end && *dot == '.') {
        std::from_chars(dot + 1, end, minor);
    }
    return major > 0 || minor >= kTunedFrom ? model::Software::tuned : model::Software::plain;
}

double year_of(std::string_view date) {
    constexpr std::size_t kMonth = 7; // YYYY-MM
    constexpr double kMonths = 12.0;
    int year = 0;
    int month = 0;
    if (date.size() >= kMonth) {
        std::from_chars(date.data(), date.data() + 4, year);
        std::from_chars(date.data() + 5, date.data() + kMonth, month);
    }
    return year == 0 ? 0.0 : year + (month - 1) / kMonths;
}

std::string key_of_rate(const MeasuredRate& rate) {
    // The rate enters in logarithmic steps of 0.4 %: snapshots of one run differ by less.
    return fmt::format("{}|{}|{}|{}|{}|{}|{:.3g}|{:.3g}|{:.3g}|{}|{:.0f}", rate.model, rate.device, rate.devices,
                       rate.attention_groups, static_cast<int>(rate.precision), rate.framework, rate.input_tokens,
                       rate.output_tokens, rate.concurrency, rate.kind, std::log(rate.output_per_s) * 250.0);
}

// Why the step model can't use a rate, or "".
std::string unusable(const MeasuredRate& rate) {
    const bool is_pair = rate.kind == "disaggregated";
    if (is_pair && (rate.prefill.replicas <= 0.0 || rate.decode.replicas <= 0.0)) {
        return "disaggregated: how many replicas read prompts and write answers is not stated";
    }
    if (!is_pair && rate.kind != "serving" && rate.kind != "static batch") {
        return "kind " + rate.kind + ": no concurrency";
    }
    if (rate.concurrency <= 0.0 || rate.output_per_s <= 0.0 || rate.devices < 1.0 || rate.output_tokens <= 0.0) {
        return "no concurrency, rate, devices or output tokens";
    }
    return "";
}

model::StepRequest request_of(const MeasuredRate& rate, std::string_view framework) {
    model::StepRequest request;
    request.input_tokens = rate.input_tokens;
    request.output_tokens = rate.output_tokens;
    request.concurrency = rate.concurrency;
    request.devices = rate.devices;
    request.attention_groups = rate.attention_groups;
    request.precision = rate.precision;
    request.kv_bytes_per_value = rate.kv_bytes_per_value;
    request.software = software_of(rate);
    request.is_tensorrt = rate.framework == "trtllm" || framework.find("tensorrt") != std::string_view::npos;
    request.is_sglang = framework == "sglang";
    request.static_batch = rate.kind == "static batch";
    return request;
}

} // namespace

RateRows::RateRows(const ModelShapes& shapes, const std::vector<model::Device>& devices) : shapes_(shapes) {
    for (const model::Device& device : devices) {
        devices_[device.id] = device;
    }
}

std::uint32_t RateRows::number_of(const std::string& name) {
    return numbers_.emplace(name, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

model::RateRow RateRows::row_of(const MeasuredRate& rate, const model::ModelShape& shape, const model::Device& device) {
    model::RateRow row;
    row.device = device.id;
    row.source = rate.source;
    row.shape = shape;
    row.on = model::step_device(device, model::link_of(device), rate.precision).value_or(model::StepDevice{});
    const std::string framework = framework_in(rate.framework).empty() ? rate.framework : framework_in(rate.framework);
    row.request = request_of(rate, framework);
    row.at = {number_of("architecture " + model::architecture_of(shape)),
              number_of("device " + row.device),
              number_of("family " + std::string(model::device_family(row.device))),
              number_of("framework " + framework),
              rate.precision,
              row.request.software,
              row.shape.experts > 0.0,
              rate.devices,
              rate.input_tokens,
              rate.output_tokens,
              rate.concurrency,
              year_of(rate.date)};
    row.output_per_s = rate.output_per_s;
    row.ttft_s = rate.ttft_s;
    row.itl_s = rate.itl_s;
    return row;
}

std::string RateRows::add(const MeasuredRate& rate, bool is_audited) {
    auto shape = shapes_.find(rate.model);
    shape = shape == shapes_.end() ? shapes_.find(model_id_of(rate.model)) : shape;
    if (shape == shapes_.end()) {
        return "no such model: " + rate.model;
    }
    auto device = devices_.find(rate.device);
    if (device == devices_.end()) {
        const std::optional<std::string> id = device_of(rate.device);
        device = id ? devices_.find(*id) : device;
    }
    if (device == devices_.end() || !device->second.memory_gib || !device->second.memory_bandwidth_gb_per_s) {
        return "no such device: " + rate.device;
    }
    if (std::string reason = unusable(rate); !reason.empty()) {
        return reason;
    }
    MeasuredRate same = rate;
    same.model = model::architecture_of(shape->second);
    same.device = device->first;
    const auto [said, is_new] = by_key_.try_emplace(key_of_rate(same));
    if (!is_new) {
        if (!is_audited || !said->second || rows_[*said->second].is_audited) {
            return "says what another row says";
        }
        rows_[*said->second].is_audited = true;
        return "";
    }
    if (!rate.doubt.empty()) {
        return "doubtful: " + rate.doubt;
    }
    model::RateRow row = row_of(rate, shape->second, device->second);
    row.model = shape->first;
    if (row.on.peak_flops <= 0.0) {
        return "no peak of " + device->first;
    }
    row.is_audited = is_audited;
    if (rate.kind == "disaggregated") {
        row.at.devices = rate.decode.devices;
        pairs_.push_back({std::move(row), rate.prefill, rate.decode});
        return "";
    }
    said->second = rows_.size();
    rows_.push_back(std::move(row));
    return "";
}

} // namespace costcurve::imports
