// Choices among stated values, as a request has them: one scenario for each combination. HTTP and the command line share it.
#pragma once

#include <string>
#include <vector>

#include "model/questions/alternatives.hpp"
#include "model/questions/optimize/plan.hpp"
#include "server/answers/request.hpp"
#include "server/documents/references.hpp"

namespace costcurve::answers {

/// The most combinations of values of one request: each is bounded by a linear programme of its own.
inline constexpr std::size_t kMaxCombinations = 200;

/// Values of a choice: documents, ids of stored ones, numbers, texts, null. Refers to the request's body, which outlives it.
struct ChoiceValues {
    const JsonValue* value = nullptr; ///< null: a range is decided
};
void decode_member(Decoder& decoder, const JsonValue& value, const Pointer& pointer, const model::FieldSpec& spec,
                   ChoiceValues& values);

/// One decision: a whole number between two, or a choice among values.
struct DecideInput {
    std::string pointer;
    std::optional<int> min;
    std::optional<int> max;
    ChoiceValues values;
};

struct Choice {
    std::string pointer;             ///< into the scenario
    std::string at;                  ///< where it stands in the request, "/decide/2"
    std::vector<std::string> values; ///< JSON
};

/// Choices and a scenario for each combination of their values; the last choice's value changes first.
struct Combinations {
    std::vector<Choice> choices;
    std::vector<model::Placed> scenarios; ///< empty where there are no choices

    /// The value that combination `number` has of choice `k`, as JSON.
    [[nodiscard]] const std::string& value(std::size_t number, std::size_t k) const;
};

/// What is decided between two numbers, and what is chosen; issues of a decision that is neither or both, of values that stand
/// twice, and of too many combinations.
struct Decisions {
    std::vector<model::Decide> ranges;
    std::vector<Choice> choices;
};
[[nodiscard]] model::Result<Decisions> split_decisions(const std::vector<DecideInput>& decide);

/// The same of texts: POINTER=min:max, or POINTER=[values as JSON].
[[nodiscard]] model::Result<Decisions> read_decisions(const std::vector<std::string>& texts);

/// Each combination's values put into the scenario, references resolved. Issues: values that can't stand there (at their place in
/// the choice), and more combinations or larger documents than fit into memory.
[[nodiscard]] model::Result<Combinations> combine(const model::Placed& scenario, std::vector<Choice> choices,
                                                  documents::Source& source);

} // namespace costcurve::answers

namespace costcurve::model {

inline constexpr FieldSpec decided(std::string_view help) { return {.min = -1200, .max = 1e6, .help = help}; }
template <>
inline constexpr auto fields<answers::DecideInput> =
    Rows{Field{"pointer", &answers::DecideInput::pointer,
               answers::pointer_to(
                   "/pools/{i}/purchases/{j}/servers or …/month, /pools/{i}/min_instances or …/max_instances; with values, "
                   "any place of the scenario",
                   true)},
         Field{"min", &answers::DecideInput::min, decided("the least value")},
         Field{"max", &answers::DecideInput::max, decided("the greatest")},
         Field{"values",
               &answers::DecideInput::values,
               {.min = 1,
                .max = answers::kMaxCombinations,
                .help = "instead of min and max: documents, ids of stored ones or plain values, one of which is chosen"}}};

} // namespace costcurve::model
