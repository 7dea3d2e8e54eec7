// Writes revisions of many documents table by table instead of document by document.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/storage/record.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sqlite/content.hpp"
#include "server/storage/sqlite/engine/database.hpp"
#include "server/storage/writes/curve_rows.hpp"
#include "server/storage/writes/next_revision.hpp"

namespace costcurve::storage::sqlite {

using sql::Change;

/// Collects revisions inside a write transaction and writes them by `write` at the latest. Records must outlive it. References are
/// written elsewhere.
class BulkInsert {
public:
    BulkInsert(Database& database, Change& change) : database_(database), change_(change) {}

    /// Adds a new document and returns its row number; numbers ascend. Fastest if keys ascend, too.
    [[nodiscard]] std::int64_t add(const Record& record);
    /// Adds the next revision of a document: the merged record if any, otherwise the given one.
    void add_next(const Stored& current, const Record& given, std::optional<Record>&& merged, NextRevision&& next);
    void write();

private:
    struct Entry {
        const Record* given = nullptr;
        std::optional<Record> merged;
        std::int64_t document = 0;
        std::int64_t revision = 1;
        std::int64_t ended = 0;           // row of the previous revision; 0 if none
        std::optional<std::int64_t> body; // body of the previous revision, if it stays
        Hash body_hash{};
        std::vector<CurveRows> curves;

        [[nodiscard]] const Record& record() const { return merged ? *merged : *given; }
    };
    Entry& add_entry(const Record& given);
    void write_documents();
    void write_bodies();
    void write_revisions();
    void write_points();

    Database& database_;
    Change& change_;
    std::vector<Entry> entries_;
    std::int64_t last_document_ = 0; // 0 before the first
    std::map<std::string, std::int64_t> pointers_;
};

} // namespace costcurve::storage::sqlite
