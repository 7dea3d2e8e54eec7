// Cash flows of two scenarios, their difference over time, and the roots of its present value.
#include "model/questions/investment.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <boost/math/tools/toms748_solve.hpp>

#include "model/categories/tax_losses.hpp"

namespace costcurve::model {

namespace {

constexpr double kNegligibleFlow = 1e-12; // relative to the sum of all flows

double at(const std::vector<double>& values, std::size_t m) { return m < values.size() ? values[m] : 0.0; }

TimedCash difference(const TimedCash& other, const TimedCash& investment) {
    TimedCash flow;
    const std::size_t months = std::max(other.start.size(), investment.start.size());
    for (std::size_t m = 0; m < months; ++m) {
        flow.start.push_back(at(other.start, m) - at(investment.start, m));
        flow.during.push_back(at(other.during, m) - at(investment.during, m));
        flow.end.push_back(at(other.end, m) - at(investment.end, m));
    }
    flow.terminal = other.terminal - investment.terminal;
    return flow;
}

double gross(const TimedCash& flow) {
    double sum = std::abs(flow.terminal);
    for (std::size_t m = 0; m < flow.start.size(); ++m) {
        sum += std::abs(flow.start[m]) + std::abs(flow.during[m]) + std::abs(flow.end[m]);
    }
    return sum;
}

// The first amount larger than `nothing` in size, in the order of time.
double first_amount(const TimedCash& flow, double nothing) {
    for (std::size_t m = 0; m < flow.start.size(); ++m) {
        for (const double amount : {flow.start[m], flow.during[m], flow.end[m]}) {
            if (std::abs(amount) > nothing) {
                return amount;
            }
        }
    }
    return std::abs(flow.terminal) > nothing ? flow.terminal : 0.0;
}

// Present value at a growth factor of 1 + rate per year, passed as its logarithm.
double value_at(const TimedCash& flow, double log_factor) {
    double value = 0.0;
    for (std::size_t m = 0; m < flow.start.size(); ++m) {
        const auto month = static_cast<double>(m);
        value += flow.start[m] * std::exp(-log_factor * month / 12) +
                 (flow.during[m] + flow.end[m]) * std::exp(-log_factor * (month + 1) / 12);
    }
    return value + flow.terminal * std::exp(-log_factor * static_cast<double>(flow.start.size()) / 12);
}

// Rates of return: roots over 1 + rate = 10^(k/100), k = -200 … 200.
std::vector<double> rates_of_return(const TimedCash& flow) {
    constexpr int kEnds = 200;
    constexpr int kDigits = 50;
    const double step = std::log(10.0) / 100;
    std::vector<double> rates;
    double before = value_at(flow, -kEnds * step);
    for (int k = -kEnds; k <= kEnds && before == 0.0; ++k) { // a zero flow has no rate of return
        before = value_at(flow, k * step);
    }
    if (before == 0.0) {
        return rates;
    }
    double last = value_at(flow, -kEnds * step);
    for (int k = -kEnds + 1; k <= kEnds; ++k) {
        const double now = value_at(flow, k * step);
        if (now == 0.0) {
            rates.push_back(std::expm1(k * step));
        } else if (last * now < 0.0) {
            std::uintmax_t iterations = 100;
            const auto [low, high] =
                boost::math::tools::toms748_solve([&](double x) { return value_at(flow, x); }, (k - 1) * step, k * step, last, now,
                                                  boost::math::tools::eps_tolerance<double>(kDigits), iterations);
            rates.push_back(std::expm1(low + (high - low) / 2));
        }
        last = now;
    }
    return rates;
}

// The flow discounted by the factors at each month's start and end.
TimedCash discounted(TimedCash flow, const std::vector<double>& discount) {
    for (std::size_t m = 0; m < flow.start.size(); ++m) {
        flow.start[m] *= discount[m];
        flow.during[m] *= discount[m + 1];
        flow.end[m] *= discount[m + 1];
    }
    return flow;
}

// The time from which the cumulative flow stays at or above zero.
std::optional<double> payback(const TimedCash& flow, double nothing) {
    std::optional<double> since;
    double before = 0.0;
    const std::vector<double> sums = cumulative(flow);
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (sums[i] < -nothing) {
            since.reset();
        } else if (!since) {
            since = zero_time(i, before, sums[i]);
        }
        before = sums[i];
    }
    return since;
}

} // namespace

TimedCash timed_cash(const Compiled& compiled, const Ledger& ledger, bool after_tax) {
    const CapitalFlows& capital = compiled.capital;
    const Terminal& terminal = compiled.terminal;
    const double kept = after_tax ? 1 - compiled.tax_rate : 1.0;
    const double tax = after_tax ? compiled.tax_rate : 0.0;
    TimedCash cash;
    const double settled = terminal.obligations - terminal.commitments_sold - terminal.returned; // taxed
    const double untaxed = terminal.loan_balance - terminal.sale;                                // not taxed
    cash.terminal = settled * kept + untaxed - tax * capital.tax_credit_at_end;
    for (std::size_t m = 0; m < compiled.months; ++m) {
        double start = 0.0;
        double all = 0.0;
        for (std::size_t p = 0; p <= ledger.pools; ++p) {
            for (std::size_t c = 0; c < kCategories; ++c) {
                start += compiled.flows.starts(m, p, c);
                all += ledger.cash(m, p, c);
            }
        }
        const bool is_last = m + 1 == compiled.months;
        const double during = all - start - capital.sold[m] - (is_last ? settled + untaxed : 0.0);
        const double credit = capital.tax_credit[m] - capital.tax_credit_of_sales[m] - (is_last ? capital.tax_credit_at_end : 0.0);
        cash.start.push_back((start - capital.start[m]) * kept + capital.start[m]);
        cash.during.push_back((during - capital.principal[m]) * kept + capital.principal[m] - tax * credit);
        cash.end.push_back(capital.sold[m] - tax * capital.tax_credit_of_sales[m]);
    }
    for (const TaxYear& year : after_tax ? tax_years(compiled, ledger) : std::vector<TaxYear>()) {
        cash.end[year.end - 1] += tax * year.beyond();
    }
    return cash;
}

std::vector<double> cumulative(const TimedCash& cash) {
    std::vector<double> sums;
    sums.reserve(2 * cash.start.size() + 1);
    double sum = 0.0;
    for (std::size_t m = 0; m < cash.start.size(); ++m) {
        sum += cash.start[m];
        sums.push_back(sum);
        sum += cash.during[m];
        sums.push_back(sum);
        sum += cash.end[m];
    }
    sums.push_back(sum);
    return sums;
}

double zero_time(std::size_t point, double before, double now) {
    const std::size_t whole = point / 2;
    const auto month = static_cast<double>(whole);
    return point % 2 == 0 ? month : month + std::clamp(before / (before - now), 0.0, 1.0);
}

Investment investment_of(const Evaluation& a, const Evaluation& b) {
    const bool after_tax = a.compiled.tax_rate > 0.0;
    const TimedCash of_a = timed_cash(a.compiled, a.workspace.ledger, after_tax);
    const TimedCash of_b = timed_cash(b.compiled, b.workspace.ledger, after_tax);
    TimedCash flow = difference(of_b, of_a);
    const double nothing = kNegligibleFlow * (gross(of_a) + gross(of_b));
    Investment answer;
    answer.reversed = first_amount(flow, nothing) > 0.0;
    if (answer.reversed) {
        flow = difference(of_a, of_b);
    }
    answer.npv_difference = after_tax ? a.summary.npv_after_tax - b.summary.npv_after_tax : a.summary.npv - b.summary.npv;
    if (gross(flow) <= nothing) {
        return answer;
    }
    answer.irr = rates_of_return(flow);
    answer.payback_month = payback(flow, nothing);
    const Compiled& longer = a.compiled.months >= b.compiled.months ? a.compiled : b.compiled;
    std::vector<double> discount;
    const double rate = std::log(a.compiled.discount.front() / a.compiled.discount.back()) / static_cast<double>(a.compiled.months);
    for (std::size_t m = 0; m <= longer.months; ++m) {
        discount.push_back(std::exp(-rate * static_cast<double>(m)));
    }
    answer.discounted_payback_month = payback(discounted(flow, discount), nothing);
    return answer;
}

} // namespace costcurve::model
