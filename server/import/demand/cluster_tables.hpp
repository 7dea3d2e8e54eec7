// Tables about clusters that are published beside job lists: nodes with their GPUs, and totals by cluster.
#pragma once

#include <map>
#include <string>

#include "server/import/importer.hpp"
#include "server/import/text/table.hpp"

namespace costcurve::imports {

/// GPUs of a cluster.
struct Nodes {
    std::size_t nodes = 0;
    double devices = 0.0;
    std::map<std::string, double> by_model; ///< by the file's own names
};

/// Whether the header is that of a node list: (`gpu` or `gpu_capacity_num`) and (`model` or `gpu_model`).
[[nodiscard]] bool is_node_list(Table& table);
/// Adds the table's nodes. A node that is listed twice counts once.
[[nodiscard]] HardError read_nodes(Table& table, Nodes& nodes, Report& report);
/// Nodes and GPUs in words, the most frequent model first: "1213 nodes with 6212 GPUs: G2 4392, …".
[[nodiscard]] std::string describe(const Nodes& nodes);

/// Whether the header is that of totals by cluster (AcmeTrace): `gpu_job_num` and `complete_gpu_time`.
[[nodiscard]] bool is_cluster_summary(Table& table);
/// Reports for each cluster why its totals give no utilization. Gives no documents.
[[nodiscard]] HardError read_cluster_summary(Table& table, Report& report);

} // namespace costcurve::imports
