// Any figure of a result as a tree of terms, down to the inputs it comes from (model.md, section 9).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/summary.hpp"

namespace costcurve::model {

/// How a term's value comes of the values of its terms. A quotient has two: what is divided, and by what.
enum class Rule { leaf, sum, product, quotient };
template <> inline constexpr auto enum_names<Rule> = std::to_array<std::string_view>({"leaf", "sum", "product", "quotient"});

/// A field of the scenario that a term reads.
struct TermInput {
    std::string name;            ///< JSON Pointer into the resolved scenario
    std::optional<double> value; ///< nothing where it is a curve, or not stated; money in the scenario's currency
    std::string unit;
    std::string source;                        ///< of the innermost document around it that names one, not beyond the stored one
    std::int64_t revision = 0;                 ///< of the innermost stored document around it; 0 where all came inline
    std::string currency = {};                 ///< in which it is stated, of money that was converted; else ""
    double exchange_rate = 0.0;                ///< by which it was multiplied, of such money
    bool is_price = false;                     ///< of what is rented or hosted
    std::optional<std::string> price_day = {}; ///< of such a price in force at the start; nothing where none is known
};

/// One number and why it is what it is.
struct Term {
    std::string term;    ///< what it is
    std::string formula; ///< how it is reckoned, in the words and symbols of model.md
    double value = 0.0;
    std::string unit;
    Rule rule = Rule::leaf;
    std::vector<TermInput> inputs;
    std::vector<Term> terms;
};

/// About how many leaves a tree may have.
inline constexpr std::size_t kMaxTerms = 20000;

/// The figure at `figure`, a JSON Pointer into the result as api.md describes it ("/by_pool/own/cost"), of an evaluated scenario.
/// bind_figure knows it: every number but those of provenance and of the ledger's rows. The root's value is the result's. The
/// leaves that sums reach add up to the root, to 1e-9 of the size of what is added. Sums over months are not opened unless `depth`
/// is given: then the tree has that many levels below the root, and months too. What would come after about kMaxTerms leaves is
/// not opened. Failure: a pointer to no number, which says what there is where it goes astray, or a figure that is null.
[[nodiscard]] Result<Term> explain(const Scenario& scenario, const Compiled& compiled, const Ledger& ledger, const Summary& summary,
                                   std::string_view figure, std::optional<int> depth = std::nullopt);

} // namespace costcurve::model
