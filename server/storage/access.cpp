// Reads and writes the tables api_key and answer. Which role may do what is decided elsewhere.
#include "server/storage/access.hpp"

#include <algorithm>

#include "server/storage/timestamp.hpp"

namespace costcurve::storage {

namespace {

constexpr std::int64_t kDay = 86'400'000'000; // microseconds

constexpr const char* kHasKey = "SELECT 1 FROM api_key WHERE name = ?";
constexpr const char* kHasGoodKey = "SELECT 1 FROM api_key WHERE name = ? AND revoked IS NULL";
constexpr const char* kAddKey = "INSERT INTO api_key (name, role, hash, created) VALUES (?, ?, CAST(? AS BLOB), ?)";
constexpr const char* kEndKey = "UPDATE api_key SET revoked = ? WHERE name = ?";
constexpr const char* kKeys = R"(
    SELECT k.name, k.role, c.recorded_at, e.recorded_at
    FROM api_key k JOIN change c ON c.sequence = k.created LEFT JOIN change e ON e.sequence = k.revoked ORDER BY k.name)";
constexpr const char* kKeyOf = R"(
    SELECT k.name, k.role, c.recorded_at, NULL FROM api_key k JOIN change c ON c.sequence = k.created
    WHERE k.hash = CAST(? AS BLOB) AND k.revoked IS NULL)";
constexpr const char* kForget = "DELETE FROM answer WHERE kept_at < ?";
constexpr const char* kKeep = R"(
    INSERT INTO answer (author, idempotency_key, kept_at, request_hash, status, content_type, body, location)
    VALUES (?, ?, ?, CAST(? AS BLOB), ?, ?, CAST(? AS BLOB), ?) ON CONFLICT DO NOTHING)";
constexpr const char* kAnswer = R"(
    SELECT request_hash, status, content_type, body, location FROM answer
    WHERE author = ? AND idempotency_key = ? AND kept_at >= ?)";

ApiKey read_key(const Rows& rows) {
    const auto role = std::find(role_names.begin(), role_names.end(), rows.text(1));
    if (role == role_names.end()) {
        throw StoreError(StoreError::Cause::corrupt, "the database has an API key without a role; restore a backup");
    }
    return {std::string(rows.text(0)), static_cast<Role>(role - role_names.begin()), format_time(rows.integer(2)),
            rows.is_null(3) ? "" : format_time(rows.integer(3))};
}

} // namespace

bool insert_key(Database& database, Change& change, const ApiKey& key, std::string_view hash) {
    if (Rows(database, kHasKey, key.name).next()) {
        return false;
    }
    Rows(database, kAddKey, key.name, name_of(key.role), hash, change.sequence()).run();
    return true;
}

bool end_key(Database& database, Change& change, std::string_view name) {
    if (!Rows(database, kHasGoodKey, name).next()) {
        return false;
    }
    Rows(database, kEndKey, change.sequence(), name).run();
    return true;
}

std::vector<ApiKey> all_keys(Database& database) {
    std::vector<ApiKey> keys;
    Rows rows(database, kKeys);
    while (rows.next()) {
        keys.push_back(read_key(rows));
    }
    return keys;
}

std::optional<ApiKey> key_of(Database& database, std::string_view hash) {
    Rows rows(database, kKeyOf, hash);
    return rows.next() ? std::optional(read_key(rows)) : std::nullopt;
}

void insert_answer(Database& database, std::string_view author, std::string_view key, const StoredAnswer& answer,
                   std::int64_t now) {
    Rows(database, kForget, now - kDay).run();
    Rows(database, kKeep, author, key, now, answer.request_hash, answer.status, answer.content_type, answer.body, answer.location)
        .run();
}

std::optional<StoredAnswer> answer_of(Database& database, std::string_view author, std::string_view key, std::int64_t now) {
    Rows rows(database, kAnswer, author, key, now - kDay);
    if (!rows.next()) {
        return std::nullopt;
    }
    return StoredAnswer{std::string(rows.text(0)), static_cast<int>(rows.integer(1)), std::string(rows.text(2)),
                        std::string(rows.text(3)), std::string(rows.text(4))};
}

} // namespace costcurve::storage
