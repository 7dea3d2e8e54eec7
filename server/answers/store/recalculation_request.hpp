// What POST /v1/recalculations takes.
#pragma once

#include "model/documents/automation.hpp"
#include "server/answers/request.hpp"

namespace costcurve::answers {

struct RecalculationRequest {
    model::ScenarioChoice scenarios;
};
inline void check(RecalculationRequest& request, const QuestionLimits& /*limits*/, model::Failure& issues) {
    check_each_once(request.scenarios.ids, "/scenarios", issues);
}

} // namespace costcurve::answers

template <>
inline constexpr auto costcurve::model::fields<costcurve::answers::RecalculationRequest> = model::Rows{
    Field{"scenarios",
          &answers::RecalculationRequest::scenarios,
          {.min = 1,
           .max = 10000,
           .format = Format::slug,
           .help = "changed: those that a change since the last such run can reach; all; or a list of ids, each once"}}};
