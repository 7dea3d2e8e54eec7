// Snapshots. If an engine uses a transaction for a snapshot, the first read fixes what it sees.
#include "server/storage/sql/snapshot.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "server/storage/error.hpp"
#include "server/storage/sql/change.hpp"

namespace costcurve::storage::sql {

ReadSize read_size(const ListQuery& query) {
    constexpr std::size_t kFew = 100; // number of documents
    return query.limit > kFew ? ReadSize::large : ReadSize::small;
}

SeenChange find_seen(Connection& connection, const std::optional<Moment>& as_of) {
    SeenChange seen;
    {
        // Where a snapshot is a transaction, this is its first read: from here on, later changes aren't seen.
        Rows rows(connection, "SELECT sequence, recorded_at FROM change ORDER BY sequence DESC LIMIT 1");
        if (rows.next()) {
            seen.sequence = rows->integer(0);
            seen.recorded_at = format_time(rows->integer(1));
        }
    }
    if (!as_of) {
        return seen;
    }
    const std::int64_t last = seen.sequence;
    if (as_of->is_sequence && as_of->value > last) {
        throw StoreError(StoreError::Cause::no_such_change,
                         fmt::format("as_of is @{}, which has yet to come; the last change is @{}", as_of->value, last));
    }
    const std::int64_t sequence = as_of->is_sequence ? as_of->value : change_at(connection, as_of->value);
    Rows rows(connection, "SELECT recorded_at FROM change WHERE sequence = $1", sequence);
    return {sequence, rows.next() ? format_time(rows->integer(0)) : "", sequence == last};
}

std::vector<AuditEntry> find_changes(Connection& connection, std::int64_t sequence, std::int64_t before, std::size_t limit) {
    return read_all(Rows(connection, R"(
        SELECT sequence, recorded_at, author, request_id, action, subject, address FROM change
        WHERE sequence <= $1 AND sequence < $2 ORDER BY sequence DESC LIMIT $3)",
                         sequence, before == 0 ? std::numeric_limits<std::int64_t>::max() : before, limit),
                    [](const Row& row) {
                        return AuditEntry{row.integer(0),           format_time(row.integer(1)), std::string(row.text(2)),
                                          std::string(row.text(3)), std::string(row.text(4)),    std::string(row.text(5)),
                                          std::string(row.text(6))};
                    });
}

void visit_documents(const Snapshot& snapshot, const std::function<void(const Revision&)>& visit) {
    constexpr std::size_t kMaxVisitedPerPage = 200;
    for (std::size_t kind = 0; kind < kind_names.size(); ++kind) {
        ListQuery query;
        query.kind = static_cast<Kind>(kind);
        query.limit = kMaxVisitedPerPage;
        Page page;
        do {
            page = snapshot.list(query);
            std::for_each(page.items.begin(), page.items.end(), visit);
            query.after = page.items.empty() ? "" : page.items.back().record.key.id;
        } while (page.more);
    }
}

} // namespace costcurve::storage::sql
