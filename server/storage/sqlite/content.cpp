// Reads revisions, points and references by index: the newest row of each at or before a change.
#include "server/storage/sqlite/content.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "server/storage/sqlite/points.hpp"
#include "server/storage/sqlite/references.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage::sqlite {

namespace {

// Rows of a document's revisions up to a change: one range, read from its end without sorting.
constexpr const char* kRows = R"(r.row BETWEEN (SELECT document << 32 FROM named_document WHERE kind = ?1 AND id = ?2)
        AND (SELECT document << 32 | ?3 FROM named_document WHERE kind = ?1 AND id = ?2))";
const std::string kHistory = fmt::format(R"(
    SELECT {} FROM revision r CROSS JOIN change c ON c.sequence = r.since
    WHERE {} AND r.revision < ?4 ORDER BY r.row DESC LIMIT ?5)",
                                         sql::kStoredColumns, kRows);
const std::string kFindLiving =
    fmt::format("SELECT r.document, r.deleted FROM revision r WHERE {} ORDER BY r.row DESC LIMIT 1", kRows);
constexpr const char* kBody = "SELECT text, encoding FROM body WHERE body = ?";
// The current revisions without their changes, which are few and read separately.
const std::string kCurrentOfInput = fmt::format(R"(
    SELECT {}, b.text, b.encoding, b.hash, i.c0 FROM input_rows i
    CROSS JOIN revision r ON r.kind = i.c1 AND r.id = i.c2 AND r.until = 9223372036854775807
    LEFT JOIN body b ON b.body = r.body)",
                                                sql::kColumnsOfRevision);
constexpr const char* kChange = "SELECT recorded_at, author FROM change WHERE sequence = ?";
constexpr const char* kPointsOfInput =
    "SELECT i.c0, p.pointer, p.x, p.since, p.y FROM input_rows i CROSS JOIN point p ON p.document = i.c1";
constexpr const char* kReferencesOfInput = R"(
    SELECT i.c0, f.target FROM input_rows i
    CROSS JOIN reference f ON f.source = i.c1 AND f.until = 9223372036854775807)";
constexpr const char* kKey = "SELECT kind, id FROM document WHERE document = ?";
using StoredByRecord = std::vector<std::optional<Stored>>;

[[noreturn]] void lost_body(const Database& database) {
    throw StoreError(StoreError::Cause::corrupt, database.path() + ": a document has lost its body; restore a backup");
}

// Who recorded a revision, and when.
struct Recorded {
    std::string at;
    std::string by;
};

Recorded recorded_in(Database& database, std::int64_t sequence) {
    Rows rows(database, kChange, sequence);
    return rows.next() ? Recorded{format_time(rows.integer(0)), std::string(rows.text(1))} : Recorded{};
}

// The current revisions with their bodies.
StoredByRecord find_current(Database& database, std::span<const Record> records) {
    StoredByRecord found(records.size());
    InputRows names;
    for (std::size_t i = 0; i < records.size(); ++i) {
        names.add({static_cast<std::int64_t>(i), name_of(records[i].key.kind), records[i].key.id});
    }
    std::map<std::int64_t, Recorded> changes; // by number; many documents share few changes
    Rows rows(database, kCurrentOfInput, names);
    while (rows.next()) {
        constexpr int kBehind = sql::kBehindRevision;
        Stored& stored = found[static_cast<std::size_t>(rows.integer(kBehind + 3))].emplace(sql::read_revision(rows));
        const auto [change, is_new] = changes.try_emplace(stored.revision.sequence);
        if (is_new) {
            change->second = recorded_in(database, stored.revision.sequence);
        }
        stored.revision.recorded_at = change->second.at;
        stored.revision.recorded_by = change->second.by;
        if (stored.body) {
            if (rows.is_null(kBehind)) {
                lost_body(database);
            }
            stored.revision.record.body = rows.text(kBehind);
            stored.revision.record.encoding = static_cast<int>(rows.integer(kBehind + 1));
            stored.body_hash = as_hash(rows.text(kBehind + 2));
        }
    }
    return found;
}

void load_points(Database& database, const InputRows& documents, StoredByRecord& found) {
    struct Point {
        std::int64_t place = 0;
        std::int64_t pointer = 0;
        double x = 0.0;
        std::int64_t since = 0;
        std::optional<double> y;
    };
    std::vector<Point> points;
    {
        Rows rows(database, kPointsOfInput, documents);
        while (rows.next()) {
            points.push_back({rows.integer(0), rows.integer(1), rows.real(2), rows.integer(3), rows.real_or_null(4)});
        }
    }
    const auto is_before = [](const Point& a, const Point& b) {
        return std::tie(a.place, a.pointer, a.x, a.since) < std::tie(b.place, b.pointer, b.x, b.since);
    };
    if (!std::is_sorted(points.begin(), points.end(), is_before)) { // normally sorted, as the table is read by its key
        std::sort(points.begin(), points.end(), is_before);
    }
    std::map<std::int64_t, std::string> pointers;
    for (std::size_t p = 0; p < points.size();) {
        const std::int64_t place = points[p].place;
        CurveFold fold;
        for (std::int64_t pointer = 0; p < points.size() && points[p].place == place; ++p) {
            if (points[p].pointer != pointer) {
                pointer = points[p].pointer;
                const auto [text, is_new] = pointers.try_emplace(pointer);
                if (is_new) {
                    text->second = text_of_pointer(database, pointer);
                }
                fold.begin_curve(text->second);
            }
            fold.add(points[p].x, points[p].y);
        }
        found[static_cast<std::size_t>(place)]->revision.record.series = fold.take();
    }
}

DocumentKey key_of_row(Database& database, std::int64_t document) {
    Rows rows(database, kKey, document);
    return rows.next() ? sql::read_document_key(rows) : DocumentKey{};
}

void load_targets(Database& database, const InputRows& documents, StoredByRecord& found) {
    std::map<std::int64_t, DocumentKey> keys; // cache: many documents refer to few
    Rows rows(database, kReferencesOfInput, documents);
    while (rows.next()) {
        const auto [key, is_new] = keys.try_emplace(rows.integer(1));
        if (is_new) {
            key->second = key_of_row(database, key->first);
        }
        found[static_cast<std::size_t>(rows.integer(0))]->revision.record.references.push_back(key->second);
    }
    for (std::optional<Stored>& stored : found) {
        if (stored) {
            std::sort(stored->revision.record.references.begin(), stored->revision.record.references.end());
        }
    }
}

} // namespace

std::optional<Stored> find_stored(Database& database, const DocumentKey& key, std::int64_t sequence) {
    Rows rows(database, kHistory, name_of(key.kind), key.id, sequence, kNow, 1);
    return rows.next() ? std::optional(sql::read_stored(rows)) : std::nullopt;
}

std::optional<std::int64_t> find_living(Database& database, const DocumentKey& key, std::int64_t sequence) {
    Rows rows(database, kFindLiving, name_of(key.kind), key.id, sequence);
    return rows.next() && rows.integer(1) == 0 ? std::optional(rows.integer(0)) : std::nullopt;
}

std::vector<Revision> find_history(Database& database, const DocumentKey& key, std::int64_t before, std::size_t limit,
                                   std::int64_t sequence) {
    return sql::read_all(Rows(database, kHistory, name_of(key.kind), key.id, sequence, before, limit),
                         [](const sql::Row& rows) { return sql::read_stored(rows).revision; });
}

void load_content(Database& database, Stored& stored, std::int64_t sequence) {
    Record& record = stored.revision.record;
    if (stored.body) {
        Rows body(database, kBody, *stored.body);
        if (!body.next()) {
            lost_body(database);
        }
        record.body = body.text(0);
        record.encoding = static_cast<int>(body.integer(1));
    }
    record.series = load_series(database, stored.document, sequence);
    record.references = load_references(database, stored.document, sequence);
}

std::vector<std::optional<Stored>> load_current(Database& database, std::span<const Record> records) {
    StoredByRecord found = find_current(database, records);
    InputRows documents;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i]) {
            documents.add({static_cast<std::int64_t>(i), found[i]->document});
        }
    }
    if (!documents.cells.empty()) {
        load_points(database, documents, found);
        load_targets(database, documents, found);
    }
    return found;
}

void load_readable(Database& database, Stored& stored, std::int64_t sequence) {
    try {
        load_content(database, stored, sequence);
    } catch (const StoreError& error) {
        if (error.cause() != StoreError::Cause::corrupt && error.cause() != StoreError::Cause::unreadable) {
            throw;
        }
        const bool is_damage = error.cause() == StoreError::Cause::corrupt; // the error's text is for the operator alone
        stored.revision.unreadable = is_damage ? sql::kDamaged : error.what();
        stored.revision.record.body.clear();
        stored.revision.record.series.clear();
    }
}

} // namespace costcurve::storage::sqlite
