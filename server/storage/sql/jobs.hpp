// Reads and writes the table job. Those who queue are let in one at a time (`lock_jobs` of the engine): the limits hold.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/storage/job.hpp"
#include "server/storage/rows.hpp"
#include "server/storage/run.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sql/dialect.hpp"
#include "server/storage/stored_names.hpp"

namespace costcurve::storage::sql {

// Those of a day to come ended under a clock that was wrong.
inline constexpr const char* kForgetJobs = "DELETE FROM job WHERE ended_at NOT BETWEEN $1 AND $2";
inline constexpr const char* kOpenJobs =
    "SELECT count(*), count(*) FILTER (WHERE author = $1) FROM job WHERE state IN ('queued', 'running')";
inline constexpr const char* kJobBytes =
    "SELECT CAST(coalesce(sum(length(request) + coalesce(length(answer), 0)), 0) AS bigint) FROM job";
inline constexpr const char* kInsertJob = R"(
    INSERT INTO job (state, author, question, sequence, created_at, request)
    VALUES ('queued', $1, $2, (SELECT coalesce(max(sequence), 0) FROM change), $3, $4) RETURNING job{})";
inline constexpr const char* kKeptJobs = "(ended_at IS NULL OR ended_at BETWEEN $1 AND $2)";
inline constexpr const char* kMayBegin = "state IN ('queued', 'running') AND (state = 'queued' OR {})";
inline constexpr const char* kNextJob = R"(
    ORDER BY state = 'queued',
             coalesce((SELECT max(begun.started_at) FROM job AS begun WHERE begun.author = job.author), 0), job
    LIMIT 1)";
inline constexpr const char* kBeginJob = "UPDATE job SET state = 'running', started_at = $1, starts = starts + 1 WHERE job = $2";
inline constexpr const char* kPutBack = R"(
    UPDATE job SET state = 'queued', started_at = NULL, starts = starts - 1{} WHERE job = $1 AND state = 'running'{})";
inline constexpr const char* kEndJob =
    "UPDATE job SET state = $1, ended_at = $2, answer = $3{} WHERE job = $4 AND state IN ('queued', 'running'){}";

[[nodiscard]] inline std::string jobs_where(std::string_view body, std::string_view where) {
    return fmt::format("SELECT {}, {} FROM job WHERE {}", kJobColumns, body, where);
}
template <class Connection> [[nodiscard]] std::string may_begin(std::span<const std::int64_t> at_hand) {
    const std::string others =
        at_hand.empty()
            ? ""
            : fmt::format(" AND author NOT IN (SELECT h.author FROM job AS h WHERE h.job IN ({}))", fmt::join(at_hand, ", "));
    return fmt::format(kMayBegin, Dialect<Connection>::kIsFree) + others;
}

template <class Rows> [[nodiscard]] std::string unpacked_or_empty(const Rows& rows) {
    return rows.is_null(kBodyOfJob) ? "" : unpack(rows.bytes(kBodyOfJob));
}

/// Queues a job, and forgets those that ended more than a day ago. Nothing where the limits are reached.
template <class Connection>
[[nodiscard]] std::optional<std::int64_t> insert_job(Connection& connection, const Author& author, const NewJob& job,
                                                     const JobLimits& limits, std::int64_t now) {
    static const std::string statement = fmt::format(kInsertJob, Dialect<Connection>::kNotice);
    const std::string packed = pack(job.request);
    lock_jobs(connection);
    connection.post(kForgetJobs, now - kJobLifetime, now + kJobLifetime);
    {
        RowsOf<Connection> open(connection, kOpenJobs, author.name);
        if (!open.next() || open.integer(0) >= limits.open || open.integer(1) >= limits.open_of_author) {
            return std::nullopt;
        }
    }
    if (connection.number(kJobBytes) + static_cast<std::int64_t>(packed.size()) > limits.bytes) {
        return std::nullopt;
    }
    const std::int64_t id = connection.number(statement, author.name, job.question, now, Bytes{packed});
    note_done(connection, author, fmt::format("job {}", id), now);
    return id;
}

/// With its answer, without its request. Nothing of one that ended more than a day ago.
template <class Connection> [[nodiscard]] std::optional<Job> find_job(Connection& connection, std::int64_t job, std::int64_t now) {
    RowsOf<Connection> rows(connection, jobs_where("answer", std::string(kKeptJobs) + " AND job = $3"), now - kJobLifetime,
                            now + kJobLifetime, job);
    if (!rows.next()) {
        return std::nullopt;
    }
    Job found = read_job(rows);
    found.answer = unpacked_or_empty(rows);
    return found;
}

/// An author's, or everybody's where that is "": newest first, below `before` (0: from the newest), without requests and answers.
template <class Connection>
[[nodiscard]] std::vector<Job> find_jobs(Connection& connection, std::string_view author, std::int64_t before, std::size_t limit,
                                         std::int64_t now) {
    return read_all(RowsOf<Connection>(
                        connection,
                        jobs_where("NULL", std::string(kKeptJobs) +
                                               " AND ($3 = '' OR author = $3) AND ($4 = 0 OR job < $4) ORDER BY job DESC LIMIT $5"),
                        now - kJobLifetime, now + kJobLifetime, author, before, limit),
                    read_job<RowsOf<Connection>>);
}

/// Whether there is one that a holder may begin who has those at hand.
template <class Connection>
[[nodiscard]] bool has_open_job(Connection& connection, std::string_view holder, std::span<const std::int64_t> at_hand) {
    return RowsOf<Connection>(connection, "SELECT 1 FROM job WHERE " + may_begin<Connection>(at_hand) + " LIMIT 1", holder).next();
}

/// The next that is queued, or was begun by this holder or one whose lease is over, begun (again) with a lease, with its request.
/// Authors take turns: it is the oldest of the author whose last one began the longest ago.
/// None of an author of those at hand. Two that begin one at once get different ones.
template <class Connection>
[[nodiscard]] std::optional<Job> take_job(Connection& connection, std::string_view holder, std::span<const std::int64_t> at_hand,
                                          std::int64_t now) {
    std::optional<Job> job;
    {
        RowsOf<Connection> rows(
            connection, jobs_where("request", may_begin<Connection>(at_hand) + kNextJob + Dialect<Connection>::skip_locked("job")),
            holder);
        if (!rows.next()) {
            return std::nullopt;
        }
        job = read_job(rows);
        job->request = unpacked_or_empty(rows);
    }
    connection.post(kBeginJob, now, job->id);
    lease_row(connection, "job", "job", job->id, holder);
    job->state = JobState::running;
    ++job->starts;
    return job;
}

/// A running one is queued again, as if it had not been begun.
template <class Connection> void put_job_back(Connection& connection, std::int64_t job) {
    using D = Dialect<Connection>;
    connection.post(fmt::format(kPutBack, D::kEndLease, D::kReturnNotice), job);
}

/// False where it has ended already.
template <class Connection>
[[nodiscard]] bool end_job(Connection& connection, std::int64_t job, JobState state, std::string_view answer, std::int64_t now) {
    using D = Dialect<Connection>;
    const std::string packed = answer.empty() ? "" : pack(answer);
    const auto bytes = answer.empty() ? std::nullopt : std::optional(Bytes{packed});
    return RowsOf<Connection>(connection, fmt::format(kEndJob, D::kEndLease, D::kReturnNotice), name_of(state), now, bytes, job)
               .affected() > 0;
}

} // namespace costcurve::storage::sql
