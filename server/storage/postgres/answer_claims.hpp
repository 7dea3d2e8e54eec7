// Claims of Idempotency-Keys: rows of the table answer without an answer (status 0), each with a lease of who makes it.
#pragma once

#include <cstdint>
#include <string_view>

#include "server/storage/postgres/engine/connection.hpp"

namespace costcurve::storage::postgres {

/// False where there is an answer, or another request with the key is being answered. Works inside a transaction of the caller.
[[nodiscard]] bool claim_key(Connection& connection, std::string_view holder, std::string_view author, std::string_view key,
                             std::string_view request_hash, std::int64_t now);
/// Nothing where the holder has none.
void release_key(Connection& connection, std::string_view holder, std::string_view author, std::string_view key);

} // namespace costcurve::storage::postgres
