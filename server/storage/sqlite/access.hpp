// Rows of API keys, and of answers kept for requests that come again. Writes work inside a transaction of the caller.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "server/storage/access.hpp"
#include "server/storage/sqlite/change.hpp"
#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

/// False where the name is taken: then nothing is recorded.
[[nodiscard]] bool insert_key(Database& database, Change& change, const ApiKey& key, std::string_view hash,
                              std::optional<std::int64_t> days);
/// False where no good key has the name.
[[nodiscard]] bool replace_secret(Database& database, Change& change, std::string_view name, std::string_view hash,
                                  const KeyRotation& rotation);
/// False where no good key has the name.
[[nodiscard]] bool end_key(Database& database, Change& change, std::string_view name);
/// By name; "" for all. Times of expiry are as of `now`.
[[nodiscard]] std::vector<ApiKey> find_keys(Database& database, std::string_view name, std::int64_t now);
[[nodiscard]] std::optional<ApiKey> key_of(Database& database, std::string_view hash, std::int64_t now);
[[nodiscard]] bool has_expired(Database& database, std::string_view hash, std::int64_t now);

/// Keeps the first answer under a key, and forgets all that are older than a day at `now`.
void insert_answer(Database& database, std::string_view author, std::string_view key, const StoredAnswer& answer, std::int64_t now);
[[nodiscard]] std::optional<StoredAnswer> answer_of(Database& database, std::string_view author, std::string_view key,
                                                    std::int64_t now);

} // namespace costcurve::storage::sqlite
