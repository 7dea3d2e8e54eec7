// Counts nodes of clusters and sums over them. Nodes are counted by the file's model names, which are not mapped to devices.
#include "server/import/demand/cluster_tables.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "server/import/demand/week_hours.hpp"
#include "server/import/text/utf8.hpp"

namespace costcurve::imports {

namespace {

constexpr double kMaxNodeDevices = 1024.0; // per node
constexpr std::size_t kMaxModels = 1000;
constexpr std::size_t kMaxNamed = 20;

Column devices_of(Table& table) { return table.column({"gpu_capacity_num", "gpu", "gpus", "num_gpu"}); }
Column model_of(Table& table) { return table.column({"gpu_model", "model"}); }

} // namespace

bool is_node_list(Table& table) { return devices_of(table) && model_of(table) && !table.column({"deletion_time", "end_time"}); }

HardError read_nodes(Table& table, Nodes& nodes, Report& report) {
    const Column devices = devices_of(table);
    const Column model = model_of(table);
    const Column name = table.column({"sn", "node_name", "node", "name"});
    std::unordered_map<std::string, std::string> seen; // model and GPU count first seen for each node
    while (table.next()) {
        ++report.rows;
        const Number count = table.number(devices);
        const std::string what = fmt::format("{}\n{}", table.text(devices), table.text(model));
        const auto [place, added] = name ? seen.try_emplace(std::string(table.text(name)), what) : std::pair{seen.end(), true};
        const bool same = !added && place->second == what;
        if (same || (added && count && count.value == 0.0)) {
            ++report.skipped;
        } else if (!added) {
            report.rejected.add(table.row(), fmt::format("node {} is there above, as another one", clipped(table.text(name))));
        } else if (count.state == Number::State::blank) {
            report.rejected.add(table.row(), "its number of GPUs is blank: it is unknown, not 0");
        } else if (!count || count.value < 0.0 || count.value > kMaxNodeDevices || count.value != std::floor(count.value)) {
            report.rejected.add(table.row(), "its number of GPUs is no whole number from 0 to 1024");
        } else if (table.text(model).empty()) {
            report.rejected.add(table.row(), "its GPU's model is blank");
        } else if (nodes.by_model.size() >= kMaxModels && !nodes.by_model.contains(std::string(table.text(model)))) {
            return hard_error(model::Code::too_large, table.row(), fmt::format("it has more than {} models of GPUs", kMaxModels));
        } else {
            ++nodes.nodes;
            nodes.devices += count.value;
            nodes.by_model[std::string(table.text(model))] += count.value;
        }
    }
    return table.error();
}

std::string describe(const Nodes& nodes) {
    std::vector<std::pair<double, std::string>> models;
    for (const auto& [model, count] : nodes.by_model) {
        models.emplace_back(-count, model);
    }
    std::sort(models.begin(), models.end());
    std::string text = fmt::format("{} nodes with {:.0f} GPUs:", nodes.nodes, nodes.devices);
    for (std::size_t i = 0; i < std::min(models.size(), kMaxNamed); ++i) {
        text += fmt::format("{} {} {:.0f}", i == 0 ? "" : ",", clipped(models[i].second), -models[i].first);
    }
    return models.size() > kMaxNamed ? text + fmt::format(" and {} more", models.size() - kMaxNamed) : text;
}

bool is_cluster_summary(Table& table) { return table.column("gpu_job_num") && table.column("complete_gpu_time"); }

HardError read_cluster_summary(Table& table, Report& report) {
    const Column id = table.column({"id", "cluster"});
    const Column jobs = table.column("gpu_job_num");
    while (table.next()) {
        ++report.rows;
        ++report.skipped;
        double seconds = 0.0;
        bool known = true;
        for (const std::string_view name : {"complete_gpu_time", "cancel_gpu_time", "fail_gpu_time"}) {
            const Number time = table.number(table.column(name));
            known = known && time && time.value >= 0.0;
            seconds += known ? time.value : 0.0;
        }
        const std::string sum = known ? fmt::format("{:.0f} GPU-hours", seconds / kSecondsPerHour) : "GPU time that is not said";
        report.warnings.add(table.row(),
                            fmt::format("{}: {} GPU jobs, {}; no utilization follows from it, because the file has neither the "
                                        "number of GPUs nor the period",
                                        clipped(table.text(id)), clipped(table.text(jobs)), sum));
    }
    return table.error();
}

} // namespace costcurve::imports
