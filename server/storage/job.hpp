// Jobs, requests that are answered later, as values: the request, its progress and its answer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/storage/timestamp.hpp"

namespace costcurve::storage {

/// The names are stored in the database: do not rename them.
enum class JobState { queued, running, done, failed, cancelled };
inline constexpr auto job_state_names = std::to_array<std::string_view>({"queued", "running", "done", "failed", "cancelled"});
[[nodiscard]] constexpr std::string_view name_of(JobState state) { return job_state_names[static_cast<std::size_t>(state)]; }
[[nodiscard]] constexpr bool has_ended(JobState state) { return state > JobState::running; }

/// How long an ended job is kept, in microseconds.
inline constexpr std::int64_t kJobLifetime = kMicrosecondsPerDay;
/// Maximum number of starts of a job. A job during which the daemon died each time is given up.
inline constexpr std::int64_t kMaxStarts = 3;

/// Limits of open and stored jobs. Jobs beyond them are refused.
struct JobLimits {
    std::int64_t open = 256;           ///< queued and running, of all authors
    std::int64_t open_of_author = 32;  ///< queued and running, of one author
    std::int64_t bytes = 512LL << 20U; ///< total size of requests and answers, compressed
    friend bool operator==(const JobLimits&, const JobLimits&) = default;
};

struct NewJob {
    std::string question; ///< the path that it was posted to
    std::string request;  ///< its body
};

struct Job {
    std::int64_t id = 0;
    JobState state = JobState::queued;
    std::string author;
    std::string question;
    std::int64_t sequence =
        0; ///< number of the change as of which it is answered, unless its request names another; 0 if nothing was stored yet
    std::string created_at;
    std::string started_at; ///< "" before the first start
    std::string ended_at;
    std::int64_t starts = 0; ///< number of starts
    std::string request;     ///< the request, if the job is to be run
    std::string answer;      ///< only if one job is queried: the answer (JSON) if done, the problem if failed; otherwise ""
};

} // namespace costcurve::storage
