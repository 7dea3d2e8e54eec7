// Decides what a save writes: validates records, checks conditions, and computes the difference to the current revision. No input
// or output.
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
/// Checks each record, and that each document occurs once.
void check_records(std::span<const Record> records);

/// References are a set: sorted, each once.
[[nodiscard]] std::vector<DocumentKey> as_set(std::vector<DocumentKey> references);

/// Nothing if the condition holds; otherwise the current revision's number, 0 if the document doesn't exist or is deleted.
[[nodiscard]] std::optional<ConditionFailed> failing(const Condition& condition, const Revision* current);

/// What a save writes after the current revision, which may be a deletion.
struct NextRevision {
    Saved::What what = Saved::What::unchanged; ///< `unchanged` means that nothing is written
    bool keeps_body = false;                   ///< reuses the current revision's body
    std::vector<CurveRows> curves;
};
[[nodiscard]] NextRevision next_revision(const Revision& current, const Record& record);

/// The references that end and those that begin with a revision, as numbers of documents, ascending.
struct ReferenceDifference {
    std::vector<std::int64_t> ended;
    std::vector<std::int64_t> added;
};
[[nodiscard]] ReferenceDifference reference_difference(const std::set<std::int64_t>& before, const std::set<std::int64_t>& after);

} // namespace costcurve::storage
