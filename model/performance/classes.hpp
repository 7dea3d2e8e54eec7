// Classes of units in demand, price and cost (model.md, section 4).
#pragma once

#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// Units of a request by class; where they are one number, all of them stand in the place of input.
[[nodiscard]] ClassValues units_by_class(const UnitsPerRequest& units);

/// Units of a request, of all classes.
[[nodiscard]] double units_of_request(const UnitsPerRequest& units);

/// The price of a class: its own, else that of its kin (input of cached_input and cache_write, output of reasoning); null where
/// there is neither. A price that is not by class is every class's.
[[nodiscard]] const Rate* price_of(const UnitPrice& price, UnitClass unit_class);

/// Prices that a share of a request's units is billed at: of prompts, which thresholds divide, and of what comes out.
struct PricePart {
    UnitPrice price;
    double of_prompt = 1.0;
    double of_output = 1.0;
    [[nodiscard]] double share(UnitClass unit_class) const;
};
/// How a request of these units is billed (design: bills): where its prompt, input with cached input and cache writes, passes
/// thresholds, all of it at the highest, or what is beyond each at its price. Units without classes have no prompt: the base price.
[[nodiscard]] std::vector<PricePart> price_parts(const HostedModel& model, const UnitsPerRequest& units);

/// By what costs are split over classes: as stated, else 1 of input, output_cost_ratio of output and reasoning, 0 of the others.
[[nodiscard]] ClassValues cost_weights_of(const Workload& workload);

/// What units of a class weigh: as stated, else `defaults`.
[[nodiscard]] ClassValues weights_of(const ClassWeights& stated, ClassValues defaults);

/// Σ of units × weight.
[[nodiscard]] double weighted(const ClassValues& units, const ClassValues& weights);

} // namespace costcurve::model
