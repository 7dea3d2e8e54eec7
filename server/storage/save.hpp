// Writes revisions: what differs from the current one, and who may refer to what. Every function works inside a write
// transaction that the caller has begun and commits, and that it rolls back where the outcome isn't a success.
#pragma once

#include <span>
#include <vector>

#include "server/storage/content.hpp"

namespace costcurve::storage {

/// A change that is recorded once something really changes: one row of the audit for one transaction.
class Change {
public:
    Change(Database& database, const Author& author, std::string_view action, std::string subject, std::int64_t now)
        : database_(database), author_(author), action_(action), subject_(std::move(subject)), recorded_at_(now) {}

    /// Its number; the first call records it, later than every change before it, whatever the clock says.
    [[nodiscard]] std::int64_t sequence();
    [[nodiscard]] bool is_recorded() const { return sequence_ != 0; }
    /// In microseconds; of one that is recorded.
    [[nodiscard]] std::int64_t recorded_at() const { return recorded_at_; }
    [[nodiscard]] const std::string& recorded_at_text() const { return recorded_at_text_; }
    [[nodiscard]] const std::string& author() const { return author_.name; }

private:
    Database& database_;
    const Author& author_;
    std::string_view action_;
    std::string subject_;
    std::int64_t recorded_at_;
    std::string recorded_at_text_;
    std::int64_t sequence_ = 0;
};

/// Throws std::invalid_argument, a fault of the caller, unless x ascends, no number is NaN, each curve has points and its own
/// pointer, each document comes once, and only offers have facts.
void check_records(std::span<const Record> records);

/// The current revision's number where the condition doesn't hold (0 where there is no document).
[[nodiscard]] std::optional<ConditionFailed> failing(const Condition& condition, const std::optional<Stored>& current);

/// Saves checked records, in order; of the options it heeds `merge` and `progress`.
[[nodiscard]] std::variant<std::vector<Saved>, MissingReferences>
save_records(Database& database, Change& change, std::span<const Record> records, const SaveOptions& options = {});

/// Deletes a current document, unless others refer to it.
[[nodiscard]] RemoveOutcome remove_document(Database& database, Change& change, const Stored& current);

} // namespace costcurve::storage
