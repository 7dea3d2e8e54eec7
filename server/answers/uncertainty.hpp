// Uncertain inputs of a request and the spread of its answer.
#pragma once

#include "model/questions/chance/spread.hpp"
#include "model/questions/chance/uncertain_inputs.hpp"
#include "server/answers/answer.hpp"
#include "server/answers/request.hpp"

namespace costcurve::documents {
/// Decodes a distribution by the members of its kind (model::members_of).
void decode_member(Decoder& decoder, const JsonValue& value, const Pointer& pointer, const model::FieldSpec& spec,
                   model::Distribution& distribution);
} // namespace costcurve::documents

namespace costcurve::answers {

/// Maximum number of uncertain inputs in a request.
inline constexpr std::size_t kMaxUncertain = 100;
inline constexpr std::size_t kMaxSamples = std::size_t{1} << 40; ///< upper limit of every service's setting
inline constexpr double kMaxSeed =
    static_cast<double>((std::int64_t{1} << 53) - 1); ///< largest integer that every JSON reader keeps exactly

/// Uncertain inputs of which no number of samples is stated yet.
struct UncertaintyInputs : model::Uncertainty {
    UncertaintyInputs() { samples = 0; }
};

/// Sets the inputs' places below `pointer`, and checks samples against the limits and inputs against `scenarios`. `usual` is the
/// default number of samples, cut to the limits.
void check_uncertainty(model::Uncertainty& uncertainty, const std::string& pointer, std::size_t scenarios, std::size_t usual,
                       const QuestionLimits& limits, model::Failure& issues);
/// The message where there are more samples than the service allows.
[[nodiscard]] std::string samples_beyond(std::size_t samples, const QuestionLimits& limits);

} // namespace costcurve::answers

namespace costcurve::model {

template <>
inline constexpr auto fields<UncertainInput> =
    Rows{Field{"pointer", &UncertainInput::pointer,
               answers::pointer_to("a number of the scenario, or a curve, whose factor it then is", true)},
         Field{"distribution", &UncertainInput::distribution, {.required = true, .help = "an object {kind, …}"}},
         Field{"scenario", &UncertainInput::scenario, {.min = 0, .help = "only that one; else every scenario that has it"}}};
template <>
inline constexpr auto fields<CorrelatedInputs> = Rows{
    Field{"a", &CorrelatedInputs::a, answers::pointer_to("an input", true)},
    Field{"b", &CorrelatedInputs::b, answers::pointer_to("another", true)},
    Field{"rho", &CorrelatedInputs::rho, {.min = -1, .max = 1, .required = true, .help = "Spearman's correlation of their ranks"}}};
template <>
inline constexpr auto fields<Uncertainty> =
    Rows{Field{"inputs",
               &Uncertainty::inputs,
               {.min = 1, .max = answers::kMaxUncertain, .required = true, .help = "a list of objects {pointer, distribution}"}},
         Field{"correlations",
               &Uncertainty::correlations,
               {.min = 1, .max = answers::kMaxUncertain* answers::kMaxUncertain, .help = "Spearman's, of ranks"}},
         Field{"samples",
               &Uncertainty::samples,
               {.min = 2,
                .max = static_cast<double>(answers::kMaxSamples),
                .help = "10000 where absent (of an optimizer 256); up to the setting --max-samples"}},
         Field{"seed", &Uncertainty::seed, {.min = 0, .max = answers::kMaxSeed, .help = "the same seed gives the same draws"}},
         Field{"sampling", &Uncertainty::sampling, {.help = "how the draws are made"}}};
template <> inline constexpr auto fields<answers::UncertaintyInputs> = fields<Uncertainty>;
template <>
inline constexpr auto fields<Spread> =
    Rows{Field{"samples", &Spread::samples, {.min = 0, .help = "that have the figure"}},
         Field{"mean", &Spread::mean, {}},
         Field{"standard_error", &Spread::standard_error, {.help = "of the mean"}},
         Field{"p5", &Spread::p5, {}},
         Field{"p10", &Spread::p10, {}},
         Field{"p50", &Spread::p50, {}},
         Field{"p90", &Spread::p90, {}},
         Field{"p95", &Spread::p95, {}},
         Field{"cvar_95", &Spread::cvar_95, {.help = "mean of the highest 5 %"}},
         Field{"quantiles", &Spread::quantiles, {.help = "of 0, 5, … 100 %: from the least to the greatest"}}};

} // namespace costcurve::model
