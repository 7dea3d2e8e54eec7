// Requests of POST /v1/evaluate and its batch.
#pragma once

#include "server/answers/request.hpp"

namespace costcurve::answers {

struct EvaluateRequest {
    ScenarioInput scenario;
    WhatIf set;
    Scaling scale;
    Moment as_of;
    bool ledger = false;
};

/// Maximum number of scenarios in a batch.
inline constexpr std::size_t kMaxBatch = 100'000;

/// Several scenarios, or one and several what-ifs.
struct BatchRequest {
    std::vector<ScenarioInput> scenarios;
    std::optional<ScenarioInput> scenario;
    std::vector<WhatIf> sets;
    Moment as_of;
    bool ledger = false;
};
/// Either {scenarios}, or {scenario, sets}.
void check(BatchRequest& request, const QuestionLimits& limits, model::Failure& issues);

} // namespace costcurve::answers

namespace costcurve::model {

inline constexpr FieldSpec kLedgerSpec{.help = "adds the rows of the ledger"};
template <>
inline constexpr auto
    fields<answers::EvaluateRequest> = join(Rows{Field{"scenario", &answers::EvaluateRequest::scenario, answers::kScenarioSpec}},
                                            answers::what_if_fields<answers::EvaluateRequest>,
                                            Rows{Field{"ledger", &answers::EvaluateRequest::ledger, kLedgerSpec}});
template <>
inline constexpr auto fields<answers::BatchRequest> = Rows{
    Field{"scenarios", &answers::BatchRequest::scenarios, {.min = 1, .max = answers::kMaxBatch, .help = "scenarios or ids"}},
    Field{"scenario", &answers::BatchRequest::scenario, {.help = "instead of scenarios: one, or its id, and sets"}},
    Field{"sets", &answers::BatchRequest::sets, {.min = 1, .max = answers::kMaxBatch, .help = "one what-if a line, of scenario"}},
    Field{"as_of", &answers::BatchRequest::as_of, answers::kMomentSpec},
    Field{"ledger", &answers::BatchRequest::ledger, kLedgerSpec}};

} // namespace costcurve::model
