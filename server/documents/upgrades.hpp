// Upgrades of stored bodies: each brings one kind from one version of the document format to the next, in reading.
#pragma once

#include <span>

#include <nlohmann/json_fwd.hpp>

#include "server/storage/record.hpp"

namespace costcurve::documents {

/// A pure function on a body that version `from` wrote. Where a default changes with a version, its upgrade writes the old default
/// into bodies that leave the field out; where a version wrote out a value that means "not stated", it takes that out. Documents
/// that stand inside of one are its own to upgrade. What has no row is the same in both versions.
struct Upgrade {
    int from = 0;
    storage::Kind kind = storage::Kind::curve;
    void (*apply)(nlohmann::json& body) = nullptr;
};

/// Brings a body of version `encoding` to kEncoding.
void upgrade(nlohmann::json& body, storage::Kind kind, int encoding);
/// The same by another table, to another version.
void upgrade(nlohmann::json& body, storage::Kind kind, int encoding, int to, std::span<const Upgrade> upgrades);

} // namespace costcurve::documents
