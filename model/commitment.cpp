// Implements the terms of commitments; they follow each other without a gap from the pool's first month on.
#include "model/commitment.hpp"

#include <algorithm>

#include "model/categories/day_terms.hpp"
#include "model/documents/calendar.hpp"
#include "model/finance.hpp"

namespace costcurve::model {

namespace {

Window window_of_months(const Pool& pool, int horizon) {
    return {pool.from_month, pool.months ? pool.from_month + *pool.months : std::max(pool.from_month, horizon)};
}

// Adds a month after the horizon that a running term still covers.
void add_month_left(double hours, double factor, TermLeft& left) {
    left.hours_by_month.push_back(hours);
    left.hours += hours;
    left.discounted_hours += hours * factor;
}

TermLeft days_left(const Pool& pool, const ScenarioDocument& scenario) {
    const std::vector<PaidTerm> terms = terms_paid_ahead(pool, scenario);
    TermLeft left;
    for (std::size_t k = 0; !terms.empty() && k < terms.back().after.size();
         ++k) { // only the last term can reach beyond the horizon
        const double factor = discount_factor(scenario.finance.discount_rate, static_cast<double>(k + 1));
        add_month_left(terms.back().after[k], factor, left);
    }
    return left;
}

} // namespace

Window window_of(const Pool& pool, const ScenarioDocument& scenario) {
    if (!has_day_terms(pool)) {
        return window_of_months(pool, scenario.months);
    }
    const std::vector<std::int64_t> starts = month_starts(scenario.start, scenario.months, scenario.time_zone);
    const Span days = days_of(pool, scenario);
    const auto first_after = std::ranges::lower_bound(starts, days.to) - starts.begin();
    const auto first = std::ranges::upper_bound(starts, days.from) - starts.begin() - 1;
    const int from = days.from < starts.back() ? static_cast<int>(first) : std::max(pool.from_month, scenario.months);
    return {from, std::max(from, std::min(static_cast<int>(first_after), scenario.months))};
}

bool is_commitment(Purchase purchase) { return purchase != Purchase::on_demand && purchase != Purchase::spot; }

std::optional<int> term_of(const Offer& offer) {
    if (!is_commitment(offer.purchase)) {
        return std::nullopt;
    }
    return offer.purchase == Purchase::dedicated ? std::optional(1) : offer.term_months;
}

std::optional<int> term_of(const Pool& pool) { return pool.offer ? term_of(*pool.offer) : pool.provisioned_term_months; }

std::vector<Window> terms_of(const Pool& pool, int horizon) {
    const std::optional<int> term = term_of(pool);
    const Window window = window_of_months(pool, horizon);
    std::vector<Window> terms;
    if (term) {
        // Skips terms that end before the horizon.
        int start = window.from < 0 ? window.from + (-window.from / *term) * *term : window.from;
        for (; start < std::min(window.to, horizon); start += *term) {
            terms.push_back({start, start + *term});
        }
    }
    return terms;
}

TermLeft term_left(const Pool& pool, const ScenarioDocument& scenario) {
    if (has_day_terms(pool)) {
        return days_left(pool, scenario);
    }
    const std::vector<Window> terms = terms_of(pool, scenario.months);
    TermLeft left;
    if (terms.empty() || terms.back().to <= scenario.months) {
        return left;
    }
    const std::vector<std::int64_t> starts =
        month_starts(add_months(scenario.start, scenario.months), terms.back().to - scenario.months, scenario.time_zone);
    for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
        const auto hours = static_cast<double>(hours_between(starts[k], starts[k + 1]));
        const double factor = discount_factor(scenario.finance.discount_rate, static_cast<double>(k + 1));
        add_month_left(hours, factor, left);
        left.months += 1.0;
        left.discounted_months += factor;
    }
    return left;
}

TermLeft times(TermLeft left, const std::vector<double>& factors, double discount_rate) {
    left.hours = left.discounted_hours = 0.0;
    for (std::size_t k = 0; k < left.hours_by_month.size(); ++k) {
        left.hours_by_month[k] *= factors[k];
        left.hours += left.hours_by_month[k];
        left.discounted_hours += left.hours_by_month[k] * discount_factor(discount_rate, static_cast<double>(k + 1));
    }
    return left;
}

double upfront_of(const Pool& pool) { return pool.offer->upfront * (1 - pool.discount_fraction) * pool.max_instances; }

void check_terms(const Pool& pool, const std::string& pointer, Rules& rules) {
    const std::optional<int> term = term_of(*pool.offer);
    if (has_day_terms(pool)) {
        return; // check_pool_days checks these
    }
    if (pool.from_month < -term.value_or(0)) {
        rules.add(pointer + "/from_month", Code::out_of_range,
                  term ? fmt::format("from_month is {}; at least -{}, one term before the start", pool.from_month, *term)
                       : fmt::format("from_month is {}; {} instances have no term that began before the start, at least 0",
                                     pool.from_month, name_of(pool.offer->purchase)));
    }
    if (pool.months && term && *pool.months % *term != 0) {
        rules.add(pointer + "/months", Code::term_not_whole,
                  fmt::format("months is {}; whole terms of {} months are paid", *pool.months, *term));
    }
}

} // namespace costcurve::model
