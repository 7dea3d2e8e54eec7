// Checks the rules of workloads: hourly demand, and training by the month or as a run.
#include <algorithm>
#include <cmath>

#include "model/documents/calendar.hpp"
#include "model/documents/places.hpp"
#include "model/rules.hpp"

namespace costcurve::model {

namespace {

// Rejects demand curves with points within an hour: the hour's mean would hide the peak that sizes capacity.
void check_points_by_hour(const Rate& rate, const std::string& pointer, Rules& rules) {
    if (!rate.curve || !point_inside_hour(*rate.curve)) {
        return;
    }
    const std::vector<double>& x = rate.curve->x;
    const auto first = std::adjacent_find(x.begin(), x.end(), [](double a, double b) { return std::floor(a) == std::floor(b); });
    if (first != x.end()) {
        rules.add(fmt::format("{}/points/{}/0", pointer, first - x.begin() + 1), Code::out_of_range,
                  fmt::format("points at {} and {} are in one hour, and demand is reckoned by the hour: give the mean of each, and "
                              "what is above it within the hour as burst",
                              *first, *(first + 1)));
    }
}

} // namespace

void check_demand(const Workload& workload, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules) {
    const Demand& demand = workload.demand;
    const std::string at = pointer + "/demand";
    rules.check_zone(at + "/time_zone", demand.time_zone);
    if (demand.mean_per_s.has_value() == demand.utilization.has_value()) {
        rules.add(at + "/mean_per_s", demand.mean_per_s ? Code::not_allowed : Code::missing,
                  "give mean_per_s, or utilization with reference_devices and units_per_s_per_device");
    }
    const auto goes_with_utilization = [&](bool present, const char* field) {
        if (demand.utilization && !present) {
            rules.add(at + "/" + field, Code::missing, fmt::format("utilization needs {}", field));
        }
        if (!demand.utilization && present) {
            rules.add(at + "/" + field, Code::not_allowed, fmt::format("{} goes with utilization only", field));
        }
    };
    goes_with_utilization(demand.reference_devices.has_value(), "reference_devices");
    goes_with_utilization(demand.units_per_s_per_device.has_value(), "units_per_s_per_device");
    if (demand.utilization && demand.shape) {
        rules.add(at + "/shape", Code::not_allowed, "shape goes with mean_per_s only");
    }
    if (demand.burst) {
        check_burst(*demand.burst, at + "/burst", rules);
    }
    if (demand.shape) {
        check_dates(*demand.shape, at + "/shape", &scenario, rules);
        check_points_by_hour(*demand.shape, at + "/shape", rules);
    }
    if (demand.utilization) {
        check_dates(*demand.utilization, at + "/utilization", &scenario, rules);
        check_points_by_hour(*demand.utilization, at + "/utilization", rules);
        if (demand.utilization->curve && demand.utilization->curve->utilization_of == UtilizationOf::busy_time &&
            workload.kind == WorkloadKind::inference) {
            rules.add(at + "/utilization/utilization_of", Code::inconsistent,
                      "devices that serve are busy nearly all the time at a few percent of their rate; give mean_per_s, or a curve "
                      "of throughput_share: tokens by counters over the largest rate, or requests at a time over the largest batch "
                      "(calibrate with full_units_per_s or full_batch)");
        }
    }
}

void check_shares(const Workload& workload, const std::string& pointer, Rules& rules) {
    double sum = 0.0;
    std::size_t stated = 0;
    for (const RunsOn& entry : workload.runs_on) {
        sum += entry.share.value_or(0.0);
        stated += entry.share ? 1 : 0;
    }
    if (stated == 0) {
        return;
    }
    for (std::size_t e = 0; e < workload.runs_on.size() && stated < workload.runs_on.size(); ++e) {
        if (!workload.runs_on[e].share) {
            rules.add(fmt::format("{}/runs_on/{}/share", pointer, e), Code::missing,
                      "other entries have a share: give this one what they leave of 1, or 0, or leave all shares out");
        }
    }
    constexpr double kAddsUp = 1e-9;
    if (stated == workload.runs_on.size() && std::abs(sum - 1.0) > kAddsUp) {
        rules.add(pointer + "/runs_on", Code::inconsistent,
                  fmt::format("shares add up to {:.12g}: make them add up to 1, or leave them all out", sum));
    }
    if (workload.routing == Routing::cheapest) {
        rules.add(pointer + "/routing", Code::not_allowed,
                  "shares say where the work goes: leave out routing, or the shares of runs_on");
    }
    if (workload.is_run()) {
        rules.add(pointer + "/runs_on/0/share", Code::not_allowed,
                  "a run is on one entry at a time: leave shares out, or give epochs_per_month");
    }
}

void check_training(const Workload& workload, const std::string& pointer, const ScenarioDocument& scenario, Rules& rules) {
    if (workload.epochs_per_month.has_value() == workload.is_run()) {
        rules.add(pointer + "/epochs_per_month", workload.is_run() ? Code::not_allowed : Code::missing,
                  "give epochs_per_month, of work that comes again each month, or epochs, of one run");
    }
    if (workload.epochs_per_month) {
        check_dates(*workload.epochs_per_month, pointer + "/epochs_per_month", &scenario, rules);
    }
    const auto goes_with_epochs = [&](bool present, const char* field) {
        if (present && !workload.is_run()) {
            rules.add(fmt::format("{}/{}", pointer, field), Code::not_allowed,
                      fmt::format("{} goes with epochs, of one run", field));
        }
    };
    goes_with_epochs(workload.within_days.has_value(), "within_days");
    goes_with_epochs(workload.start_day != 1, "start_day");
    goes_with_epochs(workload.fall_back_after_days.has_value(), "fall_back_after_days");
    if (workload.fall_back_after_days && (workload.runs_on.size() < 2 || workload.routing == Routing::cheapest)) {
        rules.add(pointer + "/fall_back_after_days", Code::not_allowed,
                  "falling back needs two entries of runs_on or more, in_order: the last is the one to fall back to");
    }
    if (const int days = days_in(scenario.start); workload.start_day > days) {
        rules.add(pointer + "/start_day", Code::out_of_range,
                  fmt::format("start_day is {}; {} has {} days", workload.start_day, to_text(scenario.start), days));
    }
    if (workload.is_run() && *workload.epochs * workload.units_per_epoch < 1.0) {
        rules.add(pointer + "/epochs", Code::out_of_range,
                  "epochs times units_per_epoch is less than a unit: there is nothing to run");
    }
    if (workload.is_run() && !workload.carry_over) {
        rules.add(pointer + "/carry_over", Code::not_allowed,
                  "a run goes on till it ends: leave carry_over out, or give epochs_per_month");
    }
}

void check_regions(const ScenarioDocument& scenario, Rules& rules) {
    const bool is_any_known =
        std::any_of(scenario.pools.begin(), scenario.pools.end(), [](const Pool& pool) { return place_of(pool).is_known(); });
    for (std::size_t w = 0; w < scenario.workloads.size(); ++w) {
        const Workload& workload = scenario.workloads[w];
        for (std::size_t r = 0; r < workload.regions.size(); ++r) {
            const auto is_there = [&](const Pool& pool) { return lies_in(place_of(pool), workload.regions[r]); };
            if (is_any_known && !is_somewhere(workload.regions[r]) &&
                !std::any_of(scenario.pools.begin(), scenario.pools.end(), is_there)) {
                rules.add(
                    fmt::format("/workloads/{}/regions/{}", w, r), Code::unknown_value,
                    fmt::format("no pool is in \"{}\", and no list of regions has it; give a seller's region, a country by its "
                                "two letters (ISO 3166), or one of {}",
                                workload.regions[r], fmt::join(kCountryGroups, ", ")));
            }
        }
        for (std::size_t e = 0; e < workload.runs_on.size() && !workload.regions.empty(); ++e) {
            const auto pool = std::find_if(scenario.pools.begin(), scenario.pools.end(),
                                           [&](const Pool& one) { return one.id == workload.runs_on[e].pool; });
            if (pool == scenario.pools.end() || lies_in_one(place_of(*pool), workload.regions)) {
                continue;
            }
            const Place place = place_of(*pool);
            const std::string at = fmt::format("/workloads/{}/runs_on/{}/pool", w, e);
            if (!place.is_known()) {
                rules.warn(at, Code::place_unknown,
                           fmt::format("the work may run in {} alone, and where pool {} is isn't known: give its region or country",
                                       fmt::join(workload.regions, ", "), pool->id));
            } else {
                rules.add(at, Code::not_allowed,
                          fmt::format("pool {} is in {}{}{}; the work may run in {} alone", pool->id, place.region,
                                      place.region.empty() || place.country.empty() ? "" : ", ", place.country,
                                      fmt::join(workload.regions, ", ")));
            }
        }
    }
}

void check_availability(const ScenarioDocument& scenario, Rules& rules) {
    for (std::size_t w = 0; w < scenario.workloads.size(); ++w) {
        const Workload& workload = scenario.workloads[w];
        for (std::size_t e = 0; e < workload.runs_on.size() && workload.availability; ++e) {
            const auto pool = std::ranges::find(scenario.pools, workload.runs_on[e].pool, &Pool::id);
            const bool is_silent = pool != scenario.pools.end() && (pool->offer    ? !pool->offer->interruptions_per_hour
                                                                    : pool->server ? !pool->server->failures_per_hour
                                                                                   : false);
            if (is_silent) {
                rules.warn(fmt::format("/workloads/{}/runs_on/{}/pool", w, e), Code::failures_unknown,
                           fmt::format("pool {} states no failures and is taken as never failing: availability is kept by that "
                                       "alone; give {}, 0 if it is so",
                                       pool->id,
                                       pool->offer ? "interruptions_per_hour of its offer" : "failures_per_hour of its server"));
            }
        }
    }
}

} // namespace costcurve::model
