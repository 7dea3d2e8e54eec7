// Gauges of the daemon: writable store, newest deliveries and recalculations, resources of the process.
#include "server/api/operating_gauges.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <unistd.h>

#include "server/api/gate.hpp"
#include "server/api/service.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::api {

namespace {

// Start time of the process: when this code was loaded.
const double kProcessStart = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();

// The gate's readiness of the last second: a check here would wait for another process's lock.
double readiness(Service& service) {
    if (service.gate->is_renewed()) {
        return service.gate->not_ready() ? 0.0 : 1.0;
    }
    try {
        service.store.check_writable();
        return 1.0;
    } catch (const storage::StoreError&) { return 0.0; }
}

void add_deliveries(std::vector<Gauge>& gauges, const storage::Store& store) {
    constexpr std::size_t kMaxDeliveries = 200;
    std::array<double, storage::delivery_state_names.size()> counts{};
    storage::DeliveryQuery newest;
    newest.limit = kMaxDeliveries;
    for (const storage::Delivery& delivery : store.deliveries(newest)) {
        ++counts.at(static_cast<std::size_t>(delivery.state));
    }
    for (std::size_t state = 0; state < counts.size(); ++state) {
        gauges.push_back({"costcurve_recent_deliveries", "the newest 200 deliveries to webhooks by state", counts.at(state), false,
                          label("state", storage::delivery_state_names.at(state))});
    }
}

void add_recalculations(std::vector<Gauge>& gauges, const storage::Store& store) {
    constexpr std::size_t kMaxRuns = 100;
    constexpr double kMicroseconds = 1e6;
    const std::vector<storage::Run> runs = store.runs(0, kMaxRuns);
    const auto open = std::count_if(runs.begin(), runs.end(), [](const storage::Run& run) { return !has_ended(run.state); });
    gauges.push_back(
        {"costcurve_open_recalculations", "recalculations queued or running, of the newest 100", static_cast<double>(open)});
    const auto last =
        std::find_if(runs.begin(), runs.end(), [](const storage::Run& run) { return run.state == storage::RunState::done; });
    if (last != runs.end()) {
        gauges.push_back({"costcurve_last_recalculation_failed",
                          "scenarios that the newest finished recalculation could not evaluate",
                          static_cast<double>(last->failed)});
        const std::optional<std::int64_t> ended = storage::parse_time(last->ended_at);
        gauges.push_back({"costcurve_last_recalculation_timestamp_seconds", "when it ended, in seconds since 1970",
                          static_cast<double>(ended.value_or(0)) / kMicroseconds});
    }
}

// Adds process gauges under the names of Prometheus' client libraries.
void add_process(std::vector<Gauge>& gauges) {
    gauges.push_back({"process_start_time_seconds", "when the daemon was started, in seconds since 1970", kProcessStart});
    std::ifstream statm("/proc/self/statm");
    double pages = 0;
    double resident_pages = 0;
    if (statm >> pages >> resident_pages) {
        gauges.push_back(
            {"process_resident_memory_bytes", "memory of the daemon", resident_pages * static_cast<double>(sysconf(_SC_PAGESIZE))});
    }
    std::error_code unreadable;
    const std::filesystem::directory_iterator descriptors("/proc/self/fd", unreadable);
    if (!unreadable) {
        gauges.push_back({"process_open_fds", "descriptors of the daemon",
                          static_cast<double>(std::distance(begin(descriptors), end(descriptors)))});
    }
}

} // namespace

std::vector<Gauge> operating_gauges(Service& service) {
    std::vector<Gauge> gauges{
        {"costcurve_ready", "1 where a write would be taken now, 0 where /readyz is 503", readiness(service)}};
    add_deliveries(gauges, service.store);
    add_recalculations(gauges, service.store);
    add_process(gauges);
    return gauges;
}

} // namespace costcurve::api
