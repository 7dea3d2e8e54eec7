// Terms that are counted in days, and blocks of days: when a pool is there, and what of a term falls into a month (model.md,
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

/// Hours that lie in both; 0 where they don't meet.
[[nodiscard]] double shared_hours(const Span& a, const Span& b);

/// Whether a pool's offer is committed for days: what follows is of such pools.
[[nodiscard]] bool has_day_terms(const Pool& pool);

/// From the midnight of its first day, in the scenario's zone, to that after its last, or from and to begins_at_utc_hour of them;
/// to the horizon's end where `days` is not stated, of a block after its one term.
[[nodiscard]] Span days_of(const Pool& pool, const ScenarioDocument& scenario);

/// A term that begins in the horizon: its hours, or its months, by month of the horizon and after it.
struct PaidTerm {
    int begins = 0;               ///< the month in which it begins, and is paid ahead
    double length = 0.0;          ///< hours of a term in days, else months
    std::vector<double> in_month; ///< [m] of it, in the horizon
    std::vector<double> after;    ///< [k] of it, in the k-th month after the horizon
    double left = 0.0;            ///< their sum
};
/// Terms of a cloud pool that are paid ahead, ascending.
[[nodiscard]] std::vector<PaidTerm> terms_paid_ahead(const Pool& pool, const ScenarioDocument& scenario);

/// The days in which it is there where these are not all of its months in the horizon; else nothing.
[[nodiscard]] std::optional<Span> window_within_months(const Pool& pool, const ScenarioDocument& scenario);

/// [m] the part of a month of the horizon in which a rented pool is there: 0, 1, or the days of it.
[[nodiscard]] std::vector<double> months_there(const Pool& pool, const ScenarioDocument& scenario);

/// term_days goes with commitments without term_months, a block has it and is paid ahead.
void check_offer_days(const Offer& offer, const std::string& pointer, Rules& rules);

/// Days are of pools with term_days, whole terms, and begin in the horizon.
void check_pool_days(const Pool& pool, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules);

} // namespace costcurve::model
