// Interfaces of the store, one per role; each caller gets only the roles that it uses. All calls are thread-safe; every write is
// one transaction, on disk before the call returns. Failures of disk, locks or foreign files throw StoreError.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/storage/access.hpp"
#include "server/storage/audit.hpp"
#include "server/storage/error.hpp"
#include "server/storage/event.hpp"
#include "server/storage/feed.hpp"
#include "server/storage/job.hpp"
#include "server/storage/measurement.hpp"
#include "server/storage/record.hpp"
#include "server/storage/run.hpp"
#include "server/storage/save_outcome.hpp"
#include "server/storage/snapshot.hpp"
#include "server/storage/standing.hpp"

namespace costcurve::storage {

/// Documents as they were at any time, and their changes.
class DocumentStore {
public:
    /// A snapshot of now, or as of `as_of`: "@" and the number of a change, or an RFC 3339 time with a zone, which means the last
    /// change recorded up to then. The caller has checked the form. Throws StoreError (no_such_change) if the number is beyond the
    /// last change.
    [[nodiscard]] virtual std::unique_ptr<Snapshot> snapshot(std::optional<std::string> as_of = std::nullopt) const = 0;
    /// Saves a document as its next revision. Unchanged content returns the current revision.
    [[nodiscard]] virtual SaveOutcome save(const Author& author, const Record& record, const Condition& condition = {}) = 0;
    /// Saves many in one transaction, in any order: they may refer to one another. All or nothing.
    [[nodiscard]] virtual std::variant<std::vector<Saved>, MissingReferences>
    save_all(const Author& author, std::span<const Record> records, const SaveOptions& options = {}) = 0;
    /// Deletes a document that no other refers to; its next revision marks the deletion.
    [[nodiscard]] virtual RemoveOutcome remove(const Author& author, const DocumentKey& key, const Condition& condition = {}) = 0;
    /// Adds an audit row for an action that changes no documents, keys or bills.
    virtual void record_action(const Author& author, std::string_view action, std::string_view subject) = 0;
    /// The number of the last change of documents, keys or bills: the same number means the same content of them. Cheap, no lock.
    [[nodiscard]] virtual std::int64_t sequence() const = 0;
    /// The time by the store's clock, in microseconds since 1970.
    [[nodiscard]] virtual std::int64_t now() const = 0;

protected:
    ~DocumentStore() = default;
};

/// API keys, and what was answered under an Idempotency-Key.
class Keys {
public:
    /// Adds a key by the SHA-256 of its secret, valid for a number of days or forever. False if the name is taken.
    [[nodiscard]] virtual bool add_key(const Author& author, const ApiKey& key, std::string_view hash,
                                       std::optional<std::int64_t> days = std::nullopt) = 0;
    /// Gives a valid key a new secret. Returns the updated key; nothing if no valid key has the name.
    [[nodiscard]] virtual std::optional<ApiKey> rotate_key(const Author& author, std::string_view name, std::string_view hash,
                                                           const KeyRotation& rotation) = 0;
    /// Revokes a key. False if no valid key has the name.
    [[nodiscard]] virtual bool revoke_key(const Author& author, std::string_view name) = 0;
    [[nodiscard]] virtual std::vector<ApiKey> keys() const = 0;
    /// The key of a secret's hash if it is neither revoked nor expired.
    [[nodiscard]] virtual std::optional<ApiKey> find_key(std::string_view hash) const = 0;
    /// Whether the hash belongs to an expired secret of a key that isn't revoked.
    [[nodiscard]] virtual bool has_expired(std::string_view hash) const = 0;
    /// Stores an answer unless the key has one already; deletes answers older than a day.
    virtual void keep_answer(const Author& author, std::string_view idempotency_key, const StoredAnswer& answer) = 0;
    [[nodiscard]] virtual std::optional<StoredAnswer> kept_answer(std::string_view author_name,
                                                                  std::string_view idempotency_key) const = 0;
    /// Claims an Idempotency-Key for a request about to be handled, against all daemons of the store, until `keep_answer`,
    /// `release_answer` or the end of this daemon. Returns the stored answer instead if there is one. If the request wrote
    /// something but its answer was never stored, returns an answer of status kClaimed whose body describes the write, such as
    /// "change @12". Claims nothing if the limit of stored answers is reached.
    [[nodiscard]] virtual AnswerClaim claim_answer(std::string_view author_name, std::string_view idempotency_key,
                                                   std::string_view request_hash) = 0;
    /// Releases a claim, if there is one, so that the next request is handled anew.
    virtual void release_answer(std::string_view author_name, std::string_view idempotency_key) = 0;

protected:
    ~Keys() = default;
};

/// Samples of sensors and counters; hourly sums are kept permanently.
class Telemetry {
public:
    /// Adds samples and deletes expired ones. The audit gets one row per author, address and hour, because a row per scrape would
    /// outgrow the samples.
    [[nodiscard]] virtual AddedSamples add_samples(const Author& author, const SampleBatch& batch) = 0;
    /// The period in which samples are accepted now.
    [[nodiscard]] virtual TelemetryWindow telemetry_window() const = 0;
    /// A page of hours.
    [[nodiscard]] virtual HourPage hours(const HourQuery& query) const = 0;
    /// Visits samples of sensors and readings of counters. Holds a read connection meanwhile.
    virtual void visit_samples(const SampleQuery& query, const SampleVisitor& visit) const = 0;

protected:
    ~Telemetry() = default;
};

/// Lines of bills.
class Bills {
public:
    /// Stores bill lines; each replaces the stored line of the same day, provider, account, region, SKU, purchase, device and
    /// currency. `source`, which may be "", precedes the number of lines in the audit.
    [[nodiscard]] virtual BillOutcome save_bill(const Author& author, std::span<const BillLine> lines, bool dry_run = false,
                                                std::string_view source = "") = 0;
    [[nodiscard]] virtual std::vector<BillTotal> bill(const BillQuery& query) const = 0;
    /// Visits the lines of all categories in [from_day, to_day), summed over days, in order of first import. Holds a read
    /// connection meanwhile.
    virtual void visit_bill(std::int64_t from_day, std::int64_t to_day, const BillVisitor& visit) const = 0;

protected:
    ~Bills() = default;
};

/// Events, and their deliveries to webhooks.
class Outbox {
public:
    /// Records an event, its deliveries to webhooks and an audit row; returns the event's id.
    virtual std::int64_t record_event(const Author& author, std::string_view action, const NewEvent& event) = 0;
    /// Newest first.
    [[nodiscard]] virtual std::vector<Event> events(const EventQuery& query) const = 0;
    [[nodiscard]] virtual std::vector<Delivery> deliveries(const DeliveryQuery& query) const = 0;
    /// Whether a webhook has a secret to sign with. Only due deliveries carry the secret itself.
    [[nodiscard]] virtual bool has_secret(std::string_view webhook) const = 0;
    /// Leases due deliveries, at most one per webhook across all daemons. A delivery leased by another daemon is skipped until its
    /// `save_attempt` or the lease's end; deliveries leased by this daemon are returned again.
    [[nodiscard]] virtual std::vector<DueDelivery> take_deliveries(std::size_t limit, std::chrono::seconds lease) = 0;
    /// When the next delivery that this daemon may take is due, in microseconds since 1970.
    [[nodiscard]] virtual std::optional<std::int64_t> next_delivery() const = 0;
    virtual void save_attempt(const DeliveryAttempt& attempt) = 0;
    /// Makes a delivery due now with its attempts reset, unless it was delivered or its webhook is deleted or disabled. Returns the
    /// delivery as it was before; nothing if the id is unknown.
    [[nodiscard]] virtual std::optional<RetriedDelivery> retry_delivery(const Author& author, std::string_view id) = 0;

protected:
    ~Outbox() = default;
};

/// Scenarios of a run reserved for one worker for the lifetime of this object. Without `finish` they become open again. With
/// PostgreSQL this is an open transaction: keep it for about a second at most. For one thread at a time; must not outlive the
/// store.
class Share {
public:
    virtual ~Share() = default;
    /// Ascending by document.
    [[nodiscard]] virtual std::span<const RunItem> items() const = 0;
    /// Stores outcomes and results in one transaction, each scenario of a run once. Call it once. False if the run has ended:
    /// nothing is then stored.
    [[nodiscard]] virtual bool finish(std::span<const RunOutcome> outcomes) = 0;
};

/// Recalculations and their results.
class Runs {
public:
    /// Time up to which the ticks of a schedule or feed are done, in microseconds since 1970: the time its last run was queued.
    /// Nothing if there was none.
    [[nodiscard]] virtual std::optional<std::int64_t> ticked(const DocumentKey& key) const = 0;
    /// Queues a recalculation as of now and returns its number, or the ids of missing scenarios. The same transaction marks the
    /// schedule's ticks as done and adds the audit row.
    [[nodiscard]] virtual std::variant<std::int64_t, std::vector<std::string>> begin_run(const Author& author,
                                                                                         const RunRequest& request) = 0;
    /// Queues the run of a tick of the request's schedule (microseconds since 1970). Nothing if the tick is done already, perhaps
    /// by another daemon. Throws StoreError (unreadable) if a scenario is missing.
    [[nodiscard]] virtual std::optional<std::int64_t> begin_tick(const Author& author, const RunRequest& request,
                                                                 std::int64_t tick) = 0;
    [[nodiscard]] virtual std::optional<Run> run(std::int64_t id) const = 0;
    /// Newest first, below `before` (0: from the newest).
    [[nodiscard]] virtual std::vector<Run> runs(std::int64_t before, std::size_t limit) const = 0;
    /// The oldest queued or running run of each author, oldest first.
    [[nodiscard]] virtual std::vector<Run> runs_to_do() const = 0;
    /// Reserves open scenarios that no other worker has. An empty share means that all are done or reserved.
    [[nodiscard]] virtual std::unique_ptr<Share> take_items(std::int64_t run, std::string_view model_version,
                                                            std::size_t limit) = 0;
    /// Starts a run, ends it as done, or cancels it. An end is stored together with what `on_completed` records, in one
    /// transaction. False, and nothing recorded, if the run is already in that state or later, or if it still has open scenarios
    /// and should end as done.
    virtual bool set_run_state(std::int64_t run, RunState state, std::string_view model_version = "",
                               const OnRunCompleted& on_completed = {}) = 0;
    [[nodiscard]] virtual std::vector<RunFailure> run_failures(std::int64_t run, std::size_t limit) const = 0;
    /// Standings of a comparison after runs, newest first, below number `before` (0: from the newest); nothing if the comparison
    /// never existed.
    [[nodiscard]] virtual std::optional<std::vector<Standing>> standings(std::string_view comparison, std::int64_t before,
                                                                         std::size_t limit) const = 0;
    /// Results of a scenario, newest first, below number `before` (0: from the newest); nothing if the scenario never existed.
    [[nodiscard]] virtual std::optional<std::vector<StoredResult>> results(std::string_view scenario, std::int64_t before,
                                                                           std::size_t limit) const = 0;
    /// A result's JSON.
    [[nodiscard]] virtual std::string result_body(const StoredResult& result) const = 0;

protected:
    ~Runs() = default;
};

/// Jobs: requests that are answered later.
class Jobs {
public:
    /// Queues a job. Nothing if a limit of open jobs or stored bytes is reached.
    [[nodiscard]] virtual std::optional<std::int64_t> queue_job(const Author& author, const NewJob& job) = 0;
    /// A job with its answer, without its request. Nothing if it ended more than a day ago.
    [[nodiscard]] virtual std::optional<Job> job(std::int64_t id) const = 0;
    /// An author's jobs, newest first, below `before` (0: from the newest), without requests and answers.
    [[nodiscard]] virtual std::vector<Job> jobs(std::string_view author_name, std::int64_t before, std::size_t limit) const = 0;
    /// Starts the next job and returns it with its request. Candidates are queued, left by a daemon that ended, or this daemon's
    /// own, and their author has no job among `at_hand`. Jobs that had started before come first. Authors take turns: the author
    /// whose last job started longest ago is next, with the oldest job. No other daemon starts the job while this daemon lives.
    [[nodiscard]] virtual std::optional<Job> begin_job(std::span<const std::int64_t> at_hand = {}) = 0;
    /// Requeues a running job as if it had not been started.
    virtual void put_job_back(std::int64_t id) = 0;
    /// Ends a job as done, failed or cancelled. False if it has already ended.
    virtual bool end_job(std::int64_t id, JobState state, std::string_view answer = "") = 0;

protected:
    ~Jobs() = default;
};

/// Runs of feeds and imports.
class Feeds {
public:
    /// Queues a run of a feed, unless one is in progress or its tick is done; nothing if the feed doesn't exist. With a tick, the
    /// same transaction marks the ticks of its cron up to now as done.
    [[nodiscard]] virtual std::optional<FeedBegun> begin_feed(const Author& author, const FeedRequest& request) = 0;
    /// Starts the oldest open run that is not among `under_way`, or run `only` if it is open, and counts the start. No other daemon
    /// takes the run while this daemon lives.
    [[nodiscard]] virtual std::optional<FeedRun> start_feed(std::int64_t only = 0,
                                                            std::span<const std::int64_t> under_way = {}) = 0;
    /// Records the end of a run without documents, its events and the following recalculation, in one transaction; `save_all`
    /// records the end of a run with documents. If `end.from` isn't running, the run's held documents are rejected, with an audit
    /// row. Does nothing if `end.from` is running but the run no longer is. Throws RunConflict, as `save_all` does, if the
    /// run's state, its number of held documents or the number of other undone runs isn't what `end` expects.
    virtual void end_feed(const Author& author, const FeedEnd& end) = 0;
    /// Runs of a feed, newest first, below `before` (0: from the newest); nothing if the feed never existed.
    [[nodiscard]] virtual std::optional<std::vector<FeedRun>> feed_runs(std::string_view feed, std::int64_t before,
                                                                        std::size_t limit) const = 0;
    [[nodiscard]] virtual std::optional<FeedRun> feed_run(std::int64_t run) const = 0;
    /// Runs of imports, newest first, below `before` (0: from the newest).
    [[nodiscard]] virtual std::vector<FeedRun> import_runs(std::int64_t before, std::size_t limit) const = 0;
    /// Undone runs of feeds and imports, ascending.
    [[nodiscard]] virtual std::vector<FeedRun> undone_runs() const = 0;
    /// The last run that landed, held or rejected a file of these bytes (SHA-256, hexadecimal) from this origin.
    [[nodiscard]] virtual std::optional<FeedRun> feed_run_of_file(std::string_view feed, std::string_view origin,
                                                                  std::string_view hash) const = 0;
    /// Documents that a run holds for review; "" if none.
    [[nodiscard]] virtual std::string held_documents(std::int64_t run) const = 0;
    /// Data restated by a run that was already stored; "" if none.
    [[nodiscard]] virtual std::string restated(std::int64_t run) const = 0;
    /// Runs after run `after` that have restated data and aren't undone, ascending.
    [[nodiscard]] virtual std::vector<std::int64_t> restating_runs(std::int64_t after) const = 0;
    /// The last run of a feed that landed or found its file unchanged.
    [[nodiscard]] virtual std::optional<FeedRun> last_good_feed_run(std::string_view feed) const = 0;
    /// The secret that a feed sends with its requests; "" if none.
    [[nodiscard]] virtual std::string feed_secret(std::string_view feed) const = 0;

protected:
    ~Feeds() = default;
};

} // namespace costcurve::storage
