// Cost per million tokens of each team, user and model, divided by tokens and by device-hours: POST /v1/tenant-costs.
#pragma once

#include "server/actuals/bill_lines.hpp"
#include "server/actuals/runs/tenant_counters.hpp"
#include "server/actuals/variance_sides.hpp"
#include "server/answers/answer.hpp"
#include "server/documents/references.hpp"
#include "server/storage/store.hpp"

namespace costcurve::actuals {

struct TenantCostsRequest : MonthsOf {
    using Answer = struct TenantCostsAnswer;
    static constexpr answers::QuestionNames names{"/v1/tenant-costs",
                                                  "cost a million tokens by team, user and model, as planned and as metered",
                                                  "tenant_costs_request", "tenant_costs"};
    answers::ScenarioInput scenario;
    std::vector<TenantUsage> usage;
    std::optional<TenantMetrics> metrics;
    std::optional<double> cost;
    std::optional<double> device_hours;
    double output_weight = 2.5;
    std::optional<BillMatch> bill;
    answers::WhatIf set;
    answers::Scaling scale;
    answers::Moment as_of;
};
/// Checks that months are in order, and that there is usage or metrics; neither is needed if allocations in bills have device-hours
/// by tenant.
void check(TenantCostsRequest& request, const answers::QuestionLimits& limits, model::Failure& issues);

enum class TenantKey { team, user, model };
/// How the cost is divided between prompts and answers.
enum class TokenSplit { compute_time, output_weight };

/// A tenant's share on one basis; empty members are unknown.
struct TenantShare {
    std::optional<double> cost;
    std::optional<double> cost_per_million_tokens;
};
struct TokenShare : TenantShare {
    std::optional<double> input_cost;
    std::optional<double> output_cost;
    std::optional<double> cost_per_million_input; ///< that no cache had
    std::optional<double> cost_per_million_output;
};
struct TenantRow {
    TenantKey key = TenantKey::team;
    std::string tenant;
    std::optional<double> planned_cost;
    std::optional<double> planned_tokens;
    std::optional<double> input_tokens;
    std::optional<double> output_tokens;
    std::optional<double> device_hours;
    TokenShare by_tokens;
    TenantShare by_device_hours;
};
struct TenantTotal {
    std::optional<double> cost;
    std::optional<double> idle_cost;
    std::optional<double> device_hours;
    std::optional<double> idle_device_hours;
    double input_tokens = 0.0;
    double cached_input_tokens = 0.0;
    double output_tokens = 0.0;
    std::optional<double> cost_per_million_tokens;
    TokenSplit split = TokenSplit::output_weight;
};
struct TenantCostsAnswer {
    model::YearMonth from;
    model::YearMonth to;
    std::string currency;
    TenantTotal total;
    std::vector<TenantRow> tenants;
    std::vector<std::string> notes;
};

/// The rows of each key add up to the whole cost, on either basis: with (idle), what nobody used of the device-hours that are paid,
/// and (untagged), what was used by nobody who is named. By device-hours: cost times a tenant's share of them. By tokens: the cost
/// without what is idle, divided between prompts and answers by the time that they took, where the counters have both, else an
/// output token as output_weight input tokens; each part by tokens, those of prompts without what a cache had. Nothing by
/// device-hours of a tenant whose are not known, nor by tokens where a cache had all of them.
/// (OpenCost 1.121, docs/inference-cost-tracking.md, Cost Calculation Methodology, read on 2026-11-29: the same for a model as a
/// whole; its allocation basis has idle in each model's cost, ours apart where device-hours are known.)
[[nodiscard]] model::Result<TenantCostsAnswer> tenant_costs(const TenantCostsRequest& request,
                                                            const model::ScenarioDocument& scenario, const storage::Store& store);
[[nodiscard]] model::Result<std::string> answer(const TenantCostsRequest& request, const model::ScenarioDocument& scenario,
                                                const storage::Store& store);

} // namespace costcurve::actuals

namespace costcurve::model {

template <> inline constexpr auto enum_names<actuals::TenantKey> = std::to_array<std::string_view>({"team", "user", "model"});
template <>
inline constexpr auto enum_names<actuals::TokenSplit> = std::to_array<std::string_view>({"compute_time", "output_weight"});

template <>
inline constexpr auto fields<actuals::TenantCostsRequest> = join(
    Rows{Field{"scenario", &actuals::TenantCostsRequest::scenario, answers::kScenarioSpec},
         Field{"from", &actuals::MonthsOf::from, actuals::kFromSpec}, Field{"to", &actuals::MonthsOf::to, actuals::kToSpec},
         Field{"usage", &actuals::TenantCostsRequest::usage, {.min = 1, .max = 100'000, .help = "who used what"}},
         Field{"metrics", &actuals::TenantCostsRequest::metrics, {.help = "or two scrapes of counters that say it"}},
         Field{"cost",
               &actuals::TenantCostsRequest::cost,
               {.min = 0, .max = kLargest, .help = "of all of it, in currency; what the bill's lines come to where absent"}},
         Field{"device_hours",
               &actuals::TenantCostsRequest::device_hours,
               {.unit = "device-hours", .min = 0, .max = kLargest, .help = "that are paid; those of the bill where absent"}},
         Field{"output_weight",
               &actuals::TenantCostsRequest::output_weight,
               {.min = 0.01, .max = 1000, .help = "input tokens that cost what an output token does, where no time is counted"}},
         Field{"bill",
               &actuals::TenantCostsRequest::bill,
               {.help = "of all lines of usage, and of allocations, only those that fit; every one where absent"}}},
    answers::what_if_fields<actuals::TenantCostsRequest>);

inline constexpr auto tenant_share_figures =
    Rows{Field{"cost", &actuals::TenantShare::cost, {}},
         Field{"cost_per_million_tokens", &actuals::TenantShare::cost_per_million_tokens, {.help = "input and output"}}};
template <> inline constexpr auto fields<actuals::TenantShare> = tenant_share_figures;
template <>
inline constexpr auto fields<actuals::TokenShare> = join(
    tenant_share_figures,
    Rows{Field{"input_cost", &actuals::TokenShare::input_cost, {}}, Field{"output_cost", &actuals::TokenShare::output_cost, {}},
         Field{"cost_per_million_input", &actuals::TokenShare::cost_per_million_input, {.help = "tokens that no cache had"}},
         Field{"cost_per_million_output", &actuals::TokenShare::cost_per_million_output, {}}});
template <>
inline constexpr auto fields<actuals::TenantRow> =
    Rows{Field{"key", &actuals::TenantRow::key, {}},
         Field{"tenant", &actuals::TenantRow::tenant, {.help = "(untagged) is used by nobody who is named, (idle) by nobody"}},
         Field{"planned_cost", &actuals::TenantRow::planned_cost, {.help = "of workloads with that tag, or model"}},
         Field{"planned_tokens", &actuals::TenantRow::planned_tokens, {}},
         Field{"input_tokens", &actuals::TenantRow::input_tokens, {}},
         Field{"output_tokens", &actuals::TenantRow::output_tokens, {}},
         Field{"device_hours", &actuals::TenantRow::device_hours, {}},
         Field{"by_tokens", &actuals::TenantRow::by_tokens, {}},
         Field{"by_device_hours", &actuals::TenantRow::by_device_hours, {}}};
template <>
inline constexpr auto fields<actuals::TenantTotal> =
    Rows{Field{"cost", &actuals::TenantTotal::cost, {}},
         Field{"idle_cost", &actuals::TenantTotal::idle_cost, {.help = "of cost: device-hours that nobody used"}},
         Field{"device_hours", &actuals::TenantTotal::device_hours, {}},
         Field{"idle_device_hours", &actuals::TenantTotal::idle_device_hours, {}},
         Field{"input_tokens", &actuals::TenantTotal::input_tokens, {}},
         Field{"cached_input_tokens", &actuals::TenantTotal::cached_input_tokens, {}},
         Field{"output_tokens", &actuals::TenantTotal::output_tokens, {}},
         Field{"cost_per_million_tokens", &actuals::TenantTotal::cost_per_million_tokens, {.help = "idle included"}},
         Field{"split", &actuals::TenantTotal::split, {.help = "of the cost between prompts and answers"}}};
template <>
inline constexpr auto fields<actuals::TenantCostsAnswer> =
    Rows{Field{"from", &actuals::TenantCostsAnswer::from, {}},
         Field{"to", &actuals::TenantCostsAnswer::to, {}},
         Field{"currency", &actuals::TenantCostsAnswer::currency, {.format = Format::currency}},
         Field{"total", &actuals::TenantCostsAnswer::total, {}},
         Field{"tenants", &actuals::TenantCostsAnswer::tenants, {.help = "by key: those of each add up to the total"}},
         Field{"notes", &actuals::TenantCostsAnswer::notes, {.help = "why a figure is null, and what counters don't have"}}};

} // namespace costcurve::model
