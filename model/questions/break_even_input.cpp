// Totals over an input's range, and the stretches of the range without a cheaper scenario.
#include <cmath>
#include <iterator>
#include <map>

#include "model/questions/break_even.hpp"
#include "model/questions/range.hpp"
#include "model/questions/roots.hpp"

namespace costcurve::model {

namespace {

// Outcomes of both scenarios at one value of the input.
struct PairOutcome {
    std::optional<StretchCause> cause; ///< why they can't be ranked; empty if they can
    Amounts a;
    Amounts b;
};

std::optional<StretchCause> cause_of(const std::array<bool, 2>& eligible, bool is_comparable) {
    if (!eligible[0] || !eligible[1]) {
        return eligible[1] ? StretchCause::a_infeasible : eligible[0] ? StretchCause::b_infeasible : StretchCause::both_infeasible;
    }
    return is_comparable ? std::nullopt : std::optional(StretchCause::not_comparable);
}

// Evaluates the pair over the range, each value once.
class RangeOfPair {
public:
    RangeOfPair(Alternatives& pair, std::size_t input, double low, double high)
        : pair_(pair), input_(input), is_whole_(pair.input(input).is_whole()), next_to_(is_whole_ ? 1.0 : kNextTo * (high - low)) {
        for (const double x : even_points(low, high, is_whole_)) {
            (void)at(x);
        }
    }

    const PairOutcome& at(double x) {
        const auto known = outcomes_.find(x);
        return known != outcomes_.end() ? known->second : outcomes_.emplace(x, evaluated(x)).first->second;
    }

    // Bisects between neighbouring values with different causes until no value lies between them.
    void close_in() {
        for (auto left = outcomes_.begin(), right = std::next(left); right != outcomes_.end();) {
            const double middle = left->first + (right->first - left->first) / 2;
            if (left->second.cause == right->second.cause || right->first - left->first <= next_to_) {
                left = right++;
            } else {
                (void)at(is_whole_ ? std::floor(middle) : middle);
                right = std::next(left);
            }
        }
    }

    [[nodiscard]] std::vector<Stretch> stretches() const {
        std::vector<Stretch> all;
        std::optional<StretchCause> before;
        for (const auto& [x, outcome] : outcomes_) {
            if (outcome.cause && outcome.cause == before) {
                all.back().to = x;
            } else if (outcome.cause) {
                all.push_back({x, x, *outcome.cause});
            }
            before = outcome.cause;
        }
        return all;
    }

    [[nodiscard]] std::vector<double> points() const {
        std::vector<double> all;
        all.reserve(outcomes_.size());
        for (const auto& [x, outcome] : outcomes_) {
            all.push_back(x);
        }
        return all;
    }

    // Crossings of an amount. A stretch of equal cost counts as a crossing at its end if the sign changes across it.
    Crossings crossings(double Amounts::*amount, const std::vector<double>& points) {
        const PartialFunction difference = [&](double x) {
            const PairOutcome& outcome = at(x);
            return outcome.cause ? std::nullopt : std::optional(Difference{outcome.a.*amount, outcome.b.*amount});
        };
        const Scan scan = find_roots(difference, points, is_whole_);
        Crossings found;
        if (!scan.least) {
            found.relation = Relation::none;
            return found;
        }
        for (const Root& root : scan.roots) {
            if (root.beyond != 0.0 && root.before * root.beyond <= 0.0) {
                found.crossings.push_back({root.last, root.beyond < 0.0, root.is_jump});
            }
        }
        found.relation = relation_of(found.crossings, *scan.least < 0.0 ? *scan.least : *scan.most);
        return found;
    }

    [[nodiscard]] bool is_nowhere_valid() const { return !is_comparable_ && differences_.empty(); }
    [[nodiscard]] std::vector<ScenarioDifference> differences() const {
        return is_comparable_ ? std::vector<ScenarioDifference>() : differences_;
    }
    [[nodiscard]] const std::array<bool, 2>& feasible() const { return feasible_; }
    [[nodiscard]] const std::array<bool, 2>& eligible() const { return eligible_; }
    [[nodiscard]] int evaluations() const { return 2 * static_cast<int>(outcomes_.size()); }

private:
    static constexpr double kNextTo = 1e-12; // relative to the range

    PairOutcome evaluated(double x) {
        const auto issue = pair_.set(input_, x, "");
        const Result<const Evaluation*> a = pair_.evaluate(0);
        const Result<const Evaluation*> b = pair_.evaluate(1);
        if (issue || !a || !b) {
            return {StretchCause::invalid, {}, {}};
        }
        const Summary& of_a = (*a)->summary;
        const Summary& of_b = (*b)->summary;
        std::vector<ScenarioDifference> differences = differences_of(pair_, of_a, of_b);
        const bool is_comparable = differences.empty();
        is_comparable_ = is_comparable_ || is_comparable;
        if (differences_.empty()) {
            differences_ = std::move(differences);
        }
        feasible_ = {feasible_[0] || of_a.is_feasible(), feasible_[1] || of_b.is_feasible()};
        const std::array<bool, 2> eligible{pair_.may_rank(of_a), pair_.may_rank(of_b)};
        eligible_ = {eligible_[0] || eligible[0], eligible_[1] || eligible[1]};
        return {cause_of(eligible, is_comparable), of_a.total, of_b.total};
    }

    Alternatives& pair_;
    std::size_t input_;
    bool is_whole_;
    double next_to_; // values closer than this are neighbours
    std::map<double, PairOutcome> outcomes_;
    // differences at any value evaluated so far
    std::vector<ScenarioDifference> differences_;
    bool is_comparable_ = false;
    std::array<bool, 2> feasible_{};
    std::array<bool, 2> eligible_{};
};

} // namespace

Result<BreakEven> break_even_over_input(Alternatives& pair, std::string_view input, const std::string& input_at, double low,
                                        double high) {
    constexpr int kMaxRounds = 8;
    const Result<std::size_t> bound = bind_range(pair, input, input_at, low, high);
    if (!bound) {
        return tl::unexpected(bound.error());
    }
    RangeOfPair range(pair, *bound, low, high);
    if (range.is_nowhere_valid()) {
        return tl::unexpected(nowhere_valid(pair, *bound, low, input_at));
    }
    BreakEven answer;
    for (int round = 0; round < kMaxRounds; ++round) {
        range.close_in();
        answer.stretches = range.stretches();
        const std::vector<double> points = range.points();
        answer.cost = range.crossings(&Amounts::cost, points);
        answer.cash = range.crossings(&Amounts::cash, points);
        if (range.stretches().size() == answer.stretches.size()) { // otherwise the search for crossings found another stretch
            break;
        }
    }
    answer.low = low;
    answer.high = high;
    answer.differences = range.differences();
    answer.feasible = range.feasible();
    answer.eligible = range.eligible();
    answer.evaluations = range.evaluations();
    return answer;
}

} // namespace costcurve::model
