// What the caller of the model can fix: issues with a pointer, a code and the allowed range.
// Knows no HTTP status and no exit status; server/api maps codes to those.
#pragma once

#include <string>
#include <string_view>
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
    inconsistent,
    missing_exchange_rate,
    ineligible_framework,
    ineligible_precision,
    ineligible_memory,
    ineligible_latency,
    ineligible_device,
    ineligible_rack_power,
    outside_curve,
    too_large,
    too_few,
    infeasible,
    // warnings: the answer stands, and says this beside it
    unserved_work,
    no_capacity,
    unused_purchase,
    estimated_performance,
    zero_rate,
    rate_capped,
    count_
};

/// The word for a code, as it stands in answers ("out_of_range").
[[nodiscard]] std::string_view code_name(Code code);

/// One mistake: where (a JSON Pointer, RFC 6901), which, and what to do about it.
struct Issue {
    std::string pointer;
    Code code = Code::inconsistent;
    std::string message;
};

using Failure = std::vector<Issue>;

/// A value, or every issue that was found.
template <class T> using Result = tl::expected<T, Failure>;

} // namespace costcurve::model
