// Rows of API keys, and of answers kept for requests that come again. Writes work inside a transaction of the caller.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "server/storage/access.hpp"
#include "server/storage/postgres/change.hpp"
#include "server/storage/postgres/engine/connection.hpp"

namespace costcurve::storage::postgres {

/// False where the name is taken: then nothing is recorded.
[[nodiscard]] bool insert_key(Connection& connection, Change& change, const ApiKey& key, std::string_view hash,
                              std::optional<std::int64_t> days);
/// False where no good key has the name.
[[nodiscard]] bool replace_secret(Connection& connection, Change& change, std::string_view name, std::string_view hash,
                                  const KeyRotation& rotation);
/// False where no good key has the name.
[[nodiscard]] bool end_key(Connection& connection, Change& change, std::string_view name);
/// By name; "" for all. Times of expiry are as of `now`.
[[nodiscard]] std::vector<ApiKey> find_keys(Connection& connection, std::string_view name, std::int64_t now);
[[nodiscard]] std::optional<ApiKey> key_of(Connection& connection, std::string_view hash, std::int64_t now);
[[nodiscard]] bool has_expired(Connection& connection, std::string_view hash, std::int64_t now);

/// Keeps the first answer under a key, and forgets all that are older than a day at `now`.
void insert_answer(Connection& connection, std::string_view author, std::string_view key, const StoredAnswer& answer,
                   std::int64_t now);
[[nodiscard]] std::optional<StoredAnswer> answer_of(Connection& connection, std::string_view author, std::string_view key,
                                                    std::int64_t now);

} // namespace costcurve::storage::postgres
