// The store's calls: each takes a connection, begins, does what other files of this room do, and commits.
#include "server/storage/store.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "server/storage/access.hpp"
#include "server/storage/bill.hpp"
#include "server/storage/files.hpp"
#include "server/storage/open.hpp"
#include "server/storage/outbox.hpp"
#include "server/storage/pool.hpp"
#include "server/storage/runs.hpp"
#include "server/storage/save.hpp"
#include "server/storage/snapshot.hpp"
#include "server/storage/standings.hpp"
#include "server/storage/telemetry.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage {

namespace {

using Connections = std::vector<std::unique_ptr<Database>>;

Connections one(std::unique_ptr<Database> database) {
    Connections connections;
    connections.push_back(std::move(database));
    return connections;
}

Connections open_readers(const StoreSettings& settings, Patience patience) {
    Connections connections;
    for (std::size_t i = 0; i < std::max<std::size_t>(settings.readers, 1); ++i) {
        connections.push_back(open_reader(settings, patience));
    }
    return connections;
}

std::string text_of(const DocumentKey& key) { return fmt::format("{}/{}", name_of(key.kind), key.id); }

constexpr const char* kLastSequence = "SELECT coalesce(max(sequence), 0) FROM change";
constexpr const char* kCountRevisions = "SELECT count(*) FROM revision";
constexpr const char* kCountPoints = "SELECT count(*) FROM point";
constexpr const char* kCountDocuments =
    "SELECT kind, count(*) FROM revision WHERE until = 9223372036854775807 AND deleted = 0 GROUP BY kind";

} // namespace

// Members are made in order: the writer brings the file to its schema before readers open it, and closes last.
class Store::Impl {
public:
    explicit Impl(StoreSettings given)
        : settings(std::move(given)), patience{settings.busy_timeout_ms, &waits},
          writer(one(open_writer(settings, patience, migrations(), now())), patience, "writer"),
          readers(open_readers(settings, patience), patience, "reader"),
          desk(one(open_reader(settings, patience)), patience, "connection for short reads") {}

    // Returns once no write is under way, of this process or another. Where nothing can be written there is none.
    void wait_for_writes() {
        try {
            const Lease lease = writer.lease();
            const Transaction transaction(*lease, Transaction::Kind::write);
        } catch (const StoreError& error) {
            if (error.cause() == StoreError::Cause::busy) {
                throw;
            }
        }
    }

    [[nodiscard]] std::int64_t now() const { return settings.clock ? settings.clock() : system_microseconds(); }

    StoreSettings settings;
    std::atomic<std::int64_t> waits = 0;
    Patience patience;
    Pool writer;
    Pool readers; // for snapshots
    Pool desk;    // for what takes microseconds: a request's key is found though long reads hold every reader
};

Store::Store(StoreSettings settings) : impl_(std::make_unique<Impl>(std::move(settings))) {}
Store::~Store() = default;

Snapshot Store::snapshot(std::optional<std::string> as_of) const {
    std::optional<std::int64_t> moment;
    if (as_of) {
        moment = parse_time(*as_of);
        if (!moment) {
            throw std::invalid_argument("as_of is not a moment: " + *as_of);
        }
        // A write that is under way has its time already: what it writes belongs to this moment, or else to a later one.
        if (parse_time(Snapshot(std::make_unique<Snapshot::Impl>(impl_->readers.lease(), std::nullopt)).as_of()).value_or(0) <
            *moment) {
            impl_->wait_for_writes();
        }
    }
    return Snapshot(std::make_unique<Snapshot::Impl>(impl_->readers.lease(), moment));
}

SaveOutcome Store::save(const Author& author, const Record& record, const Condition& condition) {
    const std::span<const Record> records(&record, 1);
    check_records(records);
    const Lease writer = impl_->writer.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    if (condition.kind != Condition::Kind::none) {
        if (const auto failed = failing(condition, find_stored(*writer, record.key, kNow))) {
            return *failed;
        }
    }
    Change change(*writer, author, "save", text_of(record.key), impl_->now());
    auto outcome = save_records(*writer, change, records);
    if (auto* missing = std::get_if<MissingReferences>(&outcome)) {
        return std::move(*missing);
    }
    transaction.commit();
    return std::get<std::vector<Saved>>(outcome).front();
}

std::variant<std::vector<Saved>, MissingReferences> Store::save_all(const Author& author, std::span<const Record> records,
                                                                    const SaveOptions& options) {
    check_records(records);
    const Lease writer = impl_->writer.lease();
    const UncheckedKeys unchecked(*writer);
    Transaction transaction(*writer, Transaction::Kind::write);
    Change change(*writer, author, "save_all", fmt::format("{} documents", records.size()), impl_->now());
    auto outcome = save_records(*writer, change, records, options);
    if (std::holds_alternative<std::vector<Saved>>(outcome) && !options.dry_run) {
        transaction.commit();
    }
    return outcome;
}

RemoveOutcome Store::remove(const Author& author, const DocumentKey& key, const Condition& condition) {
    const Lease writer = impl_->writer.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    const std::optional<Stored> current = find_stored(*writer, key, kNow);
    if (!current || current->revision.deleted) {
        return NotFound{};
    }
    if (const auto failed = failing(condition, current)) {
        return *failed;
    }
    Change change(*writer, author, "remove", text_of(key), impl_->now());
    RemoveOutcome outcome = remove_document(*writer, change, *current);
    if (std::holds_alternative<Removed>(outcome)) {
        transaction.commit();
    }
    return outcome;
}

bool Store::add_key(const Author& author, const ApiKey& key, std::string_view hash) {
    const Lease writer = impl_->writer.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    Change change(*writer, author, "add_key", key.name, impl_->now());
    const bool added = insert_key(*writer, change, key, hash);
    if (added) {
        transaction.commit();
    }
    return added;
}

bool Store::revoke_key(const Author& author, std::string_view name) {
    const Lease writer = impl_->writer.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    Change change(*writer, author, "revoke_key", std::string(name), impl_->now());
    const bool ended = end_key(*writer, change, name);
    if (ended) {
        transaction.commit();
    }
    return ended;
}

std::vector<ApiKey> Store::keys() const { return all_keys(*impl_->desk.lease()); }

std::optional<ApiKey> Store::find_key(std::string_view hash) const { return key_of(*impl_->desk.lease(), hash); }

void Store::keep_answer(const Author& author, std::string_view idempotency_key, const StoredAnswer& answer) {
    const Lease writer = impl_->writer.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    insert_answer(*writer, author.name, idempotency_key, answer, impl_->now());
    transaction.commit();
}

std::optional<StoredAnswer> Store::kept_answer(std::string_view author_name, std::string_view idempotency_key) const {
    return answer_of(*impl_->desk.lease(), author_name, idempotency_key, impl_->now());
}

TelemetryWindow Store::telemetry_window() const {
    constexpr std::int64_t kMicroseconds = 1000; // of a millisecond
    constexpr std::int64_t kHoursPerDay = 24;
    const std::int64_t now_ms = impl_->now() / kMicroseconds;
    const std::int64_t hour = now_ms / kMillisecondsPerHour - impl_->settings.telemetry_days * kHoursPerDay;
    return {hour * kMillisecondsPerHour, now_ms + kMillisecondsPerHour, now_ms};
}

AddedSamples Store::add_samples(const SampleBatch& batch) {
    const Lease writer = impl_->writer.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    AddedSamples outcome = storage::add_samples(*writer, batch, telemetry_window());
    transaction.commit();
    return outcome;
}

HourPage Store::hours(const HourQuery& query) const {
    const Lease reader = impl_->readers.lease();
    const Transaction transaction(*reader, Transaction::Kind::read);
    return find_hours(*reader, query);
}

void Store::visit_samples(const SampleQuery& query, const SampleVisitor& visit) const {
    const Lease reader = impl_->readers.lease();
    const Transaction transaction(*reader, Transaction::Kind::read);
    storage::visit_samples(*reader, query, visit);
}

BillOutcome Store::save_bill(const Author& author, std::span<const BillLine> lines, bool dry_run) {
    const Lease writer = impl_->writer.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    Change change(*writer, author, "save_bill", fmt::format("{} lines", lines.size()), impl_->now());
    const BillOutcome outcome = save_bill_lines(*writer, change, lines);
    if (!dry_run && change.is_recorded()) {
        transaction.commit();
    }
    return outcome;
}

std::vector<BillTotal> Store::bill(const BillQuery& query) const {
    const Lease reader = impl_->readers.lease();
    const Transaction transaction(*reader, Transaction::Kind::read);
    return total_bill(*reader, query);
}

std::int64_t Store::record_event(const NewEvent& event) {
    const Lease writer = impl_->writer.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    const std::int64_t id = storage::record_event(*writer, event, impl_->now());
    transaction.commit();
    return id;
}

std::vector<Event> Store::events(const EventQuery& query) const { return find_events(*impl_->readers.lease(), query); }

std::vector<Delivery> Store::deliveries(const DeliveryQuery& query) const {
    return find_deliveries(*impl_->readers.lease(), query);
}

bool Store::has_secret(std::string_view webhook) const { return storage::has_secret(*impl_->desk.lease(), webhook); }

std::vector<DueDelivery> Store::due_deliveries(std::size_t limit) const {
    return find_due(*impl_->readers.lease(), impl_->now(), limit);
}

std::optional<std::int64_t> Store::next_delivery() const { return next_due(*impl_->desk.lease()); }

void Store::save_attempt(const DeliveryAttempt& attempt) {
    const Lease writer = impl_->writer.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    storage::save_attempt(*writer, attempt, impl_->now());
    transaction.commit();
}

std::optional<std::int64_t> Store::ticked(std::string_view schedule) const { return find_ticked(*impl_->desk.lease(), schedule); }

std::int64_t Store::now() const { return impl_->now(); }

std::variant<std::int64_t, std::vector<std::string>> Store::begin_run(const Author& author, const RunRequest& request) {
    const Lease writer = impl_->writer.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    const std::int64_t now = impl_->now();
    auto outcome = insert_run(*writer, author, request, now);
    if (std::holds_alternative<std::int64_t>(outcome)) {
        if (!request.schedule.empty()) {
            storage::save_ticked(*writer, request.schedule, now);
        }
        transaction.commit();
    }
    return outcome;
}

std::optional<Run> Store::run(std::int64_t id) const { return find_run(*impl_->desk.lease(), id); }

std::vector<Run> Store::runs(std::int64_t before, std::size_t limit) const {
    return find_runs(*impl_->readers.lease(), before, limit);
}

std::optional<Run> Store::run_to_do() const { return find_run_to_do(*impl_->desk.lease()); }

std::vector<RunItem> Store::run_items(std::int64_t run, std::string_view model_version, std::int64_t after,
                                      std::size_t limit) const {
    return find_items(*impl_->readers.lease(), run, model_version, after, limit);
}

bool Store::finish_items(std::int64_t run, std::span<const RunOutcome> outcomes) {
    const Lease writer = impl_->writer.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    const bool goes_on = storage::finish_items(*writer, run, outcomes, impl_->now());
    transaction.commit();
    return goes_on;
}

bool Store::set_run_state(std::int64_t run, RunState state, std::string_view model_version, const AtEnd& at_end) {
    const Lease writer = impl_->writer.lease();
    Transaction transaction(*writer, Transaction::Kind::write);
    const std::int64_t now = impl_->now();
    const bool changed = set_state(*writer, run, state, model_version, now);
    if (changed && has_ended(state) && at_end) {
        Ending ending(*writer, find_run(*writer, run).value(), now);
        at_end(ending);
    }
    transaction.commit();
    return changed;
}

std::vector<RunFailure> Store::run_failures(std::int64_t run, std::size_t limit) const {
    return find_failures(*impl_->readers.lease(), run, limit);
}

std::optional<std::vector<Standing>> Store::standings(std::string_view comparison, std::int64_t before, std::size_t limit) const {
    const Lease reader = impl_->readers.lease();
    const Transaction transaction(*reader, Transaction::Kind::read);
    return find_standings(*reader, comparison, before, limit);
}

std::optional<std::vector<StoredResult>> Store::results(std::string_view scenario, std::int64_t before, std::size_t limit) const {
    const Lease reader = impl_->readers.lease();
    const Transaction transaction(*reader, Transaction::Kind::read);
    return find_results(*reader, scenario, before, limit);
}

std::string Store::result_body(const StoredResult& result) const { return load_result_body(*impl_->readers.lease(), result.body); }

std::int64_t Store::sequence() const { return (*impl_->desk.lease()).number(kLastSequence); }

StoreCounts Store::counts() const {
    const Lease reader = impl_->readers.lease();
    const Transaction transaction(*reader, Transaction::Kind::read);
    StoreCounts counts;
    counts.documents.resize(kind_names.size());
    {
        Rows rows(*reader, kCountDocuments);
        while (rows.next()) {
            counts.documents[static_cast<std::size_t>(kind_of(rows.text(0)))] = rows.integer(1);
        }
    }
    counts.revisions = (*reader).number(kCountRevisions);
    counts.points = (*reader).number(kCountPoints);
    counts.bytes = (*reader).number("PRAGMA page_count") * (*reader).number("PRAGMA page_size");
    return counts;
}

void Store::check_writable() {
    check_space(impl_->settings.path);
    const std::optional<Lease> writer = impl_->writer.try_lease();
    if (!writer) {
        return; // it is being written to
    }
    Database& database = **writer;
    if (database.has_moved()) {
        throw StoreError(StoreError::Cause::unavailable,
                         fmt::format("{}: the file was moved or deleted while in use; restart the daemon", database.path()));
    }
    const Transaction transaction(database, Transaction::Kind::write);
    if (database.number("PRAGMA page_count") >= database.number("PRAGMA max_page_count") &&
        database.number("PRAGMA freelist_count") == 0) {
        throw StoreError(StoreError::Cause::full, fmt::format("{}: the database has the {} MB that are allowed; allow more",
                                                              database.path(), impl_->settings.max_database_mb));
    }
}

std::int64_t Store::busy_count() const { return impl_->waits.load(std::memory_order_relaxed); }

void Store::backup(const std::string& path) const {
    if (std::filesystem::exists(path)) {
        throw StoreError(StoreError::Cause::unavailable, fmt::format("{}: the file exists; give another name", path));
    }
    const auto reader = open_reader(impl_->settings, impl_->patience); // its own: it takes as long as it takes
    copy_to(*reader, path);
}

} // namespace costcurve::storage
