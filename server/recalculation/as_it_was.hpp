// Re-evaluates a scenario with the document revisions of a stored result, by this program's model version.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "server/answers/evaluate.hpp"
#include "server/storage/record.hpp"
#include "server/storage/roles.hpp"

namespace costcurve::recalculation {

using Revisions = std::map<storage::DocumentKey, std::int64_t>;
using LoadRevision = std::function<std::optional<storage::Revision>(const storage::DocumentKey& key, std::int64_t number)>;

/// The document revisions from which a stored result was computed.
[[nodiscard]] Revisions revisions_of(std::string_view result);

/// A revision by its number: the store as it was known when it was recorded.
[[nodiscard]] std::optional<storage::Revision> load_revision(const storage::DocumentStore& store, const storage::DocumentKey& key,
                                                             std::int64_t number);

/// Evaluates with exactly these revisions. Nothing if a document is missing or current rules refuse it.
[[nodiscard]] std::optional<answers::Evaluated> evaluate_as_it_was(const std::string& scenario, const Revisions& revisions,
                                                                   const LoadRevision& load);

} // namespace costcurve::recalculation
