// Choices among stated values: one scenario for each combination. Shared by HTTP and the command line.
#pragma once

#include <string>
#include <vector>

#include "model/questions/alternatives.hpp"
#include "model/questions/optimize/plan.hpp"
#include "server/answers/request.hpp"
#include "server/documents/references.hpp"

namespace costcurve::answers {

/// Maximum number of combinations in one request; each is bounded by its own linear program.
inline constexpr std::size_t kMaxCombinations = 200;

/// Values of a choice: documents, ids of stored documents, numbers, texts, null. Refers to the request's body, which must outlive
/// it.
struct ChoiceValues {
    const JsonValue* value = nullptr; ///< null if a range is decided
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
    std::string at;                  ///< its place in the request, such as "/decide/2"
    std::vector<std::string> values; ///< JSON
};

/// Choices, and a scenario for each combination of their values; the last choice varies fastest.
struct Combinations {
    std::vector<Choice> choices;
    std::vector<model::Placed> scenarios; ///< empty if there are no choices

    /// The value of choice `k` in combination `number`, as JSON.
    [[nodiscard]] const std::string& value(std::size_t number, std::size_t k) const;
};

/// Splits decisions into ranges and choices. Issues: a decision that is neither or both, duplicate values, too many combinations.
struct Decisions {
    std::vector<model::Decide> ranges;
    std::vector<Choice> choices;
};
[[nodiscard]] model::Result<Decisions> split_decisions(const std::vector<DecideInput>& decide);

/// Reads decisions from texts: POINTER=min:max, or POINTER=[values as JSON].
[[nodiscard]] model::Result<Decisions> read_decisions(const std::vector<std::string>& texts);

/// Applies each combination's values to the scenario and resolves references. Issues: values invalid at their place (reported at
/// the choice), and too many combinations or too large documents for memory.
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
