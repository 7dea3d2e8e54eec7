// The only door to a Scenario: cross-field rules, eligibility, and one currency (model.md, sections 3 to 6).
#pragma once

#include <optional>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/failure.hpp"

namespace costcurve::model {

/// A scenario that keeps every rule, with all money in its own currency. Immutable but for sizes, on which no rule depends.
class Scenario {
public:
    [[nodiscard]] const ScenarioDocument& document() const& { return document_; }
    [[nodiscard]] ScenarioDocument document() && { return std::move(document_); }
    /// What stands beside the answer from the start: estimates, caps, purchases that come too late.
    [[nodiscard]] const std::vector<Issue>& warnings() const { return warnings_; }
    /// The pool that a runs_on entry names, as an index into pools.
    [[nodiscard]] std::size_t pool_index(std::string_view id) const;
    /// At least one unit; see set_units of pools.
    void set_units(std::size_t pool, int units, bool is_fixed);
    /// Of each workload of inference.
    void set_spares(int spares);

private:
    friend Result<Scenario> make_scenario(ScenarioDocument document);
    Scenario(ScenarioDocument document, std::vector<Issue> warnings)
        : document_(std::move(document)), warnings_(std::move(warnings)) {}

    ScenarioDocument document_;
    std::vector<Issue> warnings_;
};

/// Hours of all months, each distinct one once, times pools and entries of runs_on: what the time of an evaluation grows with. At
/// most 5e7.
[[nodiscard]] double hour_entries(const ScenarioDocument& scenario);

/// The scenario, or every rule it breaks. Fields are in their ranges already (decoding sees to that).
[[nodiscard]] Result<Scenario> make_scenario(ScenarioDocument document);

/// Sets how many units a pool has: servers bought at once, or instances, all of them paid for where it is fixed, as commitments
/// are. Of provisioned units it is the steps: none, the minimum, and a unit_step more each.
void set_units(Pool& pool, int units, bool is_fixed);

/// Sets the spare replicas of each workload of inference; the others have none.
void set_spares(ScenarioDocument& scenario, int spares);

/// The device that a pool runs on; null for an API pool.
[[nodiscard]] const Device* device_of(const Pool& pool);

/// Devices in one instance or server of a pool; 0 for an API pool.
[[nodiscard]] int devices_per_unit(const Pool& pool);

} // namespace costcurve::model
