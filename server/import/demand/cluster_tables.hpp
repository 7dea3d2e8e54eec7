// Tables about clusters that stand beside lists of jobs: nodes with their GPUs, and sums by cluster.
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

/// True where the header is that of a node list: (`gpu` or `gpu_capacity_num`) and (`model` or `gpu_model`).
[[nodiscard]] bool is_node_list(Table& table);
/// Adds the table's nodes. A node that is there twice is counted once.
[[nodiscard]] HardError read_nodes(Table& table, Nodes& nodes, Report& report);
/// "1213 nodes with 6212 GPUs: G2 4392, …", the most frequent first.
[[nodiscard]] std::string describe(const Nodes& nodes);

/// True where the header is that of sums by cluster (AcmeTrace): `gpu_job_num` and `complete_gpu_time`.
[[nodiscard]] bool is_cluster_summary(Table& table);
/// Says of each cluster why no utilization follows from its sums. Gives no documents.
[[nodiscard]] HardError read_cluster_summary(Table& table, Report& report);

} // namespace costcurve::imports
