// A snapshot of documents in memory.
#include "server/documents/given_documents.hpp"

#include <algorithm>
#include <map>

namespace costcurve::documents {

namespace {

class GivenDocuments final : public storage::Snapshot {
public:
    explicit GivenDocuments(std::vector<storage::Record> records) {
        for (storage::Record& record : records) {
            storage::Revision revision;
            revision.revision = 1;
            const storage::DocumentKey key = record.key;
            revision.record = std::move(record);
            revisions_.emplace(key, std::move(revision));
        }
    }

    [[nodiscard]] const std::string& as_of() const override { return as_of_; }
    [[nodiscard]] std::int64_t sequence() const override { return 0; }
    [[nodiscard]] std::string reference() const override { return "@0"; }
    [[nodiscard]] std::optional<storage::Revision> load(const storage::DocumentKey& key) const override {
        const auto found = revisions_.find(key);
        return found == revisions_.end() ? std::nullopt : std::optional(found->second);
    }
    /// By kind alone: nothing that reads without a store filters.
    [[nodiscard]] storage::Page list(const storage::ListQuery& query) const override {
        storage::Page page;
        for (auto at = revisions_.upper_bound({query.kind, query.after}); at != revisions_.end() && at->first.kind == query.kind;
             ++at) {
            if (page.items.size() == query.limit) {
                page.more = true;
                break;
            }
            page.items.push_back(at->second);
        }
        return page;
    }
    [[nodiscard]] std::vector<storage::Revision> history(const storage::DocumentKey& /*key*/, std::int64_t /*before*/,
                                                         std::size_t /*limit*/) const override {
        return {};
    }
    [[nodiscard]] std::optional<double> value_at(const storage::DocumentKey& key, std::string_view pointer,
                                                 double x) const override {
        const auto found = revisions_.find(key);
        if (found == revisions_.end()) {
            return std::nullopt;
        }
        const auto& all = found->second.record.series;
        const auto series = std::ranges::find(all, pointer, &storage::Series::pointer);
        if (series == all.end()) {
            return std::nullopt;
        }
        const auto after = std::ranges::upper_bound(series->x, x);
        return after == series->x.begin() ? std::nullopt
                                          : std::optional(series->y[static_cast<std::size_t>(after - series->x.begin()) - 1]);
    }
    void for_each(const std::function<void(const storage::Revision&)>& visit) const override {
        for (const auto& [key, revision] : revisions_) {
            visit(revision);
        }
    }
    [[nodiscard]] std::vector<storage::AuditEntry> audit(std::int64_t /*before*/, std::size_t /*limit*/) const override {
        return {};
    }

private:
    std::string as_of_;
    std::map<storage::DocumentKey, storage::Revision> revisions_;
};

} // namespace

std::unique_ptr<storage::Snapshot> make_snapshot(std::vector<storage::Record> records) {
    return std::make_unique<GivenDocuments>(std::move(records));
}

} // namespace costcurve::documents
