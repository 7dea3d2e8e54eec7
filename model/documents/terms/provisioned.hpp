// Capacity of a hosted model that is bought by the hour or for a term, in place of paying for tokens.
#pragma once

#include <optional>
#include <vector>

#include "model/documents/curve.hpp"
#include "model/documents/unit_classes.hpp"
#include "model/documents/values.hpp"

namespace costcurve::model {

/// What a unit costs while it is committed for some months: by the hour of the month, or by the month.
struct ProvisionedTerm {
    int months = 1;
    std::optional<double> price_per_unit_hour;
    std::optional<double> price_per_unit_month;
    friend bool operator==(const ProvisionedTerm&, const ProvisionedTerm&) = default;
};

/// Tokens of a class that a unit takes in a minute in which it takes no others.
struct TokensPerMinute : ByClass<std::optional<double>> {
    friend bool operator==(const TokensPerMinute&, const TokensPerMinute&) = default;
};

/// Provisioned throughput: units that are paid for whether they are used or not.
struct Provisioned {
    std::optional<Rate> price_per_unit_hour; ///< without a term; not sold so where unstated
    int minimum_units = 1;
    int unit_step = 1;                                ///< above the minimum
    std::optional<TokensPerMinute> tokens_per_minute; ///< of a unit; not known where unstated
    bool counts_cached_input = true;                  ///< else what the cache has takes nothing of a unit
    std::vector<ProvisionedTerm> terms;
    friend bool operator==(const Provisioned&, const Provisioned&) = default;
};

} // namespace costcurve::model
