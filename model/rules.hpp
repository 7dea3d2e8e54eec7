// Cross-field rules of a scenario's parts; each finding has the JSON pointer of the field to correct.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>

#include "model/documents/documents.hpp"
#include "model/documents/failure.hpp"
#include "model/documents/kinds.hpp"

namespace costcurve::model {

/// Collects errors (issues) and warnings.
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

/// Checks that a curve which must not be extrapolated covers [low, high].
void check_covers(const Curve& curve, const std::string& pointer, double low, double high, Rules& rules);
/// Checks that a date curve covers the first day of each month of the horizon; checks nothing without a scenario.
void check_dates(const Rate& rate, const std::string& pointer, const ScenarioDocument* scenario, Rules& rules);
/// Checks that units_per_s or an estimate is given; returns false if neither or both are.
bool check_rate_given(const Performance& performance, const std::string& pointer, Rules& rules);

/// Checks the rules within one document, wherever it is used; references to other documents aren't checked.
void check_alone(const Device& device, Rules& rules);
void check_alone(const Site& site, Rules& rules);
void check_alone(const Offer& offer, Rules& rules);
void check_alone(const Endpoint& endpoint, Rules& rules);
/// Checks the prices of an API pool or an endpoint, over the horizon if a scenario is given.
void check_hosted(const HostedModel& model, const std::string& pointer, const ScenarioDocument* scenario, Rules& rules);
/// Checks an entry on an API pool: its tier has a price, the price's inputs are given, and its latency objectives are met.
void check_hosted_entry(const Workload& workload, const RunsOn& runs_on, const Pool& pool, const std::string& pointer,
                        Rules& rules);
/// Checks the units of requests: units_per_request, or token_mix and its mean; and that the prefix is part of the input.
void check_units(const Workload& workload, const std::string& pointer, Rules& rules);
/// Checks that the bursts alone don't exceed the hour's mean demand.
void check_burst(const Burst& burst, const std::string& pointer, Rules& rules);
/// Warns if the offer states how instances start but latency objectives may not allow for boot time: instances are kept for bursts.
void warn_of_held(const Workload& workload, const Performance& performance, const Offer& offer, std::optional<int> batch,
                  const std::string& pointer, Rules& rules);
/// Checks that an offer whose instances always run states nothing about instance starts.
void check_starts(const Offer& offer, const std::string& pointer, Rules& rules);
void check_alone(const Server& server, Rules& rules);
void check_alone(const Performance& performance, Rules& rules);
void check_alone(const Model& model, Rules& rules);
void check_alone(const Alias& alias, Rules& rules);
void check_alone(const Measurement& measurement, Rules& rules);

/// Checks that demand is a mean or a utilization of devices, with the fields that belong to it.
void check_demand(const Workload& workload, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules);
/// Checks that training is monthly work or one run, with the fields that belong to it.
void check_shares(const Workload& workload, const std::string& pointer, Rules& rules);
void check_training(const Workload& workload, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules);

/// Checks that workloads restricted to regions run only there; warns if a pool's region isn't known.
void check_regions(const ScenarioDocument& scenario, Rules& rules);
/// Warns about pools without failure rates that run a workload with a stated availability.
void check_availability(const ScenarioDocument& scenario, Rules& rules);
void check_pools(const ScenarioDocument& scenario, Rules& rules);
void check_workloads(const ScenarioDocument& scenario, Rules& rules);

} // namespace costcurve::model
