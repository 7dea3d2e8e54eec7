// Composes the statement of a page from the filters that are used: one kept statement for each set of them.
#include "server/storage/page.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace costcurve::storage {

namespace {

// Every current revision is in an index by kind and id, and offers by provider, region and device too.
constexpr const char* kCurrentPage = R"(
    SELECT {columns} FROM revision r CROSS JOIN change c ON c.sequence = r.since
    WHERE r.kind = ?1 AND r.id > ?2 AND r.until = 9223372036854775807 AND r.deleted = 0{filters}
    ORDER BY r.id LIMIT ?10)";

// Of the past: goes through the documents, and finds the revision of each by index.
constexpr const char* kPastPage = R"(
    SELECT {columns}
    FROM document d
    CROSS JOIN revision r ON r.row = (
        SELECT row FROM revision WHERE document = d.document AND since <= ?9 ORDER BY since DESC LIMIT 1)
    CROSS JOIN change c ON c.sequence = r.since
    WHERE d.kind = ?1 AND d.id > ?2 AND r.deleted = 0{filters}
    ORDER BY d.id LIMIT ?10)";

std::string filters_of(const ListQuery& query) {
    std::string filters;
    const auto add = [&filters](bool used, const char* filter) { filters += used ? filter : ""; };
    add(!query.text.empty(), " AND instr(r.search, ?3)");
    add(!query.provider.empty(), " AND r.provider = ?4");
    add(!query.region.empty(), " AND r.region = ?5");
    add(!query.device.empty(), " AND r.device = ?6");
    add(!query.purchase.empty(), " AND r.purchase = ?7");
    add(query.max_hourly_price.has_value(), " AND r.hourly_price <= ?8");
    return filters;
}

} // namespace

std::string lower(std::string_view text) {
    std::string lowered(text);
    std::transform(lowered.begin(), lowered.end(), lowered.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lowered;
}

std::vector<Stored> find_page(Database& database, const ListQuery& query, std::int64_t sequence, bool is_current) {
    const std::string sql = fmt::format(fmt::runtime(is_current ? kCurrentPage : kPastPage), fmt::arg("columns", kStoredColumns),
                                        fmt::arg("filters", filters_of(query)));
    Rows rows(database, sql, name_of(query.kind), query.after, lower(query.text), query.provider, query.region, query.device,
              query.purchase, query.max_hourly_price, sequence, query.limit + 1);
    std::vector<Stored> found;
    while (rows.next()) {
        found.push_back(read_stored(rows));
    }
    return found;
}

} // namespace costcurve::storage
