// Stores evaluated plans, orders them, and explains why no plan keeps the limits.
#include "model/questions/optimize/plan_values.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

namespace costcurve::model {

namespace {

constexpr double kSame = 1e-12;

bool is_less(double a, double b) { return b - a > kSame * std::max(std::abs(a), std::abs(b)); }

bool is_better(const Outcome& a, const Plan& plan_a, const Outcome& b, const Plan& plan_b) {
    if (a.possible != b.possible) {
        return a.possible;
    }
    if (a.excess != b.excess) {
        return a.excess < b.excess;
    }
    return is_less(a.objective, b.objective) || (!is_less(b.objective, a.objective) && plan_a < plan_b);
}

} // namespace

PlanValues::PlanValues(const Placed& scenario, const std::vector<Decision>& decisions, const Limits& limits, const Runner& runner,
                       std::function<Judge(std::size_t worker)> make_judge)
    : scenario_(scenario), decisions_(decisions), limits_(limits), runner_(runner), make_judge_(std::move(make_judge)),
      judges_(runner.workers) {}

bool PlanValues::evaluate(const std::vector<Plan>& plans) {
    std::set<Plan> asked;
    for (const Plan& plan : plans) {
        if (!outcomes_.contains(plan)) {
            asked.insert(plan);
        }
    }
    const std::vector<Plan> fresh(asked.begin(), asked.end());
    std::vector<Outcome> outcomes(fresh.size());
    std::vector<Failure> failures(fresh.size());
    const bool done = runner_.run(fresh.size(), [&](std::size_t worker, std::size_t task) {
        Judge& judge = judges_[worker];
        if (!judge) {
            judge = make_judge_(worker);
        }
        if (auto outcome = judge(fresh[task])) {
            outcomes[task] = *outcome;
        } else {
            failures[task] = std::move(outcome.error());
        }
    });
    if (!done) {
        return false;
    }
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        outcomes_.emplace(fresh[i], outcomes[i]);
        if (first_failure_.empty()) {
            first_failure_ = std::move(failures[i]);
            for (Issue& issue : first_failure_) {
                issue.pointer.insert(0, scenario_.at);
            }
        }
        const bool good = outcomes[i].possible && outcomes[i].excess == 0.0;
        if (good && (!best_ || model::is_better(outcomes[i], fresh[i], outcomes_.at(best_->plan), best_->plan))) {
            best_ = {fresh[i], outcomes[i].objective};
        }
    }
    return true;
}

bool PlanValues::is_better(const Plan& a, const Plan& b) const { return model::is_better(outcomes_.at(a), a, outcomes_.at(b), b); }

std::vector<RankedPlan> PlanValues::runners_up(std::size_t most) const {
    std::vector<RankedPlan> good;
    for (const auto& [plan, outcome] : outcomes_) {
        if (outcome.possible && outcome.excess == 0.0) {
            good.push_back({plan, outcome.objective});
        }
    }
    std::stable_sort(good.begin(), good.end(), [](const RankedPlan& a, const RankedPlan& b) { return a.objective < b.objective; });
    std::vector<RankedPlan> next;
    double last = best_->objective;
    for (std::size_t i = 0; i < good.size() && next.size() < most; ++i) {
        if (is_less(last, good[i].objective)) {
            last = good[i].objective;
            next.push_back(std::move(good[i]));
        }
    }
    return next;
}

std::string PlanValues::text_of(const Plan& plan) const {
    std::string text;
    for (std::size_t d = 0; d < plan.size(); ++d) {
        text += fmt::format("{}{} = {}", d == 0 ? "" : ", ", decisions_[d].pointer, plan[d]);
    }
    return text;
}

Failure PlanValues::why_none(bool all_were_tried) const {
    const std::pair<const Plan, Outcome>* nearest = nullptr;
    std::array<double, 4> least;
    least.fill(HUGE_VAL);
    for (const auto& entry : outcomes_) {
        if (!entry.second.possible) {
            continue;
        }
        if (nearest == nullptr || entry.second.excess < nearest->second.excess) {
            nearest = &entry;
        }
        for (std::size_t l = 0; l < least.size(); ++l) {
            least[l] = std::min(least[l], entry.second.taken[l]);
        }
    }
    if (nearest == nullptr) {
        return !first_failure_.empty() ? first_failure_
                                       : Failure{{"", Code::too_large, "there was no time to evaluate a plan; allow more"}};
    }
    Failure issues;
    std::string taken;
    const std::string of = all_were_tried ? "of all plans" : fmt::format("of {} plans that were tried", outcomes_.size());
    for (std::size_t l = 0; l < least.size(); ++l) {
        const LimitRow& row = limit_rows()[l];
        const std::optional<double>& limit = limits_.*row.limit;
        if (!limit) {
            continue;
        }
        const std::string_view unit = row.unit == "currency" ? std::string_view(scenario_.document.currency) : row.unit;
        taken +=
            fmt::format("{}{:.6g} {} for {}, {:.6g}", taken.empty() ? "" : "; ", nearest->second.taken[l], unit, row.name, *limit);
        if (least[l] - *limit > kLimitTolerance * std::max(1.0, *limit)) {
            issues.push_back(
                {fmt::format("/subject_to/{}", row.name), Code::infeasible,
                 fmt::format("{} is {:.6g} {}; {}, the least {} is {:.6g} {}: {:.6g} above. Raise it, or widen what is decided",
                             row.name, *limit, unit, of, row.what, least[l], unit, least[l] - *limit)});
        }
    }
    if (issues.empty()) {
        issues.push_back({"/subject_to", Code::infeasible,
                          fmt::format("each limit is kept by some plan, and all by none ({}); the nearest, {}, takes {}", of,
                                      text_of(nearest->first), taken)});
    }
    return issues;
}

} // namespace costcurve::model
