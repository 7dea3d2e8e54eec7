// Rows of the audit: each is numbered and dated behind the one before, whatever the clock says, and takes a link of the chain.
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
void note_done(Connection& connection, const Author& author, const std::string& done, std::int64_t now);

/// A change inside of a write transaction that has the lock of all changes. It is recorded once something really changes. Several
/// of a transaction share the last one, and are finished in the order of their numbers.
class Change {
public:
    Change(Connection& connection, LastChange& last, const Author& author, std::string_view action, std::string subject,
           std::int64_t now)
        : connection_(connection), last_(last), author_(author), action_(action), subject_(std::move(subject)), now_(now) {}

    /// Its number; the first call records it.
    [[nodiscard]] std::int64_t sequence();
    /// The hash of something that it writes, and what orders those of one change: the row of a document.
    void add_hash(std::int64_t order, const Hash& hash) { hashes_.emplace_back(order, hash); }
    /// Closes it with its link of the chain, and wakes other daemons once it is committed; nothing where it is not recorded. The
    /// last before the transaction's commit. Throws std::logic_error where one before it is not finished.
    ChangeMark finish() { return is_recorded() ? close(content_of(std::move(hashes_))) : ChangeMark(); }
    /// Records it where it isn't yet.
    void record() { static_cast<void>(sequence()); }
    /// Records and closes one that is in the audit alone: it writes nothing that has a hash.
    ChangeMark finish_as_action();
    [[nodiscard]] bool is_recorded() const { return number_.sequence != 0; }
    /// In microseconds; of one that is recorded.
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

/// Records a change that is in the audit alone, under the lock of all changes.
ChangeMark record_action(Connection& connection, const Author& author, std::string_view action, std::string subject,
                         std::int64_t now);

/// The last change, by number, that was recorded at a moment or before, in microseconds; 0 where there is none. As long as the
/// clock is not set back to before a moment that has passed, it is the same for ever; where it is, the moment comes twice and
/// means the second time. Changes of an era are one range of an index.
[[nodiscard]] std::int64_t change_at(Connection& connection, std::int64_t moment);

} // namespace costcurve::storage::sql
