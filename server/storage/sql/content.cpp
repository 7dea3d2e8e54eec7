// Pages of documents. The statement contains only the filters in use; one prepared statement is kept for each set of filters.
#include "server/storage/sql/content.hpp"

#include <fmt/format.h>

#include "server/storage/sql/engine.hpp"
#include "server/storage/stored_names.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage::sql {

namespace {

// Filters on the columns of a revision, by its alias: parameters 3 to 8 of a page.
std::string filters_of(const Dialect& dialect, const ListQuery& query, std::string_view revision) {
    std::string filters;
    const auto add = [&](bool used, const char* filter) {
        if (used) {
            filters += fmt::format(fmt::runtime(filter), fmt::arg("r", revision), fmt::arg("p", dialect.numbered),
                                   fmt::arg("position", dialect.position));
        }
    };
    add(!query.provider.empty(), " AND {r}.provider = {p}4");
    add(!query.region.empty(), " AND {r}.region = {p}5");
    add(!query.device.empty(), " AND {r}.device = {p}6");
    add(!query.purchase.empty(), " AND {r}.purchase = {p}7");
    add(query.max_hourly_price.has_value(), " AND {r}.hourly_price <= {p}8");
    add(!query.text.empty(), " AND ({position}({r}.id, {p}3) > 0 OR {position}({r}.search, {p}3) > 0)");
    return filters;
}

} // namespace

Stored read_revision(const Row& row) {
    Stored stored;
    stored.document = row.integer(0);
    if (!row.is_null(1)) {
        stored.body = row.integer(1);
    }
    Revision& revision = stored.revision;
    revision.record.key = {kind_of(row.text(2)), std::string(row.text(3))};
    revision.record.title = row.text(4);
    revision.revision = row.integer(5);
    revision.deleted = row.integer(6) != 0;
    if (!row.is_null(7)) {
        revision.record.offer = OfferFacts{std::string(row.text(7)), std::string(row.text(8)), std::string(row.text(9)),
                                           std::string(row.text(10)), row.real_or_null(11)};
    }
    revision.sequence = row.integer(12);
    return stored;
}

Stored read_stored(const Row& row) {
    Stored stored = read_revision(row);
    stored.revision.recorded_at = format_time(row.integer(kBehindRevision));
    stored.revision.recorded_by = row.text(kBehindRevision + 1);
    return stored;
}

std::vector<Stored> read_page(Connection& connection, const char* page, const ListQuery& query, std::string_view lower_text,
                              std::int64_t sequence) {
    const std::string sql = fmt::format(fmt::runtime(page), fmt::arg("columns", kStoredColumns),
                                        fmt::arg("filters", filters_of(connection.engine().dialect(), query, "r")),
                                        fmt::arg("now_filters", filters_of(connection.engine().dialect(), query, "n")));
    return read_all(Rows(connection, sql, name_of(query.kind), query.after, lower_text, query.provider, query.region, query.device,
                         query.purchase, query.max_hourly_price, sequence, query.limit + 1),
                    read_stored);
}

DocumentKey read_document_key(const Row& row, int first) { return {kind_of(row.text(first)), std::string(row.text(first + 1))}; }

} // namespace costcurve::storage::sql
