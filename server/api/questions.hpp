// The list of questions by request type. Routes, handlers and API components are generated from it, in its order.
#pragma once

#include <type_traits>

#include "server/actuals/actuals.hpp"
#include "server/actuals/runs/drift_answer.hpp"
#include "server/actuals/runs/forecast_answer.hpp"
#include "server/actuals/runs/tenant_costs.hpp"
#include "server/actuals/variance_answer.hpp"
#include "server/answers/break_even.hpp"
#include "server/answers/compare.hpp"
#include "server/answers/explain.hpp"
#include "server/answers/map.hpp"
#include "server/answers/optimize/optimize.hpp"
#include "server/answers/profile.hpp"
#include "server/answers/rank/rank.hpp"
#include "server/answers/rates/rates.hpp"
#include "server/answers/sensitivity.hpp"
#include "server/answers/simulate.hpp"
#include "server/answers/solve.hpp"

namespace costcurve::api {

template <class... R> struct Requests {
    /// Calls `visit` with std::type_identity<R> of each.
    template <class F> static void for_each(F&& visit) { (visit(std::type_identity<R>{}), ...); }
};

/// Questions that compare scenarios or input values.
using ShortQuestions =
    Requests<answers::CompareRequest, answers::BreakEvenRequest, answers::SolveRequest, answers::SensitivityRequest>;
/// Questions about one scenario's result.
using ResultQuestions = Requests<answers::ExplainRequest, answers::ProfileRequest>;
/// Questions with progress and a deadline, which a job may answer later.
using LongQuestions = Requests<answers::SimulateRequest, answers::MapRequest, answers::OptimizeRequest, answers::RankRequest>;
/// Questions about stored documents, without a scenario.
using StoredQuestions = Requests<answers::RatesRequest>;
/// Questions that compare a scenario with stored measurements.
using MeasuredQuestions = Requests<actuals::VarianceRequest, actuals::ActualsRequest, actuals::ForecastRequest,
                                   actuals::DriftRequest, actuals::TenantCostsRequest>;

} // namespace costcurve::api
