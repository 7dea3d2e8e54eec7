// One row of the audit for one transaction: numbered, dated by the clock, and recorded once something really changes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/storage/audit.hpp"
#include "server/storage/change_number.hpp"
#include "server/storage/hash.hpp"
#include "server/storage/sqlite/engine/database.hpp"
#include "server/storage/writes/chain.hpp"

namespace costcurve::storage::sqlite {

/// A change inside of a write transaction.
class Change {
public:
    Change(Database& database, const Author& author, std::string_view action, std::string subject, std::int64_t now)
        : database_(database), author_(author), action_(action), subject_(std::move(subject)), now_(now) {}

    /// Its number; the first call records it.
    [[nodiscard]] std::int64_t sequence();
    /// The hash of something that it writes, and what orders those of one change: the row of a document.
    void add_hash(std::int64_t order, const Hash& hash) { hashes_.emplace_back(order, hash); }
    /// Closes it with its link of the chain; nothing where it is not recorded. The last before the transaction's commit.
    void finish();
    /// Records and closes one that is in the audit alone: it writes nothing that has a hash.
    void finish_as_action();
    [[nodiscard]] bool is_recorded() const { return number_.sequence != 0; }
    /// In microseconds; of one that is recorded.
    [[nodiscard]] std::int64_t recorded_at() const { return number_.recorded_at; }
    [[nodiscard]] const std::string& recorded_at_text() const { return recorded_at_text_; }
    [[nodiscard]] const std::string& author() const { return author_.name; }

private:
    void close(const std::optional<Hash>& content);

    Database& database_;
    const Author& author_;
    std::string_view action_;
    std::string subject_;
    std::int64_t now_;
    ChangeNumber number_; // 0 until it is recorded
    std::string recorded_at_text_;
    Hash previous_link_{}; // zeros before the first
    std::vector<std::pair<std::int64_t, Hash>> hashes_;
};

/// The last change, by number, that was recorded at a moment or before, in microseconds; 0 where there is none. As long as the
/// clock is not set back to before a moment that has passed, it is the same for ever; where it is, the moment comes twice and
/// means the second time.
[[nodiscard]] std::int64_t change_at(Database& database, std::int64_t moment);

} // namespace costcurve::storage::sqlite
