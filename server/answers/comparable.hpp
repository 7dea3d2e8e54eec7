// What every answer that ranks says of whether its scenarios may be ranked.
#pragma once

#include <utility>
#include <vector>

#include "model/questions/comparable.hpp"
#include "server/answers/answer.hpp"

namespace costcurve::answers {

/// Whether scenarios do the same work, and what keeps them from it.
struct Comparable {
    bool comparable = true;
    std::vector<model::ScenarioDifference> differences;
};
[[nodiscard]] inline Comparable comparable_of(std::vector<model::ScenarioDifference> differences) {
    return {differences.empty(), std::move(differences)};
}
template <class Answer>
inline constexpr auto comparable_fields = std::tuple{
    model::Field<Answer, bool>{"comparable", &Answer::comparable, {.help = "all do the same work; else nothing is the cheapest"}},
    model::Field<Answer, std::vector<model::ScenarioDifference>>{
        "differences",
        &Answer::differences,
        {.help = "what the work of the others differs in from that of the first, or of the baseline"}}};

} // namespace costcurve::answers

namespace costcurve::model {

template <>
inline constexpr auto fields<ScenarioDifference> =
    std::tuple{Field<ScenarioDifference, std::size_t>{"scenario", &ScenarioDifference::scenario, {.help = "its number"}},
               Field<ScenarioDifference, std::string>{"what", &ScenarioDifference::what, {}},
               Field<ScenarioDifference, std::string>{"a", &ScenarioDifference::a, {.help = "of the first or baseline"}},
               Field<ScenarioDifference, std::string>{"b", &ScenarioDifference::b, {}}};

} // namespace costcurve::model
