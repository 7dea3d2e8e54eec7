// When a cloud pool is there, and the terms of its commitment (model.md, section 5).
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

/// The months in which a cloud pool is there, one rented by days in a part of them too; without `months` or `days` to the horizon's
/// end.
[[nodiscard]] Window window_of(const Pool& pool, const ScenarioDocument& scenario);

/// Paid every hour, used or not.
[[nodiscard]] bool is_commitment(Purchase purchase);

/// Months of a term; empty where the offer has none.
[[nodiscard]] std::optional<int> term_of(const Offer& offer);
/// That of a cloud pool's offer, or of provisioned units.
[[nodiscard]] std::optional<int> term_of(const Pool& pool);

/// The terms in months of a pool that reach into the horizon, ascending; one that began before it has a negative start. Terms in
/// days: terms_paid_ahead.
[[nodiscard]] std::vector<Window> terms_of(const Pool& pool, int horizon);

/// What a horizon of the scenario's months leaves of a pool's running term: months after it and their hours, and the same with each
/// month's discounted to the horizon's end, as due at its own end.
struct TermLeft {
    std::vector<double> hours_by_month;
    double hours = 0.0;
    double discounted_hours = 0.0;
    double months = 0.0;
    double discounted_months = 0.0;
};
[[nodiscard]] TermLeft term_left(const Pool& pool, const ScenarioDocument& scenario);
/// The same with each month's hours times a factor; `factors` has one for each of hours_by_month.
[[nodiscard]] TermLeft times(TermLeft left, const std::vector<double>& factors, double discount_rate);

/// What is signed is paid: whole terms, begun at most one before the start.
void check_terms(const Pool& pool, const std::string& pointer, Rules& rules);

/// Upfront of all instances at a term's start, after the pool's discount.
[[nodiscard]] double upfront_of(const Pool& pool);

} // namespace costcurve::model
