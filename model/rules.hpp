// Cross-field rules of a scenario's parts; each finding has the pointer of the field to mend.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "model/documents/documents.hpp"
#include "model/documents/failure.hpp"
#include "model/documents/kinds.hpp"

namespace costcurve::model {

/// Collects what is wrong (issues) and what should be known (warnings).
struct Rules {
    Failure issues;
    std::vector<Issue> warnings;

    void add(std::string pointer, Code code, std::string message) {
        issues.push_back({std::move(pointer), code, std::move(message)});
    }
    void warn(std::string pointer, Code code, std::string message) {
        warnings.push_back({std::move(pointer), code, std::move(message)});
    }
    void check_zone(const std::string& pointer, const std::string& zone);
};

/// A curve that must not be read beyond its ends covers [low, high].
void check_covers(const Curve& curve, const std::string& pointer, double low, double high, Rules& rules);
/// The same for a rate over date, read at each month's first day; without a scenario there are no months to check.
void check_dates(const Rate& rate, const std::string& pointer, const ScenarioDocument* scenario, Rules& rules);
/// Either units_per_s or an estimate. False where neither or both are given.
bool check_rate_given(const Performance& performance, const std::string& pointer, Rules& rules);

/// The rules that a document keeps by itself, wherever it will stand; its references count as kept.
void check_alone(const Device& device, Rules& rules);
void check_alone(const Site& site, Rules& rules);
void check_alone(const Offer& offer, Rules& rules);
void check_alone(const Endpoint& endpoint, Rules& rules);
/// The prices of a pool of kind api or of an endpoint; of a scenario's horizon, where there is one.
void check_hosted(const HostedModel& model, const std::string& pointer, const ScenarioDocument* scenario, Rules& rules);
/// Of an entry on an api pool: its tier has a price, what the price depends on is known, and objectives of latency are kept.
void check_hosted_entry(const Workload& workload, const RunsOn& runs_on, const Pool& pool, const std::string& pointer,
                        Rules& rules);
/// Units of requests: as units_per_request, or as token_mix and its mean; and the prefix, which is a part of their input.
void check_units(const Workload& workload, const std::string& pointer, Rules& rules);
/// The hour's mean is kept: bursts alone are no more than all of it.
void check_burst(const Burst& burst, const std::string& pointer, Rules& rules);
/// Where an offer states how instances start, and objectives are not known to leave the boot's time: they are held for bursts.
void warn_of_held(const Workload& workload, const Performance& performance, const Offer& offer, std::optional<int> batch,
                  const std::string& pointer, Rules& rules);
/// Offers whose instances always run state nothing of how they start.
void check_starts(const Offer& offer, const std::string& pointer, Rules& rules);
void check_alone(const Server& server, Rules& rules);
void check_alone(const Performance& performance, Rules& rules);
void check_alone(const Model& model, Rules& rules);
void check_alone(const Alias& alias, Rules& rules);
void check_alone(const Measurement& measurement, Rules& rules);

/// Demand is a mean, or the utilization of devices, with what belongs to it.
void check_demand(const Workload& workload, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules);
/// Training is work of each month, or one run with what belongs to it.
void check_shares(const Workload& workload, const std::string& pointer, Rules& rules);
void check_training(const Workload& workload, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules);

/// Work that is bound to regions runs nowhere else; where it is not known where a pool is, warns.
void check_regions(const ScenarioDocument& scenario, Rules& rules);
/// Warns of pools that state no failures where a workload states availability.
void check_availability(const ScenarioDocument& scenario, Rules& rules);
void check_pools(const ScenarioDocument& scenario, Rules& rules);
void check_workloads(const ScenarioDocument& scenario, Rules& rules);

} // namespace costcurve::model
