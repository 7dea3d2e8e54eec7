// Scenarios put together from text; numbers are round, shapes are sums of sines or steps.
#include "tests/bench/scenarios.hpp"

#include <cmath>
#include <functional>
#include <numbers>

#include <fmt/format.h>

namespace costcurve::bench {

namespace {

constexpr std::string_view kDevice =
    R"({"id": "device", "kind": "gpu", "tdp_w": 700, "idle_w": 80, "memory_gib": 80,
        "power": {"kind": "power", "axis": "utilization", "points": [[0, 80], [0.1, 210], [0.3, 380], [0.6, 560], [1, 690]]}})";

std::string curve(std::string_view kind, std::string_view axis, int hours, const std::function<double(int)>& value) {
    std::string points;
    for (int hour = 0; hour < hours; ++hour) {
        points += fmt::format("{}[{}, {}]", hour == 0 ? "" : ", ", hour, value(hour));
    }
    return fmt::format(R"({{"kind": "{}", "axis": "{}", "points": [{}]}})", kind, axis, points);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

double wave(int hour, double period, double phase) { return std::sin(2 * std::numbers::pi * (hour + phase) / period); }

std::string workload(std::string_view id, double mean, const std::string& shape, std::string_view zone) {
    std::string runs_on;
    for (const auto& [pool, rate] : {std::pair{"owned", 950}, {"reserved", 900}, {"spot", 880}, {"on-demand", 900}}) {
        runs_on += fmt::format(R"({}{{"pool": "{}", "performance": {{"devices": 2, "units_per_s": {}}}}})",
                               runs_on.empty() ? "" : ", ", pool, rate);
    }
    return fmt::format(R"({{"id": "{}", "kind": "inference", "unit": "token", "units_per_request": {{"input": 900, "output": 300}},
        "demand": {{"mean_per_s": {}, "shape": {}, "growth_per_month": 0.01, "time_zone": "{}"}}, "peak_utilization": 0.8,
        "runs_on": [{}]}})",
                       id, mean, shape, zone, runs_on);
}

std::string cloud(std::string_view id, std::string_view purchase, double price, int least, int most) {
    return fmt::format(R"({{"id": "{}", "kind": "cloud", "min_instances": {}, "max_instances": {}, "offer": {{"provider": "p",
        "device": {}, "devices": 8, "purchase": "{}", "hourly_price": {}, "interruptions_per_hour": 0.01}}}})",
                       id, least, most, kDevice, purchase, price);
}

std::string owned(const std::string& tariff, const std::string& pue) {
    return fmt::format(
        R"({{"id": "owned", "kind": "owned", "purchases": [{{"month": 0, "servers": 3}}, {{"month": 24, "servers": 2}}],
        "refresh": true, "server": {{"device": {}, "devices": 8, "price": 250000, "life_months": 48, "host_idle_w": 500,
        "host_max_w": 1800, "maintenance_rate": 0.05, "rack_units": 8}}, "site": {{"time_zone": "Europe/Berlin",
        "energy_price": {}, "pue": {}, "carbon_g_per_kwh": 350, "demand_charge_per_kw_month": 9, "space_per_kw_month": 120,
        "fte": 0.5, "salary_per_year": 120000}}}})",
        kDevice, tariff, pue);
}

std::string scenario(int months, const std::string& workloads, const std::string& pools) {
    return fmt::format(R"({{"name": "bench", "start": "2026-01", "months": {}, "time_zone": "Europe/Berlin",
        "finance": {{"discount_rate": 0.08, "tax_rate": 0.25}}, "workloads": [{}], "pools": [{}]}})",
                       months, workloads, pools);
}

std::string four_pools(const std::string& tariff, const std::string& pue) {
    return owned(tariff, pue) + ", " + cloud("reserved", "reserved", 20, 2, 2) + ", " + cloud("spot", "spot", 14, 0, 2) + ", " +
           cloud("on-demand", "on_demand", 32, 0, 40);
}

std::string two_workloads(const std::string& shape_a, const std::string& shape_b) {
    return workload("chat", 9, shape_a, "Europe/Berlin") + ", " + workload("search", 6, shape_b, "America/New_York");
}

std::string shape(double phase) {
    return curve("demand", "hour_of_week", 168,
                 [phase](int h) { return 1 + 0.5 * wave(h, 24, phase) + 0.2 * wave(h, 168, phase); });
}

} // namespace

std::string weekly_scenario() {
    const auto tariff =
        curve("tariff", "hour_of_week", 168, [](int h) { return 0.12 + 0.04 * wave(h, 24, 3) + 0.01 * wave(h, 168, 5); });
    const auto pue = curve("pue", "hour_of_day", 24, [](int h) { return 1.25 + 0.05 * wave(h, 24, 8); });
    return scenario(60, two_workloads(shape(0), shape(7)), four_pools(tariff, pue));
}

std::string failing_scenario() {
    std::string text = weekly_scenario();
    replace_all(text, R"("peak_utilization": 0.8)",
                R"("peak_utilization": 0.8, "spare_replicas": 1, "checkpoint": {"restart_s": 900})");
    replace_all(text, R"("life_months": 48)", R"("life_months": 48, "failures_per_hour": 1.6e-4, "repair_hours": 48)");
    return text;
}

std::string cheapest_scenario() {
    std::string text = failing_scenario();
    replace_all(text, R"("spare_replicas": 1)", R"("spare_replicas": 1, "routing": "cheapest")");
    return text;
}

std::string classes_scenario() {
    std::string text = weekly_scenario();
    const auto replace = [&text](std::string_view from, std::string_view to) { replace_all(text, from, to); };
    replace(R"({"input": 900, "output": 300})",
            R"({"input": 250, "cached_input": 600, "cache_write": 50, "output": 200, "reasoning": 100})");
    for (const int rate : {950, 900, 880}) { // of the same devices
        replace(fmt::format(R"("devices": 2, "units_per_s": {}}})", rate),
                fmt::format(R"("devices": 0.5, "class_weights": {{"cached_input": 1, "cache_write": 1}}, "units_per_s": {}}})",
                            rate / 4.0));
    }
    return text;
}

std::string office_scenario() {
    const auto office = [](int h) { return h < 120 && h % 24 >= 8 && h % 24 < 18 ? 2.5 : 0.4; };
    const auto tariff = curve("tariff", "hour_of_day", 24, [](int h) { return h >= 7 && h < 22 ? 0.16 : 0.09; });
    const auto demand = curve("demand", "hour_of_week", 168, office);
    return scenario(60, two_workloads(demand, demand), four_pools(tariff, "1.3"));
}

std::string yearly_scenario() {
    const auto tariff =
        curve("tariff", "hour_of_year", 8760, [](int h) { return 0.12 + 0.04 * wave(h, 24, 3) + 0.03 * wave(h, 8760, 500); });
    const auto pue = curve("pue", "hour_of_day", 24, [](int h) { return 1.25 + 0.05 * wave(h, 24, 8); });
    return scenario(60, two_workloads(shape(0), shape(7)), four_pools(tariff, pue));
}

std::string usual_scenario() {
    const auto rounded = [](double value) { return std::round(1000 * value) / 1000; };
    const auto demand = [&](double phase) {
        return curve("demand", "hour_of_week", 168, [&](int h) { return rounded(1 + 0.5 * wave(h, 24, phase)); });
    };
    const auto tariff =
        curve("tariff", "hour_of_week", 168, [&](int h) { return rounded(0.12 + 0.04 * wave(h, 24, 3) + 0.01 * wave(h, 168, 5)); });
    const auto pue = curve("pue", "hour_of_day", 24, [&](int h) { return rounded(1.25 + 0.05 * wave(h, 24, 8)); });
    return scenario(36, two_workloads(demand(2), demand(7)), four_pools(tariff, pue));
}

std::string fleet_scenario() {
    const auto tariff = curve("tariff", "hour_of_day", 24, [](int h) { return h >= 7 && h < 22 ? 0.16 : 0.09; });
    const std::string committed = cloud("committed", "committed", 17, 1, 1);
    std::string workloads = two_workloads(shape(0), shape(7)) + ", " + workload("batch", 4, shape(15), "Asia/Tokyo");
    const std::string_view last = R"({"pool": "on-demand", )";
    const std::string_view also = R"({"pool": "committed", "performance": {"devices": 2, "units_per_s": 870}}, )";
    for (std::size_t at = workloads.find(last); at != std::string::npos; at = workloads.find(last, at + also.size() + 1)) {
        workloads.insert(at, also);
    }
    std::string pools = four_pools(tariff, "1.3") + ", " + committed;
    pools.replace(pools.find("24, \"servers\""), 2, "12"); // the second purchase, within the horizon
    return scenario(24, workloads, pools);
}

std::string flat_scenario() {
    const std::string flat = R"({"id": "work", "kind": "inference", "unit": "token", "demand": {"mean_per_s": 9000},
        "runs_on": [{"pool": "owned", "performance": {"devices": 2, "units_per_s": 950}},
                    {"pool": "on-demand", "performance": {"devices": 2, "units_per_s": 900}}]})";
    return scenario(36, flat, owned("0.12", "1.3") + ", " + cloud("on-demand", "on_demand", 32, 0, 40));
}

} // namespace costcurve::bench
