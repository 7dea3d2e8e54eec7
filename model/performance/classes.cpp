// Units, prices and weights by class.
#include "model/performance/classes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "model/documents/fields.hpp"
#include "model/documents/units.hpp"

namespace costcurve::model {

namespace {

constexpr auto kKin =
    std::to_array<UnitClass>({UnitClass::input, UnitClass::input, UnitClass::input, UnitClass::output, UnitClass::output});
static_assert(kKin.size() == kUnitClasses);

// Whose kin is input: what thresholds count.
bool is_prompt(UnitClass unit_class) { return kin_of(unit_class) == UnitClass::input; }

// The classes that an entry of `above` names take its price, one number that of all; the others keep theirs.
UnitPrice replaced(const UnitPrice& base, const UnitPrice& above) {
    if (!above.split) {
        return above;
    }
    UnitPrice price = base;
    if (!base.split) {
        price = {};
        price.split = true;
        price.input = price.output = base.total;
    }
    for_each_field<UnitPrice>([&](const auto& field) {
        if (above.*field.member) {
            price.*field.member = above.*field.member;
        }
    });
    return price;
}

constexpr double kSame = 1e-9;     // of a number of tokens: rounding
constexpr double kOtherMix = 0.25; // more: what was measured is no evidence of it

bool differs_by_more(const Performance& performance, const Workload& workload, double part) {
    const std::optional<RequestMix> mix = mix_of(workload);
    const auto differs = [part](double a, double b) { return std::max(a, b) > (1.0 + part) * std::min(a, b); };
    return mix && performance.mix && performance.units_per_s &&
           (differs(mix->input, performance.mix->input) || differs(mix->output, performance.mix->output) ||
            differs(mix->cached_input, performance.mix->cached_input));
}

} // namespace

ClassValues units_by_class(const UnitsPerRequest& units) {
    if (!units.split) {
        return {units.total};
    }
    return {units.input, units.cached_input, units.cache_write, units.output, units.reasoning};
}

double units_of_request(const UnitsPerRequest& units) {
    const ClassValues values = units_by_class(units);
    return std::accumulate(values.begin(), values.end(), 0.0);
}

double prompt_of(const UnitsPerRequest& units) { return units.split ? units.input + units.cached_input + units.cache_write : 0.0; }

bool has_classes(const Workload& workload) { return workload.units_per_request.split || !workload.token_mix.empty(); }

UnitsPerRequest mean_request(const Workload& workload) {
    if (workload.token_mix.empty()) {
        return workload.units_per_request;
    }
    UnitsPerRequest mean;
    mean.split = true;
    for (const TokenBucket& bucket : workload.token_mix) {
        for_each_field<UnitsPerRequest>([&](const auto& field) { mean.*field.member += bucket.share * (bucket.*field.member); });
    }
    return mean;
}

std::vector<RequestPart> request_parts(const Workload& workload) {
    if (workload.token_mix.empty()) {
        return {{1.0, workload.units_per_request}};
    }
    std::vector<RequestPart> parts;
    parts.reserve(workload.token_mix.size());
    for (const TokenBucket& bucket : workload.token_mix) {
        parts.push_back({bucket.share, {bucket, true}});
    }
    return parts;
}

double longest_request(const Workload& workload) {
    double longest = 0.0;
    for (const RequestPart& part : request_parts(workload)) {
        longest = std::max(longest, units_of_request(part.units));
    }
    return longest;
}

UnitClass kin_of(UnitClass unit_class) { return kKin[static_cast<std::size_t>(unit_class)]; }

const Rate* price_of(const UnitPrice& price, UnitClass unit_class) {
    if (!price.split) {
        return &price.total;
    }
    for (const UnitClass from : {unit_class, kin_of(unit_class)}) {
        if (const std::optional<Rate>& found = price[from]) {
            return &*found;
        }
    }
    return nullptr;
}

double PricePart::share(UnitClass unit_class) const { return is_prompt(unit_class) ? of_prompt : of_output; }

std::vector<PricePart> price_parts(const HostedModel& model, const UnitsPerRequest& units) {
    const UnitPrice& base = *model.price_per_million_units;
    const double prompt = prompt_of(units);
    std::vector<PricePart> parts = {{base}};
    double below = 0.0; // of the prompt, up to the last threshold that it passes
    for (const PriceAbove& above : model.above) {
        if (prompt <= above.input_tokens) {
            break;
        }
        PricePart part{replaced(base, *above.price_per_million_units)};
        if (above.scope == PriceScope::request) {
            parts = {std::move(part)};
            continue;
        }
        parts.back().of_prompt = (above.input_tokens - below) / prompt;
        part.of_prompt = (prompt - above.input_tokens) / prompt;
        part.of_output = 0.0;
        below = above.input_tokens;
        parts.push_back(std::move(part));
    }
    return parts;
}

HostedModel with_prices(HostedModel model, const TierPrices& prices) {
    model.price_per_million_units = replaced(*model.price_per_million_units, *prices.price_per_million_units);
    if (!prices.above.empty()) {
        model.above = prices.above;
    }
    return model;
}

std::vector<PrefixCache> prefix_caches(const HostedModel& model, const Workload& workload) {
    const std::optional<Prefix>& prefix = workload.prefix;
    if (!prefix || !model.cache || prefix->tokens < model.cache->min_tokens) {
        return {};
    }
    const HostedCache& cache = *model.cache;
    std::vector<PrefixCache> caches;
    for (const CacheLifetime& lifetime : cache.write_lifetimes) {
        const bool is_wanted = !prefix->lifetime_s || *prefix->lifetime_s == lifetime.seconds;
        if (is_wanted && (cache.hit_fraction || prefix->requests_per_hour)) {
            const double arrivals = prefix->requests_per_hour.value_or(0.0) * lifetime.seconds / kSecondsPerHour;
            caches.push_back({lifetime.seconds, cache.hit_fraction.value_or(-std::expm1(-arrivals)), lifetime.price_factor});
        }
    }
    if (cache.write_lifetimes.empty() && cache.hit_fraction && !prefix->lifetime_s) {
        caches.push_back({0.0, *cache.hit_fraction, std::nullopt});
    }
    return caches;
}

std::string prefix_doubt(const HostedModel& model, const Workload& workload) {
    const bool is_short = workload.prefix && model.cache && workload.prefix->tokens < model.cache->min_tokens;
    if (!workload.prefix || is_short || !prefix_caches(model, workload).empty()) {
        return "";
    }
    if (!model.cache || (model.cache->write_lifetimes.empty() && !model.cache->hit_fraction)) {
        return "state its cache, by write_lifetimes or hit_fraction";
    }
    if (model.cache->hit_fraction || workload.prefix->requests_per_hour) {
        return fmt::format("it has no lifetime of {} s; state another prefix/lifetime_s, or none", *workload.prefix->lifetime_s);
    }
    return "state prefix/requests_per_hour, or the cache's hit_fraction";
}

ClassValues cost_weights_of(const Workload& workload) {
    const double out = workload.output_cost_ratio;
    return weights_of(workload.cost_weights, {1.0, 0.0, 0.0, out, out});
}

ClassValues weights_of(const ClassWeights& stated, ClassValues defaults) {
    for (std::size_t c = 0; c < kUnitClasses; ++c) {
        defaults[c] = stated[static_cast<UnitClass>(c)].value_or(defaults[c]);
    }
    return defaults;
}

double weighted(const ClassValues& units, const ClassValues& weights) {
    return std::inner_product(units.begin(), units.end(), weights.begin(), 0.0);
}

std::optional<RequestMix> mix_of(const UnitsPerRequest& units) {
    if (!units.split) {
        return std::nullopt;
    }
    return RequestMix{units.input + units.cache_write + units.cached_input, std::max(1.0, units.output + units.reasoning),
                      units.cached_input};
}

std::optional<RequestMix> mix_of(const Workload& workload) {
    const bool is_of_tokens = workload.unit == "token" && workload.kind != WorkloadKind::training;
    return is_of_tokens ? mix_of(mean_request(workload)) : std::nullopt;
}

bool has_unknown_mix(const Performance& performance, const Workload& workload) {
    const std::optional<RequestMix> mix = mix_of(workload);
    return mix && mix->input > 0.0 && performance.units_per_s && !performance.mix;
}

bool has_other_mix(const Performance& performance, const Workload& workload) {
    return differs_by_more(performance, workload, kSame);
}

bool has_distant_mix(const Performance& performance, const Workload& workload) {
    return differs_by_more(performance, workload, kOtherMix);
}

} // namespace costcurve::model
