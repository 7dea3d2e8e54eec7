// Lines of bills as rows.
#pragma once

#include <cstdint>
#include <span>

#include "server/storage/measurement.hpp"
#include "server/storage/postgres/dialect.hpp"
#include "server/storage/sql/bill.hpp"

namespace costcurve::storage::sql {

template <> struct BillStatements<postgres::Connection> {
    static const char* const kFindGroup;
    static const char* const kFindBeside;
    static const char* const kTotal;
    static const char* const kVisit;
    static void remove_lines(postgres::Connection& connection, std::int64_t day, std::span<const std::int64_t> items);
    static void put_lines(postgres::Connection& connection, std::span<const BillLine* const> lines, std::int64_t sequence);
};

} // namespace costcurve::storage::sql
