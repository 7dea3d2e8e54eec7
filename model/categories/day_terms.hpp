// Commitments counted in days, and blocks of days: the rented hours of a pool, and the part of a term in each month (model.md,
// section 5, "Days").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/rules.hpp"

namespace costcurve::model {

/// Unix seconds [from, to).
struct Span {
    std::int64_t from = 0;
    std::int64_t to = 0;
};

/// Hours of the intersection of two spans; 0 if they don't overlap.
[[nodiscard]] double shared_hours(const Span& a, const Span& b);

/// Whether a pool's offer is a commitment in days. The functions below expect such pools unless they state otherwise.
[[nodiscard]] bool has_day_terms(const Pool& pool);

/// The rented span: from midnight of the first day, in the scenario's time zone, to midnight after the last, or from and to
/// begins_at_utc_hour of those days. Without `days` it lasts to the horizon's end, or for a block to the end of its one term.
[[nodiscard]] Span days_of(const Pool& pool, const ScenarioDocument& scenario);

/// A term that begins in the horizon: its hours (terms in days) or months, by month within and after the horizon.
struct PaidTerm {
    int begins = 0;               ///< month in which the term begins and is paid in advance
    double length = 0.0;          ///< hours for a term in days, else months
    std::vector<double> in_month; ///< [m] hours or months in month m of the horizon
    std::vector<double> after;    ///< [k] hours or months in the k-th month after the horizon
    double left = 0.0;            ///< sum of `after`
};
/// Terms of a cloud pool that are paid in advance, ascending.
[[nodiscard]] std::vector<PaidTerm> terms_paid_ahead(const Pool& pool, const ScenarioDocument& scenario);

/// The rented span of a pool that is rented for only a part of its months in the horizon; otherwise empty.
[[nodiscard]] std::optional<Span> window_within_months(const Pool& pool, const ScenarioDocument& scenario);

/// [m] fraction of each month of the horizon in which a pool is rented: 0, 1, or a part of the month.
[[nodiscard]] std::vector<double> months_there(const Pool& pool, const ScenarioDocument& scenario);

/// Checks that term_days is used with commitments without term_months, and that a block has it and is paid in advance.
void check_offer_days(const Offer& offer, const std::string& pointer, Rules& rules);

/// Checks that `days` is used with term_days, is a whole number of terms, and that the days begin in the horizon.
void check_pool_days(const Pool& pool, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules);

} // namespace costcurve::model
