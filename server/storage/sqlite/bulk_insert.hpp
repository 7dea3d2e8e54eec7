// Writes documents that the store has never had, a table after the other instead of a document after the other.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "server/storage/record.hpp"
#include "server/storage/sqlite/change.hpp"
#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

/// Documents on their way in, inside of a write transaction. What is added is written by `write`, at the latest.
class BulkInsert {
public:
    BulkInsert(Database& database, Change& change) : database_(database), change_(change) {}

    /// Takes a document, which outlives its writing; gives the row that it will have. Rows ascend. Fastest where keys do too.
    [[nodiscard]] std::int64_t add(const Record& record);
    void write();

private:
    void write_documents();
    void write_points();

    Database& database_;
    Change& change_;
    std::vector<const Record*> records_; // of rows first_, first_ + 1 …
    std::int64_t first_ = 0;             // 0: none was added yet
    std::map<std::string, std::int64_t> pointers_;
};

} // namespace costcurve::storage::sqlite
