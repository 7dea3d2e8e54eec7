// Seals of what stands beside revisions and is replaced in place: webhooks' addresses and secrets, feeds' secrets, keys. A seal is
// the hash of one of them as a change left it, and is in the change's content; a check compares the newest with what is there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "server/storage/rows.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sql/dialect.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::sql {

struct SealedState {
    std::string subject;
    Hash hash{};
};

/// Of a webhook by its document, or of all of 0; and the same of feeds that have a secret.
template <class Connection>
[[nodiscard]] std::vector<SealedState> webhook_states(Connection& connection, std::int64_t webhook = 0) {
    return read_all(RowsOf<Connection>(connection, R"(
        SELECT d.id, w.url, w.secret, w.events, w.enabled FROM webhook w JOIN document d ON d.document = w.webhook
        WHERE $1 = 0 OR w.webhook = $1)",
                                       webhook),
                    [](const auto& rows) {
                        const auto secret = rows.is_null(2) ? std::nullopt : std::optional<std::string_view>(rows.text(2));
                        return SealedState{fmt::format("webhook/{}", rows.text(0)),
                                           HashInput().add(rows.text(1)).add(secret).add(rows.text(3)).add(rows.integer(4)).take()};
                    });
}
template <class Connection> [[nodiscard]] std::vector<SealedState> feed_states(Connection& connection, std::int64_t feed = 0) {
    return read_all(RowsOf<Connection>(connection, R"(
        SELECT d.id, s.secret FROM feed_secret s JOIN document d ON d.document = s.feed WHERE $1 = 0 OR s.feed = $1)",
                                       feed),
                    [](const auto& rows) {
                        return SealedState{fmt::format("feed/{}", rows.text(0)), HashInput().add(rows.text(1)).take()};
                    });
}

/// Of a key by its name, or of all of "": its role, when it was made and revoked, and its secrets with their dates.
template <class Connection> [[nodiscard]] std::vector<SealedState> key_states(Connection& connection, std::string_view name = "") {
    std::vector<SealedState> states;
    HashInput input;
    RowsOf<Connection> rows(connection, R"(
        SELECT k.name, k.role, k.created, k.revoked, s.hash, s.created, s.expires_at
        FROM api_key k LEFT JOIN api_secret s ON s.name = k.name WHERE $1 = '' OR k.name = $1
        ORDER BY k.name, s.created, s.hash)",
                            name);
    while (rows.next()) {
        const std::string subject = fmt::format("key/{}", rows.text(0));
        if (states.empty() || states.back().subject != subject) {
            states.push_back({subject, {}});
        }
        // Each row behind the hash of those before it.
        input.add(text_of(states.back().hash)).add(rows.text(1)).add(rows.integer(2)).add(integer_or_null(rows, 3));
        input.add(rows.is_null(4) ? std::string_view() : rows.bytes(4));
        states.back().hash = input.add(integer_or_null(rows, 5)).add(integer_or_null(rows, 6)).take();
    }
    return states;
}

/// Seals what a change has just written.
template <class Connection>
void add_seals(Connection& connection, Change<Connection>& change, const std::vector<SealedState>& states) {
    for (const SealedState& state : states) {
        connection.post("INSERT INTO seal (subject, since, hash) VALUES ($1, $2, $3)", state.subject, change.sequence(),
                        Bytes{text_of(state.hash)});
        change.add_hash(0, hash_of_seal(state.subject, state.hash));
    }
}

} // namespace costcurve::storage::sql
