// Checks both ends of the range before any evaluation.
#include "model/questions/range.hpp"

#include <cmath>

#include <fmt/format.h>

namespace costcurve::model {

Result<std::size_t> bind_range(Alternatives& scenarios, std::string_view pointer, const std::string& at, double low, double high) {
    Result<std::size_t> input = scenarios.bind(pointer, at);
    if (!input) {
        return input;
    }
    Failure issues;
    if (!(low < high)) {
        issues.push_back({at, Code::out_of_range, fmt::format("low is {}, high is {}; low must be below high", low, high)});
    }
    for (const double end : {low, high}) {
        if (scenarios.input(*input).is_whole() && end != std::floor(end)) {
            issues.push_back(
                {at, Code::out_of_range, fmt::format("{} takes whole numbers; {} is not a whole number", pointer, end)});
        }
        if (auto issue = scenarios.set(*input, end, at)) {
            issues.push_back(std::move(*issue));
        }
    }
    scenarios.reset(*input);
    return issues.empty() ? input : tl::unexpected(std::move(issues));
}

Failure nowhere_valid(Alternatives& scenarios, std::size_t input, double low, const std::string& at) {
    Failure issues{{at, Code::out_of_range, "no value between low and high can be evaluated; at low:"}};
    (void)scenarios.set(input, low, at);
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
        const Result<const Evaluation*> evaluated = scenarios.evaluate(i);
        if (!evaluated) {
            issues.add_all(evaluated.error());
        }
    }
    return issues;
}

} // namespace costcurve::model
