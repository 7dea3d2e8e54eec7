// Reads of one moment: every query ends at the snapshot's change.
#include "server/storage/sqlite/store.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "server/storage/list_query.hpp"
#include "server/storage/sqlite/content.hpp"
#include "server/storage/sqlite/dialect.hpp"
#include "server/storage/sqlite/points.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage::sqlite {

namespace {

constexpr std::size_t kMaxVisitedPerPage = 200;

constexpr const char* kNewestChange = "SELECT sequence, recorded_at FROM change ORDER BY sequence DESC LIMIT 1";
constexpr const char* kTimeOf = "SELECT recorded_at FROM change WHERE sequence = ?";
constexpr const char* kChanges = R"(
    SELECT sequence, recorded_at, author, request_id, action, subject, address FROM change
    WHERE sequence <= ? AND sequence < ? ORDER BY sequence DESC LIMIT ?)";

} // namespace

SqliteSnapshot::SqliteSnapshot(Lease reader, std::optional<Moment> as_of)
    : reader_(std::move(reader)), transaction_(*reader_, Transaction::Kind::read) {
    std::int64_t last = 0;
    {
        Rows rows(*reader_, kNewestChange); // the first read: from here on, later changes aren't seen
        if (rows.next()) {
            last = rows.integer(0);
            sequence_ = last;
            as_of_ = format_time(rows.integer(1));
        }
    }
    if (as_of) {
        if (as_of->is_sequence && as_of->value > last) {
            throw StoreError(StoreError::Cause::no_such_change,
                             fmt::format("as_of is @{}, which has yet to come; the last change is @{}", as_of->value, last));
        }
        sequence_ = as_of->is_sequence ? as_of->value : sql::change_at(*reader_, as_of->value);
        Rows rows(*reader_, kTimeOf, sequence_);
        as_of_ = rows.next() ? format_time(rows.integer(0)) : "";
    }
    is_current_ = sequence_ == last;
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
    std::vector<Stored> found = find_page(*reader_, query, sequence_, is_current_);
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

void SqliteSnapshot::for_each(const std::function<void(const Revision&)>& visit) const {
    for (std::size_t kind = 0; kind < kind_names.size(); ++kind) {
        ListQuery query;
        query.kind = static_cast<Kind>(kind);
        query.limit = kMaxVisitedPerPage;
        Page page;
        do { // no statement runs while the visitor does, so that it may read too
            page = list(query);
            std::for_each(page.items.begin(), page.items.end(), visit);
            query.after = page.items.empty() ? "" : page.items.back().record.key.id;
        } while (page.more);
    }
}

std::vector<AuditEntry> SqliteSnapshot::audit(std::int64_t before, std::size_t limit) const {
    std::vector<AuditEntry> entries;
    Rows rows(*reader_, kChanges, sequence_, before == 0 ? kNow : before, limit);
    while (rows.next()) {
        entries.push_back({rows.integer(0), format_time(rows.integer(1)), std::string(rows.text(2)), std::string(rows.text(3)),
                           std::string(rows.text(4)), std::string(rows.text(5)), std::string(rows.text(6))});
    }
    return entries;
}

} // namespace costcurve::storage::sqlite
