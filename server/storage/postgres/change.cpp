// Changes of an era are one range of an index.
#include "server/storage/postgres/change.hpp"

#include <algorithm>
#include <stdexcept>

#include "server/storage/timestamp.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr const char* kLastChange = "SELECT sequence, era, recorded_at, link FROM change ORDER BY sequence DESC LIMIT 1";
constexpr const char* kAddChange = R"(
    INSERT INTO change (sequence, era, recorded_at, author, address, request_id, action, subject)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8))";
constexpr const char* kClose = "UPDATE change SET content = $1, link = $2 WHERE sequence = $3 RETURNING pg_notify('costcurve', '')";
constexpr const char* kLastEra = "SELECT coalesce(max(era), 0) FROM change";
constexpr const char* kChangeInEra =
    "SELECT sequence FROM change WHERE era = $1 AND recorded_at <= $2 ORDER BY recorded_at DESC LIMIT 1";

LastChange read_last(Connection& connection) {
    LastChange last;
    last.is_read = true;
    Rows rows(connection, kLastChange);
    if (rows.next()) {
        last.number = {rows.integer(0), rows.integer(1), rows.integer(2)};
        last.finished = last.number.sequence;
        std::ranges::copy(rows.bytes(3).substr(0, last.link.size()), last.link.begin());
    }
    return last;
}

} // namespace

std::int64_t Change::sequence() {
    if (is_recorded()) {
        return number_.sequence;
    }
    if (!last_.is_read) {
        last_ = read_last(connection_);
    }
    number_ = next_change(last_.number, now_);
    last_.number = number_;
    recorded_at_text_ = format_time(number_.recorded_at);
    connection_.post(kAddChange, number_.sequence, number_.era, number_.recorded_at, author_.name, author_.address,
                     author_.request_id, action_, subject_);
    return number_.sequence;
}

ChangeMark Change::close(const std::optional<Hash>& content) {
    if (number_.sequence != last_.finished + 1) {
        throw std::logic_error("changes are finished in the order of their numbers");
    }
    const Hash link = link_of(last_.link, {number_.sequence, number_.era, number_.recorded_at, author_.name, author_.address,
                                           author_.request_id, action_, subject_, content});
    const auto bytes = content ? std::optional(Bytes{text_of(*content)}) : std::nullopt;
    connection_.post(kClose, bytes, Bytes{text_of(link)}, number_.sequence);
    last_.finished = number_.sequence;
    last_.link = link;
    return {number_.sequence, link};
}

ChangeMark Change::finish() { return is_recorded() ? close(content_of(std::move(hashes_))) : ChangeMark(); }

ChangeMark Change::finish_as_action() {
    static_cast<void>(sequence());
    return close(std::nullopt);
}

ChangeMark record_action(Connection& connection, const Author& author, std::string_view action, std::string subject,
                         std::int64_t now) {
    LastChange last;
    return Change(connection, last, author, action, std::move(subject), now).finish_as_action();
}

std::int64_t change_at(Connection& connection, std::int64_t moment) {
    for (std::int64_t era = connection.number(kLastEra); era >= 0; --era) { // an era begins with its earliest change
        Rows rows(connection, kChangeInEra, era, moment);
        if (rows.next()) {
            return rows.integer(0);
        }
    }
    return 0;
}

} // namespace costcurve::storage::postgres
