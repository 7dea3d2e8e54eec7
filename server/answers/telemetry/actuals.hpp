// A whole scenario against what imported bills say of the same months, by pool and by tag: POST /v1/actuals.
#pragma once

#include "server/answers/telemetry/bill_match.hpp"
#include "server/answers/telemetry/variance.hpp"
#include "server/documents/references.hpp"

namespace costcurve::answers {

enum class BillCategory { usage, purchase, tax, credit, adjustment, allocation };

struct ActualsRequest : MonthsOf {
    using Answer = struct ActualsAnswer;
    static constexpr QuestionNames names{"/v1/actuals", "a scenario's pools and tags as planned against imported bills",
                                         "actuals_request", "actuals"};
    ScenarioInput scenario;
    std::vector<PoolBill> pools;
    std::optional<BillMatch> bill;
    std::vector<BillCategory> categories;
    std::vector<std::string> tag_keys;
    WhatIf set;
    Scaling scale;
    Moment as_of;
};
/// Months in order; categories that don't charge the same twice; entries that ask for something.
void check(ActualsRequest& request, const QuestionLimits& limits, model::Failure& issues);

[[nodiscard]] model::Result<std::string> answer(const ActualsRequest& request, const model::ScenarioDocument& scenario,
                                                const storage::Store& store);

/// Amounts in the scenario's currency; nothing where they are not known.
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
    ByName<double> matched_by;
};
struct TotalActuals {
    Spend planned;
    std::optional<double> planned_outside_pools;
    BilledSpend billed;
    Spend difference;
};
/// Lines of the same names that no pool has, or several could have.
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
/// Of a category that is not compared.
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
    ByName<ByName<TagActuals>> by_tag;
    LeftLines unmatched;
    LeftLines ambiguous;
    std::vector<ApartActuals> apart;
    std::vector<std::string> notes;
};

/// The answer as a value: what the command line prints.
[[nodiscard]] model::Result<ActualsAnswer> actuals(const ActualsRequest& request, const model::ScenarioDocument& scenario,
                                                   const storage::Store& store);

/// A text that is a request, with its scenario resolved.
struct ResolvedActuals {
    ActualsRequest request;
    model::ScenarioDocument scenario;
};
[[nodiscard]] model::Result<ResolvedActuals> parse_actuals(std::string_view text, documents::Source& source);

} // namespace costcurve::answers

namespace costcurve::model {

template <>
inline constexpr auto enum_names<answers::BillCategory> = std::to_array<std::string_view>({"usage", "purchase", "tax", "credit",
                                                                                           "adjustment", "allocation"});

template <>
inline constexpr auto fields<answers::ActualsRequest> =
    join(Rows{Field{"scenario", &answers::ActualsRequest::scenario, answers::kScenarioSpec},
              Field{"from", &answers::MonthsOf::from, answers::kFromSpec}, Field{"to", &answers::MonthsOf::to, answers::kToSpec},
              Field{"pools",
                    &answers::ActualsRequest::pools,
                    {.min = 1,
                     .max = 1000,
                     .help = "lines of pools, in place of those that fit their tags and offers; several entries of a pool add up"}},
              Field{"bill", &answers::ActualsRequest::bill, {.help = "of all lines, only those that fit; every one where absent"}},
              Field{"categories",
                    &answers::ActualsRequest::categories,
                    {.min = 1, .max = 6, .help = "of charges that are compared; usage where absent; the others stand in apart"}},
              Field{"tag_keys",
                    &answers::ActualsRequest::tag_keys,
                    {.min = 1, .max = 100, .format = Format::name, .help = "of by_tag; those of the scenario where absent"}}},
         answers::what_if_fields<answers::ActualsRequest>);

inline constexpr auto spend_figures =
    Rows{Field{"cost", &answers::Spend::cost, {.help = "in currency"}}, Field{"device_hours", &answers::Spend::device_hours, {}},
         Field{"tokens", &answers::Spend::tokens, {}}};
template <> inline constexpr auto fields<answers::Spend> = spend_figures;
template <>
inline constexpr auto fields<answers::BilledSpend> = join(
    spend_figures, Rows{Field{"hours", &answers::BilledSpend::hours, {.help = "of instances"}},
                        Field{"unused_cost", &answers::BilledSpend::unused_cost, {.help = "of cost: what commitments left unused"}},
                        Field{"lines", &answers::BilledSpend::lines, {.help = "stored ones, a day each"}}});
template <>
inline constexpr auto fields<answers::PoolActuals> =
    Rows{Field{"pool", &answers::PoolActuals::pool, {}},
         Field{"planned", &answers::PoolActuals::planned, {}},
         Field{"billed", &answers::PoolActuals::billed, {}},
         Field{"difference", &answers::PoolActuals::difference, {.help = "billed less planned"}},
         Field{"cost_variance",
               &answers::PoolActuals::cost_variance,
               {.help = "above 0 costs more than planned; of a pool without devices, volume and price are of tokens"}},
         Field{"matched_by",
               &answers::PoolActuals::matched_by,
               {.help = "cost by why lines are of the pool: request, tags_and_offer, tags, offer"}}};
template <>
inline constexpr auto fields<answers::TotalActuals> =
    Rows{Field{"planned", &answers::TotalActuals::planned, {}},
         Field{"planned_outside_pools",
               &answers::TotalActuals::planned_outside_pools,
               {.help = "of planned cost: what no pool bears, such as engineering"}},
         Field{"billed", &answers::TotalActuals::billed, {.help = "of all pools"}},
         Field{"difference", &answers::TotalActuals::difference, {.help = "the sum of those of pools that are known"}}};
template <>
inline constexpr auto fields<answers::BilledItem> =
    Rows{Field{"provider", &answers::BilledItem::provider, {}},
         Field{"account", &answers::BilledItem::account, {}},
         Field{"region", &answers::BilledItem::region, {}},
         Field{"sku", &answers::BilledItem::sku, {}},
         Field{"purchase", &answers::BilledItem::purchase, {}},
         Field{"device", &answers::BilledItem::device, {}},
         Field{"category", &answers::BilledItem::category, {}},
         Field{"resource", &answers::BilledItem::resource, {}},
         Field{"tags", &answers::BilledItem::tags, {}},
         Field{"cost", &answers::BilledItem::cost, {}},
         Field{"lines", &answers::BilledItem::lines, {}},
         Field{"pools", &answers::BilledItem::pools, {.help = "that it fits equally well", .omit = true}}};
template <>
inline constexpr auto fields<answers::LeftLines> =
    Rows{Field{"billed", &answers::LeftLines::billed, {}},
         Field{"largest", &answers::LeftLines::largest, {.help = "by cost, 20 at most"}}};
template <>
inline constexpr auto fields<answers::TagActuals> =
    Rows{Field{"planned_cost", &answers::TagActuals::planned_cost, {}}, Field{"billed_cost", &answers::TagActuals::billed_cost, {}},
         Field{"difference", &answers::TagActuals::difference, {}}};
template <>
inline constexpr auto fields<answers::ApartActuals> =
    Rows{Field{"category", &answers::ApartActuals::category, {}}, Field{"billed_cost", &answers::ApartActuals::billed_cost, {}},
         Field{"effective_cost", &answers::ApartActuals::effective_cost, {}}, Field{"lines", &answers::ApartActuals::lines, {}}};
template <>
inline constexpr auto fields<answers::ActualsAnswer> = Rows{
    Field{"from", &answers::ActualsAnswer::from, {}},
    Field{"to", &answers::ActualsAnswer::to, {}},
    Field{"currency", &answers::ActualsAnswer::currency, {.format = Format::currency}},
    Field{"first_day",
          &answers::ActualsAnswer::first_day,
          {.format = Format::date, .help = "of compared lines", .null_if_empty = true}},
    Field{"last_day", &answers::ActualsAnswer::last_day, {.format = Format::date, .null_if_empty = true}},
    Field{"total", &answers::ActualsAnswer::total, {}},
    Field{"pools", &answers::ActualsAnswer::pools, {}},
    Field{"by_tag",
          &answers::ActualsAnswer::by_tag,
          {.help = "by key, then by value; (untagged) has no such tag, (idle) is what nobody used"}},
    Field{"unmatched", &answers::ActualsAnswer::unmatched, {.help = "compared lines of no pool"}},
    Field{"ambiguous", &answers::ActualsAnswer::ambiguous, {.help = "compared lines that fit several pools equally well: of none"}},
    Field{"apart", &answers::ActualsAnswer::apart, {.help = "charges of other categories, and purchases of commitments"}},
    Field{"notes", &answers::ActualsAnswer::notes, {.help = "why a figure is null, or may be incomplete"}}};

} // namespace costcurve::model
