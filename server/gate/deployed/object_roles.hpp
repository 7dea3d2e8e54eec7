// Kinds of Kubernetes that run pods, and where each has their templates and numbers: those of Kubernetes itself, and custom
// resources of serving and training.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/documents/json/parsed_json.hpp"

namespace costcurve::gate::deployed {

/// One of an object's templates of pods.
struct Role {
    std::string name = {};                        ///< leader, prefill; "" of the only one
    const JsonValue* pod = nullptr;               ///< a PodSpec, or what stands in its place; null where the object states none
    std::optional<double> replicas = 1.0;         ///< pods; nothing where it is no number
    double max_replicas = 0.0;                    ///< with autoscaling; 0: as many as there are
    std::optional<double> devices = std::nullopt; ///< of a pod, where they stand apart from its containers
    std::string model = {};                       ///< that the object itself names; "" of none
    std::string nameless = {};                    ///< what stands in place of its model's name, in words; "" of nothing
    std::string server = {};                      ///< roles of one are a server together
    double pods_per_server = 1.0;
    bool is_by_node = false; ///< one on each node
    bool is_of_base = false; ///< what it doesn't state is of another object, which is not read
};

/// The roles of an object; nothing where its kind is none that is read. An object may have none.
[[nodiscard]] std::optional<std::vector<Role>> roles_of(const JsonValue& object);

} // namespace costcurve::gate::deployed
