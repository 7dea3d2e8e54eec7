// Reads and writes the tables api_key, api_secret and answer. Which role may do what is decided elsewhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "server/storage/access.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sql/dialect.hpp"
#include "server/storage/sql/seals.hpp"
#include "server/storage/stored_names.hpp"
#include "server/storage/timestamp.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::sql {

inline constexpr const char* kHasGoodKey = "SELECT 1 FROM api_key WHERE name = $1 AND revoked IS NULL";
inline constexpr const char* kLifetime = R"(
    SELECT s.expires_at - c.recorded_at FROM api_secret s JOIN change c ON c.sequence = s.created
    WHERE s.name = $1 ORDER BY s.created DESC LIMIT 1)";
inline constexpr const char* kEndSecrets =
    "UPDATE api_secret SET expires_at = CASE WHEN expires_at < $1 THEN expires_at ELSE $1 END WHERE name = $2";
inline constexpr const char* kKeys = R"(
    SELECT k.name, k.role, c.recorded_at, e.recorded_at,
        (SELECT expires_at FROM api_secret s WHERE s.name = k.name ORDER BY created DESC LIMIT 1),
        (SELECT max(expires_at) FROM api_secret s WHERE s.name = k.name AND expires_at > $1
            AND created < (SELECT max(created) FROM api_secret n WHERE n.name = k.name))
    FROM api_key k JOIN change c ON c.sequence = k.created LEFT JOIN change e ON e.sequence = k.revoked
    WHERE $2 = '' OR k.name = $2 ORDER BY k.name)";
inline constexpr const char* kKeyOf = R"(
    SELECT k.name, k.role, c.recorded_at, CAST(NULL AS bigint), s.expires_at, CAST(NULL AS bigint)
    FROM api_secret s JOIN api_key k ON k.name = s.name JOIN change c ON c.sequence = k.created
    WHERE s.hash = $1 AND k.revoked IS NULL AND (s.expires_at IS NULL OR s.expires_at > $2))";
inline constexpr const char* kHasExpired = R"(
    SELECT 1 FROM api_secret s JOIN api_key k ON k.name = s.name
    WHERE s.hash = $1 AND k.revoked IS NULL AND s.expires_at <= $2)";
inline constexpr const char* kCancelJobs =
    "UPDATE job SET state = 'cancelled', ended_at = $1{} WHERE author = $2 AND state IN ('queued', 'running')";
// Those of a day to come were kept under a clock that was wrong.
inline constexpr const char* kForgetAnswers = "DELETE FROM answer WHERE kept_at NOT BETWEEN $1 AND $2";
// A claim has no answer yet.
inline constexpr const char* kKeepAnswer = R"(
    INSERT INTO answer AS a (author, idempotency_key, kept_at, request_hash, status, content_type, body, location)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (author, idempotency_key) DO UPDATE SET kept_at = excluded.kept_at, request_hash = excluded.request_hash,
        status = excluded.status, content_type = excluded.content_type, body = excluded.body, location = excluded.location{}
    WHERE a.status = 0)";
inline constexpr const char* kAnswer = R"(
    SELECT request_hash, status, content_type, body, location FROM answer
    WHERE (status <> 0 OR (length(body) > 0 AND {})) AND author = $1 AND idempotency_key = $2 AND kept_at BETWEEN $3 AND $4)";

// Those that are too old go with the next one that is kept.
inline constexpr const char* kAnswerRoom = R"(
    SELECT count(*), coalesce(sum(length(body)), 0), count(*) FILTER (WHERE author = $1),
        coalesce(sum(length(body)) FILTER (WHERE author = $1), 0)
    FROM answer WHERE kept_at BETWEEN $2 AND $3)";

template <class Rows> [[nodiscard]] ApiKey read_key(const Rows& rows) {
    return {std::string(rows.text(0)),    value_named<Role>(role_names, rows.text(1), "an API key of role"),
            format_time(rows.integer(2)), rows.time_or_empty(3),
            rows.time_or_empty(4),        rows.time_or_empty(5)};
}

template <class Connection>
void add_secret(Connection& connection, Change<Connection>& change, std::string_view name, std::string_view role,
                std::string_view hash, std::optional<std::int64_t> lifetime) {
    const std::int64_t sequence = change.sequence();
    connection.post("INSERT INTO api_secret (hash, name, created, expires_at) VALUES ($1, $2, $3, $4)", Bytes{hash}, name, sequence,
                    lifetime ? std::optional(change.recorded_at() + *lifetime) : std::nullopt);
    change.add_hash(0, hash_of_secret(name, role, hash));
}

[[nodiscard]] inline std::optional<std::int64_t> as_time(std::optional<std::int64_t> days) {
    return days ? std::optional(*days * kMicrosecondsPerDay) : std::nullopt;
}

/// False where the name is taken: then nothing is recorded.
template <class Connection>
[[nodiscard]] bool insert_key(Connection& connection, Change<Connection>& change, const ApiKey& key, std::string_view hash,
                              std::optional<std::int64_t> days) {
    if (RowsOf<Connection>(connection, "SELECT 1 FROM api_key WHERE name = $1", key.name).next()) {
        return false;
    }
    connection.post("INSERT INTO api_key (name, role, created) VALUES ($1, $2, $3)", key.name, name_of(key.role),
                    change.sequence());
    add_secret(connection, change, key.name, name_of(key.role), hash, as_time(days));
    add_seals(connection, change, key_states(connection, key.name));
    return true;
}

/// False where no good key has the name.
template <class Connection>
[[nodiscard]] bool replace_secret(Connection& connection, Change<Connection>& change, std::string_view name, std::string_view hash,
                                  const KeyRotation& rotation) {
    if (!RowsOf<Connection>(connection, kHasGoodKey, name).next()) {
        return false;
    }
    std::string role;
    {
        RowsOf<Connection> rows(connection, "SELECT role FROM api_key WHERE name = $1", name);
        role = rows.next() ? std::string(rows.text(0)) : "";
    }
    std::optional<std::int64_t> lifetime = as_time(rotation.days);
    if (!lifetime) {
        RowsOf<Connection> rows(connection, kLifetime, name);
        lifetime = rows.next() && !rows.is_null(0) ? std::optional(rows.integer(0)) : std::nullopt;
    }
    static_cast<void>(change.sequence());
    connection.post(kEndSecrets, change.recorded_at() + rotation.overlap_hours * kMicrosecondsPerHour, name);
    add_secret(connection, change, name, role, hash, lifetime);
    add_seals(connection, change, key_states(connection, name));
    return true;
}

/// False where no good key has the name. Its jobs that have not ended are cancelled.
template <class Connection> [[nodiscard]] bool end_key(Connection& connection, Change<Connection>& change, std::string_view name) {
    if (!RowsOf<Connection>(connection, kHasGoodKey, name).next()) {
        return false;
    }
    connection.post("UPDATE api_key SET revoked = $1 WHERE name = $2", change.sequence(), name);
    static const std::string statement = fmt::format(kCancelJobs, Dialect<Connection>::kEndLease);
    connection.post(statement, change.recorded_at(), name);
    add_seals(connection, change, key_states(connection, name));
    return true;
}

/// By name; "" for all. Times of expiry are as of `now`.
template <class Connection>
[[nodiscard]] std::vector<ApiKey> find_keys(Connection& connection, std::string_view name, std::int64_t now) {
    return read_all(RowsOf<Connection>(connection, kKeys, now, name), read_key<RowsOf<Connection>>);
}

template <class Connection>
[[nodiscard]] std::optional<ApiKey> key_of(Connection& connection, std::string_view hash, std::int64_t now) {
    RowsOf<Connection> rows(connection, kKeyOf, Bytes{hash}, now);
    return rows.next() ? std::optional(read_key(rows)) : std::nullopt;
}

template <class Connection> [[nodiscard]] bool has_expired(Connection& connection, std::string_view hash, std::int64_t now) {
    return RowsOf<Connection>(connection, kHasExpired, Bytes{hash}, now).next();
}

/// Keeps the first answer under a key, and forgets all that are older than a day at `now`.
template <class Connection>
void insert_answer(Connection& connection, std::string_view author, std::string_view key, const StoredAnswer& answer,
                   std::int64_t now) {
    static const std::string statement = fmt::format(kKeepAnswer, Dialect<Connection>::kEndLease);
    connection.post(kForgetAnswers, now - kAnswerLifetime, now + kAnswerLifetime);
    connection.post(statement, author, key, now, Bytes{answer.request_hash}, answer.status, answer.content_type, Bytes{answer.body},
                    answer.location);
}

template <class Connection>
[[nodiscard]] AnswerRoom answer_room(Connection& connection, std::string_view author, std::int64_t now) {
    RowsOf<Connection> rows(connection, kAnswerRoom, author, now - kAnswerLifetime, now + kAnswerLifetime);
    static_cast<void>(rows.next());
    return {std::min(kMaxAnswers - rows.integer(0), kMaxAnswersOfAuthor - rows.integer(2)),
            std::min(kMaxAnswerBytes - rows.integer(1), kMaxAnswerBytesOfAuthor - rows.integer(3))};
}

template <class Connection>
[[nodiscard]] std::optional<StoredAnswer> answer_of(Connection& connection, std::string_view author, std::string_view key,
                                                    std::int64_t now) {
    static const std::string statement = fmt::format(kAnswer, Dialect<Connection>::kIsOver);
    RowsOf<Connection> rows(connection, statement, author, key, now - kAnswerLifetime, now + kAnswerLifetime);
    if (!rows.next()) {
        return std::nullopt;
    }
    return StoredAnswer{std::string(rows.bytes(0)), static_cast<int>(rows.integer(1)), std::string(rows.text(2)),
                        std::string(rows.bytes(3)), std::string(rows.text(4))};
}

} // namespace costcurve::storage::sql
