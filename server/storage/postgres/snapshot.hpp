// A read snapshot: the number of a change. It holds no transaction and, between reads, no connection.
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

/// Rows written up to a change never change, so a read needs only the change's number. Changes are numbered under a lock held until
/// commit: a reader that sees a change sees all earlier ones.
class PostgresSnapshot final : public Snapshot {
public:
    /// A snapshot as of a moment; of now if none is given.
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
