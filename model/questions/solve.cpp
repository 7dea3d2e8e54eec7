// The roots of output less target.
#include "model/questions/solve.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/questions/range.hpp"
#include "model/questions/turns.hpp"

namespace costcurve::model {

namespace {

Failure unreached(const SolveQuestion& question, const Scan& scan, std::string_view unit) {
    if (!scan.least) {
        return {
            {question.output_at, Code::out_of_range,
             fmt::format("{} has no value anywhere between low and high: nothing is served, or the scenario breaks a rule there",
                         question.output)}};
    }
    return {
        {question.target_at, Code::out_of_range,
         fmt::format("no value of {} between {} and {} gives {}: {} runs from {} to {} {}; widen the range or change the target",
                     question.input, question.low, question.high, question.target, question.output, *scan.least + question.target,
                     *scan.most + question.target, unit)}};
}

} // namespace

Result<Solved> solve(Alternatives& scenario, const SolveQuestion& question) {
    const Result<std::size_t> input = bind_range(scenario, question.input, question.input_at, question.low, question.high);
    const auto output = bind_figure(scenario.document(0), question.output, question.output_at);
    Failure issues = input ? Failure() : input.error();
    if (!output) {
        issues.add_all(output.error());
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    std::vector<Seen> seen;
    bool fails = false; // fails at some value in the range
    const PartialFunction above_target = [&](double x) -> std::optional<Difference> {
        const auto issue = scenario.set(*input, x, question.input_at);
        const Result<const Evaluation*> evaluated = scenario.evaluate(0);
        const auto value = !issue && evaluated ? output->read((*evaluated)->summary) : std::nullopt;
        if (value) {
            seen.push_back({x, *value});
            fails = fails || has_outages((*evaluated)->compiled);
        }
        return value ? std::optional(Difference{*value, question.target}) : std::nullopt;
    };
    const Scan scan = find_roots(above_target, question.low, question.high, scenario.input(*input).is_whole());
    Solved solved{{}, scenario.input(*input).unit, output->unit, scan.iterations};
    solved.turns_at = fails ? first_turn(std::move(seen)) : std::nullopt;
    for (const Root& root : scan.roots) {
        if (root.is_gap) {
            continue;
        }
        solved.solutions.push_back({root.x, question.target + root.f, !root.is_jump});
        if (root.last > root.x) {
            solved.solutions.push_back({root.last, question.target, true});
        }
    }
    if (solved.solutions.empty()) {
        return tl::unexpected(unreached(question, scan, output->unit));
    }
    return solved;
}

} // namespace costcurve::model
