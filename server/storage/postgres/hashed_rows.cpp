// Points and references of a page of documents come in one statement each, in the order of the revisions.
#include "server/storage/postgres/hashed_rows.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "server/storage/stored_names.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr const char* kRevisions = R"(
    SELECT r.document, r.since, r.until, r.revision, r.deleted, r.kind, r.id, r.title, r.search, r.provider, r.region, r.device,
        r.purchase, r.hourly_price, r.body, r.hash, b.hash
    FROM revision r LEFT JOIN body b ON b.body = r.body
    WHERE r.document > $1 AND r.document <= coalesce((
        SELECT max(d.document)
        FROM (SELECT DISTINCT document FROM revision WHERE document > $1 ORDER BY document LIMIT $2) AS d), $1)
    ORDER BY r.document, r.since)";
constexpr const char* kWritten = R"(
    SELECT p.document, p.since, t.text, p.x, p.y FROM point p JOIN pointer t USING (pointer)
    WHERE p.document BETWEEN $1 AND $2 ORDER BY p.document, p.since, t.text, p.x)";
constexpr const char* kReferencesOfRevisions = R"(
    SELECT r.document, r.since, d.kind, d.id FROM revision r
    JOIN reference f ON f.source = r.document AND f.since <= r.since AND f.until > r.since
    JOIN document d ON d.document = f.target
    WHERE r.document BETWEEN $1 AND $2 AND r.deleted = 0)";

using ByRevision = std::map<std::pair<std::int64_t, std::int64_t>, CheckedRevision*>;

std::optional<std::string> text_or_none(const Rows& rows, int column) {
    return rows.is_null(column) ? std::nullopt : std::optional(std::string(rows.text(column)));
}

CheckedRevision read_revision(const Rows& rows) {
    CheckedRevision read;
    read.row.document = rows.integer(0);
    read.row.since = rows.integer(1);
    read.row.until = rows.integer(2);
    read.row.revision = rows.integer(3);
    read.row.deleted = rows.integer(4) != 0;
    read.kind = rows.text(5);
    read.id = rows.text(6);
    read.title = rows.text(7);
    read.search = rows.text(8);
    read.provider = text_or_none(rows, 9);
    read.region = text_or_none(rows, 10);
    read.device = text_or_none(rows, 11);
    read.purchase = text_or_none(rows, 12);
    read.row.hourly_price = rows.real_or_null(13);
    read.row.body = rows.is_null(14) ? std::nullopt : std::optional(rows.integer(14));
    read.hash = as_hash(rows.bytes(15));
    read.body_hash = rows.is_null(16) ? std::nullopt : as_hash(rows.bytes(16));
    return read;
}

} // namespace

RevisionRow CheckedRevision::view() const {
    RevisionRow viewed = row;
    viewed.kind = kind;
    viewed.id = id;
    viewed.title = title;
    viewed.provider = provider;
    viewed.region = region;
    viewed.device = device;
    viewed.purchase = purchase;
    return viewed;
}

std::vector<CheckedRevision> load_revisions(Connection& connection, std::int64_t after, std::int64_t max_documents) {
    std::vector<CheckedRevision> revisions;
    {
        Rows rows(connection, kRevisions, after, max_documents);
        while (rows.next()) {
            revisions.push_back(read_revision(rows));
        }
    }
    if (revisions.empty()) {
        return revisions;
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
        std::vector<CurveRows>& curves = found->second->curves;
        if (curves.empty() || curves.back().pointer != points.text(2)) {
            curves.push_back({std::string(points.text(2)), {}});
        }
        curves.back().rows.push_back({points.real(3), points.real_or_null(4)});
    }
    Rows references(connection, kReferencesOfRevisions, first, last);
    while (references.next()) {
        places.at({references.integer(0), references.integer(1)})
            ->references.push_back({kind_of(references.text(2)), std::string(references.text(3))});
    }
    for (CheckedRevision& revision : revisions) {
        std::sort(revision.references.begin(), revision.references.end());
    }
    return revisions;
}

} // namespace costcurve::storage::postgres
