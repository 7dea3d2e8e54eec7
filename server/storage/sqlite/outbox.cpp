// Due deliveries. A webhook's pending deliveries are one range of an index.
#include "server/storage/sqlite/outbox.hpp"

#include "server/storage/rows.hpp"

namespace costcurve::storage::sqlite {

namespace {

constexpr const char* kDue = R"(
    SELECT v.delivery, v.id, d.id, w.url, w.secret, v.attempts, e.event, e.recorded_at, e.kind, e.subject, e.body
    FROM webhook w JOIN document d ON d.document = w.webhook
         JOIN delivery v ON v.delivery = (SELECT p.delivery FROM delivery p
                                          WHERE p.webhook = w.webhook AND p.state = 'pending' AND p.next_try_at <= ?1
                                          ORDER BY p.next_try_at LIMIT 1)
         JOIN event e ON e.event = v.event
    WHERE w.enabled ORDER BY v.next_try_at, v.delivery LIMIT ?2)";
constexpr const char* kNextDue = R"(
    SELECT min((SELECT min(p.next_try_at) FROM delivery p WHERE p.webhook = w.webhook AND p.state = 'pending'))
    FROM webhook w WHERE w.enabled)";

} // namespace

std::vector<DueDelivery> find_due(Database& database, std::int64_t now, std::size_t limit) {
    return sql::read_all(Rows(database, kDue, now, limit), read_due_delivery);
}

std::optional<std::int64_t> next_due(Database& database) {
    Rows rows(database, kNextDue);
    return rows.next() && !rows.is_null(0) ? std::optional(rows.integer(0)) : std::nullopt;
}

} // namespace costcurve::storage::sqlite
