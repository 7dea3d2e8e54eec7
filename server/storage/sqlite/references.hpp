// The table reference: read as of a change, replaced where rows differ.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "server/storage/record.hpp"
#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

/// What a document refers to as of `sequence`, ascending, each once.
[[nodiscard]] std::vector<DocumentKey> load_references(Database& database, std::int64_t document, std::int64_t sequence);

/// The rows of what documents refer to, in one transaction. Most offers of a catalogue refer to the same few devices: each is
/// looked up once.
class ReferenceResolver {
public:
    explicit ReferenceResolver(Database& database) : database_(database) {}

    /// The rows of current documents; those that aren't there are missing from then on.
    [[nodiscard]] std::set<std::int64_t> resolve(const std::vector<DocumentKey>& references);
    [[nodiscard]] const std::set<DocumentKey>& missing() const { return missing_; }

private:
    [[nodiscard]] std::int64_t find(const DocumentKey& key);

    Database& database_;
    std::map<DocumentKey, std::int64_t> known_; // 0: there is none
    std::set<DocumentKey> missing_;
};

/// Ends the references of a document that aren't in `targets`, and adds those that are new.
void save_references(Database& database, std::int64_t document, std::int64_t sequence, const std::set<std::int64_t>& targets);

} // namespace costcurve::storage::sqlite
