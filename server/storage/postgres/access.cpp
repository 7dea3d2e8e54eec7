// Reads and writes the tables api_key and answer. Which role may do what is decided elsewhere.
#include "server/storage/postgres/access.hpp"

#include "server/storage/stored_names.hpp"
#include "server/storage/timestamp.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr const char* kHasKey = "SELECT 1 FROM api_key WHERE name = $1";
constexpr const char* kHasGoodKey = "SELECT 1 FROM api_key WHERE name = $1 AND revoked IS NULL";
constexpr const char* kRoleOf = "SELECT role FROM api_key WHERE name = $1";
constexpr const char* kAddKey = "INSERT INTO api_key (name, role, created) VALUES ($1, $2, $3)";
constexpr const char* kAddSecret = "INSERT INTO api_secret (hash, name, created, expires_at) VALUES ($1, $2, $3, $4)";
constexpr const char* kLifetime = R"(
    SELECT s.expires_at - c.recorded_at FROM api_secret s JOIN change c ON c.sequence = s.created
    WHERE s.name = $1 ORDER BY s.created DESC LIMIT 1)";
constexpr const char* kEndSecrets = "UPDATE api_secret SET expires_at = least(expires_at, $2) WHERE name = $1";
constexpr const char* kEndKey = "UPDATE api_key SET revoked = $1 WHERE name = $2";
constexpr const char* kKeys = R"(
    SELECT k.name, k.role, c.recorded_at, e.recorded_at,
        (SELECT expires_at FROM api_secret s WHERE s.name = k.name ORDER BY created DESC LIMIT 1),
        (SELECT max(expires_at) FROM api_secret s WHERE s.name = k.name AND expires_at > $2
            AND created < (SELECT max(created) FROM api_secret n WHERE n.name = k.name))
    FROM api_key k JOIN change c ON c.sequence = k.created LEFT JOIN change e ON e.sequence = k.revoked
    WHERE $1 = '' OR k.name = $1 ORDER BY k.name)";
constexpr const char* kKeyOf = R"(
    SELECT k.name, k.role, c.recorded_at, NULL::bigint, s.expires_at, NULL::bigint
    FROM api_secret s JOIN api_key k ON k.name = s.name JOIN change c ON c.sequence = k.created
    WHERE s.hash = $1 AND k.revoked IS NULL AND (s.expires_at IS NULL OR s.expires_at > $2))";
constexpr const char* kHasExpired = R"(
    SELECT 1 FROM api_secret s JOIN api_key k ON k.name = s.name
    WHERE s.hash = $1 AND k.revoked IS NULL AND s.expires_at <= $2)";
// Those of a day to come were kept under a clock that was wrong.
constexpr const char* kForget = "DELETE FROM answer WHERE kept_at NOT BETWEEN $1 AND $2";
constexpr const char* kKeepAnswer = R"(
    INSERT INTO answer AS a (author, idempotency_key, kept_at, request_hash, status, content_type, body, location)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (author, idempotency_key) DO UPDATE SET kept_at = excluded.kept_at, request_hash = excluded.request_hash,
        status = excluded.status, content_type = excluded.content_type, body = excluded.body, location = excluded.location,
        holder = NULL, lease_until = NULL
    WHERE a.status = 0)";
constexpr const char* kAnswer = R"(
    SELECT request_hash, status, content_type, body, location FROM answer
    WHERE status <> 0 AND author = $1 AND idempotency_key = $2 AND kept_at BETWEEN $3 AND $4)";

ApiKey read_key(const Rows& rows) {
    return {std::string(rows.text(0)),    value_named<Role>(role_names, rows.text(1), "an API key of role"),
            format_time(rows.integer(2)), rows.time_or_empty(3),
            rows.time_or_empty(4),        rows.time_or_empty(5)};
}

void add_secret(Connection& connection, Change& change, std::string_view name, std::string_view role, std::string_view hash,
                std::optional<std::int64_t> lifetime) {
    const std::int64_t sequence = change.sequence();
    Rows(connection, kAddSecret, Bytes{hash}, name, sequence,
         lifetime ? std::optional(change.recorded_at() + *lifetime) : std::nullopt)
        .run();
    change.add_hash(0, hash_of_secret(name, role, hash));
}

std::optional<std::int64_t> as_time(std::optional<std::int64_t> days) {
    return days ? std::optional(*days * kMicrosecondsPerDay) : std::nullopt;
}

} // namespace

bool insert_key(Connection& connection, Change& change, const ApiKey& key, std::string_view hash,
                std::optional<std::int64_t> days) {
    if (Rows(connection, kHasKey, key.name).next()) {
        return false;
    }
    Rows(connection, kAddKey, key.name, name_of(key.role), change.sequence()).run();
    add_secret(connection, change, key.name, name_of(key.role), hash, as_time(days));
    return true;
}

bool replace_secret(Connection& connection, Change& change, std::string_view name, std::string_view hash,
                    const KeyRotation& rotation) {
    if (!Rows(connection, kHasGoodKey, name).next()) {
        return false;
    }
    std::string role;
    {
        Rows rows(connection, kRoleOf, name);
        role = rows.next() ? std::string(rows.text(0)) : "";
    }
    std::optional<std::int64_t> lifetime = as_time(rotation.days);
    if (!lifetime) {
        Rows rows(connection, kLifetime, name);
        lifetime = rows.next() && !rows.is_null(0) ? std::optional(rows.integer(0)) : std::nullopt;
    }
    static_cast<void>(change.sequence());
    Rows(connection, kEndSecrets, name, change.recorded_at() + rotation.overlap_hours * kMicrosecondsPerHour).run();
    add_secret(connection, change, name, role, hash, lifetime);
    return true;
}

bool end_key(Connection& connection, Change& change, std::string_view name) {
    if (!Rows(connection, kHasGoodKey, name).next()) {
        return false;
    }
    Rows(connection, kEndKey, change.sequence(), name).run();
    return true;
}

std::vector<ApiKey> find_keys(Connection& connection, std::string_view name, std::int64_t now) {
    std::vector<ApiKey> keys;
    Rows rows(connection, kKeys, name, now);
    while (rows.next()) {
        keys.push_back(read_key(rows));
    }
    return keys;
}

std::optional<ApiKey> key_of(Connection& connection, std::string_view hash, std::int64_t now) {
    Rows rows(connection, kKeyOf, Bytes{hash}, now);
    return rows.next() ? std::optional(read_key(rows)) : std::nullopt;
}

bool has_expired(Connection& connection, std::string_view hash, std::int64_t now) {
    return Rows(connection, kHasExpired, Bytes{hash}, now).next();
}

void insert_answer(Connection& connection, std::string_view author, std::string_view key, const StoredAnswer& answer,
                   std::int64_t now) {
    Rows(connection, kForget, now - kAnswerLifetime, now + kAnswerLifetime).run();
    Rows(connection, kKeepAnswer, author, key, now, Bytes{answer.request_hash}, answer.status, answer.content_type,
         Bytes{answer.body}, answer.location)
        .run();
}

std::optional<StoredAnswer> answer_of(Connection& connection, std::string_view author, std::string_view key, std::int64_t now) {
    Rows rows(connection, kAnswer, author, key, now - kAnswerLifetime, now + kAnswerLifetime);
    if (!rows.next()) {
        return std::nullopt;
    }
    return StoredAnswer{std::string(rows.text(0)), static_cast<int>(rows.integer(1)), std::string(rows.text(2)),
                        std::string(rows.text(3)), std::string(rows.text(4))};
}

} // namespace costcurve::storage::postgres
