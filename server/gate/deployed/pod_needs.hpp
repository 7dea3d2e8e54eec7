// Reads a pod template: requested accelerators, node labels, and the served model. Environments are never read.
#pragma once

#include <optional>
#include <string>

#include "server/gate/deployed/node_labels.hpp"
#include "server/gate/deployed/serving_arguments.hpp"

namespace costcurve::gate::deployed {

/// Requirements of one pod.
struct PodNeeds {
    int devices = 0;
    std::string resource;     ///< nvidia.com/gpu
    std::string unpriced;     ///< what it asks for of accelerators that have no price, as a sentence; "" of nothing
    std::string unrendered;   ///< what is a template that was not rendered; "" of nothing
    LabelValues labels;       ///< that its node must have
    ServingArguments serving; ///< of the first container that names a model, or else has one
};

/// Of a PodSpec, or of what custom resources have in its place: containers, and members that are one (`model`, `mainContainer`).
/// Accelerators are those of all containers, or of an initial one that asks for more.
[[nodiscard]] PodNeeds read_pod(const JsonValue& pod);

/// Whether a resource of Kubernetes is a whole accelerator.
[[nodiscard]] bool is_accelerator_resource(std::string_view name);

/// Accelerators that containers anywhere in the value ask for. Of what no reader understands.
[[nodiscard]] double devices_below(const JsonValue& value);

/// The number at a path; `otherwise` where nothing is there, and nothing where it is no number.
[[nodiscard]] std::optional<double> count_at(const JsonValue& value, std::string_view path, double otherwise);

} // namespace costcurve::gate::deployed
