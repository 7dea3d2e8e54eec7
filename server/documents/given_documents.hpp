// Documents from files as a snapshot, for looking up references without a store.
#pragma once

#include <memory>
#include <vector>

#include "server/storage/snapshot.hpp"

namespace costcurve::documents {

/// A snapshot of these records, no two of one key, each at its first revision. It has no history, no audit and no moment.
[[nodiscard]] std::unique_ptr<storage::Snapshot> make_snapshot(std::vector<storage::Record> records);

} // namespace costcurve::documents
