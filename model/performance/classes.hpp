// Classes of units in demand, price and cost, and the requests that rates were measured with (model.md, section 4).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"

namespace costcurve::model {

/// Units of a request by class. A request whose units are a single number has all of them as input.
[[nodiscard]] ClassValues units_by_class(const UnitsPerRequest& units);

/// Units of a request, summed over all classes.
[[nodiscard]] double units_of_request(const UnitsPerRequest& units);

/// The prompt units that price thresholds count: input, cached input and cache writes; 0 for units without classes.
[[nodiscard]] double prompt_of(const UnitsPerRequest& units);

/// Whether a workload's units are by class.
[[nodiscard]] bool has_classes(const Workload& workload);

/// The mean request: the mean of token_mix if stated, else units_per_request. Device throughput is computed for this request.
[[nodiscard]] UnitsPerRequest mean_request(const Workload& workload);

/// Requests of one length, and their share of all requests.
struct RequestPart {
    double share = 1.0;
    UnitsPerRequest units;
};
/// The buckets of token_mix, or units_per_request as the single part. Hosted models bill each part separately.
[[nodiscard]] std::vector<RequestPart> request_parts(const Workload& workload);

/// Units of the workload's longest request.
[[nodiscard]] double longest_request(const Workload& workload);

/// The class whose rate or price applies to a class that states none; the class itself if it has no such fallback.
[[nodiscard]] UnitClass kin_of(UnitClass unit_class);

/// The price of a class: its own, else that of its kin (input of cached_input and cache_write, output of reasoning); null where
/// both are missing. A price that isn't by class applies to every class.
[[nodiscard]] const Rate* price_of(const UnitPrice& price, UnitClass unit_class);

/// Prices that a share of a request's units is billed at: of prompts, which thresholds divide, and of what comes out.
struct PricePart {
    UnitPrice price;
    double of_prompt = 1.0;
    double of_output = 1.0;
    [[nodiscard]] double share(UnitClass unit_class) const;
};
/// Prices that a request is billed at (design: bills). If its prompt (input, cached input, cache writes) passes thresholds,
/// either the whole request has the highest one's price, or the part of the prompt beyond each threshold has that one's. Units
/// without classes have the base price.
[[nodiscard]] std::vector<PricePart> price_parts(const HostedModel& model, const UnitsPerRequest& units);

/// The model with a tier's prices in place of the standard prices. Classes that the tier doesn't name keep the standard price.
[[nodiscard]] HostedModel with_prices(HostedModel model, const TierPrices& prices);

/// A way in which a host caches a workload's prefix. hit_fraction of the requests read the cache; the others write it.
struct PrefixCache {
    double lifetime_s = 0.0; ///< 0: not stated
    double hit_fraction = 0.0;
    std::optional<double> price_factor; ///< price of a write / price of input; unstated: the cache_write price
};
/// The prefix caches that a workload can use; empty if it has no prefix, or if the hit fraction isn't known. The hit fraction
/// is the stated one, else 1 - exp(-λT): requests with one prefix come as a Poisson process of λ, and each use renews the lifetime
/// T, so that a request hits the cache if it arrives within T of the previous request.
[[nodiscard]] std::vector<PrefixCache> prefix_caches(const HostedModel& model, const Workload& workload);
/// What to state if prefix_caches() is empty although the workload has a prefix; empty if the prefix is known not to be cached.
[[nodiscard]] std::string prefix_doubt(const HostedModel& model, const Workload& workload);

/// Weights that split costs over classes: as stated, else input 1, output and reasoning output_cost_ratio, all others 0.
[[nodiscard]] ClassValues cost_weights_of(const Workload& workload);

/// The weight of each class's units: as stated, else `defaults`.
[[nodiscard]] ClassValues weights_of(const ClassWeights& stated, ClassValues defaults);

/// Σ of units × weight.
[[nodiscard]] double weighted(const ClassValues& units, const ClassValues& weights);

/// A request in tokens: cache writes are computed, and output is at least one token. Empty if its units aren't by class.
[[nodiscard]] std::optional<RequestMix> mix_of(const UnitsPerRequest& units);
/// The mix of the workload's request; empty for training, and if its units aren't tokens.
[[nodiscard]] std::optional<RequestMix> mix_of(const Workload& workload);

/// Whether the request has tokens of several classes, and the performance doesn't state the request that it was measured with.
[[nodiscard]] bool has_unknown_mix(const Performance& performance, const Workload& workload);

/// Whether the performance was measured with a different request.
[[nodiscard]] bool has_other_mix(const Performance& performance, const Workload& workload);

/// Whether the measured request differs by more than a quarter in the tokens of a class, so that the rate doesn't apply.
[[nodiscard]] bool has_distant_mix(const Performance& performance, const Workload& workload);

} // namespace costcurve::model
