// Classes of units in demand, price and cost, and the requests that rates were measured with (model.md, section 4).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// Units of a request by class; where they are one number, all of them stand in the place of input.
[[nodiscard]] ClassValues units_by_class(const UnitsPerRequest& units);

/// Units of a request, of all classes.
[[nodiscard]] double units_of_request(const UnitsPerRequest& units);

/// What thresholds count of a request: input, cached input and cache writes; 0 of units without classes.
[[nodiscard]] double prompt_of(const UnitsPerRequest& units);

/// Whether a workload's units are by class.
[[nodiscard]] bool has_classes(const Workload& workload);

/// The mean request: of token_mix where there is one, else units_per_request as stated. What a device does is reckoned by it.
[[nodiscard]] UnitsPerRequest mean_request(const Workload& workload);

/// Requests of one length, and their share of all.
struct RequestPart {
    double share = 1.0;
    UnitsPerRequest units;
};
/// The buckets of token_mix, else all of units_per_request. Hosts bill each by itself.
[[nodiscard]] std::vector<RequestPart> request_parts(const Workload& workload);

/// Units of the longest of the requests.
[[nodiscard]] double longest_request(const Workload& workload);

/// The class whose rate or price a class has that states none; its own where there is none.
[[nodiscard]] UnitClass kin_of(UnitClass unit_class);

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

/// The model with prices of a tier in place of the standard ones: classes that they do not name keep these.
[[nodiscard]] HostedModel with_prices(HostedModel model, const TierPrices& prices);

/// A way in which a host keeps a workload's prefix: this share of requests reads it, the others write it.
struct PrefixCache {
    double lifetime_s = 0.0; ///< 0: not stated
    double hit_fraction = 0.0;
    std::optional<double> price_factor; ///< of a write, times the price of input; else that of cache_write
};
/// The ways that a workload may take; none where it has no prefix, or it is not known how often the cache has it. The fraction
/// is that stated, else 1 - exp(-λT): requests with one prefix come as a Poisson process of λ, and each use renews the lifetime T,
/// so that a request finds what the one before left if it comes within T.
[[nodiscard]] std::vector<PrefixCache> prefix_caches(const HostedModel& model, const Workload& workload);
/// What to state where there is none though the workload has a prefix; empty where it is known that it is not kept.
[[nodiscard]] std::string prefix_doubt(const HostedModel& model, const Workload& workload);

/// By what costs are split over classes: as stated, else 1 of input, output_cost_ratio of output and reasoning, 0 of the others.
[[nodiscard]] ClassValues cost_weights_of(const Workload& workload);

/// What units of a class weigh: as stated, else `defaults`.
[[nodiscard]] ClassValues weights_of(const ClassWeights& stated, ClassValues defaults);

/// Σ of units × weight.
[[nodiscard]] double weighted(const ClassValues& units, const ClassValues& weights);

/// A request in tokens: cache writes are computed, at least one token comes out. Nothing where it is not by class.
[[nodiscard]] std::optional<RequestMix> mix_of(const UnitsPerRequest& units);
/// That of the workload; nothing where its units are no tokens, and of training.
[[nodiscard]] std::optional<RequestMix> mix_of(const Workload& workload);

/// Whether the request has tokens of more than one class, and the stated rate does not say with which it was measured.
[[nodiscard]] bool has_unknown_mix(const Performance& performance, const Workload& workload);

/// Whether it was measured with another request.
[[nodiscard]] bool has_other_mix(const Performance& performance, const Workload& workload);

/// Whether it was measured with a request of more than a quarter more or fewer tokens of a class, so that its rate does not hold.
[[nodiscard]] bool has_distant_mix(const Performance& performance, const Workload& workload);

} // namespace costcurve::model
