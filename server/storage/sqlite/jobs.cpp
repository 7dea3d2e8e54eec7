// Reads and writes the table job.
#include "server/storage/sqlite/jobs.hpp"

#include <fmt/format.h>

#include "server/storage/rows.hpp"
#include "server/storage/run.hpp"
#include "server/storage/stored_names.hpp"

namespace costcurve::storage::sqlite {

namespace {

// Those of a day to come ended under a clock that was wrong.
constexpr const char* kForgetJobs = "DELETE FROM job WHERE ended_at NOT BETWEEN ? AND ?";
constexpr const char* kOpenJobs =
    "SELECT count(*), count(*) FILTER (WHERE author = ?) FROM job WHERE state IN ('queued', 'running')";
constexpr const char* kJobBytes = "SELECT coalesce(sum(length(request) + coalesce(length(answer), 0)), 0) FROM job";
constexpr const char* kInsertJob = R"(
    INSERT INTO job (state, author, question, sequence, created_at, request)
    VALUES ('queued', ?, ?, (SELECT coalesce(max(sequence), 0) FROM change), ?, CAST(? AS BLOB)))";
constexpr const char* kKept = "(ended_at IS NULL OR ended_at BETWEEN ? AND ?)";
constexpr const char* kOldestOpen = "state IN ('queued', 'running') ORDER BY job LIMIT 1";
constexpr const char* kHasOpen = "SELECT 1 FROM job WHERE state IN ('queued', 'running') LIMIT 1";
constexpr const char* kBeginJob = "UPDATE job SET state = 'running', started_at = ?, starts = starts + 1 WHERE job = ?";
constexpr const char* kPutBack = R"(
    UPDATE job SET state = 'queued', started_at = NULL, starts = starts - 1 WHERE job = ? AND state = 'running')";
constexpr const char* kEndJob = R"(
    UPDATE job SET state = ?, ended_at = ?, answer = CAST(? AS BLOB) WHERE job = ? AND state IN ('queued', 'running'))";

std::string jobs_where(std::string_view body, std::string_view where) {
    return fmt::format("SELECT {}, {} FROM job WHERE {}", kJobColumns, body, where);
}

std::string unpacked_or_empty(const Rows& rows) { return rows.is_null(kBodyOfJob) ? "" : unpack(rows.text(kBodyOfJob)); }

bool has_room(Database& database, std::string_view author, std::size_t bytes, const JobLimits& limits) {
    Rows open(database, kOpenJobs, author);
    return open.next() && open.integer(0) < limits.open && open.integer(1) < limits.open_of_author &&
           database.number(kJobBytes) + static_cast<std::int64_t>(bytes) <= limits.bytes;
}

} // namespace

std::optional<std::int64_t> insert_job(Database& database, std::string_view author, const NewJob& job, const JobLimits& limits,
                                       std::int64_t now) {
    Rows(database, kForgetJobs, now - kJobLifetime, now + kJobLifetime).run();
    const std::string packed = pack(job.request);
    if (!has_room(database, author, packed.size(), limits)) {
        return std::nullopt;
    }
    Rows(database, kInsertJob, author, job.question, now, packed).run();
    return database.last_row();
}

std::optional<Job> find_job(Database& database, std::int64_t job, std::int64_t now) {
    Rows rows(database, jobs_where("answer", std::string(kKept) + " AND job = ?"), now - kJobLifetime, now + kJobLifetime, job);
    if (!rows.next()) {
        return std::nullopt;
    }
    Job found = read_job(rows);
    found.answer = unpacked_or_empty(rows);
    return found;
}

std::vector<Job> find_jobs(Database& database, std::string_view author, std::int64_t before, std::size_t limit, std::int64_t now) {
    std::vector<Job> jobs;
    Rows rows(database,
              jobs_where("NULL", std::string(kKept) + " AND author = ?3 AND (?4 = 0 OR job < ?4) ORDER BY job DESC LIMIT ?5"),
              now - kJobLifetime, now + kJobLifetime, author, before, limit);
    while (rows.next()) {
        jobs.push_back(read_job(rows));
    }
    return jobs;
}

bool has_open_job(Database& database) { return Rows(database, kHasOpen).next(); }

std::optional<Job> begin_job(Database& database, std::int64_t now) {
    std::optional<Job> job;
    {
        Rows rows(database, jobs_where("request", kOldestOpen));
        if (!rows.next()) {
            return std::nullopt;
        }
        job = read_job(rows);
        job->request = unpacked_or_empty(rows);
    }
    Rows(database, kBeginJob, now, job->id).run();
    job->state = JobState::running;
    ++job->starts;
    return job;
}

void put_job_back(Database& database, std::int64_t job) { Rows(database, kPutBack, job).run(); }

bool end_job(Database& database, std::int64_t job, JobState state, std::string_view answer, std::int64_t now) {
    Rows(database, kEndJob, name_of(state), now, answer.empty() ? std::nullopt : std::optional(pack(answer)), job).run();
    return database.changed() > 0;
}

} // namespace costcurve::storage::sqlite
