// The store's calls: each takes a connection, begins, does what other files of this room do, and commits.
#include "server/storage/postgres/store.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "server/storage/postgres/migrations.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr std::size_t kWriters = 4; // one at a time numbers changes; others add samples or end jobs meanwhile

constexpr std::size_t kWorkers = 4; // a daemon uses one

} // namespace

PostgresStore::PostgresStore(StoreSettings settings)
    : settings_(std::move(settings)), busy_timeout_{settings_.busy_timeout_ms, &waits_},
      connection_settings_{.busy_timeout_ms = settings_.busy_timeout_ms},
      writers_(settings_.path, connection_settings_, kWriters, busy_timeout_, "writer"),
      readers_(settings_.path, connection_settings_, std::max<std::size_t>(settings_.readers, 1), busy_timeout_, "reader"),
      workers_(settings_.path, connection_settings_, kWorkers, busy_timeout_, "connection for recalculations"),
      point_read_pool_(settings_.path, connection_settings_, 2, busy_timeout_, "connection for short reads"),
      watch_(settings_.path, connection_settings_, holder_) {
    const Lease lease = writers_.lease();
    migrate(*lease, migrations(), PostgresStore::now(), settings_.log);
}

bool PostgresStore::is_committed(const ChangeMark& mark) {
    if (mark.sequence == 0) {
        return false;
    }
    return read_once([&](Connection& connection) {
        wait_for_changes(connection);
        Rows rows(connection, "SELECT link FROM change WHERE sequence = $1", mark.sequence);
        return rows.next() && rows.bytes(0) == text_of(mark.link);
    });
}

std::int64_t PostgresStore::now() const { return settings_.clock ? settings_.clock() : system_microseconds(); }

std::int64_t PostgresStore::busy_count() const { return waits_.load(std::memory_order_relaxed); }

void PostgresStore::not_there_yet(std::string_view what) {
    throw StoreError(StoreError::Cause::unavailable, fmt::format("PostgreSQL's store can't do {} yet: use SQLite's for it", what));
}

std::unique_ptr<Snapshot> PostgresStore::snapshot(std::optional<std::string> /*as_of*/) const { not_there_yet("snapshot"); }
SaveOutcome PostgresStore::save(const Author& /*author*/, const Record& /*record*/, const Condition& /*condition*/) {
    not_there_yet("save");
}
std::variant<std::vector<Saved>, MissingReferences>
PostgresStore::save_all(const Author& /*author*/, std::span<const Record> /*records*/, const SaveOptions& /*options*/) {
    not_there_yet("save_all");
}
RemoveOutcome PostgresStore::remove(const Author& /*author*/, const DocumentKey& /*key*/, const Condition& /*condition*/) {
    not_there_yet("remove");
}
void PostgresStore::record_action(const Author& /*author*/, std::string_view /*action*/, std::string_view /*subject*/) {
    not_there_yet("record_action");
}
bool PostgresStore::add_key(const Author& /*author*/, const ApiKey& /*key*/, std::string_view /*hash*/,
                            std::optional<std::int64_t> /*days*/) {
    not_there_yet("add_key");
}
std::optional<ApiKey> PostgresStore::rotate_key(const Author& /*author*/, std::string_view /*name*/, std::string_view /*hash*/,
                                                const KeyRotation& /*rotation*/) {
    not_there_yet("rotate_key");
}
bool PostgresStore::revoke_key(const Author& /*author*/, std::string_view /*name*/) { not_there_yet("revoke_key"); }
std::vector<ApiKey> PostgresStore::keys() const { not_there_yet("keys"); }
std::optional<ApiKey> PostgresStore::find_key(std::string_view /*hash*/) const { not_there_yet("find_key"); }
bool PostgresStore::has_expired(std::string_view /*hash*/) const { not_there_yet("has_expired"); }
void PostgresStore::keep_answer(const Author& /*author*/, std::string_view /*idempotency_key*/, const StoredAnswer& /*answer*/) {
    not_there_yet("keep_answer");
}
std::optional<StoredAnswer> PostgresStore::kept_answer(std::string_view /*author_name*/,
                                                       std::string_view /*idempotency_key*/) const {
    not_there_yet("kept_answer");
}
std::int64_t PostgresStore::sequence() const { not_there_yet("sequence"); }
StoreCounts PostgresStore::counts() const { not_there_yet("counts"); }
void PostgresStore::check_writable() { not_there_yet("check_writable"); }
void PostgresStore::backup(const std::string& /*path*/) const { not_there_yet("backup"); }

} // namespace costcurve::storage::postgres
