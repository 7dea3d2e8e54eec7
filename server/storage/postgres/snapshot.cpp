// Every query ends at the snapshot's change.
#include "server/storage/postgres/snapshot.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "server/storage/list_query.hpp"
#include "server/storage/postgres/content.hpp"
#include "server/storage/postgres/dialect.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr std::size_t kMaxVisitedPerPage = 200;
constexpr std::size_t kMaxLoadedAtOnce = 50; // of a page, which may be full before its end

constexpr const char* kNewestChange = "SELECT sequence, recorded_at FROM change ORDER BY sequence DESC LIMIT 1";
constexpr const char* kTimeOf = "SELECT recorded_at FROM change WHERE sequence = $1";
constexpr const char* kChanges = R"(
    SELECT sequence, recorded_at, author, request_id, action, subject, address FROM change
    WHERE sequence <= $1 AND sequence < $2 ORDER BY sequence DESC LIMIT $3)";

} // namespace

PostgresSnapshot::PostgresSnapshot(Pool& readers, std::optional<Moment> as_of) : readers_(readers) {
    with_connection(readers_, [&](Connection& connection) {
        std::int64_t last = 0;
        as_of_.clear();
        {
            Rows rows(connection, kNewestChange);
            if (rows.next()) {
                last = rows.integer(0);
                as_of_ = format_time(rows.integer(1));
            }
        }
        sequence_ = last;
        if (!as_of) {
            return;
        }
        if (as_of->is_sequence && as_of->value > last) {
            throw StoreError(StoreError::Cause::no_such_change,
                             fmt::format("as_of is @{}, which has yet to come; the last change is @{}", as_of->value, last));
        }
        sequence_ = as_of->is_sequence ? as_of->value : sql::change_at(connection, as_of->value);
        Rows rows(connection, kTimeOf, sequence_);
        as_of_ = rows.next() ? format_time(rows.integer(0)) : "";
    });
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
    return with_connection(readers_, [&](Connection& connection) {
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
    });
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

void PostgresSnapshot::for_each(const std::function<void(const Revision&)>& visit) const {
    for (std::size_t kind = 0; kind < kind_names.size(); ++kind) {
        ListQuery query;
        query.kind = static_cast<Kind>(kind);
        query.limit = kMaxVisitedPerPage;
        Page page;
        do { // no connection is held while the visitor runs
            page = list(query);
            std::for_each(page.items.begin(), page.items.end(), visit);
            query.after = page.items.empty() ? "" : page.items.back().record.key.id;
        } while (page.more);
    }
}

std::vector<AuditEntry> PostgresSnapshot::audit(std::int64_t before, std::size_t limit) const {
    return with_connection(readers_, [&](Connection& connection) {
        std::vector<AuditEntry> entries;
        Rows rows(connection, kChanges, sequence_, before == 0 ? kNow : before, limit);
        while (rows.next()) {
            entries.push_back({rows.integer(0), format_time(rows.integer(1)), std::string(rows.text(2)), std::string(rows.text(3)),
                               std::string(rows.text(4)), std::string(rows.text(5)), std::string(rows.text(6))});
        }
        return entries;
    });
}

} // namespace costcurve::storage::postgres
