// Long questions that are answered later (RFC 7240, respond-async): queued here, watched and cancelled by their authors.
#pragma once

#include <optional>

#include "server/api/route.hpp"
#include "server/jobs/job_runner.hpp"

namespace costcurve::api {

/// Queues the request as a job: 202 with its place; 503 where too many wait.
[[nodiscard]] Attempt<http::Response> queue_question(Service& service, const Call& call);

/// What jobs::AnswerJob is: the answer that the question would have had when it was queued.
[[nodiscard]] std::optional<jobs::JobEnd> answer_job(const Service& service, const storage::Job& job, const jobs::Watch& watch);

} // namespace costcurve::api
