// The table reference: read as of a change, replaced where rows differ.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "server/storage/record.hpp"
#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

/// The documents that a document refers to as of `sequence`, ascending, each once.
[[nodiscard]] std::vector<DocumentKey> load_references(Database& database, std::int64_t document, std::int64_t sequence);

/// Looks up row numbers of referenced documents in one transaction, each once: most offers of a catalogue refer to the same few
/// devices.
class ReferenceResolver {
public:
    explicit ReferenceResolver(Database& database) : database_(database) {}

    /// Row numbers of the current documents among `references`; the others are added to the missing ones.
    [[nodiscard]] std::set<std::int64_t> resolve(const std::vector<DocumentKey>& references);
    [[nodiscard]] const std::set<DocumentKey>& missing() const { return missing_; }

private:
    [[nodiscard]] std::int64_t find(const DocumentKey& key);

    Database& database_;
    std::map<DocumentKey, std::int64_t> known_; // 0 if the document doesn't exist
    std::set<DocumentKey> missing_;
};

/// Ends the references of a document that aren't in `targets`, and adds those that are new.
void save_references(Database& database, std::int64_t document, std::int64_t sequence, const std::set<std::int64_t>& targets);

} // namespace costcurve::storage::sqlite
