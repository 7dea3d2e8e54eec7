// The words of the issue codes, in the order of the enumeration.
#include "model/documents/failure.hpp"

#include <array>

namespace costcurve::model {

static_assert(kMaxListedIssues == 1000, "count_text states the number");

namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(Code::count_)> kCodeNames = {
    "missing",
    "unknown_field",
    "wrong_type",
    "out_of_range",
    "unknown_value",
    "bad_format",
    "not_allowed",
    "not_ascending",
    "duplicate",
    "unknown_reference",
    "unreadable_document",
    "inconsistent",
    "missing_exchange_rate",
    "ineligible_framework",
    "ineligible_precision",
    "ineligible_memory",
    "ineligible_latency",
    "ineligible_device",
    "ineligible_rack_power",
    "ineligible_capability",
    "exceeds_memory",
    "replica_spans_hosts",
    "outside_curve",
    "too_large",
    "too_few",
    "infeasible",
    "site_conflict",
    "term_not_whole",
    "unserved_work",
    "no_capacity",
    "unused_purchase",
    "estimated_performance",
    "zero_rate",
    "rate_capped",
    "no_resale_curve",
    "book_above_market",
    "term_cut",
    "loan_in_npv",
    "interruptions_unknown",
    "availability_unknown",
    "outages",
    "held_for_bursts",
    "link_assumed",
    "stale_price",
    "price_before_history",
    "undated_price",
    "currency_unknown",
    "exchange_rate_held",
    "price_condition_unknown",
    "without_hosts",
    "power_axis_differs",
    "power_assumed",
    "power_factor_assumed",
    "carbon_unknown",
    "latency_unknown",
    "percentile_differs",
    "scaling_unknown",
    "precision_differs",
    "model_differs",
    "mix_unknown",
    "mix_differs",
    "above_ceiling",
    "cache_unknown",
    "compatibility_unknown",
    "slices_mixed",
    "place_unknown",
    "one_unit_per_request",
    "low_utilization",
    "places_pooled",
    "failures_unknown",
    "market_level",
};

} // namespace

std::string_view code_name(Code code) { return kCodeNames[static_cast<std::size_t>(code)]; }

std::string count_text(const Failure& failure) {
    const std::size_t count = failure.size();
    std::string text = std::to_string(count);
    for (std::size_t at = text.size(); at > 3; at -= 3) {
        text.insert(at - 3, ",");
    }
    text += count == 1 ? " issue" : " issues";
    return count > kMaxListedIssues ? text + "; the first 1,000 are listed" : text;
}

} // namespace costcurve::model
