// Layouts that servers accept: vLLM and TensorRT-LLM split attention by whole heads, and a stage has one layer or more.
#include "server/answers/rates/parallel.hpp"

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

namespace costcurve::answers {

using model::Code;

model::Failure check_parallel(const model::Parallel& parallel, std::optional<int>& devices) {
    model::Failure issues;
    const std::int64_t product = std::int64_t{parallel.tp} * parallel.pp * parallel.dp;
    if (parallel.cp > 1) {
        issues.push_back({"/parallel/cp", Code::not_allowed, "cp shares the sequences of training; leave it out of serving"});
    }
    if (product > kMaxReplica) {
        issues.push_back({"/parallel", Code::out_of_range,
                          fmt::format("tp × pp × dp is {} devices; allowed 1 to {} of a replica", product, kMaxReplica)});
    } else if (devices.value_or(static_cast<int>(product)) != product) {
        issues.push_back({"/devices", Code::inconsistent,
                          fmt::format("devices is {}, tp × pp × dp {}: leave one of them out", *devices, product)});
    } else if (parallel.ep > product) {
        issues.push_back({"/parallel/ep", Code::out_of_range, fmt::format("ep is {} of {} devices", parallel.ep, product)});
    } else {
        devices = static_cast<int>(product);
    }
    return issues;
}

model::Failure impossible_parts(const model::Parallel& parallel, const model::Model& model) {
    model::Failure issues;
    const auto refuse = [&](std::string_view name, int parts, int most, std::string_view what) {
        if (parts > most) {
            issues.push_back({fmt::format("/parallel/{}", name), Code::out_of_range,
                              fmt::format("{} is {}; {} has {} {}", name, parts, model.id, most, what)});
        }
    };
    refuse("pp", parallel.pp, model.layers > 1 ? model.layers : parallel.pp, "layers"); // 1 where the document states none
    refuse("ep", parallel.ep, model.experts ? model.experts->count : 1, "experts");
    if (model.heads && *model.heads % parallel.tp != 0) {
        issues.push_back(
            {"/parallel/tp", Code::out_of_range,
             fmt::format("tp is {}; it must divide the {} attention heads of {}", parallel.tp, *model.heads, model.id)});
    }
    return issues;
}

} // namespace costcurve::answers
