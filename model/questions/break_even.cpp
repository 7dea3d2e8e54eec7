// Differences of running sums, and of totals over an input.
#include "model/questions/break_even.hpp"

#include <algorithm>

#include "model/questions/range.hpp"
#include "model/questions/same.hpp"

namespace costcurve::model {

namespace {

Relation relation_of(const std::vector<Crossing>& crossings, double sign) {
    if (!crossings.empty()) {
        return Relation::crosses;
    }
    return sign < 0.0 ? Relation::a_always_cheaper : sign > 0.0 ? Relation::b_always_cheaper : Relation::equal;
}

std::vector<double> by_month(const Summary& summary, double Amounts::*amount) {
    std::vector<double> all;
    all.reserve(summary.months.size());
    for (const MonthSummary& month : summary.months) {
        all.push_back(month.total.*amount);
    }
    return all;
}

// A stretch on which both cost the same counts at its end, if the sign is another there.
Crossings crossings_of_input(const Scan& scan) {
    Crossings found;
    for (const Root& root : scan.roots) {
        if (root.beyond != 0.0 && root.before * root.beyond <= 0.0) {
            found.crossings.push_back({root.last, root.beyond < 0.0, root.is_jump});
        }
    }
    found.relation = relation_of(found.crossings, *scan.least < 0.0 ? *scan.least : *scan.most);
    return found;
}

} // namespace

Crossings crossings_of_sums(const std::vector<double>& a, const std::vector<double>& b) {
    Crossings found;
    const std::size_t months = std::min(a.size(), b.size());
    found.difference.reserve(months);
    double sum_a = 0.0;
    double sum_b = 0.0;
    double sign = 0.0;   // of the last difference that was not zero
    double before = 0.0; // the difference a month ago
    for (std::size_t m = 0; m < months; ++m) {
        sum_a += a[m];
        sum_b += b[m];
        const double now = is_same(sum_a, sum_b) ? 0.0 : sum_a - sum_b;
        if (now * sign < 0.0) {
            const double within = before * now < 0.0 ? before / (before - now) : 0.0;
            found.crossings.push_back({static_cast<double>(m) + within, now < 0.0, false});
        }
        sign = now != 0.0 ? now : sign;
        before = now;
        found.difference.push_back(now);
    }
    found.relation = relation_of(found.crossings, sign);
    return found;
}

Result<BreakEven> break_even_over_horizon(Alternatives& pair) {
    Result<const Evaluation*> a = pair.evaluate(0);
    Result<const Evaluation*> b = pair.evaluate(1);
    Failure issues = a ? Failure() : a.error();
    if (!b) {
        issues.add_all(b.error());
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    const auto crossings = [&](double Amounts::*amount) {
        return crossings_of_sums(by_month((*a)->summary, amount), by_month((*b)->summary, amount));
    };
    return BreakEven{crossings(&Amounts::cost), crossings(&Amounts::cash), 2};
}

Result<BreakEven> break_even_over_input(Alternatives& pair, std::string_view input, const std::string& input_at, double low,
                                        double high) {
    const Result<std::size_t> bound = bind_range(pair, input, input_at, low, high);
    if (!bound) {
        return tl::unexpected(bound.error());
    }
    BreakEven answer;
    answer.evaluations = 0;
    const auto over = [&](double Amounts::*amount) {
        const PartialFunction difference = [&](double x) -> std::optional<Difference> {
            const auto issue = pair.set(*bound, x, input_at);
            const Result<const Evaluation*> a = pair.evaluate(0);
            const Result<const Evaluation*> b = pair.evaluate(1);
            return !issue && a && b ? std::optional(Difference{(*a)->summary.total.*amount, (*b)->summary.total.*amount})
                                    : std::nullopt;
        };
        const Scan scan = find_roots(difference, low, high, pair.input(*bound).is_whole());
        answer.evaluations += 2 * scan.iterations;
        return scan.least ? std::optional(crossings_of_input(scan)) : std::nullopt;
    };
    const std::optional<Crossings> cost = over(&Amounts::cost);
    const std::optional<Crossings> cash = over(&Amounts::cash);
    if (!cost || !cash) {
        return tl::unexpected(nowhere_valid(pair, *bound, low, input_at));
    }
    answer.cost = *cost;
    answer.cash = *cash;
    return answer;
}

} // namespace costcurve::model
