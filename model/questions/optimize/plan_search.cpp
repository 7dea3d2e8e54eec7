// Splits each box at the decision whose relaxed value is farthest from a whole number.
#include "model/questions/optimize/plan_search.hpp"

#include <algorithm>
#include <cmath>
#include <queue>

namespace costcurve::model {

namespace {

constexpr std::size_t kStarts = 3; // starts of the descent at the root

} // namespace

// The decision whose relaxed value is farthest from a whole number. If all are whole, the decision with the widest range.
std::size_t PlanSearch::branch_on(const Node& node) {
    std::size_t best = 0;
    double most = -1.0;
    for (std::size_t d = 0; d < node.box.low.size(); ++d) {
        const int width = node.box.high[d] - node.box.low[d];
        const double value = node.bound.plan.empty() ? 0.0 : node.bound.plan[d];
        const double fraction = std::abs(value - std::round(value));
        const double score = width == 0 ? -1.0 : fraction > 1e-6 ? 1e6 * fraction + width : width * 1e-3;
        if (score > most) {
            most = score;
            best = d;
        }
    }
    return best;
}

// The decision whose first unit adds the most fixed cost of a site or pool, or empty if all such costs are too small to matter. A
// relaxed solution pays none of them, however much it buys, until every plan of the box has capacity.
std::optional<std::size_t> PlanSearch::opens(const Box& box) const {
    const double none = linear_->fixed_lines(box);
    double most = question_.gap / 10 * std::abs(worthwhile(0.0));
    std::optional<std::size_t> best;
    for (std::size_t d = 0; d < box.low.size() && std::isfinite(most); ++d) {
        if (box.low[d] != 0 || box.high[d] <= 0 || plans_.decisions()[d].lever == Lever::month) {
            continue;
        }
        Box some = box;
        some.low[d] = 1;
        if (const double more = linear_->fixed_lines(some) - none; more > most) {
            most = more;
            best = d;
        }
    }
    return best;
}

// Two or three boxes that together hold all plans of this one.
std::vector<Box> PlanSearch::branches_of(const Node& node) const {
    if (const auto opened = opens(node.box)) {
        std::vector<Box> boxes = {node.box, node.box};
        boxes[0].high[*opened] = 0;
        boxes[1].low[*opened] = 1;
        return boxes;
    }
    const std::size_t d = branch_on(node);
    const int low = node.box.low[d];
    const int high = node.box.high[d];
    const double value = node.bound.plan.empty() ? 0.5 * (low + high) + 0.25 : std::clamp<double>(node.bound.plan[d], low, high);
    std::vector<Box> boxes;
    const auto add = [&](int from, int to) {
        if (from <= to) {
            boxes.push_back(node.box);
            boxes.back().low[d] = from;
            boxes.back().high[d] = to;
        }
    };
    if (std::abs(value - std::round(value)) > 1e-6) {
        add(low, static_cast<int>(std::floor(value)));
        add(static_cast<int>(std::floor(value)) + 1, high);
    } else {
        const int whole = static_cast<int>(std::round(value));
        add(whole, whole);
        add(low, whole - 1);
        add(whole + 1, high);
    }
    return boxes;
}

PlanSearch::PlanSearch(const Scenario& scenario, const OptimizeQuestion& question, const OptimizeEffort& effort, PlanValues& plans,
                       const Box& all)
    : question_(question), effort_(effort), plans_(plans), all_(all) {
    if (!question.uncertain) {
        linear_ = bound_of(scenario, plans.decisions(), question.minimize, question.subject_to, effort.blocks);
    }
}

bool PlanSearch::run(const Plan& stated) {
    Node root{all_, linear_ ? solve(all_) : Bound{LinearProgram::Status::gave_up, -HUGE_VAL, {}}, 0};
    if (root.bound.status == LinearProgram::Status::infeasible) {
        bound = HUGE_VAL;
    }
    std::vector<Plan> starts = {all_.low, all_.high, stated};
    for (const double up : {0.5, 0.999999}) {
        if (!root.bound.plan.empty()) {
            starts.push_back(rounded(root.bound.plan, all_, up));
        }
    }
    bound = std::min(bound, root.bound.value);
    if (!plans_.evaluate(starts)) {
        return false;
    }
    std::sort(starts.begin(), starts.end(), [&](const Plan& a, const Plan& b) { return plans_.is_better(a, b); });
    for (std::size_t i = 0; i < std::min(kStarts, starts.size()); ++i) {
        if (!descend(starts[i])) {
            return false;
        }
    }
    return !linear_ || root.bound.status == LinearProgram::Status::infeasible || branch(std::move(root));
}

Bound PlanSearch::solve(const Box& box) {
    ++bounds;
    Bound solved = linear_->solve(box);
    solved.value = solved.status == LinearProgram::Status::gave_up      ? -HUGE_VAL
                   : solved.status == LinearProgram::Status::infeasible ? HUGE_VAL
                                                                        : solved.value;
    return solved;
}

bool PlanSearch::spent() {
    const double least = worthwhile(0.0);
    if (!std::isfinite(least) || bound - raised_ > question_.gap / 20 * std::abs(least)) {
        raised_ = bound;
        raised_at_ = bounds;
    }
    return bounds >= effort_.bounds || bounds - raised_at_ >= effort_.patience || plans_.evaluations() >= effort_.evaluations;
}

// A box is searched only if its bound is below this value. HUGE_VAL if no plan is known.
double PlanSearch::worthwhile(double gap) const {
    const RankedPlan* const best = plans_.best();
    const double least = best == nullptr ? effort_.cutoff : std::min(effort_.cutoff, best->objective);
    return std::isfinite(least) ? least - gap * std::abs(least) : HUGE_VAL;
}

bool PlanSearch::descend(Plan plan) {
    while (plans_.evaluations() < effort_.evaluations) {
        const std::vector<Plan> around = neighbours(plan, all_);
        if (!plans_.evaluate(around)) {
            return false;
        }
        const auto best =
            std::min_element(around.begin(), around.end(), [&](const Plan& a, const Plan& b) { return plans_.is_better(a, b); });
        if (best == around.end() || !plans_.is_better(*best, plan)) {
            return true;
        }
        plan = *best;
    }
    return true;
}

// Evaluates the plans. If one is better than all before, descends from it.
bool PlanSearch::look_at(const std::vector<Plan>& some) {
    const Plan before = plans_.best() != nullptr ? plans_.best()->plan : Plan();
    if (!plans_.evaluate(some)) {
        return false;
    }
    const RankedPlan* const best = plans_.best();
    return best == nullptr || best->plan == before || descend(best->plan);
}

bool PlanSearch::branch(Node root) {
    std::priority_queue<Node> open;
    open.push(std::move(root));
    std::size_t number = 0;
    while (!open.empty()) {
        bound = open.top().bound.value;
        if (bound >= worthwhile(question_.gap) || spent()) {
            return true;
        }
        const Node node = open.top();
        open.pop();
        for (Box& box : branches_of(node)) {
            if (plans_in(box) <= static_cast<double>(effort_.few_plans)) {
                if (!look_at(all_plans(box))) {
                    return false;
                }
                continue;
            }
            Bound solved = solve(box);
            solved.value = std::max(solved.value, node.bound.value);
            if (solved.value < worthwhile(0.0)) {
                if (!solved.plan.empty() && !look_at({rounded(solved.plan, box, 0.5), rounded(solved.plan, box, 0.999999)})) {
                    return false;
                }
                open.push({std::move(box), std::move(solved), ++number});
            }
        }
    }
    bound = worthwhile(0.0);
    return true;
}

} // namespace costcurve::model
