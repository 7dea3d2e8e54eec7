// Lines of bills as rows.
#pragma once

#include <cstdint>
#include <span>

#include "server/storage/measurement.hpp"
#include "server/storage/sql/bill.hpp"
#include "server/storage/sqlite/dialect.hpp"

namespace costcurve::storage::sql {

template <> struct BillStatements<sqlite::Database> {
    static const char* const kFindGroup;
    static const char* const kFindBeside;
    static const char* const kTotal;
    static const char* const kVisit;
    static void remove_lines(sqlite::Database& database, std::int64_t day, std::span<const std::int64_t> items);
    static void put_lines(sqlite::Database& database, std::span<const BillLine* const> lines, std::int64_t sequence);
};

} // namespace costcurve::storage::sql
