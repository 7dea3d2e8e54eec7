// Long questions that are answered later (RFC 7240, respond-async): queued here; their authors watch or cancel them.
#pragma once

#include <optional>

#include "server/api/route.hpp"
#include "server/jobs/job_runner.hpp"

namespace costcurve::api {

/// Queues the request as a job: 202 with its Location; 503 if too many jobs wait.
[[nodiscard]] Attempt<http::Response> queue_question(Service& service, const Call& call);

/// Implements jobs::AnswerJob: answers the question as of the time it was queued.
[[nodiscard]] std::optional<jobs::JobEnd> answer_job(const Service& service, const storage::Job& job, const jobs::Watch& watch);

} // namespace costcurve::api
