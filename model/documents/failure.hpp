// What the caller of the model can fix: issues with a pointer, a code and the allowed range.
// Knows no HTTP status and no exit status; server/api maps codes to those.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

namespace costcurve::model {

/// Every kind of mistake a document can hold. `code_name` gives the word that callers see.
enum class Code {
    missing,
    unknown_field,
    wrong_type,
    out_of_range,
    unknown_value,
    bad_format,
    not_allowed,
    not_ascending,
    duplicate,
    unknown_reference,
    unreadable_document,
    inconsistent,
    missing_exchange_rate,
    ineligible_framework,
    ineligible_precision,
    ineligible_memory,
    ineligible_latency,
    ineligible_device,
    ineligible_rack_power,
    ineligible_capability,
    exceeds_memory,
    replica_spans_hosts,
    outside_curve,
    too_large,
    too_few,
    infeasible,
    site_conflict,
    term_not_whole,
    // warnings: the answer stands, and says this beside it
    unserved_work,
    no_capacity,
    unused_purchase,
    estimated_performance,
    zero_rate,
    rate_capped,
    no_resale_curve,
    book_above_market,
    term_cut,
    loan_in_npv,
    interruptions_unknown,
    availability_unknown,
    outages,
    held_for_bursts,
    link_assumed,
    stale_price,
    price_before_history,
    undated_price,
    currency_unknown,
    exchange_rate_held,
    price_condition_unknown,
    without_hosts,
    power_axis_differs,
    power_assumed,
    power_factor_assumed,
    carbon_unknown,
    latency_unknown,
    percentile_differs,
    scaling_unknown,
    precision_differs,
    model_differs,
    mix_unknown,
    mix_differs,
    above_ceiling,
    cache_unknown,
    compatibility_unknown,
    slices_mixed,
    place_unknown,
    one_unit_per_request,
    low_utilization,
    places_pooled,
    failures_unknown,
    market_level,
    count_
};

/// The word for a code, as it stands in answers ("out_of_range").
[[nodiscard]] std::string_view code_name(Code code);

/// One mistake: where (a JSON Pointer, RFC 6901), which, and what to do about it.
struct Issue {
    std::string pointer;
    Code code = Code::inconsistent;
    std::string message;

    friend bool operator==(const Issue&, const Issue&) = default;
};

/// So many issues of one failure are kept; a document of wrong members alone would else cost many times its size.
inline constexpr std::size_t kMaxListedIssues = 1000;

/// Every issue that was found: the first kMaxListedIssues are kept, the others counted.
class Failure {
public:
    Failure() = default;
    Failure(std::initializer_list<Issue> issues) {
        for (const Issue& issue : issues) {
            push_back(issue);
        }
    }

    void push_back(Issue issue) {
        if (++count_ <= kMaxListedIssues) {
            listed_.push_back(std::move(issue));
        }
    }
    /// The issues of another one after these; those that it only counted are counted here too.
    void add_all(Failure other) {
        const std::size_t total = count_ + other.count_;
        for (Issue& issue : other.listed_) {
            push_back(std::move(issue));
        }
        count_ = total;
    }

    /// How many were found, those that are not kept too.
    [[nodiscard]] std::size_t size() const { return count_; }
    [[nodiscard]] bool empty() const { return count_ == 0; }

    /// The issues that are kept.
    [[nodiscard]] auto begin() { return listed_.begin(); }
    [[nodiscard]] auto end() { return listed_.end(); }
    [[nodiscard]] auto begin() const { return listed_.begin(); }
    [[nodiscard]] auto end() const { return listed_.end(); }
    [[nodiscard]] const Issue& front() const { return listed_.front(); }
    [[nodiscard]] Issue& front() { return listed_.front(); }
    [[nodiscard]] const Issue& operator[](std::size_t index) const { return listed_[index]; }

    friend bool operator==(const Failure&, const Failure&) = default;

private:
    std::vector<Issue> listed_;
    std::size_t count_ = 0;
};

/// "3 issues", or "1,234,567 issues; the first 1,000 are listed".
[[nodiscard]] std::string count_text(const Failure& failure);

/// A value, or every issue that was found.
template <class T> using Result = tl::expected<T, Failure>;

} // namespace costcurve::model
