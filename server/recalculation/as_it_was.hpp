// A scenario as it was when a kept result was made, evaluated by this program's version of the model.
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

/// Of which revisions of which documents a result, kept as JSON, was made.
[[nodiscard]] Revisions revisions_of(std::string_view result);

/// A revision by its number: the store as it was known when it was recorded.
[[nodiscard]] std::optional<storage::Revision> load_revision(const storage::DocumentStore& store, const storage::DocumentKey& key,
                                                             std::int64_t number);

/// Evaluates with these revisions alone. Nothing where a document is gone, or today's rules refuse it.
[[nodiscard]] std::optional<answers::Evaluated> evaluate_as_it_was(const std::string& scenario, const Revisions& revisions,
                                                                   const LoadRevision& load);

} // namespace costcurve::recalculation
