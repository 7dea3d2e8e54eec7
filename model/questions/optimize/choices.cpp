// Bounds all combinations first, then searches them in the order of their bounds. Those that can't be better are not searched.
#include "model/questions/optimize/choices.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "model/questions/comparable.hpp"
#include "model/questions/optimize/bound.hpp"

namespace costcurve::model {

namespace {

/// With this many plans or fewer, no bound is computed before the plans are evaluated.
constexpr double kUnboundedPlans = 32;
constexpr std::size_t kMinShare = 64; // least number of evaluations for a combination

struct BoundedCombination {
    Failure refused;
    std::optional<Summary> summary; ///< summary of the combination as stated; empty if it breaks a rule before any plan is set
    double bound = -HUGE_VAL;
    std::size_t bounds = 0;
};

std::optional<Summary> summary_of(const ScenarioDocument& document) {
    Variant variant(document);
    const auto evaluated = variant.evaluate();
    return evaluated ? std::optional((*evaluated)->summary) : std::nullopt;
}

BoundedCombination candidate_of(const Placed& combination, const OptimizeQuestion& question, const OptimizeEffort& effort) {
    BoundedCombination candidate;
    const Result<PlanProblem> problem = make_problem(combination, question);
    if (!problem) {
        candidate.refused = problem.error();
        return candidate;
    }
    candidate.summary = summary_of(combination.document);
    if (question.uncertain || plans_in(problem->all) <= kUnboundedPlans) {
        return candidate;
    }
    const auto linear = bound_of(problem->scenario, problem->decisions, question.minimize, question.subject_to, effort.blocks);
    if (linear) {
        const Bound bound = linear->solve(problem->all);
        candidate.bounds = 1;
        candidate.bound = bound.status == LinearProgram::Status::infeasible ? HUGE_VAL
                          : bound.status == LinearProgram::Status::solved   ? bound.value
                                                                            : -HUGE_VAL;
    }
    return candidate;
}

// The error for combinations that do different work, which can't be compared.
Failure other_work(const std::vector<Placed>& combinations, const std::vector<BoundedCombination>& candidates,
                   Objective objective) {
    const auto first =
        std::find_if(candidates.begin(), candidates.end(), [](const BoundedCombination& c) { return c.summary.has_value(); });
    for (auto other = first; other != candidates.end(); ++other) {
        if (!other->summary) {
            continue;
        }
        const auto differences = work_differences(
            combinations[static_cast<std::size_t>(first - candidates.begin())].document, *first->summary,
            combinations[static_cast<std::size_t>(other - candidates.begin())].document, *other->summary, objective);
        if (!differences.empty()) {
            return {{"/decide", Code::inconsistent,
                     fmt::format("the choices change the work itself ({}: {} or {}): plans of other work are not compared; choose "
                                 "among ways to do the same",
                                 differences.front().what, differences.front().a, differences.front().b)}};
        }
    }
    return {};
}

void count_refused(CombinationCounts& counts, const Failure& refused, std::size_t number) {
    ++counts.refused;
    const Issue& issue = refused.front();
    const auto same =
        std::find_if(counts.reasons.begin(), counts.reasons.end(), [&](const RefusedCombinations& r) { return r.issue == issue; });
    if (same == counts.reasons.end()) {
        counts.reasons.push_back({issue, 1, number});
    } else {
        ++same->count;
    }
}

// Searches the combinations in ascending order of their bounds, until a bound is no better than the best plan.
class CombinationSearch {
public:
    CombinationSearch(const std::vector<Placed>& combinations, const std::vector<BoundedCombination>& candidates,
                      const OptimizeQuestion& question, const OptimizeEffort& effort, const Runner& runner,
                      CombinationCounts& counts)
        : combinations_(combinations), candidates_(candidates), question_(question), effort_(effort), runner_(runner),
          counts_(counts) {
        for (std::size_t c = 0; c < candidates.size(); ++c) {
            if (!candidates[c].refused.empty()) {
                count_refused(counts, candidates[c].refused, c);
                continue;
            }
            order_.push_back(c);
            bounds_ += candidates[c].bounds;
        }
        std::stable_sort(order_.begin(), order_.end(),
                         [&](std::size_t a, std::size_t b) { return candidates[a].bound < candidates[b].bound; });
    }

    Result<Optimum> run() {
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const double bound = candidates_[order_[i]].bound;
            if (best_ && bound >= best_->best.objective) { // all later bounds are at least as high
                count_unsearched(i);
                break;
            }
            SearchOutcome found = search(order_[i], share(order_.size() - i));
            if (found.is_stopped) {
                return tl::unexpected(std::move(found.why_none));
            }
            take(order_[i], std::move(found), bound);
        }
        if (!best_) {
            return tl::unexpected(std::move(why_none_));
        }
        return finished();
    }

private:
    void count_unsearched(std::size_t from) {
        for (std::size_t i = from; i < order_.size(); ++i) {
            ++(candidates_[order_[i]].bound == HUGE_VAL ? counts_.infeasible : counts_.cut);
        }
        is_exhaustive_ = false;
    }

    [[nodiscard]] OptimizeEffort share(std::size_t left) const {
        const auto of = [left](std::size_t all, std::size_t used, std::size_t least) {
            return std::max(least, (all - std::min(all, used)) / left);
        };
        OptimizeEffort effort = effort_;
        effort.evaluations = of(effort.evaluations, evaluations_, kMinShare);
        effort.exhaustive_plans = std::min(effort.exhaustive_plans, effort.evaluations);
        effort.bounds = of(effort.bounds, bounds_, 1);
        effort.hedged_evaluations = std::max(kMinShare, effort.hedged_evaluations / order_.size());
        effort.cutoff = best_ ? best_->best.objective : HUGE_VAL;
        return effort;
    }

    [[nodiscard]] SearchOutcome search(std::size_t c, const OptimizeEffort& effort) const {
        return search_plans(combinations_[c], make_problem(combinations_[c], question_).value(), question_, effort, runner_);
    }

    void take(std::size_t c, SearchOutcome found, double bound) {
        evaluations_ += found.evaluations;
        bounds_ += found.bounds;
        bound_ = std::min(bound_, std::max(bound, found.bound));
        is_exhaustive_ = is_exhaustive_ && found.bounds == 0;
        if (!found.optimum) {
            const bool is_none = found.bound == HUGE_VAL;
            ++(is_none ? counts_.infeasible : counts_.examined);
            if (why_none_.empty()) {
                why_none_ = std::move(found.why_none);
            }
            return;
        }
        ++counts_.examined;
        found.optimum->best.combination = c;
        ranked_.push_back(found.optimum->best);
        for (RankedPlan& plan : found.optimum->runners_up) {
            plan.combination = c;
            ranked_.push_back(plan);
        }
        if (!best_ || is_before(found.optimum->best, best_->best)) {
            best_ = std::move(found.optimum);
        }
    }

    // Orders by objective. Objectives equal to 1e-12 are ordered by their combination, the one stated first.
    static bool is_before(const RankedPlan& a, const RankedPlan& b) {
        const double same = 1e-12 * std::max(std::abs(a.objective), std::abs(b.objective));
        return std::abs(a.objective - b.objective) > same ? a.objective < b.objective : a.combination < b.combination;
    }

    Optimum finished() {
        Optimum optimum = std::move(*best_);
        optimum.evaluations = evaluations_;
        optimum.bounds = bounds_;
        optimum.proof = is_exhaustive_ ? Proof::exhaustive : Proof::linear_bound;
        set_bound(optimum, std::min(bound_, optimum.best.objective));
        optimum.proof = std::isfinite(optimum.bound) ? optimum.proof : Proof::none;
        std::stable_sort(ranked_.begin(), ranked_.end(),
                         [](const RankedPlan& a, const RankedPlan& b) { return a.objective < b.objective; });
        optimum.runners_up.clear();
        double last = optimum.best.objective;
        for (RankedPlan& plan : ranked_) {
            if (plan.objective - last > 1e-12 * std::abs(last) && optimum.runners_up.size() < effort_.runners_up) {
                last = plan.objective;
                optimum.runners_up.push_back(std::move(plan));
            }
        }
        if (optimum.hedge) {
            optimum.hedge->value_of_foresight.reset();
        }
        return optimum;
    }

    const std::vector<Placed>& combinations_;
    const std::vector<BoundedCombination>& candidates_;
    const OptimizeQuestion& question_;
    const OptimizeEffort& effort_;
    const Runner& runner_;
    CombinationCounts& counts_;
    std::vector<std::size_t> order_;
    std::optional<Optimum> best_;
    std::vector<RankedPlan> ranked_;
    Failure why_none_;
    double bound_ = HUGE_VAL;
    std::size_t evaluations_ = 0;
    std::size_t bounds_ = 0;
    bool is_exhaustive_ = true;
};

} // namespace

Result<ChosenOptimum> optimize_combinations(const std::vector<Placed>& combinations, const OptimizeQuestion& question,
                                            const OptimizeEffort& effort, const Runner& runner) {
    std::vector<BoundedCombination> candidates(combinations.size());
    const bool done = runner.run(combinations.size(), [&](std::size_t /*worker*/, std::size_t c) {
        candidates[c] = candidate_of(combinations[c], question, effort);
    });
    if (!done) {
        return tl::unexpected(Failure{{"", Code::too_large, "stopped before the best plan was found"}});
    }
    const bool is_any_good =
        std::any_of(candidates.begin(), candidates.end(), [](const BoundedCombination& c) { return c.refused.empty(); });
    if (!is_any_good) {
        return tl::unexpected(candidates.front().refused);
    }
    if (Failure other = other_work(combinations, candidates, question.minimize); !other.empty()) {
        return tl::unexpected(std::move(other));
    }
    ChosenOptimum chosen;
    chosen.counts.stated = combinations.size();
    auto optimum = CombinationSearch(combinations, candidates, question, effort, runner, chosen.counts).run();
    if (!optimum) {
        return tl::unexpected(std::move(optimum.error()));
    }
    chosen.optimum = std::move(*optimum);
    return chosen;
}

} // namespace costcurve::model
