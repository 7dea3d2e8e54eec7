// Seals of what stands beside revisions and is replaced in place: webhooks' addresses and secrets, feeds' secrets, keys. A seal is
// the hash of one of them as a change left it, and is in the change's content; a check compares the newest with what is there.
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

/// States to seal of the webhook whose document this is, or of all webhooks where it is 0; of feeds that have a secret
/// likewise.
[[nodiscard]] std::vector<SealedState> webhook_states(Connection& connection, std::int64_t webhook = 0);

[[nodiscard]] std::vector<SealedState> feed_states(Connection& connection, std::int64_t feed = 0);

/// Of a key by its name, or of all of "": its role, when it was made and revoked, and its secrets with their dates.
[[nodiscard]] std::vector<SealedState> key_states(Connection& connection, std::string_view name = "");

/// Seals what a change has just written.
void add_seals(Connection& connection, Change& change, const std::vector<SealedState>& states);

} // namespace costcurve::storage::sql
