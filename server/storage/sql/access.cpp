// Reads and writes the tables api_key, api_secret and answer. Which role may do what is decided elsewhere.
#include <algorithm>

#include <fmt/format.h>

#include "server/storage/access.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sql/engine.hpp"
#include "server/storage/sql/seals.hpp"
#include "server/storage/sql/store.hpp"
#include "server/storage/stored_names.hpp"
#include "server/storage/timestamp.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::sql {

namespace {

constexpr const char* kHasGoodKey = "SELECT 1 FROM api_key WHERE name = $1 AND revoked IS NULL";
constexpr const char* kLifetime = R"(
    SELECT s.expires_at - c.recorded_at FROM api_secret s JOIN change c ON c.sequence = s.created
    WHERE s.name = $1 ORDER BY s.created DESC LIMIT 1)";
constexpr const char* kEndSecrets =
    "UPDATE api_secret SET expires_at = CASE WHEN expires_at < $1 THEN expires_at ELSE $1 END WHERE name = $2";
constexpr const char* kKeys = R"(
    SELECT k.name, k.role, c.recorded_at, e.recorded_at,
        (SELECT expires_at FROM api_secret s WHERE s.name = k.name ORDER BY created DESC LIMIT 1),
        (SELECT max(expires_at) FROM api_secret s WHERE s.name = k.name AND expires_at > $1
            AND created < (SELECT max(created) FROM api_secret n WHERE n.name = k.name))
    FROM api_key k JOIN change c ON c.sequence = k.created LEFT JOIN change e ON e.sequence = k.revoked
    WHERE $2 = '' OR k.name = $2 ORDER BY k.name)";
constexpr const char* kKeyOf = R"(
    SELECT k.name, k.role, c.recorded_at, CAST(NULL AS bigint), s.expires_at, CAST(NULL AS bigint)
    FROM api_secret s JOIN api_key k ON k.name = s.name JOIN change c ON c.sequence = k.created
    WHERE s.hash = $1 AND k.revoked IS NULL AND (s.expires_at IS NULL OR s.expires_at > $2))";
constexpr const char* kHasExpired = R"(
    SELECT 1 FROM api_secret s JOIN api_key k ON k.name = s.name
    WHERE s.hash = $1 AND k.revoked IS NULL AND s.expires_at <= $2)";
constexpr const char* kCancelJobs =
    "UPDATE job SET state = 'cancelled', ended_at = $1{} WHERE author = $2 AND state IN ('queued', 'running')";
// Also deletes answers dated in the future, which were stored under a wrong clock.
constexpr const char* kForgetAnswers = "DELETE FROM answer WHERE kept_at NOT BETWEEN $1 AND $2";
// Writes the answer into the claim's row.
constexpr const char* kKeepAnswer = R"(
    INSERT INTO answer AS a (author, idempotency_key, kept_at, request_hash, status, content_type, body, location)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (author, idempotency_key) DO UPDATE SET kept_at = excluded.kept_at, request_hash = excluded.request_hash,
        status = excluded.status, content_type = excluded.content_type, body = excluded.body, location = excluded.location{}
    WHERE a.status = 0)";
// The answer of a completed request, or its claim if the lease is over.
constexpr const char* kAnswer =
    "SELECT request_hash, status, content_type, body, location FROM answer WHERE (status <> 0 OR (length(body) > 0 AND ";
constexpr const char* kOfKey = ")) AND author = $1 AND idempotency_key = $2 AND kept_at BETWEEN $3 AND $4";
// Expired answers don't count: they are deleted when the next answer is stored.
constexpr const char* kAnswerRoom = R"(
    SELECT count(*), coalesce(sum(length(body)), 0), count(*) FILTER (WHERE author = $1),
        coalesce(sum(length(body)) FILTER (WHERE author = $1), 0)
    FROM answer WHERE kept_at BETWEEN $2 AND $3)";

ApiKey read_key(const Row& row) {
    return {std::string(row.text(0)),    value_named<Role>(role_names, row.text(1), "an API key of role"),
            format_time(row.integer(2)), row.time_or_empty(3),
            row.time_or_empty(4),        row.time_or_empty(5)};
}

void add_secret(Connection& connection, Change& change, std::string_view name, std::string_view role, std::string_view hash,
                std::optional<std::int64_t> lifetime) {
    const std::int64_t sequence = change.sequence();
    connection.post("INSERT INTO api_secret (hash, name, created, expires_at) VALUES ($1, $2, $3, $4)", Bytes{hash}, name, sequence,
                    lifetime ? std::optional(change.recorded_at() + *lifetime) : std::nullopt);
    change.add_hash(0, hash_of_secret(name, role, hash));
}

std::optional<std::int64_t> as_time(std::optional<std::int64_t> days) {
    return days ? std::optional(*days * kMicrosecondsPerDay) : std::nullopt;
}

// Adds a key. False if the name is taken; nothing is then recorded.
bool insert_key(Connection& connection, Change& change, const ApiKey& key, std::string_view hash,
                std::optional<std::int64_t> days) {
    if (connection.has_row("SELECT 1 FROM api_key WHERE name = $1", key.name)) {
        return false;
    }
    connection.post("INSERT INTO api_key (name, role, created) VALUES ($1, $2, $3)", key.name, name_of(key.role),
                    change.sequence());
    add_secret(connection, change, key.name, name_of(key.role), hash, as_time(days));
    add_seals(connection, change, key_states(connection, key.name));
    return true;
}

// Gives a key a new secret. False if no valid key has the name.
bool replace_secret(Connection& connection, Change& change, std::string_view name, std::string_view hash,
                    const KeyRotation& rotation) {
    if (!connection.has_row(kHasGoodKey, name)) {
        return false;
    }
    std::string role;
    {
        Rows rows(connection, "SELECT role FROM api_key WHERE name = $1", name);
        role = rows.next() ? std::string(rows->text(0)) : "";
    }
    std::optional<std::int64_t> lifetime = as_time(rotation.days);
    if (!lifetime) {
        Rows rows(connection, kLifetime, name);
        lifetime = rows.next() && !rows->is_null(0) ? std::optional(rows->integer(0)) : std::nullopt;
    }
    change.record();
    connection.post(kEndSecrets, change.recorded_at() + rotation.overlap_hours * kMicrosecondsPerHour, name);
    add_secret(connection, change, name, role, hash, lifetime);
    add_seals(connection, change, key_states(connection, name));
    return true;
}

// Revokes a key and cancels its open jobs. False if no valid key has the name.
bool end_key(Connection& connection, Change& change, std::string_view name) {
    if (!connection.has_row(kHasGoodKey, name)) {
        return false;
    }
    connection.post("UPDATE api_key SET revoked = $1 WHERE name = $2", change.sequence(), name);
    const std::string statement = fmt::format(kCancelJobs, connection.engine().dialect().end_lease);
    connection.post(statement, change.recorded_at(), name);
    add_seals(connection, change, key_states(connection, name));
    return true;
}

// Keys with this name, or all for "". Expiry is judged as of `now`.
std::vector<ApiKey> find_keys(Connection& connection, std::string_view name, std::int64_t now) {
    return read_all(Rows(connection, kKeys, now, name), read_key);
}

std::optional<ApiKey> key_of(Connection& connection, std::string_view hash, std::int64_t now) {
    Rows rows(connection, kKeyOf, Bytes{hash}, now);
    return rows.next() ? std::optional(read_key(*rows)) : std::nullopt;
}

bool has_expired(Connection& connection, std::string_view hash, std::int64_t now) {
    return connection.has_row(kHasExpired, Bytes{hash}, now);
}

// Stores an answer unless the key has one; deletes all answers older than a day at `now`.
void insert_answer(Connection& connection, std::string_view author, std::string_view key, const StoredAnswer& answer,
                   std::int64_t now) {
    const std::string statement = fmt::format(kKeepAnswer, connection.engine().dialect().end_lease);
    connection.post(kForgetAnswers, now - kAnswerLifetime, now + kAnswerLifetime);
    connection.post(statement, author, key, now, Bytes{answer.request_hash}, answer.status, answer.content_type, Bytes{answer.body},
                    answer.location);
}

AnswerRoom answer_room(Connection& connection, std::string_view author, std::int64_t now) {
    Rows rows(connection, kAnswerRoom, author, now - kAnswerLifetime, now + kAnswerLifetime);
    static_cast<void>(rows.next());
    return {std::min(kMaxAnswers - rows->integer(0), kMaxAnswersOfAuthor - rows->integer(2)),
            std::min(kMaxAnswerBytes - rows->integer(1), kMaxAnswerBytesOfAuthor - rows->integer(3))};
}

std::optional<StoredAnswer> answer_of(Connection& connection, std::string_view author, std::string_view key, std::int64_t now) {
    const std::string statement = kAnswer + connection.engine().dialect().is_over + kOfKey;
    Rows rows(connection, statement, author, key, now - kAnswerLifetime, now + kAnswerLifetime);
    if (!rows.next()) {
        return std::nullopt;
    }
    return StoredAnswer{std::string(rows->bytes(0)), static_cast<int>(rows->integer(1)), std::string(rows->text(2)),
                        std::string(rows->bytes(3)), std::string(rows->text(4))};
}

} // namespace

bool SqlStore::add_key(const Author& author, const ApiKey& key, std::string_view hash, std::optional<std::int64_t> days) {
    return write_change(author, "add_key", key.name, [&](Connection& connection, Change& change) -> Outcome<bool> {
        const bool added = insert_key(connection, change, key, hash, days);
        return {added, added};
    });
}

std::optional<ApiKey> SqlStore::rotate_key(const Author& author, std::string_view name, std::string_view hash,
                                           const KeyRotation& rotation) {
    return write_change(author, "rotate_key", std::string(name),
                        [&](Connection& connection, Change& change) -> Outcome<std::optional<ApiKey>> {
                            if (!replace_secret(connection, change, name, hash, rotation)) {
                                return {std::nullopt, false};
                            }
                            return {find_keys(connection, name, now()).front()};
                        });
}

bool SqlStore::revoke_key(const Author& author, std::string_view name) {
    return write_change(author, "revoke_key", std::string(name), [&](Connection& connection, Change& change) -> Outcome<bool> {
        const bool ended = end_key(connection, change, name);
        return {ended, ended};
    });
}

std::vector<ApiKey> SqlStore::keys() const {
    return read(Reading::once, [&](Connection& connection) { return find_keys(connection, "", now()); });
}

std::optional<ApiKey> SqlStore::find_key(std::string_view hash) const {
    return read(Reading::once, [&](Connection& connection) { return key_of(connection, hash, now()); });
}

bool SqlStore::has_expired(std::string_view hash) const {
    return read(Reading::once, [&](Connection& connection) { return sql::has_expired(connection, hash, now()); });
}

void SqlStore::keep_answer(const Author& author, std::string_view idempotency_key, const StoredAnswer& answer) {
    write([&](Connection& connection) { insert_answer(connection, keeper_of(author), idempotency_key, answer, now()); });
}

std::optional<StoredAnswer> SqlStore::kept_answer(std::string_view author_name, std::string_view idempotency_key) const {
    return read(Reading::once, [&](Connection& connection) { return answer_of(connection, author_name, idempotency_key, now()); });
}

AnswerRoom SqlStore::answer_room(std::string_view author_name) const {
    return read(Reading::once, [&](Connection& connection) { return sql::answer_room(connection, author_name, now()); });
}

} // namespace costcurve::storage::sql
