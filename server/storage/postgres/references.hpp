// The table reference: replaced where rows differ.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/record.hpp"

namespace costcurve::storage::postgres {

/// Numbers of current, not deleted documents; missing documents are left out. One statement.
[[nodiscard]] std::map<DocumentKey, std::int64_t> find_documents(Connection& connection, const std::set<DocumentKey>& keys);

/// Numbers of the documents that a document refers to from a change on.
struct Targets {
    std::int64_t since = 0;
    std::set<std::int64_t> targets;
};
using TargetsBySource = std::map<std::int64_t, Targets>;

/// Ends references of these documents that aren't among their targets, and adds new ones.
void save_references(Connection& connection, const TargetsBySource& targets);

} // namespace costcurve::storage::postgres
