// Points and references of a page of revisions, each in one statement, in the order of the revisions.
#include "server/storage/postgres/hashed_rows.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "server/storage/sql/content.hpp"
#include "server/storage/sql/hashed_rows.hpp"

namespace costcurve::storage::postgres {

namespace {

const std::string kRevisions = fmt::format(R"(
    SELECT {}, r.search, r.hash, b.hash FROM revision r LEFT JOIN body b ON b.body = r.body
    WHERE r.document > $1 AND r.document <= coalesce((
        SELECT max(d.document)
        FROM (SELECT DISTINCT document FROM revision WHERE document > $1 ORDER BY document LIMIT $2) AS d), $1)
    ORDER BY r.document, r.since)",
                                           sql::kRevisionColumns);
constexpr const char* kWritten = R"(
    SELECT p.document, p.since, t.text, p.x, p.y FROM point p JOIN pointer t USING (pointer)
    WHERE p.document BETWEEN $1 AND $2 ORDER BY p.document, p.since, t.text, p.x)";
constexpr const char* kReferencesOfRevisions = R"(
    SELECT r.document, r.since, d.kind, d.id FROM revision r
    JOIN reference f ON f.source = r.document AND f.since <= r.since AND f.until > r.since
    JOIN document d ON d.document = f.target
    WHERE r.document BETWEEN $1 AND $2 AND r.deleted = 0)";

using ByRevision = std::map<std::pair<std::int64_t, std::int64_t>, CheckedRevision*>;

} // namespace

RevisionPage load_revisions(Connection& connection, std::int64_t after, std::int64_t max_documents) {
    RevisionPage page{Rows(connection, kRevisions, after, max_documents), {}};
    const Rows& rows = page.rows;
    std::vector<CheckedRevision>& revisions = page.revisions;
    while (page.rows.next()) {
        constexpr int kBehind = sql::kBehindRevisionRow;
        revisions.push_back({sql::read_revision_row(rows),
                             rows.text(kBehind),
                             as_hash(rows.bytes(kBehind + 2)),
                             as_hash(rows.bytes(kBehind + 1)),
                             {},
                             {}});
    }
    if (revisions.empty()) {
        return page;
    }
    ByRevision places;
    for (CheckedRevision& revision : revisions) {
        places.emplace(std::pair(revision.row.document, revision.row.since), &revision);
    }
    const std::int64_t first = revisions.front().row.document;
    const std::int64_t last = revisions.back().row.document;
    Rows points(connection, kWritten, first, last);
    while (points.next()) {
        const auto found = places.find({points.integer(0), points.integer(1)});
        if (found == places.end()) {
            continue; // the caller looks for such points by itself
        }
        sql::add_point(found->second->curves, points, 2);
    }
    Rows references(connection, kReferencesOfRevisions, first, last);
    while (references.next()) {
        places.at({references.integer(0), references.integer(1)})->references.push_back(sql::read_document_key(references, 2));
    }
    for (CheckedRevision& revision : revisions) {
        std::sort(revision.references.begin(), revision.references.end());
    }
    return page;
}

} // namespace costcurve::storage::postgres
