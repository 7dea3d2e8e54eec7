// Upgrades of stored bodies: each converts one kind from one version of the document format to the next, when read.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "model/documents/decision.hpp"
#include "model/documents/documents.hpp"
#include "server/storage/record.hpp"

namespace costcurve::documents {

/// The last version that called the time between tokens and that of a whole request latency_s, and had three fields in place of
/// slo.
inline constexpr int kOneLatencyEncoding = 4;

using LoadDocument = std::function<std::optional<storage::Revision>(const storage::DocumentKey& key)>;

/// A pure function on a body that version `from` wrote. Where a default changes with a version, its upgrade writes the old default
/// into bodies that leave the field out; where a version wrote out a value that means "not stated", it takes that out. Documents
/// that stand inside of one are its own to upgrade. What has no row is the same in both versions.
struct Upgrade {
    int from = 0;
    storage::Kind kind = storage::Kind::curve;
    void (*apply)(nlohmann::json& body) = nullptr;
};

/// Converts a JSON Pointer from version `encoding` to kEncoding; stored points of curves use such pointers.
[[nodiscard]] std::string upgraded_pointer(std::string_view pointer, storage::Kind kind, int encoding);
/// Converts a pointer into a scenario from version `encoding` to kEncoding. A latency objective becomes the one between tokens.
[[nodiscard]] std::string upgraded_scenario_pointer(std::string_view pointer, int encoding);

/// A pointer to the objective between tokens, at that of a whole request where all entries of the workload are api pools, in every
/// one of these scenarios; as it is where it points elsewhere or none has the workload.
[[nodiscard]] std::string placed_objective(const std::string& pointer, std::span<const model::ScenarioDocument> scenarios);

/// An objective of latency was one field, which the upgrade takes for that between tokens. Ranges and branches of a decision that
/// was stored in such an `encoding` name that of a whole request where all entries of the workload are api pools, in every scenario
/// of the decision that `load` finds.
void place_objectives(model::DecisionDocument& decision, int encoding, const LoadDocument& load);

/// Brings a body of version `encoding` to kEncoding.
void upgrade(nlohmann::json& body, storage::Kind kind, int encoding);
/// Upgrades by another table, to version `to`.
void upgrade(nlohmann::json& body, storage::Kind kind, int encoding, int to, std::span<const Upgrade> upgrades);

} // namespace costcurve::documents
