// Numbers a change and links it to the last change, which is read once per transaction.
#include "server/storage/sql/change.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "server/storage/sql/engine.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage::sql {

void note_done(Connection& connection, const Author& author, const std::string& done, std::int64_t now) {
    if (!author.idempotency_key.empty()) {
        connection.post(R"(
            INSERT INTO answer AS a (author, idempotency_key, kept_at, request_hash, status, content_type, body, location)
            VALUES ($1, $2, $3, $4, 0, '', $5, '')
            ON CONFLICT (author, idempotency_key) DO UPDATE SET kept_at = excluded.kept_at, status = 0, body = excluded.body
            WHERE (a.status = 0 AND length(a.body) = 0) OR a.kept_at NOT BETWEEN $6 AND $7)",
                        keeper_of(author), author.idempotency_key, now, Bytes{""}, Bytes{done}, now - kAnswerLifetime,
                        now + kAnswerLifetime);
    }
}

std::int64_t Change::sequence() {
    if (is_recorded()) {
        return number_.sequence;
    }
    if (!last_.is_read) {
        read_last();
    }
    number_ = next_change(last_.number, now_);
    last_.number = number_;
    recorded_at_text_ = format_time(number_.recorded_at);
    connection_.post(R"(
            INSERT INTO change (sequence, era, recorded_at, author, address, request_id, action, subject)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8))",
                     number_.sequence, number_.era, number_.recorded_at, author_.name, author_.address, author_.request_id, action_,
                     subject_);
    note_done(connection_, author_, fmt::format("change {}", format_sequence(number_.sequence)), now_);
    return number_.sequence;
}

ChangeMark Change::finish_as_action() {
    record();
    return close(std::nullopt);
}

void Change::read_last() {
    last_.is_read = true;
    Rows rows(connection_, "SELECT sequence, era, recorded_at, link FROM change ORDER BY sequence DESC LIMIT 1");
    if (rows.next()) {
        last_.number = {rows->integer(0), rows->integer(1), rows->integer(2)};
        last_.finished = last_.number.sequence;
        std::ranges::copy(rows->bytes(3).substr(0, last_.link.size()), last_.link.begin());
    }
}

ChangeMark Change::close(const std::optional<Hash>& content) {
    const std::string statement =
        std::string("UPDATE change SET content = $1, link = $2 WHERE sequence = $3") + connection_.engine().dialect().return_notice;
    if (number_.sequence != last_.finished + 1) {
        throw std::logic_error("changes are finished in the order of their numbers");
    }
    const Hash link = link_of(last_.link, {number_.sequence, number_.era, number_.recorded_at, author_.name, author_.address,
                                           author_.request_id, action_, subject_, content});
    const auto bytes = content ? std::optional(Bytes{text_of(*content)}) : std::nullopt;
    connection_.post(statement, bytes, Bytes{text_of(link)}, number_.sequence);
    last_.finished = number_.sequence;
    last_.link = link;
    return {number_.sequence, link};
}

ChangeMark record_action(Connection& connection, const Author& author, std::string_view action, std::string subject,
                         std::int64_t now) {
    LastChange last;
    return Change(connection, last, author, action, std::move(subject), now).finish_as_action();
}

std::int64_t change_at(Connection& connection, std::int64_t moment) {
    std::int64_t era = connection.number("SELECT coalesce(max(era), 0) FROM change");
    for (; era >= 0; --era) { // an era begins with its earliest change
        Rows rows(connection, "SELECT sequence FROM change WHERE era = $1 AND recorded_at <= $2 ORDER BY recorded_at DESC LIMIT 1",
                  era, moment);
        if (rows.next()) {
            return rows->integer(0);
        }
    }
    return 0;
}

} // namespace costcurve::storage::sql
