// The table reference: replaced where rows differ.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/record.hpp"

namespace costcurve::storage::postgres {

/// The numbers of current documents, not deleted ones; those that aren't there are left out. One statement.
[[nodiscard]] std::map<DocumentKey, std::int64_t> find_documents(Connection& connection, const std::set<DocumentKey>& keys);

/// What a document is to refer to from a change on: numbers.
struct Targets {
    std::int64_t since = 0;
    std::set<std::int64_t> targets;
};
using TargetsBySource = std::map<std::int64_t, Targets>;

/// Ends references of these documents that aren't in their targets, and adds those that are new.
void save_references(Connection& connection, const TargetsBySource& targets);

} // namespace costcurve::storage::postgres
