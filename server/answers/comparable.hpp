// Members of every ranking answer about the comparability of its scenarios.
#pragma once

#include <utility>
#include <vector>

#include "model/questions/comparable.hpp"
#include "server/answers/answer.hpp"

namespace costcurve::answers {

/// Whether scenarios do the same work, the differences, and whether scenarios with unserved work are ranked, too.
struct Comparable {
    bool comparable = true;
    std::vector<model::ScenarioDifference> differences;
    bool ignore_unserved = false;
};
[[nodiscard]] inline Comparable comparable_of(std::vector<model::ScenarioDifference> differences, bool ignore_unserved) {
    return {differences.empty(), std::move(differences), ignore_unserved};
}

/// Member of every ranking request and of its answer.
inline constexpr model::FieldSpec kIgnoreUnservedSpec{.help = "whether what leaves work undone may be the cheapest too"};
template <class Request>
inline constexpr auto ignore_unserved_field =
    model::Rows{model::Field<Request, bool>{"ignore_unserved", &Request::ignore_unserved, kIgnoreUnservedSpec}};
template <class Answer>
inline constexpr auto ignored_unserved_field =
    model::Rows{model::Field<Answer, bool>{"ignore_unserved", &Answer::ignore_unserved, {.help = "as the request states it"}}};
template <class Answer>
inline constexpr auto comparable_fields =
    model::join(model::Rows{model::Field<Answer, bool>{
                                "comparable", &Answer::comparable, {.help = "all do the same work; else nothing is the cheapest"}},
                            model::Field<Answer, std::vector<model::ScenarioDifference>>{
                                "differences",
                                &Answer::differences,
                                {.help = "what the work of the others differs in from that of the first, or of the baseline"}}},
                ignored_unserved_field<Answer>);

} // namespace costcurve::answers

namespace costcurve::model {

template <>
inline constexpr auto fields<ScenarioDifference> =
    Rows{Field<ScenarioDifference, std::size_t>{"scenario", &ScenarioDifference::scenario, {.help = "its number"}},
         Field<ScenarioDifference, std::string>{"what", &ScenarioDifference::what, {}},
         Field<ScenarioDifference, std::string>{"a", &ScenarioDifference::a, {.help = "of the first or baseline"}},
         Field<ScenarioDifference, std::string>{"b", &ScenarioDifference::b, {}}};

} // namespace costcurve::model
