// Explains any figure of a result as a tree of terms, down to the inputs that it is computed from (model.md, section 9).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/summary.hpp"

namespace costcurve::model {

/// How a term's value is computed from the values of its terms. A quotient has two terms: numerator, then denominator.
enum class Rule { leaf, sum, product, quotient };
template <> inline constexpr auto enum_names<Rule> = std::to_array<std::string_view>({"leaf", "sum", "product", "quotient"});

/// A field of the scenario that a term reads.
struct TermInput {
    std::string name;            ///< JSON Pointer into the resolved scenario
    std::optional<double> value; ///< empty if the field is a curve or is not stated; money in the scenario's currency
    std::string unit;
    std::string source;                        ///< of the innermost enclosing document that names one, up to the stored one
    std::int64_t revision = 0;                 ///< of the innermost enclosing stored document; 0 if all came inline
    std::string currency = {};                 ///< currency in which converted money was stated; "" if nothing was converted
    double exchange_rate = 0.0;                ///< rate by which converted money was multiplied
    bool is_price = false;                     ///< whether the field is a price of something rented or hosted
    std::optional<std::string> price_day = {}; ///< day of the price in force at the start; empty if unknown or not a price
};

/// One number and how it was computed.
struct Term {
    std::string term;    ///< name of the number
    std::string formula; ///< how the number is computed, in the words and symbols of model.md
    double value = 0.0;
    std::string unit;
    Rule rule = Rule::leaf;
    std::vector<TermInput> inputs;
    std::vector<Term> terms;
};

/// Approximate limit on the number of leaves of a tree.
inline constexpr std::size_t kMaxTerms = 20000;

/// Explains the number at `figure` of an evaluated scenario. `figure` is a JSON Pointer into the result, as in api.md
/// ("/by_pool/own/cost"), to any number except those of provenance and of the ledger's rows. The root's value is the result's.
/// Leaves under sums add up to the root, to 1e-9 of the sum of their sizes. Months are opened only if `depth` is given, which
/// limits the levels below the root. After about kMaxTerms leaves, no further term is opened. Fails if the pointer leads to no
/// number (the error lists the names at the first wrong step) or to null.
[[nodiscard]] Result<Term> explain(const Scenario& scenario, const Compiled& compiled, const Ledger& ledger, const Summary& summary,
                                   std::string_view figure, std::optional<int> depth = std::nullopt);

} // namespace costcurve::model
