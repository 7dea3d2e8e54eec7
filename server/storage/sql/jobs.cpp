// Reads and writes table job. `lock_jobs` of the engine serializes queueing, so that the limits hold.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "server/storage/job.hpp"
#include "server/storage/rows.hpp"
#include "server/storage/run.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sql/engine.hpp"
#include "server/storage/sql/store.hpp"
#include "server/storage/stored_names.hpp"

namespace costcurve::storage::sql {

namespace {

// Also deletes jobs whose end is in the future, written under a wrong clock.
constexpr const char* kForgetJobs = "DELETE FROM job WHERE ended_at NOT BETWEEN $1 AND $2";
constexpr const char* kOpenJobs =
    "SELECT count(*), count(*) FILTER (WHERE author = $1) FROM job WHERE state IN ('queued', 'running')";
constexpr const char* kJobBytes = "SELECT CAST(coalesce(sum(length(request) + coalesce(length(answer), 0)), 0) AS bigint) FROM job";
constexpr const char* kInsertJob = R"(
    INSERT INTO job (state, author, question, sequence, created_at, request)
    VALUES ('queued', $1, $2, (SELECT coalesce(max(sequence), 0) FROM change), $3, $4) RETURNING job{})";
constexpr const char* kKeptJobs = "(ended_at IS NULL OR ended_at BETWEEN $1 AND $2)";
constexpr const char* kMayBegin = "state IN ('queued', 'running') AND (state = 'queued' OR {})";
constexpr const char* kNextJob = R"(
    ORDER BY state = 'queued',
             coalesce((SELECT max(begun.started_at) FROM job AS begun WHERE begun.author = job.author), 0), job
    LIMIT 1)";
constexpr const char* kBeginJob = "UPDATE job SET state = 'running', started_at = $1, starts = starts + 1 WHERE job = $2";
constexpr const char* kPutBack = R"(
    UPDATE job SET state = 'queued', started_at = NULL, starts = starts - 1{} WHERE job = $1 AND state = 'running'{})";
constexpr const char* kEndJob =
    "UPDATE job SET state = $1, ended_at = $2, answer = $3{} WHERE job = $4 AND state IN ('queued', 'running'){}";

std::string jobs_where(std::string_view body, std::string_view where) {
    return fmt::format("SELECT {}, {} FROM job WHERE {}", kJobColumns, body, where);
}

std::string may_begin(Connection& connection, std::span<const std::int64_t> at_hand) {
    const std::string others =
        at_hand.empty()
            ? ""
            : fmt::format(" AND author NOT IN (SELECT h.author FROM job AS h WHERE h.job IN ({}))", fmt::join(at_hand, ", "));
    return fmt::format(kMayBegin, connection.engine().dialect().is_free) + others;
}

std::string unpacked_or_empty(const Row& row) { return row.is_null(kBodyOfJob) ? "" : unpack(row.bytes(kBodyOfJob)); }

// Queues a job, and deletes jobs that ended more than a day ago. Nothing if a limit is reached.
std::optional<std::int64_t> insert_job(Connection& connection, const Author& author, const NewJob& job, const JobLimits& limits,
                                       std::int64_t now) {
    const std::string statement = fmt::format(kInsertJob, connection.engine().dialect().notice);
    const std::string packed = pack(job.request);
    connection.engine().lock_jobs(connection);
    connection.post(kForgetJobs, now - kJobLifetime, now + kJobLifetime);
    {
        Rows open(connection, kOpenJobs, author.name);
        if (!open.next() || open->integer(0) >= limits.open || open->integer(1) >= limits.open_of_author) {
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

// A job with its answer, without its request. Nothing if it ended more than a day ago.
std::optional<Job> find_job(Connection& connection, std::int64_t job, std::int64_t now) {
    Rows rows(connection, jobs_where("answer", std::string(kKeptJobs) + " AND job = $3"), now - kJobLifetime, now + kJobLifetime,
              job);
    if (!rows.next()) {
        return std::nullopt;
    }
    Job found = read_job(*rows);
    found.answer = unpacked_or_empty(*rows);
    return found;
}

// Jobs of an author, or of all for "": newest first, below `before` (0: from the newest), without requests and answers.
std::vector<Job> find_jobs(Connection& connection, std::string_view author, std::int64_t before, std::size_t limit,
                           std::int64_t now) {
    return read_all(
        Rows(connection,
             jobs_where("NULL", std::string(kKeptJobs) +
                                    " AND ($3 = '' OR author = $3) AND ($4 = 0 OR job < $4) ORDER BY job DESC LIMIT $5"),
             now - kJobLifetime, now + kJobLifetime, author, before, limit),
        read_job);
}

// Whether there is a job that the holder may start while it runs the jobs `at_hand`.
bool has_open_job(Connection& connection, std::string_view holder, std::span<const std::int64_t> at_hand) {
    return connection.has_row("SELECT 1 FROM job WHERE " + may_begin(connection, at_hand) + " LIMIT 1", holder);
}

// Starts and leases the next job, and returns it with its request. Candidates are queued, or started by this holder or one whose
// lease is over, and their author has no job among `at_hand`. Jobs that had started before come first. Authors take turns: the
// author whose last job started longest ago is next, with the oldest job. Concurrent callers get different jobs.
std::optional<Job> take_job(Connection& connection, std::string_view holder, std::span<const std::int64_t> at_hand,
                            std::int64_t now) {
    std::optional<Job> job;
    {
        Rows rows(connection,
                  jobs_where("request",
                             may_begin(connection, at_hand) + kNextJob + locking(connection.engine().dialect().skip_locked, "job")),
                  holder);
        if (!rows.next()) {
            return std::nullopt;
        }
        job = read_job(*rows);
        job->request = unpacked_or_empty(*rows);
    }
    connection.post(kBeginJob, now, job->id);
    connection.engine().lease_row(connection, "job", "job", job->id, holder);
    job->state = JobState::running;
    ++job->starts;
    return job;
}

// Requeues a running job as if it had not been started.
void put_job_back(Connection& connection, std::int64_t job) {
    const Dialect& dialect = connection.engine().dialect();
    connection.post(fmt::format(kPutBack, dialect.end_lease, dialect.return_notice), job);
}

// Ends a job. False if it has already ended.
bool end_job(Connection& connection, std::int64_t job, JobState state, std::string_view answer, std::int64_t now) {
    const Dialect& dialect = connection.engine().dialect();
    const std::string packed = answer.empty() ? "" : pack(answer);
    const auto bytes = answer.empty() ? std::nullopt : std::optional(Bytes{packed});
    return connection.run(fmt::format(kEndJob, dialect.end_lease, dialect.return_notice), name_of(state), now, bytes, job) > 0;
}

} // namespace

std::optional<std::int64_t> SqlStore::queue_job(const Author& author, const NewJob& job) {
    return write_marked([&](Connection& connection, ChangeMark&) {
        const std::optional<std::int64_t> id = insert_job(connection, author, job, settings_.jobs, now());
        return Outcome<std::optional<std::int64_t>>{id, id.has_value()};
    });
}

std::optional<Job> SqlStore::job(std::int64_t id) const {
    return read(Reading::once, [&](Connection& connection) { return find_job(connection, id, now()); });
}

std::vector<Job> SqlStore::jobs(std::string_view author_name, std::int64_t before, std::size_t limit) const {
    return read(Reading::many, [&](Connection& connection) { return find_jobs(connection, author_name, before, limit, now()); });
}

std::optional<Job> SqlStore::begin_job(std::span<const std::int64_t> at_hand) {
    if (!read(Reading::once, [&](Connection& connection) { return has_open_job(connection, holder(), at_hand); })) {
        return std::nullopt;
    }
    return take([&](Connection& connection) { return take_job(connection, holder(), at_hand, now()); });
}

void SqlStore::put_job_back(std::int64_t id) {
    write([&](Connection& connection) { sql::put_job_back(connection, id); });
}

bool SqlStore::end_job(std::int64_t id, JobState state, std::string_view answer) {
    return write_marked([&](Connection& connection, ChangeMark&) {
        const bool has_ended = sql::end_job(connection, id, state, answer, now());
        return Outcome<bool>{has_ended, has_ended};
    });
}

} // namespace costcurve::storage::sql
