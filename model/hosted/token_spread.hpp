// Requests of several lengths as a mean and a 95th percentile by class, and the buckets that they are taken for.
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "model/documents/documents.hpp"
#include "model/documents/fields.hpp"

namespace costcurve::model {

/// Another way to state `token_mix`.
struct TokenSpread {
    UnitsPerRequest mean; ///< by class
    UnitsPerRequest p95;  ///< by class; a class without p95 is constant over requests
    friend bool operator==(const TokenSpread&, const TokenSpread&) = default;
};

/// Why a spread is invalid, with a pointer relative to it.
struct SpreadIssue {
    std::string at;
    std::string message;
};

/// 28 buckets: 18 of a twentieth of the requests each, from the shortest on, and ten of a hundredth, whose mean is the stated one.
/// Units of a class are lognormal, and all classes grow together: the longest prompts have the longest answers, which is the
/// dearest of all ways that they could go together where thresholds are of the whole request. One bucket where no class has a
/// spread.
[[nodiscard]] tl::expected<std::vector<TokenBucket>, SpreadIssue> buckets_of(const TokenSpread& spread);

template <> inline constexpr std::string_view document_name<TokenSpread> = "token_spread";
template <>
inline constexpr auto fields<TokenSpread> = Rows{
    Field{"mean", &TokenSpread::mean, {.required = true, .help = "units of a request by class, the mean of all"}},
    Field{"p95",
          &TokenSpread::p95,
          {.required = true, .help = "their 95th percentile, up to 3.868 times the mean; a class without is the same in all"}}};

} // namespace costcurve::model
