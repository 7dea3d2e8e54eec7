// Decides what a save writes: which records are sound, which conditions hold, and what differs from the current revision. Reads and
// writes nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "server/storage/record.hpp"
#include "server/storage/save_outcome.hpp"
#include "server/storage/writes/curve_rows.hpp"

namespace costcurve::storage {

/// Throws std::invalid_argument, a fault of the caller, unless x ascends, no number is NaN, each curve has points and its own
/// pointer, and only offers have facts.
void check_record(const Record& record);
/// Checks each record, and that no document comes twice.
void check_records(std::span<const Record> records);

/// References are a set: sorted, each once.
[[nodiscard]] std::vector<DocumentKey> as_set(std::vector<DocumentKey> references);

/// The current revision's number where the condition doesn't hold; 0 where there is no document, or a deleted one.
[[nodiscard]] std::optional<ConditionFailed> failing(const Condition& condition, const Revision* current);

/// What a save of a record writes behind the current revision, which may be a deletion.
struct NextRevision {
    Saved::What what = Saved::What::unchanged; ///< then nothing
    bool keeps_body = false;                   ///< the body is that of the current revision
    std::vector<CurveRows> curves;
};
[[nodiscard]] NextRevision next_revision(const Revision& current, const Record& record);

/// The references that end and begin with a revision, of and to numbers of documents, ascending.
struct ReferenceDifference {
    std::vector<std::int64_t> ended;
    std::vector<std::int64_t> added;
};
[[nodiscard]] ReferenceDifference reference_difference(const std::set<std::int64_t>& before, const std::set<std::int64_t>& after);

} // namespace costcurve::storage
