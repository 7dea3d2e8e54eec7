// Rows of API keys, and of answers kept for requests that come again. Writes work inside a transaction of the caller.
#pragma once

#include "server/storage/save.hpp"

namespace costcurve::storage {

/// False where the name is taken: then nothing is recorded.
[[nodiscard]] bool insert_key(Database& database, Change& change, const ApiKey& key, std::string_view hash);
/// False where no good key has the name.
[[nodiscard]] bool end_key(Database& database, Change& change, std::string_view name);
[[nodiscard]] std::vector<ApiKey> all_keys(Database& database);
[[nodiscard]] std::optional<ApiKey> key_of(Database& database, std::string_view hash);

/// Keeps the first answer under a key, and forgets all that are older than a day at `now`.
void insert_answer(Database& database, std::string_view author, std::string_view key, const StoredAnswer& answer, std::int64_t now);
[[nodiscard]] std::optional<StoredAnswer> answer_of(Database& database, std::string_view author, std::string_view key,
                                                    std::int64_t now);

} // namespace costcurve::storage
