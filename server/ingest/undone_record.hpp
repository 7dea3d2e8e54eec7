// What a change made of a document, taken back or done again: field by field and point by point.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "server/storage/record.hpp"

namespace costcurve::ingest {

/// A record whose body is of today's encoding; nothing where it can't be read whole.
[[nodiscard]] std::optional<storage::Record> of_today(const storage::Record& record);

/// A record of a body and points; nothing where they are no document by its rules.
[[nodiscard]] std::optional<storage::Record> record_from(const storage::DocumentKey& key, const nlohmann::json& body,
                                                         std::vector<storage::Series> series);

[[nodiscard]] bool is_same_content(const storage::Record& a, const storage::Record& b);

/// The document now, without what a change from `before` to `after` made of it: fields and points that are still as it left them
/// are as before it, whatever others have been changed since. Of a document that the change added, the points go, and the curves
/// that have no others where it can do without.
[[nodiscard]] storage::Record without_change(const storage::Record& now, const std::optional<storage::Record>& before,
                                             const storage::Record& after);

/// Whether a document that changes added, newest first, has prices, and none but theirs.
[[nodiscard]] bool has_no_other_price(const storage::Record& now, std::span<const storage::Record> made);

/// What a change from `before` to `after` makes of another document; nothing where that or `after` is none.
[[nodiscard]] std::optional<storage::Record> with_change(const std::optional<storage::Record>& document,
                                                         const std::optional<storage::Record>& before,
                                                         const std::optional<storage::Record>& after);

} // namespace costcurve::ingest
