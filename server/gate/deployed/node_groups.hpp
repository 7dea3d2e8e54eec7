// Nodes that manifests describe: node pools of Karpenter and CoreWeave, flavors and quotas of Kueue; and what pods get from them.
#pragma once

#include <string>

#include "server/gate/deployed/deployment.hpp"

namespace costcurve::gate::deployed {

/// Adds a node pool, a flavor or a queue. False where the object is none of these. Fails on labels that are templates and on
/// counts that are no numbers.
[[nodiscard]] bool read_node_group(const JsonValue& object, const std::string& file, Deployment& deployment,
                                   model::Failure& issues);

/// Once all objects are read: pods that name no machine have that of their queue's flavor, or of the one node pool that they fit.
/// What that leaves open is a question.
void settle_nodes(Deployment& deployment);

} // namespace costcurve::gate::deployed
