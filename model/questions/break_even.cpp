// Differences of running sums in exact time.
#include "model/questions/break_even.hpp"

#include <algorithm>
#include <cmath>

#include "model/questions/same.hpp"

namespace costcurve::model {

namespace {

double largest(const std::vector<double>& sums) {
    double size = 0.0;
    for (const double sum : sums) {
        size = std::max(size, std::abs(sum));
    }
    return size;
}

// Cash flows of the cost; amounts settled at the horizon's end are terminal values.
TimedCash timed_cost(const Evaluation& evaluation) {
    TimedCash cost;
    for (const MonthSummary& month : evaluation.summary.months) {
        cost.during.push_back(month.total.cost);
    }
    cost.start.assign(cost.during.size(), 0.0);
    cost.end = cost.start;
    for (const HorizonRow& row : evaluation.workspace.ledger.over_horizon) {
        cost.terminal += row.cost;
    }
    cost.during.back() -= cost.terminal;
    return cost;
}

TimedCash timed_cash_of(const Evaluation& evaluation) {
    return timed_cash(evaluation.compiled, evaluation.workspace.ledger, false);
}

} // namespace

Relation relation_of(const std::vector<Crossing>& crossings, double sign) {
    if (!crossings.empty()) {
        return Relation::crosses;
    }
    return sign < 0.0 ? Relation::a_always_cheaper : sign > 0.0 ? Relation::b_always_cheaper : Relation::equal;
}

std::vector<ScenarioDifference> differences_of(const Alternatives& pair, const Summary& a, const Summary& b) {
    std::vector<ScenarioDifference> differences;
    for (WorkDifference& difference : work_differences(pair.document(0), a, pair.document(1), b, Objective::cost)) {
        differences.push_back({std::move(difference), 1});
    }
    return differences;
}

Crossings crossings_of(const TimedCash& a, const TimedCash& b) {
    constexpr double kRounding = 1e-12; // relative to the largest sum: the rounding error that cancelling amounts leave
    const std::vector<double> sum_a = cumulative(a);
    const std::vector<double> sum_b = cumulative(b);
    const double nothing = kRounding * std::max(largest(sum_a), largest(sum_b));
    const auto less = [&](double of_a, double of_b) {
        return is_same(of_a, of_b) || std::abs(of_a - of_b) <= nothing ? 0.0 : of_a - of_b;
    };
    Crossings found;
    double sign = 0.0;   // sign of the last difference that was not zero
    double before = 0.0; // the difference at the last point
    for (std::size_t i = 0; i < std::min(sum_a.size(), sum_b.size()); ++i) {
        const double now = less(sum_a[i], sum_b[i]);
        if (now * sign < 0.0) {
            found.crossings.push_back({zero_time(i, before, now), now < 0.0, i % 2 == 0});
        }
        sign = now != 0.0 ? now : sign;
        before = now;
    }
    for (std::size_t m = 0; m < std::min(a.end.size(), b.end.size()); ++m) {
        found.difference.push_back(less(sum_a[2 * m + 1] + a.end[m], sum_b[2 * m + 1] + b.end[m]));
    }
    found.relation = relation_of(found.crossings, sign);
    if (a.end.size() == b.end.size()) {
        found.at_end = less(sum_a.back() + a.terminal, sum_b.back() + b.terminal);
    }
    return found;
}

Crossings cash_crossings(const Evaluation& a, const Evaluation& b) { return crossings_of(timed_cash_of(a), timed_cash_of(b)); }

std::optional<double> cheaper_from(const Crossings& found) {
    if (found.crossings.empty()) {
        const bool is_ever = found.relation == Relation::a_always_cheaper || found.relation == Relation::equal;
        return is_ever ? std::optional(0.0) : std::nullopt;
    }
    return found.crossings.front().a_is_cheaper ? found.crossings.front().at
                                                : 0.0; // otherwise a was cheaper before the first crossing
}

Result<BreakEven> break_even_over_horizon(Alternatives& pair) {
    const Result<const Evaluation*> a = pair.evaluate(0);
    const Result<const Evaluation*> b = pair.evaluate(1);
    Failure issues = a ? Failure() : a.error();
    if (!b) {
        issues.add_all(b.error());
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    BreakEven answer;
    answer.cost = crossings_of(timed_cost(**a), timed_cost(**b));
    answer.cash = cash_crossings(**a, **b);
    answer.differences = differences_of(pair, (*a)->summary, (*b)->summary);
    answer.feasible = {(*a)->summary.is_feasible(), (*b)->summary.is_feasible()};
    answer.eligible = {pair.may_rank((*a)->summary), pair.may_rank((*b)->summary)};
    if (!answer.differences.empty() || !answer.eligible[0] || !answer.eligible[1]) {
        for (Crossings* const measure : {&answer.cost, &answer.cash}) {
            measure->crossings.clear();
            measure->relation = Relation::none;
        }
    }
    return answer;
}

} // namespace costcurve::model
