// Interface for reads of one snapshot of the store, for every engine.
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
    std::string pointer; ///< pointer of the curve, as in Series
    double x = 0.0;
};

/// The store's content at one moment: every read sees the same changes. Holds no resources of the store between reads. Must not
/// outlive the store. For one thread at a time.
class Snapshot {
public:
    virtual ~Snapshot() = default;

    /// Time of the last visible change, by the store's clock at that time; "" if there is none.
    [[nodiscard]] virtual const std::string& as_of() const = 0;
    /// Number of the last visible change; 0 if there is none.
    [[nodiscard]] virtual std::int64_t sequence() const = 0;
    /// "@" and the number of the last visible change. Passed as `as_of` it always reproduces this snapshot, regardless of clocks.
    [[nodiscard]] virtual std::string reference() const = 0;
    /// The document; nothing if it doesn't exist or is deleted.
    [[nodiscard]] virtual std::optional<Revision> load(const DocumentKey& key) const = 0;
    /// Loads each key as `load` does. With PostgreSQL in as many round trips as one `load`.
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
    /// The value of the last point at or before x of a document's curve, found by index; nothing if there is none.
    [[nodiscard]] virtual std::optional<double> value_at(const DocumentKey& key, std::string_view pointer, double x) const = 0;
    /// Answers each query as `value_at` does. With PostgreSQL in one round trip.
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
    /// The audit's entries, newest first, below sequence `before` (0: from the newest).
    [[nodiscard]] virtual std::vector<AuditEntry> audit(std::int64_t before, std::size_t limit) const = 0;
};

} // namespace costcurve::storage
