// Finds what each input drives, and says what is wrong with all of them at once.
#include "model/questions/chance/uncertain_inputs.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace costcurve::model {

namespace {

// The places that an input drives; adds issues if there are none.
std::vector<Driven> drive(Alternatives& alternatives, const UncertainInput& input, Failure& issues) {
    const std::string at = input.at + "/pointer";
    std::vector<Driven> driven;
    Failure none;
    const std::size_t count = alternatives.size();
    if (input.scenario && *input.scenario >= count) {
        issues.push_back({input.at + "/scenario", Code::out_of_range,
                          fmt::format("scenario is {}; allowed 0 to {}", *input.scenario, count - 1)});
        return driven;
    }
    std::vector<const Input*> absolute;
    bool found = false;
    for (std::size_t s = input.scenario.value_or(0); s < (input.scenario ? *input.scenario + 1 : count); ++s) {
        const Result<std::size_t> index = alternatives.bind(input.pointer, at, s);
        if (!index && index.error().front().code != Code::unknown_reference) { // it has the number, and can't move it
            issues.add_all(index.error());
            return {};
        }
        if (!index) {
            none = none.empty() ? index.error() : none;
            continue;
        }
        found = true;
        const std::optional<double> base = alternatives.input(*index).base;
        if (!input.distribution.relative) {
            absolute.push_back(&alternatives.input(*index));
        }
        if (!input.distribution.relative || base) {
            driven.push_back({s, *index, input.distribution.relative ? *base : 1.0});
        } else {
            issues.push_back(
                {at, Code::inconsistent,
                 fmt::format("{}{} states nothing that a relative distribution could multiply; give it absolute values",
                             alternatives.at(s), input.pointer)});
        }
    }
    if (!found) {
        issues.add_all(none);
    }
    if (auto mixed = mixed_units(absolute, at)) {
        issues.push_back(std::move(*mixed));
    }
    return driven;
}

// Whether an earlier input already sets the number.
bool is_set_before(const std::vector<UncertainInput>& inputs, std::size_t number) {
    const UncertainInput& later = inputs[number];
    return std::any_of(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(number), [&](const UncertainInput& earlier) {
        return earlier.pointer == later.pointer && (!earlier.scenario || !later.scenario || earlier.scenario == later.scenario);
    });
}

std::optional<Issue> check_support(Uncertain& scenarios, const UncertainInput& input, std::size_t number) {
    const Support support = support_of(input.distribution);
    if (!std::isfinite(support.high)) { // the samples tell
        return std::nullopt;
    }
    auto issue = leaves_range(scenarios, input, number, support.low, "the least value");
    return issue ? issue : leaves_range(scenarios, input, number, support.high, "the greatest value");
}

std::optional<std::size_t> find_input(const std::vector<UncertainInput>& inputs, const std::string& pointer, const std::string& at,
                                      Failure& issues) {
    const auto same = [&](const UncertainInput& input) { return input.pointer == pointer; };
    const auto found = std::find_if(inputs.begin(), inputs.end(), same);
    if (found == inputs.end()) {
        issues.push_back({at, Code::unknown_reference, fmt::format("{} is the pointer of none of the inputs", pointer)});
        return std::nullopt;
    }
    if (std::find_if(found + 1, inputs.end(), same) != inputs.end()) {
        issues.push_back({at, Code::inconsistent, fmt::format("{} is the pointer of several inputs", pointer)});
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - inputs.begin());
}

} // namespace

Uncertain::Uncertain(const std::vector<Placed>& scenarios, const std::vector<UncertainInput>& all, Failure& issues)
    : alternatives(scenarios) {
    inputs.reserve(all.size());
    for (const UncertainInput& input : all) {
        inputs.push_back(drive(alternatives, input, issues));
    }
}

std::optional<Issue> Uncertain::set(std::size_t input, double draw, const std::string& at) {
    for (const Driven& place : inputs[input]) {
        if (auto issue = alternatives.set(place.bound, draw * place.multiplier, at)) {
            return issue;
        }
    }
    return std::nullopt;
}

std::optional<Issue> leaves_range(Uncertain& scenarios, const UncertainInput& input, std::size_t number, double draw,
                                  const std::string& what) {
    for (const Driven& place : scenarios.inputs[number]) {
        auto issue = scenarios.alternatives.set(place.bound, draw * place.multiplier, input.at + "/distribution");
        if (!issue) {
            scenarios.alternatives.reset(place.bound);
            continue;
        }
        const FieldSpec& spec = scenarios.alternatives.input(place.bound).spec;
        issue->message += fmt::format("; that is {} of its distribution", what);
        if (!std::isfinite(support_of(input.distribution).high)) {
            const auto [low, high] = std::minmax({spec.min / place.multiplier, spec.max / place.multiplier});
            issue->message += fmt::format(", of which a share of {:.3g} lies outside; take a triangular one within the range",
                                          probability_outside(input.distribution, low, high));
        }
        return issue;
    }
    return std::nullopt;
}

Failure check_inputs(Uncertain& scenarios, const std::vector<UncertainInput>& inputs) {
    Failure issues;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const UncertainInput& input = inputs[i];
        if (is_set_before(inputs, i)) {
            issues.push_back({input.at + "/pointer", Code::duplicate,
                              fmt::format("{} is an input already; a number has one distribution", input.pointer)});
        }
        const Failure impossible = check_distribution(input.distribution, input.at + "/distribution");
        issues.add_all(impossible);
        if (auto issue = impossible.empty() ? check_support(scenarios, input, i) : std::nullopt) {
            issues.push_back(std::move(*issue));
        }
    }
    return issues;
}

std::vector<double> correlate_inputs(const Uncertainty& uncertainty, Failure& issues) {
    const std::vector<UncertainInput>& inputs = uncertainty.inputs;
    std::vector<RankCorrelation> all;
    for (const CorrelatedInputs& row : uncertainty.correlations) {
        const auto a = find_input(inputs, row.a, row.at + "/a", issues);
        const auto b = find_input(inputs, row.b, row.at + "/b", issues);
        if (!a || !b) {
            continue;
        }
        const auto [low, high] = std::minmax(*a, *b);
        const bool known = std::any_of(all.begin(), all.end(),
                                       [low = low, high = high](const RankCorrelation& r) { return r.a == low && r.b == high; });
        if (low == high || known) {
            issues.push_back({row.at, Code::duplicate, "give each pair of different inputs once"});
        } else {
            all.push_back({low, high, row.rho});
        }
    }
    std::vector<std::string> names;
    names.reserve(inputs.size());
    for (const UncertainInput& input : inputs) {
        names.push_back(input.pointer);
    }
    auto triangle = correlate(all, names, uncertainty.at + "/correlations");
    if (!triangle) {
        issues.add_all(triangle.error());
        return {};
    }
    return std::move(*triangle);
}

std::vector<std::vector<double>> draw_inputs(const Uncertainty& uncertainty, std::vector<double> triangle, const Runner& runner) {
    constexpr std::size_t kDrawn = 1024; // samples per task
    const std::vector<UncertainInput>& inputs = uncertainty.inputs;
    const Draws draws(uncertainty.sampling, uncertainty.seed, inputs.size(), std::move(triangle));
    std::vector<std::function<double(double)>> inverses;
    inverses.reserve(inputs.size());
    for (const UncertainInput& input : inputs) {
        inverses.push_back(inverse_of(input.distribution));
    }
    std::vector<std::vector<double>> drawn(inputs.size(), std::vector<double>(uncertainty.samples));
    const bool done = runner.run((uncertainty.samples + kDrawn - 1) / kDrawn, [&](std::size_t /*worker*/, std::size_t task) {
        const std::size_t first = task * kDrawn;
        const std::size_t count = std::min(kDrawn, uncertainty.samples - first);
        std::vector<double> shares(inputs.size() * count);
        draws.fill(first, count, shares);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            for (std::size_t k = 0; k < count; ++k) {
                drawn[i][first + k] = inverses[i](shares[i * count + k]);
            }
        }
    });
    return done ? std::move(drawn) : std::vector<std::vector<double>>();
}

Failure check_draws(Uncertain& scenarios, const Uncertainty& uncertainty, const std::vector<std::vector<double>>& draws) {
    Failure issues;
    for (std::size_t i = 0; i < draws.size(); ++i) {
        const auto [least, most] = std::minmax_element(draws[i].begin(), draws[i].end());
        for (const double end : {*least, *most}) {
            const std::string what = fmt::format("a sample, {:.6g},", end);
            if (auto issue = leaves_range(scenarios, uncertainty.inputs[i], i, end, what)) {
                issues.push_back(std::move(*issue));
                break;
            }
        }
    }
    return issues;
}

} // namespace costcurve::model
