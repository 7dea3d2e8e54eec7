// Tokens by tenant from the counters of gateways and inference servers, as Prometheus text has them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/failure.hpp"
#include "model/documents/field.hpp"

namespace costcurve::actuals {

/// Usage of a tenant; 0 if not counted, and empty device-hours if unknown.
struct TenantUsage {
    std::string team, user, model; ///< "" where it is not stated
    double input_tokens = 0.0;
    double output_tokens = 0.0;
    double cached_input_tokens = 0.0; ///< of input_tokens
    std::optional<double> device_hours;
    double prefill_s = 0.0;
    double decode_s = 0.0;
};

/// Labels that name a tenant, instead of the default labels.
struct TenantLabels {
    std::string team, user, model;
};
/// Two scrapes.
struct TenantMetrics {
    std::string begin; ///< "": counters count from 0
    std::string end;
    TenantLabels labels;
};

/// The value of a tenant's label among names and values; "" where none has it.
struct LabelValue {
    std::string name, value;
};
[[nodiscard]] TenantUsage tenant_of(const std::vector<LabelValue>& labels, const TenantLabels& wanted);

/// Increase of counters between two scrapes, by tenant, from LiteLLM's proxy, otherwise Dynamo's frontend, vLLM, or SGLang: an
/// earlier source counts the same tokens as a later one. A counter that fell has restarted from 0; `notes` lists these, and
/// counters missing in the last scrape. Refused: texts without any of these counters, with invalid lines or duplicate series, and
/// scrapes between which more counters fall than rise.
[[nodiscard]] model::Result<std::vector<TenantUsage>> tenant_usage(const TenantMetrics& metrics, std::vector<std::string>& notes);

} // namespace costcurve::actuals

namespace costcurve::model {

inline constexpr std::size_t kMaxScrapeBytes = 8'000'000;
template <>
inline constexpr auto fields<actuals::TenantUsage> =
    Rows{Field{"team", &actuals::TenantUsage::team, {.max_bytes = kMaxNameBytes}},
         Field{"user", &actuals::TenantUsage::user, {.max_bytes = kMaxNameBytes}},
         Field{"model", &actuals::TenantUsage::model, {.max_bytes = kMaxNameBytes}},
         Field{"input_tokens", &actuals::TenantUsage::input_tokens, {.unit = "tokens", .min = 0, .max = 1e18}},
         Field{"output_tokens", &actuals::TenantUsage::output_tokens, {.unit = "tokens", .min = 0, .max = 1e18}},
         Field{"cached_input_tokens",
               &actuals::TenantUsage::cached_input_tokens,
               {.unit = "tokens", .min = 0, .max = 1e18, .help = "of input_tokens those that a cache had"}},
         Field{"device_hours", &actuals::TenantUsage::device_hours, {.unit = "device-hours", .min = 0, .max = 1e12}},
         Field{"prefill_s", &actuals::TenantUsage::prefill_s, {.unit = "s", .min = 0, .max = 1e15, .help = "spent on prompts"}},
         Field{"decode_s", &actuals::TenantUsage::decode_s, {.unit = "s", .min = 0, .max = 1e15, .help = "spent on answers"}}};
template <>
inline constexpr auto fields<actuals::TenantLabels> =
    Rows{Field{"team", &actuals::TenantLabels::team, {.max_bytes = kMaxNameBytes, .help = "else team, team_alias or namespace"}},
         Field{"user", &actuals::TenantLabels::user, {.max_bytes = kMaxNameBytes, .help = "else user or end_user"}},
         Field{"model", &actuals::TenantLabels::model, {.max_bytes = kMaxNameBytes, .help = "else model_name or model"}}};
template <>
inline constexpr auto fields<actuals::TenantMetrics> =
    Rows{Field{"begin",
               &actuals::TenantMetrics::begin,
               {.max_bytes = kMaxScrapeBytes, .help = "the scrape at the first moment; without one counters count from 0"}},
         Field{"end", &actuals::TenantMetrics::end, {.required = true, .max_bytes = kMaxScrapeBytes, .help = "that at the last"}},
         Field{"labels", &actuals::TenantMetrics::labels, {.help = "names of labels that name a tenant"}}};

} // namespace costcurve::model
