// Seals of rows that are replaced in place, such as keys and secrets: a hash over all that a check compares.
#include "server/storage/sql/seals.hpp"

#include <fmt/format.h>

namespace costcurve::storage::sql {

std::vector<SealedState> webhook_states(Connection& connection, std::int64_t webhook) {
    return read_all(Rows(connection, R"(
        SELECT d.id, w.url, w.secret, w.events, w.enabled FROM webhook w JOIN document d ON d.document = w.webhook
        WHERE $1 = 0 OR w.webhook = $1)",
                         webhook),
                    [](const Row& row) {
                        const auto secret = row.is_null(2) ? std::nullopt : std::optional<std::string_view>(row.text(2));
                        return SealedState{fmt::format("webhook/{}", row.text(0)),
                                           HashInput().add(row.text(1)).add(secret).add(row.text(3)).add(row.integer(4)).take()};
                    });
}

std::vector<SealedState> feed_states(Connection& connection, std::int64_t feed) {
    return read_all(Rows(connection, R"(
        SELECT d.id, s.secret FROM feed_secret s JOIN document d ON d.document = s.feed WHERE $1 = 0 OR s.feed = $1)",
                         feed),
                    [](const Row& row) {
                        return SealedState{fmt::format("feed/{}", row.text(0)), HashInput().add(row.text(1)).take()};
                    });
}

std::vector<SealedState> key_states(Connection& connection, std::string_view name) {
    std::vector<SealedState> states;
    HashInput input;
    Rows rows(connection, R"(
        SELECT k.name, k.role, k.created, k.revoked, s.hash, s.created, s.expires_at
        FROM api_key k LEFT JOIN api_secret s ON s.name = k.name WHERE $1 = '' OR k.name = $1
        ORDER BY k.name, s.created, s.hash)",
              name);
    while (rows.next()) {
        const std::string subject = fmt::format("key/{}", rows->text(0));
        if (states.empty() || states.back().subject != subject) {
            states.push_back({subject, {}});
        }
        // Chains the hash of the previous rows and the row.
        input.add(text_of(states.back().hash)).add(rows->text(1)).add(rows->integer(2)).add(rows->integer_or_null(3));
        input.add(rows->is_null(4) ? std::string_view() : rows->bytes(4));
        states.back().hash = input.add(rows->integer_or_null(5)).add(rows->integer_or_null(6)).take();
    }
    return states;
}

void add_seals(Connection& connection, Change& change, const std::vector<SealedState>& states) {
    for (const SealedState& state : states) {
        connection.post("INSERT INTO seal (subject, since, hash) VALUES ($1, $2, $3)", state.subject, change.sequence(),
                        Bytes{text_of(state.hash)});
        change.add_hash(0, hash_of_seal(state.subject, state.hash));
    }
}

} // namespace costcurve::storage::sql
