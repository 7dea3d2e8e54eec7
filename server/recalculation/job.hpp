// A job with its progress and outcome.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "server/answers/answer.hpp"
#include "server/jobs/job_runner.hpp"
#include "server/storage/job.hpp"

namespace costcurve::recalculation {

struct JobAnswer : storage::Job {
    explicit JobAnswer(storage::Job job, std::optional<jobs::JobProgress> far = std::nullopt)
        : storage::Job(std::move(job)), progress(far), as_of(storage::format_sequence(sequence)) {
        (state == storage::JobState::failed ? problem : result) = std::move(answer);
    }

    std::optional<jobs::JobProgress> progress;
    std::string as_of;
    std::string result;
    std::string problem;
};

} // namespace costcurve::recalculation

namespace costcurve::model {

template <> inline constexpr auto enum_names<storage::JobState> = storage::job_state_names;
template <>
inline constexpr auto fields<jobs::JobProgress> =
    Rows{Field{"done", &jobs::JobProgress::done, {.help = "samples, cells or plans of the stage at hand"}},
         Field{"total", &jobs::JobProgress::total, {}}};
template <> inline constexpr std::string_view document_name<recalculation::JobAnswer> = "job";
template <>
inline constexpr auto fields<recalculation::JobAnswer> = Rows{
    Field{"id", &storage::Job::id, {.format = Format::digits, .pattern = "^[1-9][0-9]*$"}},
    Field{"state", &storage::Job::state, {}},
    Field{"author", &storage::Job::author, {.help = "who asked"}},
    Field{"question", &storage::Job::question, {.help = "the path that it was posted to"}},
    Field{"as_of",
          &recalculation::JobAnswer::as_of,
          {.help = "the change up to which the store counts, where the request names no other moment"}},
    Field{"created_at", &storage::Job::created_at, {.format = Format::date_time}},
    Field{"started_at", &storage::Job::started_at, {.format = Format::date_time, .null_if_empty = true}},
    Field{"ended_at",
          &storage::Job::ended_at,
          {.format = Format::date_time, .help = "kept for a day after it", .null_if_empty = true}},
    Field{"progress", &recalculation::JobAnswer::progress, {.help = "while it runs"}},
    Field{"result",
          &recalculation::JobAnswer::result,
          {.help = "of one job that is done: the question's answer, the same bytes as at once",
           .null_if_empty = true,
           .schema = "object"}},
    Field{"problem", &recalculation::JobAnswer::problem, {.help = "why it failed", .null_if_empty = true, .schema = "problem"}},
};

} // namespace costcurve::model
