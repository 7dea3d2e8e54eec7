// Jobs as rows, each with a lease of who answers it: an answer may take minutes, and a transaction that is open for so long would
// hold back vacuum. Writes work inside a transaction of the caller.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "server/storage/job.hpp"
#include "server/storage/postgres/engine/connection.hpp"

namespace costcurve::storage::postgres {

/// Queues a job, and forgets those that ended more than a day ago. Nothing where the limits are reached.
[[nodiscard]] std::optional<std::int64_t> insert_job(Connection& connection, std::string_view author, const NewJob& job,
                                                     const JobLimits& limits, std::int64_t now);

/// With its answer, without its request. Nothing of one that ended more than a day ago.
[[nodiscard]] std::optional<Job> find_job(Connection& connection, std::int64_t job, std::int64_t now);
/// Newest first, below `before` (0: from the newest), without requests and answers.
[[nodiscard]] std::vector<Job> find_jobs(Connection& connection, std::string_view author, std::int64_t before, std::size_t limit,
                                         std::int64_t now);

/// Whether there is one that a holder may begin.
[[nodiscard]] bool has_open_job(Connection& connection, std::string_view holder);
/// The oldest that is queued, or was begun by this holder or one whose lease is over, begun (again) with a lease, with its request.
/// Two that begin one at once get different ones.
[[nodiscard]] std::optional<Job> begin_job(Connection& connection, std::string_view holder, std::int64_t now);
/// A running one is queued again, as if it had not been begun.
void put_job_back(Connection& connection, std::int64_t job);
/// False where it has ended already.
[[nodiscard]] bool end_job(Connection& connection, std::int64_t job, JobState state, std::string_view answer, std::int64_t now);

} // namespace costcurve::storage::postgres
