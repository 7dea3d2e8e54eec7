// Revisions of documents as rows: how they are read, and how a page of them is filtered. Where their content is, is the engine's.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "server/storage/hash.hpp"
#include "server/storage/list_query.hpp"
#include "server/storage/record.hpp"
#include "server/storage/sql/dialect.hpp"
#include "server/storage/stored_names.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage::sql {

/// A revision, and where its content is.
struct Stored {
    std::int64_t document = 0;
    std::optional<std::int64_t> body;   ///< none of a deletion
    Revision revision;                  ///< `sequence` is the change that wrote it
    std::optional<Hash> body_hash = {}; ///< where its body was read to be compared
};

/// What `read_revision` takes, of a revision `r`.
inline const std::string kColumnsOfRevision =
    "r.document, r.body, r.kind, r.id, r.title, r.revision, r.deleted, r.provider, r.region, r.device, r.purchase, r.hourly_price, "
    "r.since";
inline constexpr int kBehindRevision = 13; // the next column
/// Without when it was recorded, and by whom.
template <class Rows> [[nodiscard]] Stored read_revision(const Rows& rows) {
    Stored stored;
    stored.document = rows.integer(0);
    if (!rows.is_null(1)) {
        stored.body = rows.integer(1);
    }
    Revision& revision = stored.revision;
    revision.record.key = {kind_of(rows.text(2)), std::string(rows.text(3))};
    revision.record.title = rows.text(4);
    revision.revision = rows.integer(5);
    revision.deleted = rows.integer(6) != 0;
    if (!rows.is_null(7)) {
        revision.record.offer = OfferFacts{std::string(rows.text(7)), std::string(rows.text(8)), std::string(rows.text(9)),
                                           std::string(rows.text(10)), rows.real_or_null(11)};
    }
    revision.sequence = rows.integer(12);
    return stored;
}

/// What `read_stored` takes, of a revision `r` and its change `c`.
inline const std::string kStoredColumns = kColumnsOfRevision + ", c.recorded_at, c.author";
inline constexpr int kBehindStored = 15; // the next column
template <class Rows> [[nodiscard]] Stored read_stored(const Rows& rows) {
    Stored stored = read_revision(rows);
    stored.revision.recorded_at = format_time(rows.integer(kBehindRevision));
    stored.revision.recorded_by = rows.text(kBehindRevision + 1);
    return stored;
}

/// What a reader of a damaged document sees; details are for the operator alone.
inline constexpr const char* kDamaged = "what is stored of it is damaged; restore a backup";

// Filters on the columns of a revision, by its alias: parameters 3 to 8 of a page.
template <class Connection> [[nodiscard]] std::string filters_of(const ListQuery& query, std::string_view revision) {
    using Engine = Dialect<Connection>;
    std::string filters;
    const auto add = [&](bool used, const char* filter) {
        if (used) {
            filters += fmt::format(fmt::runtime(filter), fmt::arg("r", revision), fmt::arg("p", Engine::kNumbered),
                                   fmt::arg("position", Engine::kPosition));
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

/// The rows of a page, at most limit + 1, by a statement that has `{columns}`, `{filters}` on a revision `r` and `{now_filters}` on
/// its document's current one `n`; its parameters 1, 2, 9 and 10 are kind, the id that the page before ended with, change and
/// limit; `lower_text` is the text that is searched for. It is composed of the filters that are used: one kept statement for each
/// set of them.
template <class Connection>
[[nodiscard]] std::vector<Stored> read_page(Connection& connection, const char* page, const ListQuery& query,
                                            std::string_view lower_text, std::int64_t sequence) {
    const std::string sql = fmt::format(fmt::runtime(page), fmt::arg("columns", kStoredColumns),
                                        fmt::arg("filters", filters_of<Connection>(query, "r")),
                                        fmt::arg("now_filters", filters_of<Connection>(query, "n")));
    return read_all(RowsOf<Connection>(connection, sql, name_of(query.kind), query.after, lower_text, query.provider, query.region,
                                       query.device, query.purchase, query.max_hourly_price, sequence, query.limit + 1),
                    read_stored<RowsOf<Connection>>);
}

/// Of kind and id, from `first` on.
template <class Rows> [[nodiscard]] DocumentKey read_document_key(const Rows& rows, int first = 0) {
    return {kind_of(rows.text(first)), std::string(rows.text(first + 1))};
}

} // namespace costcurve::storage::sql
