// Writes revisions of many documents, a table after the other instead of a document after the other.
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

/// Revisions on their way in, inside of a write transaction. What is added is written by `write`, at the latest; records that are
/// given outlive it. Their references are not written here.
class BulkInsert {
public:
    BulkInsert(Database& database, Change& change) : database_(database), change_(change) {}

    /// Takes a document that the store has never had; gives the row that it will have. Rows ascend. Fastest where keys do too.
    [[nodiscard]] std::int64_t add(const Record& record);
    /// Takes the revision behind the current one of a document: what was merged, else what is given.
    void add_next(const Stored& current, const Record& given, std::optional<Record>&& merged, NextRevision&& next);
    void write();

private:
    struct Entry {
        const Record* given = nullptr;
        std::optional<Record> merged;
        std::int64_t document = 0;
        std::int64_t revision = 1;
        std::int64_t ended = 0;           // the row of the revision before; 0: there is none
        std::optional<std::int64_t> body; // that of the revision before, where it stays
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
    std::int64_t last_document_ = 0; // 0: none was added yet
    std::map<std::string, std::int64_t> pointers_;
};

} // namespace costcurve::storage::sqlite
