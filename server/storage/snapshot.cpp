// Reads of one moment: every query ends at the snapshot's change.
#include "server/storage/snapshot.hpp"

#include <algorithm>
#include <utility>

#include "server/storage/content.hpp"
#include "server/storage/page.hpp"
#include "server/storage/points.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage {

namespace {

constexpr std::size_t kVisitedAtOnce = 200;

constexpr const char* kLastChange = "SELECT sequence, recorded_at FROM change ORDER BY sequence DESC LIMIT 1";
constexpr const char* kChangeAt =
    "SELECT sequence, recorded_at FROM change WHERE recorded_at <= ? ORDER BY recorded_at DESC LIMIT 1";
constexpr const char* kChanges = R"(
    SELECT sequence, recorded_at, author, request_id, action, subject FROM change
    WHERE sequence <= ? AND sequence < ? ORDER BY sequence DESC LIMIT ?)";

std::size_t bytes_of(const Record& record) {
    std::size_t bytes = record.body.size();
    for (const Series& series : record.series) {
        bytes += series.x.size() * (sizeof(double) + sizeof(double));
    }
    return bytes;
}

} // namespace

Snapshot::Impl::Impl(Lease reader, std::optional<std::int64_t> as_of)
    : lease(std::move(reader)), transaction(*lease, Transaction::Kind::read) {
    std::int64_t last = 0;
    {
        Rows rows(*lease, kLastChange); // the first read: from here on, later changes aren't seen
        if (rows.next()) {
            last = rows.integer(0);
            sequence = last;
            as_of_text = format_time(rows.integer(1));
        }
    }
    if (as_of) {
        Rows rows(*lease, kChangeAt, *as_of);
        const bool found = rows.next();
        sequence = found ? rows.integer(0) : 0;
        as_of_text = found ? format_time(rows.integer(1)) : "";
    }
    is_current = sequence == last;
}

Snapshot::Snapshot(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Snapshot::Snapshot(Snapshot&&) noexcept = default;
Snapshot& Snapshot::operator=(Snapshot&&) noexcept = default;
Snapshot::~Snapshot() = default;

const std::string& Snapshot::as_of() const { return impl_->as_of_text; }

std::optional<Revision> Snapshot::load(const DocumentKey& key) const {
    std::optional<Stored> stored = find_stored(*impl_->lease, key, impl_->sequence);
    if (!stored || stored->revision.deleted) {
        return std::nullopt;
    }
    load_content(*impl_->lease, *stored, impl_->sequence);
    return std::move(stored->revision);
}

Page Snapshot::list(const ListQuery& query) const {
    std::vector<Stored> found = find_page(*impl_->lease, query, impl_->sequence, impl_->is_current);
    Page page;
    page.more = found.size() > query.limit;
    found.resize(std::min(found.size(), query.limit));
    std::size_t bytes = 0;
    for (Stored& stored : found) {
        load_content(*impl_->lease, stored, impl_->sequence);
        bytes += bytes_of(stored.revision.record);
        if (bytes > query.most_bytes && !page.items.empty()) {
            page.more = true;
            break;
        }
        page.items.push_back(std::move(stored.revision));
    }
    return page;
}

std::vector<Revision> Snapshot::history(const DocumentKey& key, std::int64_t before, std::size_t limit) const {
    return find_history(*impl_->lease, key, before == 0 ? kNow : before, limit, impl_->sequence);
}

std::optional<double> Snapshot::value_at(const DocumentKey& key, std::string_view pointer, double x) const {
    const auto stored = find_living(*impl_->lease, key, impl_->sequence);
    return stored ? storage::value_at(*impl_->lease, *stored, pointer, x, impl_->sequence) : std::nullopt;
}

void Snapshot::for_each(const std::function<void(const Revision&)>& visit) const {
    for (std::size_t kind = 0; kind < kind_names.size(); ++kind) {
        ListQuery query;
        query.kind = static_cast<Kind>(kind);
        query.limit = kVisitedAtOnce;
        Page page;
        do { // no statement runs while the visitor does, so that it may read too
            page = list(query);
            std::for_each(page.items.begin(), page.items.end(), visit);
            query.after = page.items.empty() ? "" : page.items.back().record.key.id;
        } while (page.more);
    }
}

std::vector<AuditEntry> Snapshot::audit(std::int64_t before, std::size_t limit) const {
    std::vector<AuditEntry> entries;
    Rows rows(*impl_->lease, kChanges, impl_->sequence, before == 0 ? kNow : before, limit);
    while (rows.next()) {
        entries.push_back({rows.integer(0), format_time(rows.integer(1)), std::string(rows.text(2)), std::string(rows.text(3)),
                           std::string(rows.text(4)), std::string(rows.text(5))});
    }
    return entries;
}

} // namespace costcurve::storage
