// Rows of the audit. Each follows the previous row in number and time, whatever the clock says, and gets a link of the hash chain.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/storage/access.hpp"
#include "server/storage/audit.hpp"
#include "server/storage/change_number.hpp"
#include "server/storage/sql/connection.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::sql {

/// Identifies a change after its connection was lost: its link is unique.
struct ChangeMark {
    std::int64_t sequence = 0; ///< 0 if no numbered change was written
    Hash link{};
};

/// The newest change, after which a transaction's changes are numbered. Read once per transaction.
struct LastChange {
    bool is_read = false;
    ChangeNumber number;
    std::int64_t finished = 0; ///< number of the last change that has its link
    Hash link{};               ///< link of that change; zeros before the first
};

/// Records under the request's Idempotency-Key, if any, the first write of the request, such as "change @12". If the answer is
/// never stored, a repeated request isn't executed again. Runs in the write's transaction.
void note_done(Connection& connection, const Author& author, const std::string& done, std::int64_t now);

/// A change inside a write transaction that holds the lock of all changes. It is recorded only when something really changes.
/// Several changes of a transaction share `LastChange` and must be finished in order of their numbers.
class Change {
public:
    Change(Connection& connection, LastChange& last, const Author& author, std::string_view action, std::string subject,
           std::int64_t now)
        : connection_(connection), last_(last), author_(author), action_(action), subject_(std::move(subject)), now_(now) {}

    /// The change's number; the first call records the change.
    [[nodiscard]] std::int64_t sequence();
    /// Adds the hash of something that the change writes. `order` sorts the hashes of one change: it is the document's row.
    void add_hash(std::int64_t order, const Hash& hash) { hashes_.emplace_back(order, hash); }
    /// Closes a recorded change with its chain link, and wakes other daemons after the commit; does nothing if not recorded. Must
    /// be the last write of the transaction. Throws std::logic_error if an earlier change isn't finished.
    ChangeMark finish() { return is_recorded() ? close(content_of(std::move(hashes_))) : ChangeMark(); }
    /// Records the change unless it is already recorded.
    void record() { static_cast<void>(sequence()); }
    /// Records and closes a change that has only an audit row and writes nothing hashed.
    ChangeMark finish_as_action();
    [[nodiscard]] bool is_recorded() const { return number_.sequence != 0; }
    /// Time of a recorded change, in microseconds.
    [[nodiscard]] std::int64_t recorded_at() const { return number_.recorded_at; }
    [[nodiscard]] const std::string& recorded_at_text() const { return recorded_at_text_; }
    [[nodiscard]] const std::string& author() const { return author_.name; }

private:
    void read_last();
    ChangeMark close(const std::optional<Hash>& content);

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

/// Records an audit row without content, under the lock of all changes.
ChangeMark record_action(Connection& connection, const Author& author, std::string_view action, std::string subject,
                         std::int64_t now);

/// The last change, by number, recorded at or before a moment (microseconds); 0 if there is none. For a past moment the answer is
/// stable unless the clock is set back past it; the moment then occurs twice and means the second time. Changes of an era are one
/// range of an index.
[[nodiscard]] std::int64_t change_at(Connection& connection, std::int64_t moment);

} // namespace costcurve::storage::sql
