// A whole scenario compared with imported bills of the same months, by pool and by tag: POST /v1/actuals.
#pragma once

#include "server/actuals/bill_lines.hpp"
#include "server/actuals/variance_answer.hpp"
#include "server/documents/references.hpp"
#include "server/storage/store.hpp"

namespace costcurve::actuals {

struct ActualsRequest : MonthsOf {
    using Answer = struct ActualsAnswer;
    static constexpr answers::QuestionNames names{"/v1/actuals", "a scenario's pools and tags as planned against imported bills",
                                                  "actuals_request", "actuals"};
    answers::ScenarioInput scenario;
    std::vector<PoolBill> pools;
    std::optional<BillMatch> bill;
    std::vector<BillCategory> categories;
    std::vector<std::string> tag_keys;
    answers::WhatIf set;
    answers::Scaling scale;
    answers::Moment as_of;
};
/// Checks that months are in order, that categories don't count a charge twice, and that filters aren't empty.
void check(ActualsRequest& request, const answers::QuestionLimits& limits, model::Failure& issues);

[[nodiscard]] model::Result<std::string> answer(const ActualsRequest& request, const model::ScenarioDocument& scenario,
                                                const storage::Store& store);

/// Amounts in the scenario's currency; empty if unknown.
struct Spend {
    std::optional<double> cost;
    std::optional<double> device_hours;
    std::optional<double> tokens;
};
struct BilledSpend : Spend {
    std::optional<double> hours;
    std::optional<double> unused_cost;
    std::size_t lines = 0;
};
struct PoolActuals {
    std::string pool;
    Spend planned;
    BilledSpend billed;
    Spend difference;
    CostVarianceAnswer cost_variance;
    answers::ByName<double> matched_by;
};
struct TotalActuals {
    Spend planned;
    std::optional<double> planned_outside_pools;
    BilledSpend billed;
    Spend difference;
};
/// Lines of the same names that match no pool or several pools.
struct BilledItem {
    std::string provider, account, region, sku, purchase, device, category, resource;
    model::Tags tags;
    double cost = 0.0;
    std::size_t lines = 0;
    std::vector<std::string> pools;
};
struct LeftLines {
    BilledSpend billed;
    std::vector<BilledItem> largest;
};
struct TagActuals {
    std::optional<double> planned_cost;
    std::optional<double> billed_cost;
    std::optional<double> difference;
};
/// Bill lines of a category that isn't compared with the plan.
struct ApartActuals {
    std::string category;
    double billed_cost = 0.0;
    double effective_cost = 0.0;
    std::size_t lines = 0;
};
struct ActualsAnswer {
    model::YearMonth from;
    model::YearMonth to;
    std::string currency;
    std::string first_day;
    std::string last_day;
    TotalActuals total;
    std::vector<PoolActuals> pools;
    answers::ByName<answers::ByName<TagActuals>> by_tag;
    LeftLines unmatched;
    LeftLines ambiguous;
    std::vector<ApartActuals> apart;
    std::vector<std::string> notes;
};

/// The answer as a value: what the command line prints.
[[nodiscard]] model::Result<ActualsAnswer> actuals(const ActualsRequest& request, const model::ScenarioDocument& scenario,
                                                   const storage::Store& store);

} // namespace costcurve::actuals

namespace costcurve::model {

template <>
inline constexpr auto fields<actuals::ActualsRequest> =
    join(Rows{Field{"scenario", &actuals::ActualsRequest::scenario, answers::kScenarioSpec},
              Field{"from", &actuals::MonthsOf::from, actuals::kFromSpec}, Field{"to", &actuals::MonthsOf::to, actuals::kToSpec}},
         bill_filter_fields<actuals::ActualsRequest>,
         Rows{Field{"tag_keys",
                    &actuals::ActualsRequest::tag_keys,
                    {.min = 1, .max = 100, .format = Format::name, .help = "of by_tag; those of the scenario where absent"}}},
         answers::what_if_fields<actuals::ActualsRequest>);

inline constexpr auto spend_figures =
    Rows{Field{"cost", &actuals::Spend::cost, {.help = "in currency"}}, Field{"device_hours", &actuals::Spend::device_hours, {}},
         Field{"tokens", &actuals::Spend::tokens, {}}};
template <> inline constexpr auto fields<actuals::Spend> = spend_figures;
template <>
inline constexpr auto fields<actuals::BilledSpend> = join(
    spend_figures, Rows{Field{"hours", &actuals::BilledSpend::hours, {.help = "of instances"}},
                        Field{"unused_cost", &actuals::BilledSpend::unused_cost, {.help = "of cost: what commitments left unused"}},
                        Field{"lines", &actuals::BilledSpend::lines, {.help = "stored ones, a day each"}}});
template <>
inline constexpr auto fields<actuals::PoolActuals> =
    Rows{Field{"pool", &actuals::PoolActuals::pool, {}},
         Field{"planned", &actuals::PoolActuals::planned, {}},
         Field{"billed", &actuals::PoolActuals::billed, {}},
         Field{"difference", &actuals::PoolActuals::difference, {.help = "billed less planned"}},
         Field{"cost_variance",
               &actuals::PoolActuals::cost_variance,
               {.help = "above 0 costs more than planned; of a pool without devices, volume and price are of tokens"}},
         Field{"matched_by",
               &actuals::PoolActuals::matched_by,
               {.help = "cost by why lines are of the pool: request, tags_and_offer, tags, offer"}}};
template <>
inline constexpr auto fields<actuals::TotalActuals> =
    Rows{Field{"planned", &actuals::TotalActuals::planned, {}},
         Field{"planned_outside_pools",
               &actuals::TotalActuals::planned_outside_pools,
               {.help = "of planned cost: what no pool bears, such as engineering"}},
         Field{"billed", &actuals::TotalActuals::billed, {.help = "of all pools"}},
         Field{"difference", &actuals::TotalActuals::difference, {.help = "the sum of those of pools that are known"}}};
template <>
inline constexpr auto fields<actuals::BilledItem> =
    Rows{Field{"provider", &actuals::BilledItem::provider, {}},
         Field{"account", &actuals::BilledItem::account, {}},
         Field{"region", &actuals::BilledItem::region, {}},
         Field{"sku", &actuals::BilledItem::sku, {}},
         Field{"purchase", &actuals::BilledItem::purchase, {}},
         Field{"device", &actuals::BilledItem::device, {}},
         Field{"category", &actuals::BilledItem::category, {}},
         Field{"resource", &actuals::BilledItem::resource, {}},
         Field{"tags", &actuals::BilledItem::tags, {}},
         Field{"cost", &actuals::BilledItem::cost, {}},
         Field{"lines", &actuals::BilledItem::lines, {}},
         Field{"pools", &actuals::BilledItem::pools, {.help = "that it fits equally well", .omit = true}}};
template <>
inline constexpr auto fields<actuals::LeftLines> =
    Rows{Field{"billed", &actuals::LeftLines::billed, {}},
         Field{"largest", &actuals::LeftLines::largest, {.help = "by cost, 20 at most"}}};
template <>
inline constexpr auto fields<actuals::TagActuals> =
    Rows{Field{"planned_cost", &actuals::TagActuals::planned_cost, {}}, Field{"billed_cost", &actuals::TagActuals::billed_cost, {}},
         Field{"difference", &actuals::TagActuals::difference, {}}};
template <>
inline constexpr auto fields<actuals::ApartActuals> =
    Rows{Field{"category", &actuals::ApartActuals::category, {}}, Field{"billed_cost", &actuals::ApartActuals::billed_cost, {}},
         Field{"effective_cost", &actuals::ApartActuals::effective_cost, {}}, Field{"lines", &actuals::ApartActuals::lines, {}}};
template <>
inline constexpr auto fields<actuals::ActualsAnswer> = Rows{
    Field{"from", &actuals::ActualsAnswer::from, {}},
    Field{"to", &actuals::ActualsAnswer::to, {}},
    Field{"currency", &actuals::ActualsAnswer::currency, {.format = Format::currency}},
    Field{"first_day",
          &actuals::ActualsAnswer::first_day,
          {.format = Format::date, .help = "of compared lines", .null_if_empty = true}},
    Field{"last_day", &actuals::ActualsAnswer::last_day, {.format = Format::date, .null_if_empty = true}},
    Field{"total", &actuals::ActualsAnswer::total, {}},
    Field{"pools", &actuals::ActualsAnswer::pools, {}},
    Field{"by_tag",
          &actuals::ActualsAnswer::by_tag,
          {.help = "by key, then by value; (untagged) has no such tag, (idle) is what nobody used"}},
    Field{"unmatched", &actuals::ActualsAnswer::unmatched, {.help = "compared lines of no pool"}},
    Field{"ambiguous", &actuals::ActualsAnswer::ambiguous, {.help = "compared lines that fit several pools equally well: of none"}},
    Field{"apart", &actuals::ActualsAnswer::apart, {.help = "charges of other categories, and purchases of commitments"}},
    Field{"notes", &actuals::ActualsAnswer::notes, {.help = "why a figure is null, or may be incomplete"}}};

} // namespace costcurve::model
