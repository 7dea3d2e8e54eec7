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

/// The months in which a cloud pool is there; without `months` to the end of a horizon of `horizon` months.
[[nodiscard]] Window window_of(const Pool& pool, int horizon);

/// Paid every hour, used or not.
[[nodiscard]] bool is_commitment(Purchase purchase);

/// Months of a term; empty where the offer has none.
[[nodiscard]] std::optional<int> term_of(const Offer& offer);

/// The terms of a pool that reach into the horizon, ascending; one that began before it has a negative start.
[[nodiscard]] std::vector<Window> terms_of(const Pool& pool, int horizon);

/// What a horizon of the scenario's months leaves of a cloud pool's running term: hours of the months after it, and the same with
/// each month's discounted to the horizon's end, as due at its own end.
struct HoursLeft {
    double hours = 0.0;
    double discounted = 0.0;
};
[[nodiscard]] HoursLeft hours_left(const Pool& pool, const ScenarioDocument& scenario);

/// What is signed is paid: whole terms, begun at most one before the start.
void check_terms(const Pool& pool, const std::string& pointer, Rules& rules);

/// Upfront of all instances at a term's start, after the pool's discount.
[[nodiscard]] double upfront_of(const Pool& pool);

} // namespace costcurve::model
