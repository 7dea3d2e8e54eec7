// The months in which a cloud pool is rented, and the terms of its commitment (model.md, section 5).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/rules.hpp"

namespace costcurve::model {

/// Months [from, to), 0 is the horizon's first.
struct Window {
    int from = 0;
    int to = 0;
    [[nodiscard]] bool holds(std::size_t month) const { return from <= static_cast<int>(month) && static_cast<int>(month) < to; }
};

/// The months in which a cloud pool is rented, including months that it is rented for only some days of. Without `months` or `days`
/// they last to the horizon's end.
[[nodiscard]] Window window_of(const Pool& pool, const ScenarioDocument& scenario);

/// Whether the purchase is paid every hour, used or not.
[[nodiscard]] bool is_commitment(Purchase purchase);

/// Months of the offer's term; empty if it has none.
[[nodiscard]] std::optional<int> term_of(const Offer& offer);
/// Months of the term of a cloud pool's offer, or of an API pool's provisioned units; empty if there is none.
[[nodiscard]] std::optional<int> term_of(const Pool& pool);

/// A pool's terms that reach into the horizon, ascending, in months. A term that began before the horizon has a negative start.
/// terms_paid_ahead gives terms in days.
[[nodiscard]] std::vector<Window> terms_of(const Pool& pool, int horizon);

/// The part of a pool's running term after the horizon: hours by month and in all, and the sum of hours that are discounted from
/// the end of their month to the horizon's end.
struct TermLeft {
    std::vector<double> hours_by_month;
    double hours = 0.0;
    double discounted_hours = 0.0;
    double months = 0.0;
    double discounted_months = 0.0;
};
[[nodiscard]] TermLeft term_left(const Pool& pool, const ScenarioDocument& scenario);
/// `left` with the hours of each month times a factor; `factors` is as long as hours_by_month.
[[nodiscard]] TermLeft times(TermLeft left, const std::vector<double>& factors, double discount_rate);

/// Checks that a commitment is paid in whole terms and began at most one term before the horizon.
void check_terms(const Pool& pool, const std::string& pointer, Rules& rules);

/// Upfront payment of all instances at a term's start, after the pool's discount.
[[nodiscard]] double upfront_of(const Pool& pool);

} // namespace costcurve::model
