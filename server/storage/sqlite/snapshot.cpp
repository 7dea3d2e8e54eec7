// Reads of one moment: every query ends at the snapshot's change.
#include "server/storage/sqlite/store.hpp"

#include <utility>

#include "server/storage/list_query.hpp"
#include "server/storage/sql/snapshot.hpp"
#include "server/storage/sqlite/content.hpp"
#include "server/storage/sqlite/dialect.hpp"
#include "server/storage/sqlite/points.hpp"

namespace costcurve::storage::sqlite {

SqliteSnapshot::SqliteSnapshot(Lease reader, std::optional<Moment> as_of)
    : reader_(std::move(reader)), transaction_(*reader_, Transaction::Kind::read) {
    const sql::SeenChange seen = sql::find_seen(*reader_, as_of);
    sequence_ = seen.sequence;
    is_current_ = seen.is_last;
    as_of_ = seen.recorded_at;
}

std::optional<Revision> SqliteSnapshot::load(const DocumentKey& key) const {
    std::optional<Stored> stored = find_stored(*reader_, key, sequence_);
    if (!stored || stored->revision.deleted) {
        return std::nullopt;
    }
    load_readable(*reader_, *stored, sequence_);
    return std::move(stored->revision);
}

Page SqliteSnapshot::list(const ListQuery& query) const {
    std::vector<Stored> found = find_page(*reader_, query, is_current_ ? kNow : sequence_);
    PageFill page(query.max_bytes, cut_to(found, query.limit));
    for (Stored& stored : found) {
        load_readable(*reader_, stored, sequence_);
        if (!page.add(std::move(stored.revision))) {
            break;
        }
    }
    return page.take();
}

std::vector<Revision> SqliteSnapshot::history(const DocumentKey& key, std::int64_t before, std::size_t limit) const {
    return find_history(*reader_, key, before == 0 ? kNow : before, limit, sequence_);
}

std::optional<double> SqliteSnapshot::value_at(const DocumentKey& key, std::string_view pointer, double x) const {
    const auto stored = find_living(*reader_, key, sequence_);
    return stored ? sqlite::value_at(*reader_, *stored, pointer, x, sequence_) : std::nullopt;
}

void SqliteSnapshot::for_each(const std::function<void(const Revision&)>& visit) const { sql::visit_documents(*this, visit); }

std::vector<AuditEntry> SqliteSnapshot::audit(std::int64_t before, std::size_t limit) const {
    return sql::find_changes(*reader_, sequence_, before, limit);
}

} // namespace costcurve::storage::sqlite
