// Jobs as rows. Writes work inside a transaction of the caller.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "server/storage/job.hpp"
#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

/// Queues a job, and forgets those that ended more than a day ago. Nothing where the limits are reached.
[[nodiscard]] std::optional<std::int64_t> insert_job(Database& database, std::string_view author, const NewJob& job,
                                                     const JobLimits& limits, std::int64_t now);

/// With its answer, without its request. Nothing of one that ended more than a day ago.
[[nodiscard]] std::optional<Job> find_job(Database& database, std::int64_t job, std::int64_t now);
/// Newest first, below `before` (0: from the newest), without requests and answers.
[[nodiscard]] std::vector<Job> find_jobs(Database& database, std::string_view author, std::int64_t before, std::size_t limit,
                                         std::int64_t now);

[[nodiscard]] bool has_open_job(Database& database);
/// The oldest that is queued or was begun, begun (again), with its request.
[[nodiscard]] std::optional<Job> begin_job(Database& database, std::int64_t now);
/// A running one is queued again, as if it had not been begun.
void put_job_back(Database& database, std::int64_t job);
/// False where it has ended already.
[[nodiscard]] bool end_job(Database& database, std::int64_t job, JobState state, std::string_view answer, std::int64_t now);

} // namespace costcurve::storage::sqlite
