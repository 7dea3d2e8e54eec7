// Questions that are answered later, as values: the request as it came, how far it is, and its answer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/storage/timestamp.hpp"

namespace costcurve::storage {

/// Its words are stored: do not rename.
enum class JobState { queued, running, done, failed, cancelled };
inline constexpr auto job_state_names = std::to_array<std::string_view>({"queued", "running", "done", "failed", "cancelled"});
[[nodiscard]] constexpr std::string_view name_of(JobState state) { return job_state_names[static_cast<std::size_t>(state)]; }
[[nodiscard]] constexpr bool has_ended(JobState state) { return state > JobState::running; }

/// How long a job is kept once it has ended, in microseconds.
inline constexpr std::int64_t kJobLifetime = kMicrosecondsPerDay;
/// How often a job is begun: one that ended the daemon each time is given up.
inline constexpr std::int64_t kMaxStarts = 3;

/// What may wait and be kept; more is refused.
struct JobLimits {
    std::int64_t open = 256;           ///< queued and running, of all authors
    std::int64_t open_of_author = 32;  ///< of one
    std::int64_t bytes = 512LL << 20U; ///< of requests and answers, packed
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
    std::int64_t sequence = 0; ///< of the change that it is answered as of, where its request names no other; 0: nothing was stored
    std::string created_at;
    std::string started_at; ///< "" where it hasn't
    std::string ended_at;
    std::int64_t starts = 0; ///< how often it was begun
    std::string request;     ///< of a job that is to be done
    std::string answer;      ///< of one job: JSON, an answer where it is done, a problem where it failed; else ""
};

} // namespace costcurve::storage
