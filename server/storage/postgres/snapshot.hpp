// Reads of one moment: the number of a change. It holds no transaction and, between reads, no connection.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/storage/postgres/engine/pool.hpp"
#include "server/storage/snapshot.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage::postgres {

/// What was written up to a change stays as it is, so that a read needs nothing but its number. A change is numbered under a lock
/// that is held until it is committed: who sees one sees all before it.
class PostgresSnapshot final : public Snapshot {
public:
    /// As of a moment, or now.
    PostgresSnapshot(Pool& readers, std::optional<Moment> as_of);

    [[nodiscard]] const std::string& as_of() const override { return as_of_; }
    [[nodiscard]] std::int64_t sequence() const override { return sequence_; }
    [[nodiscard]] std::string reference() const override { return format_sequence(sequence_); }
    [[nodiscard]] std::optional<Revision> load(const DocumentKey& key) const override;
    [[nodiscard]] std::vector<std::optional<Revision>> load_all(std::span<const DocumentKey> keys) const override;
    [[nodiscard]] Page list(const ListQuery& query) const override;
    [[nodiscard]] std::vector<Revision> history(const DocumentKey& key, std::int64_t before, std::size_t limit) const override;
    [[nodiscard]] std::optional<double> value_at(const DocumentKey& key, std::string_view pointer, double x) const override;
    [[nodiscard]] std::vector<std::optional<double>> values_at(std::span<const PointQuery> queries) const override;
    void for_each(const std::function<void(const Revision&)>& visit) const override;
    [[nodiscard]] std::vector<AuditEntry> audit(std::int64_t before, std::size_t limit) const override;

private:
    Pool& readers_;
    std::int64_t sequence_ = 0;
    std::string as_of_;
};

} // namespace costcurve::storage::postgres
