// The request of POST /v1/recalculations.
#pragma once

#include "model/documents/automation.hpp"
#include "server/answers/request.hpp"

namespace costcurve::recalculation {

struct RecalculationRequest {
    model::ScenarioChoice scenarios;
};
inline void check(RecalculationRequest& request, const answers::QuestionLimits& /*limits*/, model::Failure& issues) {
    answers::check_each_once(request.scenarios.ids, "/scenarios", issues);
}

} // namespace costcurve::recalculation

template <>
inline constexpr auto costcurve::model::fields<costcurve::recalculation::RecalculationRequest> = model::Rows{
    Field{"scenarios",
          &recalculation::RecalculationRequest::scenarios,
          {.min = 1,
           .max = 10000,
           .format = Format::slug,
           .help = "changed: those that a change since the last such run can reach; all; or a list of ids, each once"}}};
