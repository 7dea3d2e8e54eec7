// Reads and writes the table job.
#include "server/storage/postgres/daemons/jobs.hpp"

#include <fmt/format.h>

#include "server/storage/postgres/daemons/lease.hpp"
#include "server/storage/rows.hpp"
#include "server/storage/run.hpp"
#include "server/storage/stored_names.hpp"

namespace costcurve::storage::postgres {

namespace {

// Those of a day to come ended under a clock that was wrong.
constexpr const char* kForgetJobs = "DELETE FROM job WHERE ended_at NOT BETWEEN $1 AND $2";
// Those who queue are let in one at a time: the limits hold.
constexpr const char* kLockJobs = "SELECT pg_advisory_xact_lock(1785684595, 0)"; // "jobs"
constexpr const char* kOpenJobs =
    "SELECT count(*), count(*) FILTER (WHERE author = $1) FROM job WHERE state IN ('queued', 'running')";
constexpr const char* kJobBytes = "SELECT coalesce(sum(length(request) + coalesce(length(answer), 0)), 0)::bigint FROM job";
constexpr const char* kInsertJob = R"(
    INSERT INTO job (state, author, question, sequence, created_at, request)
    VALUES ('queued', $1, $2, (SELECT coalesce(max(sequence), 0) FROM change), $3, $4)
    RETURNING job, pg_notify('costcurve', ''))";
constexpr const char* kKept = "(ended_at IS NULL OR ended_at BETWEEN $1 AND $2)";
constexpr const char* kMayBegin =
    "(state = 'queued' OR (state = 'running' AND (holder IS NULL OR holder = $1 OR lease_until <= {})))";
constexpr const char* kBeginJob = R"(
    UPDATE job SET state = 'running', started_at = $2, starts = starts + 1, holder = $3, lease_until = {} + $4 WHERE job = $1)";
constexpr const char* kPutBack = R"(
    UPDATE job SET state = 'queued', started_at = NULL, starts = starts - 1, holder = NULL, lease_until = NULL
    WHERE job = $1 AND state = 'running' RETURNING pg_notify('costcurve', ''))";
constexpr const char* kEndJob = R"(
    UPDATE job SET state = $1, ended_at = $2, answer = $3, holder = NULL, lease_until = NULL
    WHERE job = $4 AND state IN ('queued', 'running') RETURNING pg_notify('costcurve', ''))";

std::string jobs_where(std::string_view body, std::string_view where) {
    return fmt::format("SELECT {}, {} FROM job WHERE {}", kJobColumns, body, where);
}

std::string may_begin() { return fmt::format(kMayBegin, kDatabaseClock); }

std::string unpacked_or_empty(const Rows& rows) { return rows.is_null(kBodyOfJob) ? "" : unpack(rows.bytes(kBodyOfJob)); }

bool has_room(Connection& connection, std::string_view author, std::size_t bytes, const JobLimits& limits) {
    Rows open(connection, kOpenJobs, author);
    return open.next() && open.integer(0) < limits.open && open.integer(1) < limits.open_of_author &&
           connection.number(kJobBytes) + static_cast<std::int64_t>(bytes) <= limits.bytes;
}

} // namespace

std::optional<std::int64_t> insert_job(Connection& connection, std::string_view author, const NewJob& job, const JobLimits& limits,
                                       std::int64_t now) {
    const std::string packed = pack(job.request);
    Rows(connection, kLockJobs).run();
    Rows(connection, kForgetJobs, now - kJobLifetime, now + kJobLifetime).run();
    if (!has_room(connection, author, packed.size(), limits)) {
        return std::nullopt;
    }
    return connection.number(kInsertJob, author, job.question, now, Bytes{packed});
}

std::optional<Job> find_job(Connection& connection, std::int64_t job, std::int64_t now) {
    Rows rows(connection, jobs_where("answer", std::string(kKept) + " AND job = $3"), now - kJobLifetime, now + kJobLifetime, job);
    if (!rows.next()) {
        return std::nullopt;
    }
    Job found = read_job(rows);
    found.answer = unpacked_or_empty(rows);
    return found;
}

std::vector<Job> find_jobs(Connection& connection, std::string_view author, std::int64_t before, std::size_t limit,
                           std::int64_t now) {
    std::vector<Job> jobs;
    Rows rows(
        connection,
        jobs_where("NULL::bytea", std::string(kKept) + " AND author = $3 AND ($4 = 0 OR job < $4) ORDER BY job DESC LIMIT $5"),
        now - kJobLifetime, now + kJobLifetime, author, before, limit);
    while (rows.next()) {
        jobs.push_back(read_job(rows));
    }
    return jobs;
}

bool has_open_job(Connection& connection, std::string_view holder) {
    return Rows(connection, "SELECT 1 FROM job WHERE " + may_begin() + " LIMIT 1", holder).next();
}

std::optional<Job> begin_job(Connection& connection, std::string_view holder, std::int64_t now) {
    Rows rows(connection, jobs_where("request", may_begin() + " ORDER BY job LIMIT 1 FOR UPDATE SKIP LOCKED"), holder);
    if (!rows.next()) {
        return std::nullopt;
    }
    Job job = read_job(rows);
    job.request = unpacked_or_empty(rows);
    Rows(connection, fmt::format(kBeginJob, kDatabaseClock), job.id, now, holder, microseconds(kLease)).run();
    job.state = JobState::running;
    ++job.starts;
    return job;
}

void put_job_back(Connection& connection, std::int64_t job) { Rows(connection, kPutBack, job).run(); }

bool end_job(Connection& connection, std::int64_t job, JobState state, std::string_view answer, std::int64_t now) {
    const std::string packed = answer.empty() ? "" : pack(answer);
    const auto bytes = answer.empty() ? std::nullopt : std::optional(Bytes{packed});
    return Rows(connection, kEndJob, name_of(state), now, bytes, job).affected() > 0;
}

} // namespace costcurve::storage::postgres
