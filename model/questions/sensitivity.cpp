// Two evaluations per input, and a few more between the ends if another scenario may become the cheapest.
#include "model/questions/sensitivity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "model/questions/ranking.hpp"
#include "model/questions/roots.hpp"
#include "model/questions/same.hpp"

namespace costcurve::model {

namespace {

// Candidates without a figure; evaluated scenarios replace theirs.
std::vector<Candidate> unable(std::size_t scenarios) { return std::vector<Candidate>(scenarios, {std::nullopt, false}); }

struct Outputs {
    std::vector<Candidate> candidates; ///< by scenario
    bool is_comparable = true;         ///< all do the same work; otherwise no scenario is a candidate
};

class Mover {
public:
    Mover(Alternatives& scenarios, const std::vector<BoundFigure>& figures) : scenarios_(scenarios), figures_(figures) {}

    Outputs outputs() {
        Outputs all{unable(scenarios_.size())};
        std::vector<const Summary*> summaries(scenarios_.size(), nullptr);
        for (std::size_t i = 0; i < summaries.size(); ++i) {
            const auto evaluated = scenarios_.evaluate(i);
            if (evaluated) {
                summaries[i] = &(*evaluated)->summary;
                all.candidates[i] = {figures_[i].read(*summaries[i]), scenarios_.may_rank(*summaries[i])};
            }
        }
        all.is_comparable = scenarios_.do_same_work(summaries);
        return all;
    }
    Outputs outputs_at(std::size_t input, double value) {
        return scenarios_.set(input, value, "") ? Outputs{unable(scenarios_.size())} : outputs();
    }

private:
    Alternatives& scenarios_;
    const std::vector<BoundFigure>& figures_;
};

std::optional<std::size_t> cheapest_of(const Outputs& outputs) {
    return outputs.is_comparable ? cheapest_of(outputs.candidates) : std::nullopt;
}

// The first point between base and `end` at which another scenario becomes cheaper than the base's cheapest; empty if none.
std::optional<Flip> flip_towards(Mover& mover, std::size_t input, bool is_whole, double base, const Outputs& at_base, double end,
                                 const Outputs& at_end, std::size_t cheapest) {
    constexpr int kSteps = 4;
    const double most = std::fabs(end - base);
    const auto at = [&](double away) { return end > base ? base + away : base - away; };
    const auto advantage = [&](double away) -> std::optional<Difference> {
        Outputs outputs = away == 0.0 ? at_base : away == most ? at_end : mover.outputs_at(input, at(away));
        const Candidate own = std::exchange(outputs.candidates[cheapest], {});
        const auto rival = cheapest_of(outputs);
        return own.figure && own.is_eligible && rival ? std::optional(Difference{*outputs.candidates[*rival].figure, *own.figure})
                                                      : std::nullopt;
    };
    const Scan scan = find_roots(advantage, 0.0, most, is_whole, kSteps);
    const auto root = std::find_if(scan.roots.begin(), scan.roots.end(), [](const Root& r) { return r.beyond < 0.0; });
    if (root == scan.roots.end()) {
        return std::nullopt;
    }
    // a point just beyond the root, where the other scenario is the cheapest
    const double beyond = !is_whole ? root->last + (most - root->last) * 1e-6 : root->f < 0.0 ? root->last : root->last + 1.0;
    Outputs there = mover.outputs_at(input, at(beyond));
    there.candidates[cheapest] = {};
    const auto rival = cheapest_of(there);
    return rival ? std::optional(Flip{at(is_whole ? beyond : root->last), *rival}) : std::nullopt;
}

// Whether the scenario breaks a rule or can't do its work there, or lacks a figure that another scenario has.
bool fails(const Outputs& outputs, std::size_t scenario) {
    const Candidate& own = outputs.candidates[scenario];
    return outputs.is_comparable && (!own.is_eligible || (!own.figure && cheapest_of(outputs)));
}

// The first point between base and `end` at which the base's cheapest can no longer do its work, whether or not another can. Found
// by bisection: whole inputs exactly, others to 1e-9 of the distance.
std::optional<Flip> failure_towards(Mover& mover, std::size_t input, bool is_whole, double base, double end, const Outputs& at_end,
                                    std::size_t cheapest) {
    if (!fails(at_end, cheapest)) {
        return std::nullopt;
    }
    std::optional<std::size_t> next = cheapest_of(at_end);
    constexpr double kEnough = 1e-9; // relative to the distance from base to `end`
    double good = base;
    double bad = end;
    while (std::fabs(bad - good) > (is_whole ? 1.0 : kEnough * std::fabs(end - base))) {
        const double half = good + (bad - good) / 2.0;
        const double middle = is_whole ? std::round(half) : half;
        const Outputs there = mover.outputs_at(input, middle);
        const bool is_bad = fails(there, cheapest);
        (is_bad ? bad : good) = middle;
        next = is_bad ? cheapest_of(there) : next;
    }
    return Flip{bad, next, true};
}

std::optional<Flip> nearer(const std::optional<Flip>& a, const std::optional<Flip>& b, double base) {
    if (!a || !b) {
        return a ? a : b;
    }
    return std::fabs(a->value - base) <= std::fabs(b->value - base) ? a : b;
}

// Both ends of a relative change of the base, within the field's range; whole inputs move to the nearest whole number, at least by
// 1.
std::pair<double, double> changed_ends(const Input& input, double base, double change) {
    const FieldSpec& spec = input.spec;
    const double away = std::fabs(base) * change;
    const double least = input.is_whole() ? std::ceil(spec.min) : spec.min;
    const double step = std::max(1.0, std::round(away));
    const double low = input.is_whole() ? std::ceil(base - step) : base - away;
    const double high = input.is_whole() ? std::floor(base + step) : base + away;
    return {spec.above_min && low <= spec.min ? base : std::max(low, least), std::min(high, spec.max)};
}

// The ends of a move, or issues if they are invalid.
std::optional<std::pair<double, double>> ends_of(Alternatives& scenarios, const Moved& moved, std::size_t input, Failure& issues) {
    const std::optional<double> base = scenarios.input(input).base;
    const bool by_ends = moved.low && moved.high && !moved.change;
    if (!by_ends && (!moved.change || moved.low || moved.high)) {
        issues.push_back({moved.at, Code::missing, "give low and high, or change: a fraction such as 0.2"});
        return std::nullopt;
    }
    if (!by_ends && (!base || *base == 0.0)) {
        issues.push_back(
            {moved.at, Code::inconsistent,
             fmt::format("{} is {}: a change of it is nothing; give low and high", moved.pointer, base ? "0" : "not stated")});
        return std::nullopt;
    }
    const bool is_whole = scenarios.input(input).is_whole();
    const auto [low, high] = !by_ends   ? changed_ends(scenarios.input(input), *base, *moved.change)
                             : is_whole ? std::pair(std::floor(*moved.low), std::ceil(*moved.high))
                                        : std::pair(*moved.low, *moved.high);
    if (!(low < high)) {
        issues.push_back({moved.at, Code::out_of_range, fmt::format("low is {}, high is {}; low must be below high", low, high)});
        return std::nullopt;
    }
    std::optional<Issue> outside;
    for (const double end : {low, high}) {
        if ((outside = scenarios.set(input, end, moved.at))) {
            issues.push_back(*outside);
        }
    }
    scenarios.reset(input);
    return outside ? std::nullopt : std::optional(std::pair(low, high));
}

SwingEnd end_at(double value, const std::optional<double>& base, const std::optional<double>& output) {
    const bool has_change = base && *base != 0.0;
    return {value, has_change ? std::optional((value - *base) / std::fabs(*base)) : std::nullopt, output};
}

bool moves_nothing(const Swing& swing, const std::optional<double>& base_output) {
    const auto stays = [&](const SwingEnd& end) { return base_output && end.output && is_same(*end.output, *base_output); };
    return stays(swing.low) && stays(swing.high) && !swing.flips_at;
}

std::optional<double> elasticity_of(const Swing& swing, const std::optional<double>& base_output) {
    if (!swing.base || !base_output || !swing.low.output || !swing.high.output || *swing.base == 0.0 || *base_output == 0.0) {
        return std::nullopt;
    }
    return ((*swing.high.output - *swing.low.output) / *base_output) / ((swing.high.input - swing.low.input) / *swing.base);
}

struct Move {
    std::size_t input;
    double low;
    double high;
    bool needs_effect;
};

std::vector<Move> bind_moves(Alternatives& scenarios, const std::vector<Moved>& inputs, Failure& issues) {
    std::vector<Move> moves;
    moves.reserve(inputs.size());
    for (const Moved& moved : inputs) {
        Result<std::size_t> input = scenarios.bind(moved.pointer, moved.at);
        if (!input && moved.needs_effect) { // a number in one scenario, a curve in another: varied by a factor
            input = scenarios.bind_factor(moved.pointer, moved.at);
        }
        if (!input && moved.needs_effect && input.error().front().code == Code::not_allowed) { // rates would not follow it
            continue;
        }
        if (!input) {
            issues.add_all(input.error());
        } else if (const auto ends = ends_of(scenarios, moved, *input, issues)) {
            moves.push_back({*input, ends->first, ends->second, moved.needs_effect});
        }
    }
    return moves;
}

// `cheapest`: the cheapest scenario at the base, if any.
Swing swing_of(Mover& mover, const Input& input, const Move& move, const Outputs& base, std::optional<std::size_t> cheapest) {
    const Outputs low = mover.outputs_at(move.input, move.low);
    const Outputs high = mover.outputs_at(move.input, move.high);
    Swing swing{input.pointer,
                input.unit,
                input.base,
                end_at(move.low, input.base, low.candidates[0].figure),
                end_at(move.high, input.base, high.candidates[0].figure),
                {},
                {}};
    swing.elasticity = elasticity_of(swing, base.candidates[0].figure);
    const bool has_others = base.candidates.size() > 1;
    if (cheapest && input.base) {
        const auto towards = [&](double end, const Outputs& at_end) {
            const double from = *input.base;
            const bool is_whole = input.is_whole();
            return end == from ? std::nullopt
                               : nearer(has_others ? flip_towards(mover, move.input, is_whole, from, base, end, at_end, *cheapest)
                                                   : std::nullopt,
                                        failure_towards(mover, move.input, is_whole, from, end, at_end, *cheapest), from);
        };
        const std::optional<Flip> down = towards(move.low, low);
        swing.flips_at = nearer(down, towards(move.high, high), *input.base);
    }
    return swing;
}

} // namespace

double Swing::width() const { return low.output && high.output ? std::fabs(*high.output - *low.output) : -1.0; }

Result<Sensitivity> sensitivity(Alternatives& scenarios, const std::vector<Moved>& inputs, std::string_view output,
                                const std::string& output_at) {
    Failure issues;
    scenarios.rank_by(output);
    const auto figures = scenarios.bind_output(output, output_at);
    if (!figures) {
        issues = figures.error();
    }
    const std::vector<Move> moves = bind_moves(scenarios, inputs, issues);
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
        const Result<const Evaluation*> evaluated = scenarios.evaluate(i);
        if (!evaluated) {
            issues.add_all(evaluated.error());
        }
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    Mover mover(scenarios, *figures);
    const Outputs base = mover.outputs();
    const std::optional<double> output_at_base = base.candidates[0].figure;
    Sensitivity answer{figures->front().unit, output_at_base, std::nullopt, {}, scenarios.differences(), {}};
    if (answer.differences.empty()) {
        answer.cheapest = cheapest_of(base);
    }
    answer.swings.reserve(moves.size());
    for (const Move& move : moves) {
        Swing swing = swing_of(mover, scenarios.input(move.input), move, base, answer.cheapest);
        scenarios.reset(move.input);
        if (move.needs_effect && moves_nothing(swing, output_at_base)) {
            answer.without_effect.push_back(std::move(swing.pointer));
        } else {
            answer.swings.push_back(std::move(swing));
        }
    }
    std::stable_sort(answer.swings.begin(), answer.swings.end(),
                     [](const Swing& a, const Swing& b) { return a.width() > b.width(); });
    return answer;
}

bool is_decision(std::string_view pointer) {
    const std::string_view last = pointer.substr(pointer.rfind('/') + 1);
    static constexpr auto kOfPools = std::to_array<std::string_view>(
        {"servers", "min_instances", "max_instances", "provisioned_units", "provisioned_term_months", "from_day", "days"});
    const bool is_of_pool = pointer.substr(0, 7) == "/pools/";
    return pointer == "/months" || (is_of_pool && std::ranges::find(kOfPools, last) != kOfPools.end());
}

std::vector<Moved> every_input(const ScenarioDocument& scenario, double change, bool with_decisions) {
    std::vector<Moved> all;
    for (std::string& pointer : number_pointers(scenario)) {
        if (with_decisions || !is_decision(pointer)) {
            all.push_back({std::move(pointer), "/inputs", std::nullopt, std::nullopt, change, true});
        }
    }
    return all;
}

} // namespace costcurve::model
