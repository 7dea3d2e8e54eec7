// Ids that documents of the catalogue had before it was keyed as importers key what they read: an old id goes on naming the
// document. Stored bodies keep the id that they were written with. Knows no engine.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "server/storage/roles.hpp"

namespace costcurve::documents {

struct RenamedRow {
    storage::Kind kind;
    std::string_view old_id;
    std::string_view id;
};
/// The one list of renames; no `id` is an `old_id`.
[[nodiscard]] std::span<const RenamedRow> renamed_rows();

/// The key that replaced this one; nothing where it was never replaced.
[[nodiscard]] std::optional<storage::DocumentKey> new_key(const storage::DocumentKey& key);

/// The document that `load` finds under the key; where there is none, the one under the key that replaced it. A user's own document
/// under an old id wins so.
[[nodiscard]] std::optional<storage::Revision>
load_by_any_id(const std::function<std::optional<storage::Revision>(const storage::DocumentKey& key)>& load,
               const storage::DocumentKey& key);

/// Puts new keys in the places of old ones where only the new one is there, so that what a record refers to is what its ids resolve
/// to. `is_there` says whether a document is stored under a key, or about to be.
void rename_references(std::vector<storage::DocumentKey>& references,
                       const std::function<bool(const storage::DocumentKey& key)>& is_there);
/// The same of what is stored; it is read only where an old id is among them.
void rename_references(std::vector<storage::DocumentKey>& references, const storage::DocumentStore& store);

} // namespace costcurve::documents
