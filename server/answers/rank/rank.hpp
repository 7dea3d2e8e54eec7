// Plans for some work over the stored catalogue: POST /v1/rank and `costcurve rank`.
#pragma once

#include "model/questions/rank/probabilities.hpp"
#include "model/questions/rank/replicas.hpp"
#include "server/answers/answer.hpp"
#include "server/answers/comparable.hpp"
#include "server/answers/rank/mix_fields.hpp"
#include "server/answers/rank/plan_fields.hpp"
#include "server/answers/rank_uncertainty.hpp"
#include "server/answers/request.hpp"
#include "server/answers/result.hpp"
#include "server/answers/uncertainty.hpp"
#include "server/documents/references.hpp"

namespace costcurve::answers {

/// A scenario field that the request passes on. Refers to the request's body, which must outlive it.
struct ScenarioPart {
    const JsonValue* value = nullptr; ///< null for the scenario's default
};
void decode_member(Decoder& decoder, const JsonValue& value, const Pointer& pointer, const model::FieldSpec& spec,
                   ScenarioPart& part);

struct RankRequest {
    using Answer = struct RankAnswer;
    static constexpr QuestionNames names{"/v1/rank", "plans for some work over the stored catalogue, the best first",
                                         "rank_request", "ranking",
                                         "only plans that can do all the work, and whose figure is known"};
    static constexpr std::string_view stage = "plans";
    ScenarioPart workloads;
    ScenarioPart start;
    ScenarioPart months;
    ScenarioPart currency;
    ScenarioPart exchange_rates;
    ScenarioPart time_zone;
    ScenarioPart finance;
    std::map<std::string, double> discounts;
    model::RankLimits limits;
    std::vector<model::Way> include;
    std::size_t top = model::RankQuestion().top;
    std::optional<std::size_t> samples;
    std::uint64_t seed = 0;
    bool ignore_unserved = false;
    std::optional<int> spares;
    std::optional<double> availability;
    std::optional<model::SpotUse> spot;
    std::optional<model::ServiceShape> shape;
    std::vector<model::DeviceKind> ported;
    std::optional<double> stored_copies;
    std::optional<double> deadline_s;
    Moment as_of;
};
/// Default number of samples.
inline constexpr std::size_t kDefaultRankSamples = 400;
/// Maximum number of samples; each sizes and evaluates every remaining plan.
inline constexpr std::size_t kMaxRankSamples = 2'000;
void check(RankRequest& request, const QuestionLimits& limits, model::Failure& issues);

/// The question and the catalogue, from one snapshot.
struct RankInputs {
    model::RankQuestion question;
    model::Catalog catalog;
};
/// Resolves the question without the catalogue; reports all issues of fields, rules and references.
[[nodiscard]] model::Result<model::RankQuestion> resolve_rank(const RankRequest& request, documents::Source& source);

/// Decodes a request and reads the catalogue.
[[nodiscard]] model::Result<RankInputs> rank_inputs(const ParsedJson& body, documents::Source& source);

/// Whether a plan ranked by energy or carbon lacks its hosts' share; nothing if money decides.
[[nodiscard]] std::optional<bool> is_without_hosts(model::Objective decide_by, const model::Summary& summary);
/// Whether a plan's power uses the default shape because a serving device has no power curve.
[[nodiscard]] bool is_power_assumed(const model::Summary& summary);
[[nodiscard]] std::string encode_ranking(const RankInputs& inputs, const model::Ranking& ranking);
/// Reads the catalogue from the source, and ranks.
[[nodiscard]] model::Result<std::string> answer(const model::RankQuestion& question, documents::Source& source,
                                                const model::Runner& runner);

/// The price of a plan's pool, and its date.
struct PriceOfPlan {
    std::string pool;
    std::optional<std::string> price_day;
    std::string price_source;
};
struct PlanOfRank {
    std::size_t rank = 0;
    std::string name;
    double decisive = 0.0;
    std::optional<model::Evidence> evidence; ///< weakest evidence among its workloads
    std::optional<std::string> oldest_price;
    std::vector<PriceOfPlan> prices;
    std::string why;
    std::optional<model::WinsAt> wins_at;
    std::optional<double> probability_best;
    std::optional<bool> tied;
    model::PlanRow row;
    std::optional<bool> without_hosts;
    std::optional<bool> power_assumed;
    std::vector<model::Replica> replicas;
    std::vector<model::WorkloadShare> workloads; ///< set if there are several
    ByName<std::optional<double>> summary;
    RawJson scenario;
};
struct RankAnswer {
    model::Objective decide_by{};
    std::string unit;
    std::size_t considered = 0;
    std::size_t ranked = 0;
    std::size_t evaluated = 0;
    std::vector<model::Exclusion> excluded;
    std::vector<model::OtherCheckpoint> other_checkpoints;
    std::vector<PlanOfRank> plans;
    std::vector<model::Assumption> assumptions;
    std::optional<RankUncertaintyAnswer> uncertainty;
    std::string level;
    std::vector<model::WorthMeasuring> would_decide;
    std::optional<model::NearestDevice> nearest;
    std::vector<model::PlanApart> apart;
    std::optional<model::NearestRun> nearest_run;
    std::optional<model::MixReport> mix;
    bool ignore_unserved = false;
};

} // namespace costcurve::answers

namespace costcurve::model {

template <>
inline constexpr auto fields<RankLimits> =
    Rows{Field{"providers", &RankLimits::providers, {.help = "of offers and endpoints; all where absent"}},
         Field{"regions",
               &RankLimits::regions,
               {.help = "where plans may run: a seller's region, a country (ISO 3166), or eu, eea, us, uk, apac; what is at no "
                        "known place is left out"}},
         Field{"purchases", &RankLimits::purchases, {.help = "of offers"}},
         Field{"kinds", &RankLimits::kinds, {.help = "of devices"}},
         Field{"devices", &RankLimits::devices, {.format = Format::slug, .help = "ids"}},
         Field{"sites",
               &RankLimits::sites,
               {.format = Format::slug, .help = "ids, to own at; those that state what room costs where absent"}},
         Field{"evidence", &RankLimits::evidence, {.help = "the least of a plan's rates"}},
         Field{"precision",
               &RankLimits::precision,
               {.help = "the least of the weights, and all wider ones; the one that the model was published in where absent"}},
         Field{"max_price_age_days",
               &RankLimits::max_price_age_days,
               {.unit = "days",
                .min = 0,
                .max = 1e6,
                .help = "of the last dated price, before the start; a server with an older one counts as assumed"}}};
template <>
inline constexpr auto fields<answers::RankRequest> = join(
    Rows{Field{"workloads",
               &answers::RankRequest::workloads,
               {.required = true, .help = "as a scenario's, each with its model, without runs_on", .schema = "workloads"}},
         Field{"start", &answers::RankRequest::start, {.required = true, .help = "first month", .schema = "start"}},
         Field{"months", &answers::RankRequest::months, {.required = true, .help = "the horizon", .schema = "months"}},
         Field{"currency", &answers::RankRequest::currency, {.help = "as a scenario's", .schema = "currency"}},
         Field{"exchange_rates", &answers::RankRequest::exchange_rates, {.help = "as a scenario's", .schema = "exchange_rates"}},
         Field{"time_zone", &answers::RankRequest::time_zone, {.help = "as a scenario's", .schema = "time_zone"}},
         Field{"finance", &answers::RankRequest::finance, {.help = "as a scenario's", .schema = "finance"}},
         Field{"discounts",
               &answers::RankRequest::discounts,
               {.unit = "fraction", .min = 0, .max = 1, .of_entries = true, .help = "off the list prices, by provider"}},
         Field{"limits", &answers::RankRequest::limits, {.help = "what of the catalogue is looked at"}},
         Field{"include", &answers::RankRequest::include, {.help = "ways that plans may take; all where absent"}},
         Field{"top", &answers::RankRequest::top, {.min = 1, .max = 100, .help = "plans to list"}},
         Field{"samples",
               &answers::RankRequest::samples,
               {.min = 0,
                .max = answers::kMaxRankSamples,
                .help = "of uncertain demand, rates and prices, which the chances and intervals of plans are of; 400 where absent, "
                        "0 for none"}},
         Field{"seed",
               &answers::RankRequest::seed,
               {.min = 0, .max = answers::kMaxSeed, .help = "of the samples; the same seed gives the same draws"}}},
    answers::ignore_unserved_field<answers::RankRequest>,
    Rows{Field{"spares",
               &answers::RankRequest::spares,
               {.unit = "replicas",
                .min = 0,
                .max = 1000,
                .help =
                    "of inference beside those that its peak needs, at least; more where availability needs them; 1 where absent"}},
         Field{"availability",
               &answers::RankRequest::availability,
               {.unit = "fraction",
                .min = 0,
                .max = 1,
                .help = "of the demand of workloads that state none, that outages must leave served; 0.999 where absent"}},
         Field{"spot",
               &answers::RankRequest::spot,
               {.help = "for inference: never; burst, above a base that keeps the availability without it, where absent; or all, "
                        "alone too"}},
         Field{"shape",
               &answers::RankRequest::shape,
               {.help = "of the demand of inference workloads that state a mean alone: a week of people at work (office, where "
                        "absent), of an audience (consumer), or flat"}},
         Field{"stored_copies",
               &answers::RankRequest::stored_copies,
               {.min = 0,
                .max = 1000,
                .help = "of its model's weights that lie with the seller, of workloads without stored_gb; 0 where absent"}},
         Field{"ported",
               &answers::RankRequest::ported,
               {.help = "kinds of devices that the work runs on already; gpu and cpu always"}}},
    answers::deadline_field<answers::RankRequest>, Rows{Field{"as_of", &answers::RankRequest::as_of, answers::kMomentSpec}});
template <>
inline constexpr auto fields<answers::PriceOfPlan> =
    Rows{Field{"pool", &answers::PriceOfPlan::pool, {}},
         Field{"price_day", &answers::PriceOfPlan::price_day, answers::kPriceDaySpec},
         Field{"price_source", &answers::PriceOfPlan::price_source, answers::kPriceSourceSpec}};
template <>
inline constexpr auto fields<answers::PlanOfRank> = Rows{
    Field{"rank", &answers::PlanOfRank::rank, {}},
    Field{"name", &answers::PlanOfRank::name, {}},
    Field{"decisive", &answers::PlanOfRank::decisive, {.help = "the figure by which plans are ranked"}},
    Field{"evidence", &answers::PlanOfRank::evidence, {.help = "the least of its rates; null where hosted models alone serve"}},
    Field{"oldest_price", &answers::PlanOfRank::oldest_price, {.help = "the day of the oldest last price that is read"}},
    Field{"prices", &answers::PlanOfRank::prices, {.help = "by pool: of which day, and who states it"}},
    Field{"why", &answers::PlanOfRank::why, {.help = "the two largest drivers against the first; of the first, against the next"}},
    Field{"wins_at",
          &answers::PlanOfRank::wins_at,
          {.help = "what its own price, or the discount on it, would have to be to equal the first, of the first the next; null "
                   "where none would do"}},
    Field{"probability_best",
          &answers::PlanOfRank::probability_best,
          {.help = "share of the samples in which it is the best of those in the running; ties share", .omit = true}},
    Field{
        "tied",
        &answers::PlanOfRank::tied,
        {.help = "level with the first: over the samples, 0 is within the p10 and the p90 of its difference to it", .omit = true}},
    Field{"row", &answers::PlanOfRank::row, {}},
    Field{"without_hosts",
          &answers::PlanOfRank::without_hosts,
          {.help = "by energy or carbon: that of the hosts of an offer is not known, and not in it", .omit = true}},
    Field{
        "power_assumed",
        &answers::PlanOfRank::power_assumed,
        {.help = "its energy and carbon are of the default shape of watts: a device that serves has no power curve", .omit = true}},
    Field{"replicas", &answers::PlanOfRank::replicas, {.help = "by workload and pool; none of hosted models"}},
    Field{"workloads",
          &answers::PlanOfRank::workloads,
          {.help = "of a request for several, and of the groups of a mix: what each costs and adds; else empty"}},
    Field{"summary",
          &answers::PlanOfRank::summary,
          {.help = "figures of the result's total, and cost_per_million_units of each workload by its id"}},
    Field{"scenario",
          &answers::PlanOfRank::scenario,
          {.help = "complete: it evaluates to the same elsewhere", .schema = "scenario"}}};
template <>
inline constexpr auto fields<answers::RankAnswer> = join(
    Rows{Field{"decide_by", &answers::RankAnswer::decide_by, {}}, Field{"unit", &answers::RankAnswer::unit, {}},
         Field{"considered",
               &answers::RankAnswer::considered,
               {.help = "ways that the catalogue has, hybrids included: ranked, and the counts of excluded"}},
         Field{"ranked", &answers::RankAnswer::ranked, {.help = "plans in the ranking, of which the first are listed"}},
         Field{"evaluated", &answers::RankAnswer::evaluated, {.help = "whole scenarios"}},
         Field{"excluded", &answers::RankAnswer::excluded, {.help = "what was left out, by reason, most first"}},
         Field{"other_checkpoints",
               &answers::RankAnswer::other_checkpoints,
               {.help = "of a workload whose model nobody hosts: hosted ones of its architecture, to be ranked apart"}},
         Field{"plans", &answers::RankAnswer::plans, {}},
         Field{"assumptions",
               &answers::RankAnswer::assumptions,
               {.help = "what neither the request nor the catalogue states, and plans take for granted"}},
         Field{"apart",
               &answers::RankAnswer::apart,
               {.help = "of several workloads each one's first plan without the others, as that may cost less; else empty"}},
         Field{
             "nearest",
             &answers::RankAnswer::nearest,
             {.help = "where no plan is known to keep the objectives of latency: the device that comes nearest, and by how much it "
                      "misses them",
              .omit = true}},
         Field{"nearest_run",
               &answers::RankAnswer::nearest_run,
               {.help = "where no gang ends the run in time nine times in ten: the way that does most often", .omit = true}},
         Field{"mix",
               &answers::RankAnswer::mix,
               {.help = "of one workload of inference with several buckets in its token_mix: what came of dividing its requests by "
                        "size over devices",
                .omit = true}},
         Field{"uncertainty",
               &answers::RankAnswer::uncertainty,
               {.help = "what the probabilities of plans rest on; with samples, and where there are plans", .omit = true}},
         Field{"level",
               &answers::RankAnswer::level,
               {.help = "in words: what costs less than the first and is not known, the plans that can't be told apart, and which "
                        "benchmark would tell; empty where the first leads"}},
         Field{"would_decide",
               &answers::RankAnswer::would_decide,
               {.help = "rates of the plans that are level, by what a benchmark of each is worth, the most first"}}},
    answers::ignored_unserved_field<answers::RankAnswer>);

} // namespace costcurve::model
