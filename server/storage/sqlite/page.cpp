// Composes the statement of a page from the filters that are used: one kept statement for each set of them.
#include "model/documents/text.hpp"
#include "server/storage/sqlite/content.hpp"

#include <fmt/format.h>

namespace costcurve::storage::sqlite {

namespace {

// Every current revision is in one index, by kind and id, with all that pages are filtered by.
constexpr const char* kCurrentPage = R"(
    SELECT {columns} FROM revision r CROSS JOIN change c ON c.sequence = r.since
    WHERE r.kind = ?1 AND r.id > ?2 AND r.until = 9223372036854775807 AND r.deleted = 0{filters}
    ORDER BY r.id LIMIT ?10)";

// Of the past: goes through the same index. Where the current revision is older, it is the one; else the last before is looked up.
constexpr const char* kPastPage = R"(
    SELECT {columns}
    FROM revision n
    CROSS JOIN revision r ON r.row = iif(n.row & 4294967295 <= ?9, n.row, (
        SELECT max(row) FROM revision WHERE row BETWEEN n.row >> 32 << 32 AND n.row >> 32 << 32 | ?9))
    CROSS JOIN change c ON c.sequence = r.since
    WHERE n.kind = ?1 AND n.id > ?2 AND n.until = 9223372036854775807 AND (n.row & 4294967295 > ?9 OR n.deleted = 0{now_filters})
        AND r.deleted = 0{filters}
    ORDER BY n.id LIMIT ?10)";

// On the columns of a revision, by its alias.
std::string filters_of(const ListQuery& query, std::string_view revision) {
    std::string filters;
    const auto add = [&](bool used, const char* filter) { filters += used ? fmt::format(fmt::runtime(filter), revision) : ""; };
    add(!query.provider.empty(), " AND {}.provider = ?4");
    add(!query.region.empty(), " AND {}.region = ?5");
    add(!query.device.empty(), " AND {}.device = ?6");
    add(!query.purchase.empty(), " AND {}.purchase = ?7");
    add(query.max_hourly_price.has_value(), " AND {}.hourly_price <= ?8");
    add(!query.text.empty(), " AND (instr({0}.id, ?3) OR instr({0}.search, ?3))");
    return filters;
}

} // namespace

std::vector<Stored> find_page(Database& database, const ListQuery& query, std::int64_t sequence, bool is_current) {
    const std::string sql =
        fmt::format(fmt::runtime(is_current ? kCurrentPage : kPastPage), fmt::arg("columns", kStoredColumns),
                    fmt::arg("filters", filters_of(query, "r")), fmt::arg("now_filters", filters_of(query, "n")));
    Rows rows(database, sql, name_of(query.kind), query.after, model::lower(query.text), query.provider, query.region, query.device,
              query.purchase, query.max_hourly_price, sequence, query.limit + 1);
    std::vector<Stored> found;
    while (rows.next()) {
        found.push_back(read_stored(rows));
    }
    return found;
}

} // namespace costcurve::storage::sqlite
