// The words of the issue codes, in the order of the enumeration.
#include "model/failure.hpp"

#include <array>

namespace costcurve::model {

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
    "inconsistent",
    "missing_exchange_rate",
    "ineligible_framework",
    "ineligible_precision",
    "ineligible_memory",
    "ineligible_latency",
    "ineligible_device",
    "ineligible_rack_power",
    "outside_curve",
    "too_large",
    "too_few",
    "infeasible",
    "unserved_work",
    "no_capacity",
    "unused_purchase",
    "estimated_performance",
    "zero_rate",
    "rate_capped",
};

} // namespace

std::string_view code_name(Code code) { return kCodeNames[static_cast<std::size_t>(code)]; }

} // namespace costcurve::model
