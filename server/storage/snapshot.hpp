// Reads of one moment of the store, whatever engine keeps it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/storage/audit.hpp"
#include "server/storage/list_query.hpp"
#include "server/storage/record.hpp"

namespace costcurve::storage {

/// A point of a document's curve: the last at or before x.
struct PointQuery {
    DocumentKey key;
    std::string pointer; ///< as of Series
    double x = 0.0;
};

/// The store as it was known at one moment: every read of it sees the same. Between its reads it holds nothing of the store.
/// Gone before it. One thread at a time.
class Snapshot {
public:
    virtual ~Snapshot() = default;

    /// When the last change that it sees was recorded, by the clock of then; "" where there is none.
    [[nodiscard]] virtual const std::string& as_of() const = 0;
    /// The number of that change; 0 where there is none.
    [[nodiscard]] virtual std::int64_t sequence() const = 0;
    /// "@" and that number: as `as_of` it gives this snapshot again, for ever, whatever clocks do.
    [[nodiscard]] virtual std::string reference() const = 0;
    /// The document; nothing where there is none or it is deleted.
    [[nodiscard]] virtual std::optional<Revision> load(const DocumentKey& key) const = 0;
    /// Each of them as by `load`. With PostgreSQL as many round trips as for one.
    [[nodiscard]] virtual std::vector<std::optional<Revision>> load_all(std::span<const DocumentKey> keys) const {
        std::vector<std::optional<Revision>> found;
        found.reserve(keys.size());
        for (const DocumentKey& key : keys) {
            found.push_back(load(key));
        }
        return found;
    }
    [[nodiscard]] virtual Page list(const ListQuery& query) const = 0;
    /// The history of a document, newest first, below revision `before` (0: from the newest), deletions too, without
    /// bodies and points.
    [[nodiscard]] virtual std::vector<Revision> history(const DocumentKey& key, std::int64_t before, std::size_t limit) const = 0;
    /// The last point at or before x of a document's curve, by index; nothing where there is none.
    [[nodiscard]] virtual std::optional<double> value_at(const DocumentKey& key, std::string_view pointer, double x) const = 0;
    /// Each of them as by `value_at`. With PostgreSQL one round trip.
    [[nodiscard]] virtual std::vector<std::optional<double>> values_at(std::span<const PointQuery> queries) const {
        std::vector<std::optional<double>> values;
        values.reserve(queries.size());
        for (const PointQuery& query : queries) {
            values.push_back(value_at(query.key, query.pointer, query.x));
        }
        return values;
    }
    /// Visits all documents, by kind and id.
    virtual void for_each(const std::function<void(const Revision&)>& visit) const = 0;
    /// The writes, newest first, below sequence `before` (0: from the newest).
    [[nodiscard]] virtual std::vector<AuditEntry> audit(std::int64_t before, std::size_t limit) const = 0;
};

} // namespace costcurve::storage
