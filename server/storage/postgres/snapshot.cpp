// Reads of one moment: every query ends at the snapshot's change.
#include "server/storage/postgres/snapshot.hpp"

#include <algorithm>
#include <utility>

#include "server/storage/list_query.hpp"
#include "server/storage/postgres/content.hpp"
#include "server/storage/sql/snapshot.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr std::size_t kMaxLoadedAtOnce = 50; // of a page, which may be full before its end

} // namespace

PostgresSnapshot::PostgresSnapshot(Pool& readers, std::optional<Moment> as_of) : readers_(readers) {
    const sql::SeenChange seen =
        with_connection(readers_, [&](Connection& connection) { return sql::find_seen(connection, as_of); });
    sequence_ = seen.sequence;
    as_of_ = seen.recorded_at;
}

std::optional<Revision> PostgresSnapshot::load(const DocumentKey& key) const {
    return std::move(load_all(std::span(&key, 1)).front());
}

std::vector<std::optional<Revision>> PostgresSnapshot::load_all(std::span<const DocumentKey> keys) const {
    return with_connection(readers_, [&](Connection& connection) {
        std::vector<std::optional<Stored>> found = find_stored(connection, keys, sequence_);
        std::vector<Stored*> living;
        for (std::optional<Stored>& stored : found) {
            if (stored && !stored->revision.deleted) {
                living.push_back(&*stored);
            }
        }
        load_contents(connection, living, sequence_);
        std::vector<std::optional<Revision>> revisions;
        revisions.reserve(found.size());
        for (std::optional<Stored>& stored : found) {
            revisions.push_back(stored && !stored->revision.deleted ? std::optional(std::move(stored->revision)) : std::nullopt);
        }
        return revisions;
    });
}

Page PostgresSnapshot::list(const ListQuery& query) const {
    const auto read_page = [&](Connection& connection) {
        std::vector<Stored> found = find_page(connection, query, sequence_);
        PageFill page(query.max_bytes, cut_to(found, query.limit));
        std::vector<Stored*> chunk;
        for (std::size_t first = 0; first < found.size(); first += kMaxLoadedAtOnce) {
            chunk.clear();
            for (std::size_t i = first; i < std::min(first + kMaxLoadedAtOnce, found.size()); ++i) {
                chunk.push_back(&found[i]);
            }
            load_contents(connection, chunk, sequence_);
            for (Stored* stored : chunk) {
                if (!page.add(std::move(stored->revision))) {
                    return page.take();
                }
            }
        }
        return page.take();
    };
    return with_connection(readers_, read_page, sql::read_size(query));
}

std::vector<Revision> PostgresSnapshot::history(const DocumentKey& key, std::int64_t before, std::size_t limit) const {
    return with_connection(readers_, [&](Connection& connection) {
        return find_history(connection, key, before == 0 ? kNow : before, limit, sequence_);
    });
}

std::optional<double> PostgresSnapshot::value_at(const DocumentKey& key, std::string_view pointer, double x) const {
    const PointQuery query{key, std::string(pointer), x};
    return values_at(std::span(&query, 1)).front();
}

std::vector<std::optional<double>> PostgresSnapshot::values_at(std::span<const PointQuery> queries) const {
    return with_connection(readers_, [&](Connection& connection) { return postgres::values_at(connection, queries, sequence_); });
}

void PostgresSnapshot::for_each(const std::function<void(const Revision&)>& visit) const { sql::visit_documents(*this, visit); }

std::vector<AuditEntry> PostgresSnapshot::audit(std::int64_t before, std::size_t limit) const {
    return with_connection(readers_,
                           [&](Connection& connection) { return sql::find_changes(connection, sequence_, before, limit); });
}

} // namespace costcurve::storage::postgres
