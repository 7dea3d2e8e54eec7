// Binds, draws, evaluates in blocks of samples, and sums up.
#include "model/questions/chance/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/questions/break_even.hpp"
#include "model/questions/ranking.hpp"
#include "model/questions/same.hpp"

namespace costcurve::model {

namespace {

constexpr std::size_t kBlock = 16; // samples per task
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint16_t kNever = std::numeric_limits<std::uint16_t>::max();

void append(Failure& to, const Failure& issues) { to.add_all(issues); }

// State of each worker: the scenarios with inputs and figures bound.
struct DrawBound {
    DrawBound(const std::vector<Placed>& scenarios, const SimulateQuestion& question, Failure& issues)
        : uncertain(scenarios, question.inputs, issues) {
        uncertain.alternatives.rank_by(question.outputs.empty() ? "" : question.outputs.front());
        for (std::size_t o = 0; o < question.outputs.size(); ++o) {
            auto figures = uncertain.alternatives.bind_output(question.outputs[o], fmt::format("/outputs/{}", o));
            if (figures) {
                outputs.push_back(std::move(*figures));
            } else {
                append(issues, figures.error());
            }
        }
        Wanted wanted;
        wanted.months = question.by_month || question.break_even;
        for (const std::vector<BoundFigure>& figures : outputs) {
            wanted.add(figures.front().wanted);
        }
        uncertain.alternatives.want(wanted);
    }
    Uncertain uncertain;
    std::vector<std::vector<BoundFigure>> outputs; ///< by output, then scenario
};

// The samples: inputs drawn and figures read, each where its number says.
struct Samples {
    std::size_t count;
    std::vector<std::vector<double>> inputs;              ///< [input][sample], as drawn
    std::vector<std::vector<std::vector<double>>> values; ///< [scenario][output][sample]
    std::vector<std::vector<std::uint8_t>> feasible;      ///< [scenario][sample]
    std::vector<std::vector<std::uint8_t>> eligible;      ///< [scenario][sample]: it may be the cheapest
    std::vector<std::vector<std::uint8_t>> same_work;     ///< [scenario][sample]: as the baseline
    std::vector<std::vector<std::vector<double>>> cash;   ///< [scenario][month][sample], cumulative; where asked
    std::vector<std::uint16_t> break_even;                ///< [sample] month, or kNever; where asked
    std::vector<std::optional<Issue>> failures;           ///< by block: of its first sample that failed
    std::vector<std::uint8_t> failed;                     ///< by sample
};

Samples room_for(const std::vector<Placed>& scenarios, const SimulateQuestion& question) {
    const std::vector<double> column(question.samples, kMissing);
    Samples samples{question.samples, {}, {}, {}, {}, {}, {}, {}, {}, {}};
    samples.values.assign(scenarios.size(), {question.outputs.size(), column});
    samples.feasible.assign(scenarios.size(), std::vector<std::uint8_t>(question.samples, 0));
    samples.eligible = samples.same_work = samples.feasible;
    if (question.by_month) {
        for (const Placed& scenario : scenarios) {
            samples.cash.emplace_back(static_cast<std::size_t>(scenario.document.months), column);
        }
    }
    if (question.break_even) {
        samples.break_even.assign(question.samples, kNever);
    }
    samples.failures.resize((question.samples + kBlock - 1) / kBlock);
    samples.failed.assign(question.samples, 0);
    return samples;
}

// The month by whose end `a` has become the cheaper one, if both can be ranked.
std::uint16_t pays_off(const Alternatives& alternatives, const SimulateQuestion& question,
                       const std::vector<const Evaluation*>& evaluations) {
    const auto [a, b] = *question.break_even;
    const Summary& of_a = evaluations[a]->summary;
    const Summary& of_b = evaluations[b]->summary;
    const bool is_ranked = is_eligible(of_a, question.ignore_unserved) && is_eligible(of_b, question.ignore_unserved) &&
                           does_same_work(alternatives.document(a), of_a, alternatives.document(b), of_b, Objective::cost);
    const std::optional<double> from = is_ranked ? cheaper_from(cash_crossings(*evaluations[a], *evaluations[b])) : std::nullopt;
    return from ? static_cast<std::uint16_t>(std::max(0.0, std::ceil(*from) - 1.0)) : kNever;
}

void keep_cash(const Summary& summary, std::size_t sample, std::vector<std::vector<double>>& months) {
    double sum = 0.0;
    for (std::size_t m = 0; m < std::min(months.size(), summary.months.size()); ++m) {
        sum += summary.months[m].total.cash;
        months[m][sample] = sum;
    }
}

void take_out(std::size_t sample, Samples& samples) {
    for (auto& outputs : samples.values) {
        for (auto& column : outputs) {
            column[sample] = kMissing;
        }
    }
    for (auto& months : samples.cash) {
        for (auto& column : months) {
            column[sample] = kMissing;
        }
    }
}

// Evaluates one sample in all scenarios.
std::optional<Issue> evaluate_sample(DrawBound& bound, const SimulateQuestion& question, std::size_t sample, Samples& samples) {
    for (std::size_t i = 0; i < samples.inputs.size(); ++i) {
        if (auto issue = bound.uncertain.set(i, samples.inputs[i][sample], "")) {
            return issue;
        }
    }
    Alternatives& alternatives = bound.uncertain.alternatives;
    std::vector<const Evaluation*> evaluations;
    evaluations.reserve(alternatives.size());
    for (std::size_t s = 0; s < alternatives.size(); ++s) {
        const Result<const Evaluation*> evaluated = alternatives.evaluate(s);
        if (!evaluated) {
            return evaluated.error().front();
        }
        const Summary& summary = (*evaluated)->summary;
        evaluations.push_back(*evaluated);
        samples.feasible[s][sample] = summary.is_feasible() ? 1 : 0;
        samples.eligible[s][sample] = is_eligible(summary, question.ignore_unserved) ? 1 : 0;
        for (std::size_t o = 0; o < bound.outputs.size(); ++o) {
            samples.values[s][o][sample] = bound.outputs[o][s].read(summary).value_or(kMissing);
        }
        if (question.by_month) {
            keep_cash(summary, sample, samples.cash[s]);
        }
    }
    const Summary& baseline = evaluations[question.baseline]->summary;
    for (std::size_t s = 0; s < evaluations.size(); ++s) {
        const bool is_same = does_same_work(alternatives.document(question.baseline), baseline, alternatives.document(s),
                                            evaluations[s]->summary, alternatives.ranked_by(evaluations.front()->summary));
        samples.same_work[s][sample] = is_same ? 1 : 0;
    }
    if (question.break_even) {
        samples.break_even[sample] = pays_off(alternatives, question, evaluations);
    }
    return std::nullopt;
}

bool evaluate_all(const std::vector<Placed>& scenarios, const SimulateQuestion& question, const Runner& runner, Samples& samples) {
    std::vector<std::unique_ptr<DrawBound>> workers(runner.workers); // each made by the thread whose memory it then uses
    return runner.run(samples.failures.size(), [&](std::size_t worker, std::size_t block) {
        std::unique_ptr<DrawBound>& bound = workers[worker];
        if (!bound) {
            Failure none;
            bound = std::make_unique<DrawBound>(scenarios, question, none);
        }
        for (std::size_t k = block * kBlock; k < std::min((block + 1) * kBlock, samples.count); ++k) {
            if (auto issue = evaluate_sample(*bound, question, k, samples)) {
                take_out(k, samples);
                samples.failed[k] = 1;
                samples.failures[block] = samples.failures[block] ? samples.failures[block] : std::move(issue);
            }
        }
    });
}

bool all_do_same_work(const Samples& samples, std::size_t sample) {
    return std::all_of(samples.same_work.begin(), samples.same_work.end(), [&](const auto& of) { return of[sample] != 0; });
}

// How often a scenario can do its work, and has the least first output of those that are eligible; ties share a sample.
void count_cheapest(const Samples& samples, Simulation& answer) {
    const std::size_t scenarios = samples.values.size();
    const auto counted = static_cast<double>(samples.count - answer.failed);
    std::vector<double> wins(scenarios, 0.0);
    std::vector<double> able(scenarios, 0.0);
    std::vector<double> figures(scenarios);
    double none = 0.0;
    for (std::size_t k = 0; k < samples.count; ++k) {
        double least = kMissing;
        const bool is_comparable = all_do_same_work(samples, k);
        answer.not_comparable += !is_comparable && samples.failed[k] == 0 ? 1 : 0;
        for (std::size_t s = 0; s < scenarios; ++s) {
            const bool is_counted = samples.failed[k] == 0;
            able[s] += is_counted && samples.feasible[s][k] != 0 ? 1.0 : 0.0;
            figures[s] = is_counted && is_comparable && samples.eligible[s][k] != 0 ? samples.values[s][0][k] : kMissing;
            least = std::fmin(least, figures[s]);
        }
        const auto ties = std::count_if(figures.begin(), figures.end(), [&](double figure) { return is_same(figure, least); });
        none += ties == 0 && samples.failed[k] == 0 ? 1.0 : 0.0;
        for (std::size_t s = 0; s < scenarios; ++s) {
            wins[s] += is_same(figures[s], least) ? 1.0 / static_cast<double>(ties) : 0.0;
        }
    }
    if (counted > 0.0) {
        answer.probability_none = none / counted;
        for (std::size_t s = 0; s < scenarios; ++s) {
            answer.scenarios[s].probability_cheapest = wins[s] / counted;
            answer.scenarios[s].probability_feasible = able[s] / counted;
        }
    }
}

// Where a budget's figure is; an issue where the question has no such output or scenario.
std::vector<std::size_t> outputs_of_budgets(const SimulateQuestion& question, std::size_t scenarios, Failure& issues) {
    std::vector<std::size_t> found;
    const auto check_number = [&](std::size_t number, std::string at) {
        if (number >= scenarios) {
            issues.push_back(
                {std::move(at), Code::out_of_range, fmt::format("{} is no scenario; allowed 0 to {}", number, scenarios - 1)});
        }
    };
    check_number(question.baseline, "/baseline");
    for (std::size_t b = 0; b < question.budgets.size(); ++b) {
        const Budget& budget = question.budgets[b];
        check_number(budget.scenario.value_or(0), fmt::format("/budgets/{}/scenario", b));
        const auto at = std::find(question.outputs.begin(), question.outputs.end(), budget.output);
        if (at == question.outputs.end() && !budget.output.empty()) {
            issues.push_back({fmt::format("/budgets/{}/output", b), Code::unknown_reference,
                              fmt::format("'{}' is not one of the outputs: {}", budget.output.substr(0, 200),
                                          fmt::join(question.outputs, ", "))});
        }
        found.push_back(at == question.outputs.end() ? 0 : static_cast<std::size_t>(at - question.outputs.begin()));
    }
    return found;
}

double share_below(const Samples& samples, std::size_t scenario, std::size_t output, double amount, std::size_t counted) {
    std::size_t below = 0;
    for (std::size_t k = 0; k < samples.count; ++k) {
        const double figure = samples.values[scenario][output][k];
        below += samples.feasible[scenario][k] != 0 && !std::isnan(figure) && !is_cheaper(amount, figure) ? 1 : 0;
    }
    return static_cast<double>(below) / static_cast<double>(counted);
}

void meet_budgets(const SimulateQuestion& question, const std::vector<std::size_t>& outputs, const Samples& samples,
                  Simulation& answer) {
    const std::size_t counted = samples.count - answer.failed;
    for (std::size_t b = 0; b < outputs.size() && counted > 0; ++b) {
        const Budget& budget = question.budgets[b];
        for (std::size_t s = 0; s < answer.scenarios.size(); ++s) {
            if (budget.scenario.value_or(s) == s) {
                answer.scenarios[s].probability_below.push_back({b, share_below(samples, s, outputs[b], budget.amount, counted)});
            }
        }
    }
}

// The spread of the first output less the baseline's.
std::optional<Spread> difference_from(std::size_t baseline, std::size_t scenario, const Samples& samples) {
    std::vector<double> column(samples.count, kMissing);
    for (std::size_t k = 0; k < samples.count; ++k) {
        if (samples.same_work[scenario][k] != 0) {
            column[k] = samples.values[scenario][0][k] - samples.values[baseline][0][k];
        }
    }
    return spread_of(column);
}

std::vector<CashBand> bands_of(const std::vector<std::vector<double>>& months, std::size_t whole) {
    std::vector<CashBand> bands;
    for (const std::vector<double>& column : months) {
        const std::optional<Spread> spread = spread_of(column);
        if (!spread || spread->samples < whole) { // a shorter horizon was drawn
            break;
        }
        bands.push_back({spread->p5, spread->p50, spread->p95});
    }
    return bands;
}

// The differences in the first sample that does not fail.
std::vector<ScenarioDifference> first_differences(DrawBound& bound, const SimulateQuestion& question, const Samples& samples) {
    const auto first = std::find(samples.failed.begin(), samples.failed.end(), 0) - samples.failed.begin();
    for (std::size_t i = 0; i < samples.inputs.size(); ++i) {
        (void)bound.uncertain.set(i, samples.inputs[i][static_cast<std::size_t>(first)], "");
    }
    return bound.uncertain.alternatives.differences(question.baseline);
}

// Every task has a place of its own in the answer, so that their order makes no difference. Nothing where it was stopped.
std::optional<Simulation> sum_up(const DrawBound& bound, const SimulateQuestion& question, const Samples& samples,
                                 const Runner& runner) {
    Simulation answer;
    std::vector<std::function<void()>> tasks;
    answer.failed = static_cast<std::size_t>(std::count(samples.failed.begin(), samples.failed.end(), 1));
    const auto first = std::find_if(samples.failures.begin(), samples.failures.end(), [](const auto& issue) { return issue; });
    if (first != samples.failures.end()) {
        answer.first_failure = *first;
    }
    answer.scenarios.resize(samples.values.size());
    for (std::size_t s = 0; s < samples.values.size(); ++s) {
        for (std::size_t o = 0; o < question.outputs.size(); ++o) {
            SimulatedOutput& output = answer.scenarios[s].outputs.emplace_back();
            output.unit = bound.outputs[o][s].unit;
            output.explained_shares.resize(question.inputs.size());
            tasks.emplace_back([&, s, o] { answer.scenarios[s].outputs[o].spread = spread_of(samples.values[s][o]); });
        }
        tasks.emplace_back([&, s] {
            SimulatedScenario& scenario = answer.scenarios[s];
            scenario.difference = s != question.baseline ? difference_from(question.baseline, s, samples) : std::nullopt;
            scenario.by_month = question.by_month ? bands_of(samples.cash[s], samples.count - answer.failed) : scenario.by_month;
        });
    }
    for (std::size_t i = 0; i < question.inputs.size(); ++i) {
        tasks.emplace_back([&, i] {
            const std::vector<std::uint32_t> order = order_of(samples.inputs[i]);
            for (const Driven& place : bound.uncertain.inputs[i]) {
                for (std::size_t o = 0; o < question.outputs.size(); ++o) {
                    answer.scenarios[place.scenario].outputs[o].explained_shares[i] =
                        explained_share(order, samples.inputs[i], samples.values[place.scenario][o]);
                }
            }
        });
    }
    if (!runner.run(tasks.size(), [&](std::size_t /*worker*/, std::size_t task) { tasks[task](); })) {
        return std::nullopt;
    }
    count_cheapest(samples, answer);
    return answer;
}

std::optional<Issue> too_much(const std::vector<Placed>& scenarios, const SimulateQuestion& question) {
    const std::size_t each = numbers_of_sample(scenarios, question);
    if (question.samples <= kMaxKept / each) {
        return std::nullopt;
    }
    return Issue{"/samples", Code::too_large,
                 fmt::format("{} samples of {} numbers each are more than the {} that are kept; "
                             "take fewer samples, outputs{} or inputs",
                             question.samples, each, kMaxKept, question.by_month ? ", months (by_month)" : "")};
}

} // namespace

std::size_t numbers_of_sample(const std::vector<Placed>& scenarios, const SimulateQuestion& question) {
    std::size_t numbers = question.inputs.size() + scenarios.size() * std::max<std::size_t>(question.outputs.size(), 1);
    for (const Placed& scenario : scenarios) {
        numbers += question.by_month ? static_cast<std::size_t>(scenario.document.months) : 0;
    }
    return numbers;
}

Result<Simulation> simulate(const std::vector<Placed>& scenarios, const SimulateQuestion& question, const Runner& runner) {
    Failure issues;
    DrawBound bound(scenarios, question, issues);
    append(issues, check_inputs(bound.uncertain, question.inputs));
    const std::vector<std::size_t> budget_outputs = outputs_of_budgets(question, scenarios.size(), issues);
    std::vector<double> triangle = correlate_inputs(question, issues);
    if (auto issue = too_much(scenarios, question)) {
        issues.push_back(std::move(*issue));
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    Samples samples = room_for(scenarios, question);
    samples.inputs = draw_inputs(question, std::move(triangle), runner);
    if (samples.inputs.empty() && !question.inputs.empty()) {
        return tl::unexpected(Failure{});
    }
    if (Failure outside = check_draws(bound.uncertain, question, samples.inputs); !outside.empty()) {
        return tl::unexpected(std::move(outside));
    }
    if (!evaluate_all(scenarios, question, runner, samples)) {
        return tl::unexpected(Failure{});
    }
    std::optional<Simulation> summed = sum_up(bound, question, samples, runner);
    if (!summed) {
        return tl::unexpected(Failure{});
    }
    Simulation& answer = *summed;
    constexpr std::size_t kMaxFailed = 100; // one of so many
    if (answer.failed * kMaxFailed > samples.count) {
        Issue issue = *answer.first_failure;
        issue.message += fmt::format("; {} of {} samples break rules, and at most 1 % may", answer.failed, samples.count);
        return tl::unexpected(Failure{std::move(issue)});
    }
    meet_budgets(question, budget_outputs, samples, answer);
    if (answer.not_comparable > 0 && answer.not_comparable == samples.count - answer.failed) {
        answer.differences = first_differences(bound, question, samples);
    }
    if (question.break_even) {
        const auto months_of = [&](std::size_t s) { return static_cast<std::size_t>(scenarios[s].document.months); };
        answer.break_even =
            shares_by_month(samples.break_even, std::min(months_of(question.break_even->a), months_of(question.break_even->b)),
                            samples.count - answer.failed);
    }
    return std::move(answer);
}

} // namespace costcurve::model
