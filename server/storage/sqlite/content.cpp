// Reads revisions, points and references by index: the newest row of each at or before a change.
#include "server/storage/sqlite/content.hpp"

#include <fmt/format.h>

#include "server/storage/sqlite/points.hpp"
#include "server/storage/sqlite/references.hpp"
#include "server/storage/stored_names.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage::sqlite {

namespace {

// The rows of a document's revisions up to a change: a range, read from its end without sorting.
constexpr const char* kRows = R"(r.row BETWEEN (SELECT document << 32 FROM named_document WHERE kind = ?1 AND id = ?2)
        AND (SELECT document << 32 | ?3 FROM named_document WHERE kind = ?1 AND id = ?2))";
const std::string kHistory = fmt::format(R"(
    SELECT {} FROM revision r CROSS JOIN change c ON c.sequence = r.since
    WHERE {} AND r.revision < ?4 ORDER BY r.row DESC LIMIT ?5)",
                                         kStoredColumns, kRows);
const std::string kFindLiving =
    fmt::format("SELECT r.document, r.deleted FROM revision r WHERE {} ORDER BY r.row DESC LIMIT 1", kRows);
constexpr const char* kBody = "SELECT text, encoding FROM body WHERE body = ?";

} // namespace

Stored read_stored(const Rows& rows) {
    Stored stored;
    stored.document = rows.integer(0);
    stored.row = rows.integer(1);
    if (!rows.is_null(2)) {
        stored.body = rows.integer(2);
    }
    Revision& revision = stored.revision;
    revision.record.key = {kind_of(rows.text(3)), std::string(rows.text(4))};
    revision.record.title = rows.text(5);
    revision.revision = rows.integer(6);
    revision.deleted = rows.integer(7) != 0;
    if (!rows.is_null(8)) {
        revision.record.offer = OfferFacts{std::string(rows.text(8)), std::string(rows.text(9)), std::string(rows.text(10)),
                                           std::string(rows.text(11)), rows.real_or_null(12)};
    }
    revision.recorded_at = format_time(rows.integer(13));
    revision.recorded_by = rows.text(14);
    revision.sequence = rows.integer(15);
    return stored;
}

std::optional<Stored> find_stored(Database& database, const DocumentKey& key, std::int64_t sequence) {
    Rows rows(database, kHistory, name_of(key.kind), key.id, sequence, kNow, 1);
    return rows.next() ? std::optional(read_stored(rows)) : std::nullopt;
}

std::optional<std::int64_t> find_living(Database& database, const DocumentKey& key, std::int64_t sequence) {
    Rows rows(database, kFindLiving, name_of(key.kind), key.id, sequence);
    return rows.next() && rows.integer(1) == 0 ? std::optional(rows.integer(0)) : std::nullopt;
}

std::vector<Revision> find_history(Database& database, const DocumentKey& key, std::int64_t before, std::size_t limit,
                                   std::int64_t sequence) {
    std::vector<Revision> revisions;
    Rows rows(database, kHistory, name_of(key.kind), key.id, sequence, before, limit);
    while (rows.next()) {
        revisions.push_back(read_stored(rows).revision);
    }
    return revisions;
}

void load_content(Database& database, Stored& stored, std::int64_t sequence) {
    Record& record = stored.revision.record;
    if (stored.body) {
        Rows body(database, kBody, *stored.body);
        if (!body.next()) {
            throw StoreError(StoreError::Cause::corrupt, database.path() + ": a document has lost its body; restore a backup");
        }
        record.body = body.text(0);
        record.encoding = static_cast<int>(body.integer(1));
    }
    record.series = load_series(database, stored.document, sequence);
    record.references = load_references(database, stored.document, sequence);
}

void load_readable(Database& database, Stored& stored, std::int64_t sequence) {
    try {
        load_content(database, stored, sequence);
    } catch (const StoreError& error) {
        if (error.cause() != StoreError::Cause::corrupt && error.cause() != StoreError::Cause::unreadable) {
            throw;
        }
        const bool is_damage = error.cause() == StoreError::Cause::corrupt; // whose text is for the operator alone
        stored.revision.unreadable = is_damage ? "what is stored of it is damaged; restore a backup" : error.what();
        stored.revision.record.body.clear();
        stored.revision.record.series.clear();
    }
}

} // namespace costcurve::storage::sqlite
