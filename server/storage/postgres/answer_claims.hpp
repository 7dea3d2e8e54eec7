// Claims of Idempotency-Keys: rows of table answer that have no answer yet (status 0), each leased by its holder.
#pragma once

#include <cstdint>
#include <string_view>

#include "server/storage/postgres/engine/connection.hpp"

namespace costcurve::storage::postgres {

/// Claims the key. False if it has an answer or another request with the key is in progress. Works inside the caller's transaction.
[[nodiscard]] bool claim_key(Connection& connection, std::string_view holder, std::string_view author, std::string_view key,
                             std::string_view request_hash, std::int64_t now);
/// Releases the holder's claim of the key, if there is one.
void release_key(Connection& connection, std::string_view holder, std::string_view author, std::string_view key);

} // namespace costcurve::storage::postgres
