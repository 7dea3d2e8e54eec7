// Scenario and make_scenario, the only way to get one: cross-field rules, eligibility, one currency (model.md, sections 3 to 6).
#pragma once

#include <optional>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/failure.hpp"

namespace costcurve::model {

/// A scenario that has passed every rule, with all money in its own currency. Immutable except for sizes, which no rule depends on.
class Scenario {
public:
    [[nodiscard]] const ScenarioDocument& document() const& { return document_; }
    [[nodiscard]] ScenarioDocument document() && { return std::move(document_); }
    /// Warnings that are known before evaluation: estimates, caps, purchases that come too late.
    [[nodiscard]] const std::vector<Issue>& warnings() const { return warnings_; }
    /// The pool that a runs_on entry names, as an index into pools.
    [[nodiscard]] std::size_t pool_index(std::string_view id) const;
    /// Sets the units of a pool, at least one; see set_units below.
    void set_units(std::size_t pool, int units, bool is_fixed);
    /// Sets the spare replicas of each inference workload.
    void set_spares(int spares);

private:
    friend Result<Scenario> make_scenario(ScenarioDocument document);
    Scenario(ScenarioDocument document, std::vector<Issue> warnings)
        : document_(std::move(document)), warnings_(std::move(warnings)) {}

    ScenarioDocument document_;
    std::vector<Issue> warnings_;
};

/// Distinct hours of all months times pools and runs_on entries; an evaluation's time is proportional to it. At most 5e7 in a valid
/// scenario.
[[nodiscard]] double hour_entries(const ScenarioDocument& scenario);

/// The scenario, or every rule that it breaks. Expects fields that are in their ranges already (checked by decoding).
[[nodiscard]] Result<Scenario> make_scenario(ScenarioDocument document);

/// Sets the units of a pool: servers of one purchase, or instances, which are all paid for if `is_fixed` (as in a commitment). For
/// provisioned units, `units` counts steps: 0 is none, 1 the minimum, each further step adds unit_step.
void set_units(Pool& pool, int units, bool is_fixed);

/// Sets the spare replicas of each inference workload; other workloads have none.
void set_spares(ScenarioDocument& scenario, int spares);

/// The device of a pool; null for an API pool.
[[nodiscard]] const Device* device_of(const Pool& pool);

/// Devices in one instance or server of a pool; 0 for an API pool.
[[nodiscard]] int devices_per_unit(const Pool& pool);

} // namespace costcurve::model
