// Implements tiers and fees of hosted models by tables.
#include "model/hosted/hosted_prices.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/hosted/provisioned.hpp"
#include "model/performance/classes.hpp"

namespace costcurve::model {

ServiceTier tier_of(const Workload& workload, const RunsOn& runs_on, const HostedModel& model) {
    const TierPrices* const batch = prices_of_tier(model, ServiceTier::batch);
    const bool states_batch = batch != nullptr || model.batch_price_fraction != 1.0;
    const double answered = batch != nullptr ? batch->deadline_hours.value_or(HUGE_VAL) : HUGE_VAL;
    const bool is_in_time = !workload.deadline_hours || answered <= *workload.deadline_hours;
    const bool is_batch = workload.kind == WorkloadKind::batch && states_batch && is_in_time;
    return runs_on.service_tier.value_or(is_batch ? ServiceTier::batch : ServiceTier::standard);
}

ServiceTier tier_of(const Workload& workload, const RunsOn& runs_on, const Pool& pool) {
    return is_provisioned(pool) ? ServiceTier::standard : tier_of(workload, runs_on, hosted(pool));
}

const TierPrices* prices_of_tier(const HostedModel& model, ServiceTier tier) {
    static constexpr auto kTiers = std::to_array<std::optional<TierPrices> ServiceTiers::*>(
        {&ServiceTiers::batch, &ServiceTiers::flex, &ServiceTiers::priority});
    if (tier == ServiceTier::standard || !model.service_tiers) {
        return nullptr;
    }
    const std::optional<TierPrices>& stated = *model.service_tiers.*kTiers[static_cast<std::size_t>(tier) - 1];
    return stated ? &*stated : nullptr;
}

std::optional<HostedModel> at_tier(const HostedModel& model, ServiceTier tier) {
    const TierPrices* const prices = prices_of_tier(model, tier);
    if (prices == nullptr || !prices->price_per_million_units) {
        return std::nullopt;
    }
    return with_prices(model, *prices);
}

double tier_factor(const HostedModel& model, ServiceTier tier) {
    if (const TierPrices* const prices = prices_of_tier(model, tier)) {
        return prices->price_factor.value_or(1.0);
    }
    return tier == ServiceTier::batch ? model.batch_price_fraction : 1.0;
}

double batch_fraction(const HostedModel& model) {
    const TierPrices* const tier = prices_of_tier(model, ServiceTier::batch);
    if (tier == nullptr) {
        return model.batch_price_fraction;
    }
    if (!tier->price_per_million_units || !model.price_per_million_units) {
        return tier->price_factor.value_or(1.0);
    }
    const auto newest = [](const Rate& rate) { return rate.curve && !rate.curve->y.empty() ? rate.curve->y.back() : rate.number; };
    double fraction = 1.0;
    for (std::size_t c = 0; c < kUnitClasses; ++c) {
        const auto unit_class = static_cast<UnitClass>(c);
        const Rate* const batch = price_of(*tier->price_per_million_units, unit_class);
        const Rate* const live = price_of(*model.price_per_million_units, unit_class);
        if (batch != nullptr && live != nullptr && newest(*live) > 0.0) {
            fraction = std::min(fraction, newest(*batch) / newest(*live));
        }
    }
    return fraction;
}

std::vector<FeePart> fee_parts(const std::optional<HostedFees>& fees, const Workload& workload) {
    const auto price = [&](std::optional<Rate> HostedFees::*fee) { return fees && (*fees).*fee ? &*((*fees).*fee) : nullptr; };
    return {{"request", "", price(&HostedFees::request), 1.0},
            {"search", "searches_per_request", price(&HostedFees::search), workload.searches_per_request},
            {"image", "images_per_request", price(&HostedFees::image), workload.images_per_request},
            {"tool_call", "tool_calls_per_request", price(&HostedFees::tool_call), workload.tool_calls_per_request}};
}

std::vector<std::string> price_doubts(const HostedModel& model, const Workload& workload, ServiceTier tier) {
    std::vector<std::string> doubts;
    if (!model.unknown_conditions.empty()) {
        doubts.push_back(fmt::format("its price depends on what is not known: {}", fmt::join(model.unknown_conditions, ", ")));
    }
    const TierPrices* const prices = prices_of_tier(model, tier);
    const bool has_own = prices != nullptr && prices->price_per_million_units && prices->above.empty() && !model.above.empty();
    if (has_own && std::ranges::any_of(request_parts(workload), [&](const RequestPart& request) {
            return prompt_of(request.units) > model.above.front().input_tokens;
        })) {
        doubts.push_back(fmt::format("service_tiers.{} states no price of prompts above {} tokens: the standard one is taken",
                                     name_of(tier), model.above.front().input_tokens));
    }
    for (const FeePart& fee : fee_parts(model.fees, workload)) {
        if (fee.price == nullptr && !fee.count.empty() && fee.each > 0.0) {
            doubts.push_back(fmt::format("{} is {:.6g}, and fees.{} is not stated: it is taken as 0; state it, 0 where nothing "
                                         "is charged",
                                         fee.count, fee.each, fee.fee));
        }
    }
    return doubts;
}

} // namespace costcurve::model
