// The cost-minimal plan: POST /v1/optimize. HTTP and the command line share it.
#pragma once

#include "model/questions/optimize/choices.hpp"
#include "server/answers/encode_result.hpp"
#include "server/answers/optimize/choices.hpp"
#include "server/answers/uncertainty.hpp"

namespace costcurve::answers {

/// Maximum number of decisions in one request; the search's pairs and the linear program grow with it.
inline constexpr std::size_t kMaxDecisions = 40;

/// Default number of samples of an uncertain future.
inline constexpr std::size_t kFutures = 256;

struct OptimizeRequest {
    using Answer = struct OptimizeAnswer;
    static constexpr QuestionNames names{"/v1/optimize", "the optimal plan: how many servers and instances, and when",
                                         "optimize_request", "optimum"};
    static constexpr std::string_view stage = "plans";
    ScenarioInput scenario;
    std::vector<DecideInput> decide;
    std::optional<model::Objective> minimize;
    model::Limits subject_to;
    std::optional<UncertaintyInputs> uncertain;
    double gap = model::OptimizeQuestion().gap;
    std::optional<std::size_t> evaluations;
    std::optional<double> deadline_s;
    WhatIf set;
    Scaling scale;
    Moment as_of;

    std::vector<model::Decide> ranges; ///< ranges in `decide`, after the check
    Combinations combinations;         ///< combinations of the choices, after resolving
};
void check(OptimizeRequest& request, const QuestionLimits& limits, model::Failure& issues);
[[nodiscard]] model::Failure resolve_more(OptimizeRequest& request, const std::vector<model::Placed>& scenarios,
                                          documents::Source& source);

struct Optimized {
    model::OptimizeQuestion question;
    model::Optimum optimum;
    Evaluated best;                    ///< the scenario with the best plan applied
    Combinations combinations;         ///< empty if there are no choices
    model::CombinationCounts counts{}; ///< counts of these combinations
};

/// Parses uncertain inputs from an object {inputs, correlations, samples, seed, sampling}.
[[nodiscard]] model::Result<model::Uncertainty> parse_futures(std::string_view text);

/// The best plan of the scenario, or of the combinations if there are any.
[[nodiscard]] model::Result<Optimized> optimize(const model::Placed& scenario, const Combinations& combinations,
                                                const model::OptimizeQuestion& question, const model::OptimizeEffort& effort,
                                                const model::Runner& runner);

/// The plan, its bound and its result as JSON.
[[nodiscard]] std::string encode_optimized(const Optimized& optimized);
[[nodiscard]] model::Result<std::string> answer(const OptimizeRequest& request, const std::vector<model::Placed>& scenarios,
                                                const model::Runner& runner);

struct HedgeAnswer : model::Spread {
    std::optional<ByName<int>> plan_at_means;
    std::optional<double> value_of_hedging;
    std::optional<double> value_of_foresight;
};
struct LimitAnswer {
    std::string name;
    double limit = 0.0;
    double taken = 0.0;
    std::string unit;
};
struct PlanAnswer {
    ByName<int> decisions;
    std::optional<ByName<AnyJson>> choices;
    double objective = 0.0;
};
struct RefusedAnswer {
    std::size_t count = 0;
    model::Code code{};
    std::string pointer;
    std::string message;
    ByName<AnyJson> example;
};
struct CombinationsAnswer {
    std::size_t stated = 0;
    std::size_t examined = 0;
    std::size_t cut = 0;
    std::size_t infeasible = 0;
    std::size_t refused = 0;
    std::vector<RefusedAnswer> reasons;
};
struct OptimizeAnswer : PlanAnswer {
    model::Objective minimize{};
    std::string unit;
    std::optional<double> bound;
    std::optional<double> gap_fraction;
    model::Proof proof{};
    std::optional<HedgeAnswer> hedge;
    std::vector<LimitAnswer> limits;
    std::vector<PlanAnswer> runners_up;
    std::optional<CombinationsAnswer> combinations;
    std::size_t evaluations = 0;
    std::size_t linear_programmes = 0;
    RawJson result;
};

} // namespace costcurve::answers

namespace costcurve::model {

inline constexpr FieldSpec limit(std::string_view help, double max = kLargest) { return {.min = 0, .max = max, .help = help}; }
template <>
inline constexpr auto fields<Limits> =
    Rows{Field{"max_unserved_fraction", &Limits::max_unserved_fraction, limit("of each workload's demand; 0 where absent", 1)},
         Field{"max_carbon_kg", &Limits::max_carbon_kg, limit("over the horizon, kg")},
         Field{"max_capital", &Limits::max_capital, limit("paid for servers, own-build facility and upfront, scenario currency")},
         Field{"max_rack_kw", &Limits::max_rack_kw, limit("nameplate of all servers in service at once, kW")}};
template <>
inline constexpr auto fields<answers::OptimizeRequest> = join(
    Rows{
        Field{"scenario", &answers::OptimizeRequest::scenario, answers::kScenarioSpec},
        Field{"decide",
              &answers::OptimizeRequest::decide,
              {.min = 1,
               .max = answers::kMaxDecisions,
               .required = true,
               .help = "a list of {pointer, min, max} or {pointer, values}"}},
        Field{"minimize", &answers::OptimizeRequest::minimize, {.help = "a figure of the total; default the scenario's decide_by"}},
        Field{"subject_to", &answers::OptimizeRequest::subject_to, {.help = "what a plan must keep"}},
        Field{"uncertain",
              &answers::OptimizeRequest::uncertain,
              {.help = "plans are judged by their means over samples of these: the objective, and what limits are about"}},
        Field{"gap",
              &answers::OptimizeRequest::gap,
              {.min = 0, .max = 1, .help = "good enough: the objective this share above its bound"}},
        Field{"evaluations",
              &answers::OptimizeRequest::evaluations,
              {.min = 1, .max = 1e8, .help = "plans evaluated at most, about; the setting --max-plans bounds it"}}},
    answers::deadline_field<answers::OptimizeRequest>, answers::what_if_fields<answers::OptimizeRequest>);
template <>
inline constexpr auto fields<answers::HedgeAnswer> = join(
    fields<Spread>,
    Rows{Field{"plan_at_means", &answers::HedgeAnswer::plan_at_means, {.help = "the best were each input what it is on average"}},
         Field{"value_of_hedging",
               &answers::HedgeAnswer::value_of_hedging,
               {.help = "mean of that plan, less the best's; null where it breaks a limit"}},
         Field{"value_of_foresight",
               &answers::HedgeAnswer::value_of_foresight,
               {.help = "the mean, less that of plans made after the future is known"}}});
template <>
inline constexpr auto fields<answers::LimitAnswer> =
    Rows{Field{"name", &answers::LimitAnswer::name, {}}, Field{"limit", &answers::LimitAnswer::limit, {}},
         Field{"taken", &answers::LimitAnswer::taken, {}}, Field{"unit", &answers::LimitAnswer::unit, {}}};
template <>
inline constexpr auto fields<answers::PlanAnswer> = Rows{
    Field{"decisions", &answers::PlanAnswer::decisions, {.help = "{pointer: value}"}},
    Field{"choices", &answers::PlanAnswer::choices, {.help = "{pointer: value}, of what is chosen among values", .omit = true}},
    Field{"objective", &answers::PlanAnswer::objective, {}}};
template <>
inline constexpr auto fields<answers::RefusedAnswer> =
    Rows{Field{"count", &answers::RefusedAnswer::count, {.help = "combinations"}}, Field{"code", &answers::RefusedAnswer::code, {}},
         Field{"pointer", &answers::RefusedAnswer::pointer, {.help = "into the request, with the values in it"}},
         Field{"message", &answers::RefusedAnswer::message, {}},
         Field{"example", &answers::RefusedAnswer::example, {.help = "{pointer: value} of one of them"}}};
template <>
inline constexpr auto fields<answers::CombinationsAnswer> =
    Rows{Field{"stated", &answers::CombinationsAnswer::stated, {.help = "of values: the sum of the four that follow"}},
         Field{"examined", &answers::CombinationsAnswer::examined, {.help = "searched for their best plan"}},
         Field{"cut", &answers::CombinationsAnswer::cut, {.help = "not searched: their bound is no less than the best plan"}},
         Field{"infeasible", &answers::CombinationsAnswer::infeasible, {.help = "no plan keeps the limits"}},
         Field{"refused", &answers::CombinationsAnswer::refused, {.help = "they break a rule"}},
         Field{"reasons", &answers::CombinationsAnswer::reasons, {.help = "why those are refused"}}};
template <>
inline constexpr auto fields<answers::OptimizeAnswer> = join(
    fields<answers::PlanAnswer>,
    Rows{Field{"minimize", &answers::OptimizeAnswer::minimize, {}}, Field{"unit", &answers::OptimizeAnswer::unit, {}},
         Field{"bound", &answers::OptimizeAnswer::bound, {.help = "no plan comes to less; null where none is known"}},
         Field{"gap_fraction", &answers::OptimizeAnswer::gap_fraction, {.help = "(objective - bound) / |objective|"}},
         Field{"proof", &answers::OptimizeAnswer::proof, {}},
         Field{"hedge",
               &answers::OptimizeAnswer::hedge,
               {.help = "where inputs are uncertain: the objective over the samples", .omit = true}},
         Field{"limits", &answers::OptimizeAnswer::limits, {.help = "of the request, and how much the best plan takes of each"}},
         Field{"runners_up", &answers::OptimizeAnswer::runners_up, {.help = "the next best"}},
         Field{"combinations",
               &answers::OptimizeAnswer::combinations,
               {.help = "where something is chosen among values: what became of their combinations", .omit = true}},
         Field{"evaluations", &answers::OptimizeAnswer::evaluations, {.help = "plans that were evaluated"}},
         Field{"linear_programmes", &answers::OptimizeAnswer::linear_programmes, {}},
         Field{"result",
               &answers::OptimizeAnswer::result,
               {.help = "of the best plan, with what the scenario states", .schema = "result"}}});

} // namespace costcurve::model
