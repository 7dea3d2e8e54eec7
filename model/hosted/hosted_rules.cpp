// Rules of hosted models, and of workloads on them.
#include <algorithm>

#include "model/categories/seller_tiers.hpp"
#include "model/documents/fields.hpp"
#include "model/documents/units.hpp"
#include "model/hosted/hosted_prices.hpp"
#include "model/hosted/provisioned.hpp"
#include "model/performance/classes.hpp"
#include "model/performance/doubts.hpp"
#include "model/performance/rates.hpp"
#include "model/queueing/percentiles.hpp"
#include "model/rules.hpp"

namespace costcurve::model {

namespace {

void check_price(const UnitPrice& price, const std::string& at, const ScenarioDocument* scenario, Rules& rules) {
    check_dates(price.total, at, scenario, rules);
    for (std::size_t c = 0; c < kUnitClasses; ++c) {
        if (const std::optional<Rate>& of_class = price[static_cast<UnitClass>(c)]) {
            check_dates(*of_class, fmt::format("{}/{}", at, name_of(static_cast<UnitClass>(c))), scenario, rules);
        }
    }
}

void check_above(const std::vector<PriceAbove>& above, const std::string& pointer, const ScenarioDocument* scenario, Rules& rules) {
    for (std::size_t i = 0; i < above.size(); ++i) {
        if (above[i].price_per_million_units) {
            check_price(*above[i].price_per_million_units, fmt::format("{}/above/{}/price_per_million_units", pointer, i), scenario,
                        rules);
        }
    }
    for (std::size_t i = 1; i < above.size(); ++i) {
        if (above[i].input_tokens <= above[i - 1].input_tokens) {
            rules.add(fmt::format("{}/above/{}/input_tokens", pointer, i), Code::not_ascending,
                      fmt::format("{} comes after {}; thresholds ascend", above[i].input_tokens, above[i - 1].input_tokens));
        }
        if (above[i].scope != above[0].scope) {
            rules.add(fmt::format("{}/above/{}/scope", pointer, i), Code::inconsistent,
                      "all thresholds of a model have one scope: request or beyond");
        }
    }
}

void check_lifetimes(const HostedCache& cache, const std::string& pointer, Rules& rules) {
    for (std::size_t i = 1; i < cache.write_lifetimes.size(); ++i) {
        if (cache.write_lifetimes[i].seconds <= cache.write_lifetimes[i - 1].seconds) {
            rules.add(fmt::format("{}/cache/write_lifetimes/{}/seconds", pointer, i), Code::not_ascending,
                      fmt::format("{} comes after {}; lifetimes ascend", cache.write_lifetimes[i].seconds,
                                  cache.write_lifetimes[i - 1].seconds));
        }
    }
}

void check_tiers(const HostedModel& model, const std::string& pointer, const ScenarioDocument* scenario, Rules& rules) {
    const ServiceTiers tiers = model.service_tiers.value_or(ServiceTiers{});
    if (tiers.batch && model.batch_price_fraction != 1.0) {
        rules.add(pointer + "/batch_price_fraction", Code::not_allowed,
                  fmt::format("batch_price_fraction is {} beside service_tiers.batch; leave one of them out",
                              model.batch_price_fraction));
    }
    for_each_field<ServiceTiers>([&](const auto& field) {
        const std::optional<TierPrices>& tier = tiers.*field.member;
        const std::string at = fmt::format("{}/service_tiers/{}", pointer, field.name);
        if (tier && tier->price_factor.has_value() == tier->price_per_million_units.has_value()) {
            rules.add(at + "/price_factor", tier->price_factor ? Code::not_allowed : Code::missing,
                      "give price_factor or price_per_million_units, one of the two");
        }
        if (tier && tier->price_per_million_units) {
            check_price(*tier->price_per_million_units, at + "/price_per_million_units", scenario, rules);
        } else if (tier && !tier->above.empty()) {
            rules.add(at + "/above", Code::not_allowed, "above goes with price_per_million_units; price_factor is of all prices");
        }
        if (tier) {
            check_above(tier->above, at, scenario, rules);
        }
    });
}

// One entry of runs_on on an api pool.
struct HostedEntry {
    const Workload& workload;
    const RunsOn& runs_on;
    const Pool& pool;
    const std::string& pointer;
};

// Checks one request's time against the deadline, by the host's stated time between tokens, else by that of a slow host.
void check_answer_ends(const HostedEntry& entry, double deadline_hours, Rules& rules) {
    constexpr double kSlowHost = 0.05; // s between tokens: 20 a second, which most hosts exceed
    const HostedModel& model = hosted(entry.pool);
    const UnitsPerRequest request = mean_request(entry.workload);
    const double hours = model.ttft_s.value_or(0.0) / kSecondsPerHour +
                         model.itl_s.value_or(kSlowHost) * (request.output + request.reasoning) / kSecondsPerHour;
    if (hours <= deadline_hours) {
        return;
    }
    const std::string text = fmt::format("a request of {:.6g} tokens out takes {:.3g} h of api pool {}{}, and has {:.6g} h",
                                         request.output + request.reasoning, hours, entry.pool.id,
                                         model.itl_s ? "" : " at 20 tokens/s, as itl_s is not stated", deadline_hours);
    if (model.itl_s) {
        rules.add(entry.pointer + "/pool", Code::ineligible_latency, text);
    } else {
        rules.warn(entry.pointer + "/pool", Code::latency_unknown, text);
    }
}

// Checks the deadline: by the slower tier's stated answer time if one was requested, else by a single request's time.
void check_deadline(const HostedEntry& entry, ServiceTier tier, Rules& rules) {
    const std::optional<double> deadline = entry.workload.deadline_hours;
    if (!deadline) {
        return;
    }
    if (tier != ServiceTier::batch && tier != ServiceTier::flex) {
        check_answer_ends(entry, *deadline, rules);
        return;
    }
    const TierPrices* const prices = prices_of_tier(hosted(entry.pool), tier);
    if (prices == nullptr || !prices->deadline_hours) {
        rules.warn(entry.pointer + "/service_tier", Code::latency_unknown,
                   fmt::format("api pool {} states no deadline of tier {}; the workload's is {:.6g} h", entry.pool.id,
                               name_of(tier), *deadline));
    } else if (*prices->deadline_hours > *deadline) {
        rules.add(entry.pointer + "/service_tier", Code::ineligible_latency,
                  fmt::format("tier {} of api pool {} answers within {:.6g} h, above the workload's deadline of {:.6g} h; "
                              "ask for standard",
                              name_of(tier), entry.pool.id, *prices->deadline_hours, *deadline));
    }
}

// Checks latency objectives against the host's stated latencies. For a slower tier only its deadline is known.
void check_api_latency(const HostedEntry& entry, Rules& rules) {
    HostedModel model = hosted(entry.pool);
    const ServiceTier tier = tier_of(entry.workload, entry.runs_on, entry.pool);
    if (tier == ServiceTier::batch || tier == ServiceTier::flex) {
        const TierPrices* const prices = prices_of_tier(model, tier);
        const std::optional<double> deadline = prices != nullptr ? prices->deadline_hours : std::nullopt;
        model.e2e_s = model.ttft_s = deadline ? std::optional(*deadline * kSecondsPerHour) : std::nullopt;
        model.itl_s.reset();
        model.latency_percentile = entry.workload.slo.percentile; // of all
    }
    check_deadline(entry, tier, rules);
    const Slo& slo = entry.workload.slo;
    bool is_held = false;
    // What a host states of one percentile stands for that of the objectives by the spread of published runs (decision 57).
    const auto at_percentile = [&](double figure, double spread) {
        return slo.percentile == 0.0 ? figure
                                     : figure * percentile_ratio(spread, model.latency_percentile.value_or(0.0), slo.percentile);
    };
    const auto check = [&](const std::optional<double>& objective, const std::optional<double>& stated, double spread,
                           std::string_view field) {
        if (!objective) {
            return;
        }
        const std::optional<double> figure = stated ? std::optional(at_percentile(*stated, spread)) : std::nullopt;
        is_held = is_held || figure;
        if (!figure) {
            rules.warn(entry.pointer + "/pool", Code::latency_unknown,
                       fmt::format("{} of api pool {} is not stated, and the workload has an objective of {} s", field,
                                   entry.pool.id, *objective));
        } else if (*figure > *objective) {
            rules.add(entry.pointer + "/pool", Code::ineligible_latency,
                      fmt::format("{} of api pool {} is {:.6g} s{}, above the objective of {} s", field, entry.pool.id, *figure,
                                  *figure == *stated ? "" : fmt::format(" at percentile {}", slo.percentile), *objective));
        }
    };
    check(slo.e2e_s, model.e2e_s, kLatencySpread.e2e, "e2e_s");
    check(slo.ttft_s, model.ttft_s, kLatencySpread.ttft, "ttft_s");
    check(slo.itl_s, model.itl_s, kLatencySpread.itl, "itl_s");
    const std::string percentile = percentile_difference(model.latency_percentile, entry.workload);
    if (!percentile.empty() && is_held) {
        rules.warn(entry.pointer + "/pool", Code::percentile_differs, fmt::format("api pool {}: {}", entry.pool.id, percentile));
    }
}

// Checks that the requested tier has a price and that all inputs of the price are known.
void check_tier(const HostedEntry& entry, Rules& rules) {
    const HostedModel& model = hosted(entry.pool);
    const ServiceTier tier = tier_of(entry.workload, entry.runs_on, entry.pool);
    const bool is_fraction = tier == ServiceTier::batch && model.batch_price_fraction != 1.0;
    if (tier != ServiceTier::standard && prices_of_tier(model, tier) == nullptr && !is_fraction) {
        rules.add(entry.pointer + "/service_tier", Code::missing,
                  fmt::format("api pool {} states no price of tier {}; give service_tiers.{} there, or ask for standard",
                              entry.pool.id, name_of(tier), name_of(tier)));
        return;
    }
    for (const std::string& doubt : price_doubts(model, entry.workload, tier)) {
        rules.warn(entry.pointer + "/pool", Code::price_condition_unknown, fmt::format("api pool {}: {}", entry.pool.id, doubt));
    }
    if (const std::string doubt = prefix_doubt(model, entry.workload); !doubt.empty() && !is_provisioned(entry.pool)) {
        rules.warn(entry.pointer + "/pool", Code::cache_unknown,
                   fmt::format("api pool {} bills the prefix as input: {}", entry.pool.id, doubt));
    }
}

} // namespace

void check_hosted(const HostedModel& model, const std::string& pointer, const ScenarioDocument* scenario, Rules& rules) {
    if (model.price_per_million_units) { // else an issue of its own
        check_price(*model.price_per_million_units, pointer + "/price_per_million_units", scenario, rules);
    }
    check_above(model.above, pointer, scenario, rules);
    if (model.cache) {
        check_lifetimes(*model.cache, pointer, rules);
    }
    if (model.fees) {
        for_each_field<HostedFees>([&](const auto& field) {
            if (const std::optional<Rate>& fee = (*model.fees).*field.member) {
                check_dates(*fee, fmt::format("{}/fees/{}", pointer, field.name), scenario, rules);
            }
        });
    }
    check_tiers(model, pointer, scenario, rules);
    check_volume_tiers(model.volume_tiers, pointer + "/volume_tiers", rules);
    check_provisioned_terms(model, pointer, scenario, rules);
}

void check_hosted_entry(const Workload& workload, const RunsOn& runs_on, const Pool& pool, const std::string& pointer,
                        Rules& rules) {
    const HostedEntry entry{workload, runs_on, pool, pointer};
    check_tier(entry, rules);
    check_provisioned_entry(workload, runs_on, pool, pointer, rules);
    check_api_latency(entry, rules);
}

} // namespace costcurve::model
