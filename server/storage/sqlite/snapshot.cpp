// Reads of one moment: every query ends at the snapshot's change.
#include "server/storage/sqlite/store.hpp"

#include <utility>

#include "server/storage/list_query.hpp"
#include "server/storage/sql/snapshot.hpp"
#include "server/storage/sqlite/content.hpp"
#include "server/storage/sqlite/points.hpp"

namespace costcurve::storage::sqlite {

SqliteSnapshot::SqliteSnapshot(Pool& readers, std::optional<Moment> as_of) : readers_(readers) {
    const sql::SeenChange seen = read_in(readers_, [&](Database& database) { return sql::find_seen(database, as_of); });
    sequence_ = seen.sequence;
    as_of_ = seen.recorded_at;
}

std::optional<Revision> SqliteSnapshot::load(const DocumentKey& key) const {
    return read_in(readers_, [&](Database& database) -> std::optional<Revision> {
        std::optional<Stored> stored = find_stored(database, key, sequence_);
        if (!stored || stored->revision.deleted) {
            return std::nullopt;
        }
        load_readable(database, *stored, sequence_);
        return std::move(stored->revision);
    });
}

Page SqliteSnapshot::list(const ListQuery& query) const {
    const auto read_page = [&](Database& database) {
        const bool is_current =
            sql::find_seen(database, std::nullopt).sequence == sequence_; // pages of current revisions are faster
        std::vector<Stored> found = find_page(database, query, is_current ? kNow : sequence_);
        PageFill page(query.max_bytes, cut_to(found, query.limit));
        for (Stored& stored : found) {
            load_readable(database, stored, sequence_);
            if (!page.add(std::move(stored.revision))) {
                break;
            }
        }
        return page.take();
    };
    return read_in(readers_, read_page, sql::read_size(query));
}

std::vector<Revision> SqliteSnapshot::history(const DocumentKey& key, std::int64_t before, std::size_t limit) const {
    return read_in(readers_,
                   [&](Database& database) { return find_history(database, key, before == 0 ? kNow : before, limit, sequence_); });
}

std::optional<double> SqliteSnapshot::value_at(const DocumentKey& key, std::string_view pointer, double x) const {
    return read_in(readers_, [&](Database& database) {
        const auto stored = find_living(database, key, sequence_);
        return stored ? sqlite::value_at(database, *stored, pointer, x, sequence_) : std::nullopt;
    });
}

void SqliteSnapshot::for_each(const std::function<void(const Revision&)>& visit) const { sql::visit_documents(*this, visit); }

std::vector<AuditEntry> SqliteSnapshot::audit(std::int64_t before, std::size_t limit) const {
    return read_in(readers_, [&](Database& database) { return sql::find_changes(database, sequence_, before, limit); });
}

} // namespace costcurve::storage::sqlite
