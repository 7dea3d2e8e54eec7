// Rows of the audit: each is numbered and dated behind the one before, whatever the clock says, and takes a link of the chain.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "server/storage/access.hpp"
#include "server/storage/audit.hpp"
#include "server/storage/change_number.hpp"
#include "server/storage/sql/dialect.hpp"
#include "server/storage/timestamp.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::sql {

/// What a change is known by once its connection is gone: no other has its link.
struct ChangeMark {
    std::int64_t sequence = 0; ///< 0: nothing was written that has a number
    Hash link{};
};

/// The newest change, behind which those of a transaction come. Read once.
struct LastChange {
    bool is_read = false;
    ChangeNumber number;
    std::int64_t finished = 0; ///< up to this one changes have their links
    Hash link{};               ///< of that one; zeros before the first
};

/// Notes under the Idempotency-Key of a request, if it has one, what it did first, such as "change @12": where its answer is never
/// kept, a repeat is not to do it again. In the transaction of what it did.
template <class Connection>
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

/// A change inside of a write transaction that has the lock of all changes. It is recorded once something really changes. Several
/// of a transaction share the last one, and are finished in the order of their numbers.
template <class Connection> class Change {
public:
    Change(Connection& connection, LastChange& last, const Author& author, std::string_view action, std::string subject,
           std::int64_t now)
        : connection_(connection), last_(last), author_(author), action_(action), subject_(std::move(subject)), now_(now) {}

    /// Its number; the first call records it.
    [[nodiscard]] std::int64_t sequence() {
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
                         number_.sequence, number_.era, number_.recorded_at, author_.name, author_.address, author_.request_id,
                         action_, subject_);
        note_done(connection_, author_, fmt::format("change {}", format_sequence(number_.sequence)), now_);
        return number_.sequence;
    }
    /// The hash of something that it writes, and what orders those of one change: the row of a document.
    void add_hash(std::int64_t order, const Hash& hash) { hashes_.emplace_back(order, hash); }
    /// Closes it with its link of the chain, and wakes other daemons once it is committed; nothing where it is not recorded. The
    /// last before the transaction's commit. Throws std::logic_error where one before it is not finished.
    ChangeMark finish() { return is_recorded() ? close(content_of(std::move(hashes_))) : ChangeMark(); }
    /// Records and closes one that is in the audit alone: it writes nothing that has a hash.
    ChangeMark finish_as_action() {
        static_cast<void>(sequence());
        return close(std::nullopt);
    }
    [[nodiscard]] bool is_recorded() const { return number_.sequence != 0; }
    /// In microseconds; of one that is recorded.
    [[nodiscard]] std::int64_t recorded_at() const { return number_.recorded_at; }
    [[nodiscard]] const std::string& recorded_at_text() const { return recorded_at_text_; }
    [[nodiscard]] const std::string& author() const { return author_.name; }

private:
    void read_last() {
        last_.is_read = true;
        RowsOf<Connection> rows(connection_, "SELECT sequence, era, recorded_at, link FROM change ORDER BY sequence DESC LIMIT 1");
        if (rows.next()) {
            last_.number = {rows.integer(0), rows.integer(1), rows.integer(2)};
            last_.finished = last_.number.sequence;
            std::ranges::copy(rows.bytes(3).substr(0, last_.link.size()), last_.link.begin());
        }
    }
    ChangeMark close(const std::optional<Hash>& content) {
        static const std::string statement =
            std::string("UPDATE change SET content = $1, link = $2 WHERE sequence = $3") + Dialect<Connection>::kReturnNotice;
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

    Connection& connection_;
    LastChange& last_;
    const Author& author_;
    std::string_view action_;
    std::string subject_;
    std::int64_t now_;
    ChangeNumber number_; // 0 until it is recorded
    std::string recorded_at_text_;
    std::vector<std::pair<std::int64_t, Hash>> hashes_;
};

/// Records a change that is in the audit alone, under the lock of all changes.
template <class Connection>
ChangeMark record_action(Connection& connection, const Author& author, std::string_view action, std::string subject,
                         std::int64_t now) {
    LastChange last;
    return Change(connection, last, author, action, std::move(subject), now).finish_as_action();
}

/// The last change, by number, that was recorded at a moment or before, in microseconds; 0 where there is none. As long as the
/// clock is not set back to before a moment that has passed, it is the same for ever; where it is, the moment comes twice and
/// means the second time. Changes of an era are one range of an index.
template <class Connection> [[nodiscard]] std::int64_t change_at(Connection& connection, std::int64_t moment) {
    std::int64_t era = connection.number("SELECT coalesce(max(era), 0) FROM change");
    for (; era >= 0; --era) { // an era begins with its earliest change
        RowsOf<Connection> rows(
            connection, "SELECT sequence FROM change WHERE era = $1 AND recorded_at <= $2 ORDER BY recorded_at DESC LIMIT 1", era,
            moment);
        if (rows.next()) {
            return rows.integer(0);
        }
    }
    return 0;
}

} // namespace costcurve::storage::sql
