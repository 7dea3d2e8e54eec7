// Commitments to spend an amount an hour on rented machines: savings plans, committed use by spend.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace costcurve::model {

/// Off the price of offers that it means: all that is stated matches.
struct SpendDiscount {
    std::string provider;
    std::string family; ///< the sku, or its beginning up to a '.', '-' or '_'
    std::string device; ///< an id
    std::string region;
    double fraction = 0.0;
    friend bool operator==(const SpendDiscount&, const SpendDiscount&) = default;
};

/// So much is paid in each hour of a term, used or not; on demand instances are billed to it at their discounted price first.
struct SpendCommitment {
    std::string name;
    double hourly_spend = 0.0;
    int term_months = 12;
    int from_month = 0;
    std::optional<int> months; ///< whole terms; to the horizon's end where unstated
    std::vector<SpendDiscount> discounts;
    friend bool operator==(const SpendCommitment&, const SpendCommitment&) = default;
};

} // namespace costcurve::model
