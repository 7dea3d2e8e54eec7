// Seals of data that is replaced in place beside revisions: addresses and secrets of webhooks, secrets of feeds, keys. A seal is
// the hash of such data after a change, and part of the change's content; a check compares the newest seal with the stored data.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/storage/sql/change.hpp"
#include "server/storage/sql/connection.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::sql {

struct SealedState {
    std::string subject;
    Hash hash{};
};

/// States to seal of the webhook with this document number, or of all webhooks for 0. The same for feeds that have a secret.
[[nodiscard]] std::vector<SealedState> webhook_states(Connection& connection, std::int64_t webhook = 0);

[[nodiscard]] std::vector<SealedState> feed_states(Connection& connection, std::int64_t feed = 0);

/// States to seal of the key with this name, or of all keys for "": role, dates of creation and revocation, and secrets with their
/// dates.
[[nodiscard]] std::vector<SealedState> key_states(Connection& connection, std::string_view name = "");

/// Seals what a change has just written.
void add_seals(Connection& connection, Change& change, const std::vector<SealedState>& states);

} // namespace costcurve::storage::sql
