// The store: append-only revisions of documents in SQLite, as they were known at any time. One writer, several readers;
// what the world breaks (disk, lock, a foreign file) is thrown as StoreError. No formulas, no JSON.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "server/storage/event.hpp"
#include "server/storage/measurement.hpp"
#include "server/storage/record.hpp"
#include "server/storage/run.hpp"
#include "server/storage/standing.hpp"

namespace costcurve::storage {

/// Why the store can't do it. The text says what to do, for the operator; it may name paths and never reaches a client.
class StoreError : public std::runtime_error {
public:
    enum class Cause { busy, full, read_only, corrupt, foreign_file, newer_version, changed_migration, unavailable };
    StoreError(Cause cause, const std::string& what) : std::runtime_error(what), cause_(cause) {}
    [[nodiscard]] Cause cause() const { return cause_; }

private:
    Cause cause_;
};

struct StoreSettings {
    std::string path = "costcurve.db";
    int busy_timeout_ms = 5000;
    std::size_t readers = 4;                  ///< connections that read at the same time; who comes later waits
    std::int64_t max_database_mb = 0;         ///< 0 is no limit; at it writes fail as on a full disk
    std::int64_t telemetry_days = 7;          ///< how long raw samples are kept; their hours are kept for good
    std::function<std::int64_t()> clock = {}; ///< microseconds since 1970, from any thread; empty: the system's
};

/// Who writes, and on which request: kept with every change.
struct Author {
    std::string name;       ///< the API key's name; "local" without one, "cli" from the command line
    std::string request_id; ///< "" from the command line
};

/// What must hold of the stored document for a write to be done (HTTP's If-Match and If-None-Match: *).
struct Condition {
    enum class Kind { none, absent, present, revision } kind = Kind::none;
    std::int64_t revision = 0;
};

struct Saved {
    std::int64_t revision = 0;
    std::string recorded_at;
    std::string recorded_by;
    enum class What { added, changed, unchanged } what = What::added; ///< unchanged: the same content, no new revision
};
struct Removed {
    std::int64_t revision = 0;
};
struct NotFound {};
struct ConditionFailed {
    std::int64_t current = 0; ///< 0 where there is no document
};
struct MissingReferences {
    std::vector<DocumentKey> missing;
};
struct InUse {
    std::vector<DocumentKey> users; ///< at most 100
    std::int64_t count = 0;         ///< of all
};
using SaveOutcome = std::variant<Saved, ConditionFailed, MissingReferences>;
using RemoveOutcome = std::variant<Removed, NotFound, ConditionFailed, InUse>;

struct ListQuery {
    Kind kind = Kind::curve;
    std::size_t limit = 100;
    std::string after;                              ///< the id that the page before ended with; "" for the first
    std::string text;                               ///< contained in id or title, case ignored (ASCII); "" for all
    std::string provider, region, device, purchase; ///< of offers; "" for all
    std::optional<double> max_hourly_price;         ///< of offers
    std::size_t most_bytes = 4U << 20U;             ///< the page ends early where its documents grow larger than this
};
struct Page {
    std::vector<Revision> items; ///< ascending by id
    bool more = false;
};

/// One write, as the audit keeps it.
struct AuditEntry {
    std::int64_t sequence = 0; ///< counts from 1
    std::string recorded_at;
    std::string author;
    std::string request_id;
    std::string action;  ///< save, save_all, remove, add_key, revoke_key, save_bill
    std::string subject; ///< "offer/x" of a document, its name of a key, how many of save_all and save_bill
};

/// What to store where a document is there already, made of what is stored and what is given; of the same key. Runs inside of the
/// write.
using Merge = std::function<Record(const Record& stored, const Record& given)>;

/// How many are saved.
struct SaveOptions {
    Merge merge = {};     ///< without one, what is given replaces what is stored
    bool dry_run = false; ///< says what would be, and leaves everything as it is
    /// Called as they go, with how many are done; may be empty.
    std::function<void(std::size_t done)> progress = {};
};

/// The store as it was known at one moment: every read of it sees the same. Holds one of the readers: keep it for one request,
/// and take no second one meanwhile. One thread at a time; gone before the store.
class Snapshot {
public:
    Snapshot(Snapshot&&) noexcept;
    Snapshot& operator=(Snapshot&&) noexcept;
    ~Snapshot();

    /// When the last change that it sees was recorded; "" where there is none. The same text as `as_of` gives this snapshot
    /// again, for ever.
    [[nodiscard]] const std::string& as_of() const;
    /// The document; nothing where there is none or it is deleted.
    [[nodiscard]] std::optional<Revision> load(const DocumentKey& key) const;
    [[nodiscard]] Page list(const ListQuery& query) const;
    /// The history of a document, newest first, below revision `before` (0: from the newest), deletions too, without
    /// bodies and points.
    [[nodiscard]] std::vector<Revision> history(const DocumentKey& key, std::int64_t before, std::size_t limit) const;
    /// The last point at or before x of a document's curve, by index; nothing where there is none.
    [[nodiscard]] std::optional<double> value_at(const DocumentKey& key, std::string_view pointer, double x) const;
    /// Visits all documents, by kind and id.
    void for_each(const std::function<void(const Revision&)>& visit) const;
    /// The writes, newest first, below sequence `before` (0: from the newest).
    [[nodiscard]] std::vector<AuditEntry> audit(std::int64_t before, std::size_t limit) const;

private:
    friend class Store;
    struct Impl;
    explicit Snapshot(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

enum class Role { viewer, editor, admin };
inline constexpr auto role_names = std::to_array<std::string_view>({"viewer", "editor", "admin"});
[[nodiscard]] constexpr std::string_view name_of(Role role) { return role_names[static_cast<std::size_t>(role)]; }

struct ApiKey {
    std::string name; ///< unique, also among revoked ones
    Role role = Role::viewer;
    std::string created_at;
    std::string revoked_at; ///< "" while it is good
};

/// An answer that was given under an Idempotency-Key.
struct StoredAnswer {
    std::string request_hash; ///< of method, path and body
    int status = 0;
    std::string content_type;
    std::string body;
    std::string location; ///< the header; "" for none
};

struct StoreCounts {
    std::vector<std::int64_t> documents; ///< not deleted, by Kind
    std::int64_t revisions = 0;
    std::int64_t points = 0;
    std::int64_t bytes = 0; ///< of the database file
};

/// Thread-safe. Every write is one transaction, on disk (synchronous FULL) before it returns.
class Store {
public:
    /// Opens or creates the file and brings it to this version's schema: each migration in a transaction with its version
    /// and hash, after a copy of a file that has content. Throws StoreError: a foreign or damaged file, a newer version, a
    /// migration that is not the one that was applied, a lock, a disk.
    explicit Store(StoreSettings settings);
    ~Store();
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    /// The store now, or as it was known at `as_of` (RFC 3339 with a zone; the caller has checked its form).
    [[nodiscard]] Snapshot snapshot(std::optional<std::string> as_of = std::nullopt) const;

    /// Saves a document as its next revision. The same content gives the same revision again.
    [[nodiscard]] SaveOutcome save(const Author& author, const Record& record, const Condition& condition = {});
    /// Saves many in one transaction, in any order: they may refer to one another. All or nothing.
    [[nodiscard]] std::variant<std::vector<Saved>, MissingReferences>
    save_all(const Author& author, std::span<const Record> records, const SaveOptions& options = {});
    /// Deletes a document that none refers to: its next revision says so.
    [[nodiscard]] RemoveOutcome remove(const Author& author, const DocumentKey& key, const Condition& condition = {});

    /// Adds a key by the SHA-256 of its secret. False where the name is taken.
    [[nodiscard]] bool add_key(const Author& author, const ApiKey& key, std::string_view hash);
    /// False where no good key has the name.
    [[nodiscard]] bool revoke_key(const Author& author, std::string_view name);
    [[nodiscard]] std::vector<ApiKey> keys() const;
    /// The good key of a hash.
    [[nodiscard]] std::optional<ApiKey> find_key(std::string_view hash) const;

    /// Keeps an answer; those older than a day are forgotten. The first one under a key stays.
    void keep_answer(const Author& author, std::string_view idempotency_key, const StoredAnswer& answer);
    [[nodiscard]] std::optional<StoredAnswer> kept_answer(std::string_view author_name, std::string_view idempotency_key) const;

    /// Adds samples of sensors and counters, and deletes those that are too old. Not in the audit, nor a change of `sequence`: a
    /// row a scrape would soon be more than the samples are worth.
    [[nodiscard]] AddedSamples add_samples(const SampleBatch& batch);
    /// The times of samples that it takes now.
    [[nodiscard]] TelemetryWindow telemetry_window() const;
    /// A page of hours.
    [[nodiscard]] HourPage hours(const HourQuery& query) const;
    /// Visits samples of sensors. Holds a reader meanwhile.
    void visit_samples(const SampleQuery& query, const SampleVisitor& visit) const;

    /// Stores the lines of a bill, in place of those of the same day, provider, region, sku, purchase, device and currency.
    [[nodiscard]] BillOutcome save_bill(const Author& author, std::span<const BillLine> lines, bool dry_run = false);
    [[nodiscard]] std::vector<BillTotal> bill(const BillQuery& query) const;

    /// Records an event and its deliveries to webhooks, and gives its id. In the audit stands what it is about, not the event.
    std::int64_t record_event(const NewEvent& event);
    /// Newest first.
    [[nodiscard]] std::vector<Event> events(const EventQuery& query) const;
    [[nodiscard]] std::vector<Delivery> deliveries(const DeliveryQuery& query) const;
    /// Whether a webhook has something to sign with; the secret itself is given to due deliveries only.
    [[nodiscard]] bool has_secret(std::string_view webhook) const;
    /// Deliveries whose time has come: at most one a webhook.
    [[nodiscard]] std::vector<DueDelivery> due_deliveries(std::size_t limit) const;
    /// When the next one is due, in microseconds since 1970.
    [[nodiscard]] std::optional<std::int64_t> next_delivery() const;
    void save_attempt(const DeliveryAttempt& attempt);

    /// Up to when the ticks of a schedule are done: its last run was queued then, in microseconds since 1970. Nothing without one.
    [[nodiscard]] std::optional<std::int64_t> ticked(std::string_view schedule) const;

    /// The time by the store's clock, in microseconds since 1970.
    [[nodiscard]] std::int64_t now() const;

    /// Queues a recalculation of what is stored now; or the ids of scenarios that aren't there. The ticks of its schedule
    /// are done by it, in the same transaction.
    [[nodiscard]] std::variant<std::int64_t, std::vector<std::string>> begin_run(const Author& author, const RunRequest& request);
    [[nodiscard]] std::optional<Run> run(std::int64_t id) const;
    /// Newest first, below `before` (0: from the newest).
    [[nodiscard]] std::vector<Run> runs(std::int64_t before, std::size_t limit) const;
    /// The oldest that is queued or running.
    [[nodiscard]] std::optional<Run> run_to_do() const;
    /// Scenarios that it has not come to, after a document, in order.
    [[nodiscard]] std::vector<RunItem> run_items(std::int64_t run, std::string_view model_version, std::int64_t after,
                                                 std::size_t limit) const;
    /// Keeps what was found, with the results, in one transaction; each scenario of a run once. False where the run has ended.
    [[nodiscard]] bool finish_items(std::int64_t run, std::span<const RunOutcome> outcomes);
    /// Starts it, ends it as done, or cancels it; an end with what `at_end` records of it, in one transaction. False where it has
    /// gone so far already: then nothing is recorded.
    bool set_run_state(std::int64_t run, RunState state, std::string_view model_version = "", const AtEnd& at_end = {});
    [[nodiscard]] std::vector<RunFailure> run_failures(std::int64_t run, std::size_t limit) const;
    /// How a comparison stood after runs, newest first, below number `before` (0: from the newest); nothing where there never was
    /// such a one.
    [[nodiscard]] std::optional<std::vector<Standing>> standings(std::string_view comparison, std::int64_t before,
                                                                 std::size_t limit) const;

    /// Results of a scenario, newest first, below number `before` (0: from the newest); nothing where there never was such a one.
    [[nodiscard]] std::optional<std::vector<StoredResult>> results(std::string_view scenario, std::int64_t before,
                                                                   std::size_t limit) const;
    /// A result's JSON.
    [[nodiscard]] std::string result_body(const StoredResult& result) const;
    /// Counts changes of documents, keys and bills: the same number means the same content of them. Cheap, no lock.
    [[nodiscard]] std::int64_t sequence() const;
    [[nodiscard]] StoreCounts counts() const;
    /// Throws StoreError where a write would fail now (locked, read-only, disk full).
    void check_writable();
    /// How often a call waited for a lock or a free reader, since the start.
    [[nodiscard]] std::int64_t busy_count() const;

    /// Copies the whole store to a new file while it is in use: consistent. Throws where the file exists.
    void backup(const std::string& path) const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

/// Puts a backup in the place of a database that no daemon has open; the file that was there stays beside it, and its name
/// is returned ("" where there was none). Verifies the backup first: a store of ours, of a version we know, undamaged.
std::string restore(const std::string& backup, const std::string& path);

} // namespace costcurve::storage
