// Objects of Kubernetes as kubectl and Helm print them: pods that ask for accelerators, and how many there are. Environments,
// Secrets and ConfigMaps are never read.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "server/answers/request.hpp"
#include "server/gate/deployed/accelerator_words.hpp"
#include "server/gate/deployed/autoscalers.hpp"
#include "server/gate/deployed/deployment.hpp"
#include "server/gate/deployed/machine_types.hpp"
#include "server/gate/deployed/node_groups.hpp"
#include "server/gate/deployed/object_roles.hpp"
#include "server/gate/deployed/pod_needs.hpp"
#include "server/gate/yaml_text.hpp"

namespace costcurve::gate::deployed {

namespace {

// Kinds that have no pods and no nodes, however they are named.
constexpr auto kWithoutPods = std::to_array<std::string_view>({"Secret",
                                                               "ConfigMap",
                                                               "Service",
                                                               "ServiceAccount",
                                                               "Role",
                                                               "RoleBinding",
                                                               "ClusterRole",
                                                               "ClusterRoleBinding",
                                                               "Namespace",
                                                               "CustomResourceDefinition",
                                                               "Ingress",
                                                               "NetworkPolicy",
                                                               "PersistentVolume",
                                                               "PersistentVolumeClaim",
                                                               "StorageClass",
                                                               "PodMonitor",
                                                               "ServiceMonitor",
                                                               "PrometheusRule",
                                                               "PodDisruptionBudget",
                                                               "PriorityClass",
                                                               "Gateway",
                                                               "HTTPRoute",
                                                               "ValidatingWebhookConfiguration",
                                                               "MutatingWebhookConfiguration",
                                                               "InferencePool",
                                                               "Certificate"});

// The model_source, or the model_id, of a configuration of Ray Serve's LLMs anywhere in the value. Its environments are not walked.
std::string ray_model_in(const JsonValue& value) { // NOLINT(misc-no-recursion): no deeper than 32 levels, which was checked
    if (const JsonValue* const loading = value.find("model_loading_config")) {
        const std::string source = text_at(*loading, "model_source");
        return source.empty() ? text_at(*loading, "model_id") : source;
    }
    std::string found;
    for (const JsonMember& member : value.members()) {
        found = found.empty() && member.name != "runtime_env" ? ray_model_in(member.value) : found;
    }
    for (const JsonValue& entry : value.entries()) {
        found = found.empty() ? ray_model_in(entry) : found;
    }
    return found;
}

// A RayService has its applications as a text of YAML.
std::string ray_model_of(const JsonValue& object) {
    const auto documents = json_of_yaml(text_at(object, "spec/serveConfigV2"));
    if (!documents || documents->size() != 1) {
        return "";
    }
    const auto parsed = answers::parse_body(documents->front());
    return parsed ? ray_model_in(**parsed) : "";
}

std::string queue_in(const JsonValue& labels) {
    const JsonValue* const queue = labels.find("kueue.x-k8s.io/queue-name");
    return queue == nullptr ? "" : std::string(queue->text());
}

class ObjectReader {
public:
    ObjectReader(std::string file, Deployment& deployment) : file_(std::move(file)), deployment_(deployment) {}

    void read(const JsonValue& object) { // NOLINT(misc-no-recursion): no deeper than 32 levels, which was checked
        const std::string kind = text_at(object, "kind");
        if (kind.ends_with("List") && object.find("items") != nullptr) {
            for (const JsonValue& item : object.find("items")->entries()) {
                read(item);
            }
            return;
        }
        if (read_node_group(object, file_, deployment_, issues_) || read_autoscaler(object, file_, deployment_, issues_)) {
            return;
        }
        const auto roles = roles_of(object);
        if (!roles) {
            leave(kind, object);
        } else {
            read_roles(kind, object, *roles);
        }
    }

    [[nodiscard]] model::Failure take_issues() { return std::move(issues_); }

private:
    // A kind that is not known may ask for accelerators too.
    void leave(const std::string& kind, const JsonValue& object) {
        const double devices = devices_below(object);
        const std::string machine = std::ranges::find(kWithoutPods, kind) != kWithoutPods.end() ? "" : accelerated_type_in(object);
        if (devices > 0.0 || !machine.empty()) {
            deployment_.ask(file_, name_of_object(kind, object),
                            devices > 0.0 ? fmt::format("the kind {} is not read, and asks for accelerators", kind)
                                          : fmt::format("the kind {} is not read, and names {}", kind, machine),
                            devices > 0.0 ? devices : devices_of(machine));
        }
        deployment_.leave(file_, kind.empty() ? "object without a kind" : kind, "no kind that is read");
    }

    static std::string name_of_object(const std::string& kind, const JsonValue& object) {
        return kind + "/" + text_at(object, "metadata/name");
    }

    void read_roles(const std::string& kind, const JsonValue& object, const std::vector<Role>& roles) {
        const std::size_t first = deployment_.pods.size();
        const JsonValue* const labels = at_path(object, "metadata/labels");
        const std::string queue = labels == nullptr ? "" : queue_in(*labels);
        is_of_base_ = false;
        for (const Role& role : roles) {
            Pods pods;
            pods.file = file_;
            pods.object = name_of_object(kind, object);
            pods.role = role.name;
            pods.name_space = text_at(object, "metadata/namespace");
            pods.pods_per_replica = role.pods_per_server;
            pods.queue = queue;
            read_pods(role, std::move(pods));
        }
        if (!issues_.empty()) {
            return;
        }
        if (deployment_.pods.size() == first && !is_of_base_) {
            deployment_.leave(file_, kind, roles.empty() ? "it states no pods" : "it asks for no accelerator");
        } else if (kind == "RayService" && deployment_.pods.size() > first) {
            take_ray_model(object, deployment_.pods[first]);
        }
        ask_of_servers(first);
        compare_servers(roles, first);
    }

    void take_ray_model(const JsonValue& object, Pods& pods) {
        pods.model = ray_model_of(object);
        if (pods.model.empty()) {
            deployment_.ask(file_, pods.object, "its serveConfigV2 names no model_loading_config: what it serves is not known",
                            0.0);
        }
    }

    void read_pods(const Role& role, Pods pods) {
        PodNeeds needs = role.pod == nullptr ? PodNeeds() : read_pod(*role.pod);
        const std::string at = fmt::format("{}#{}", file_, pods.subject());
        if (!role.replicas || is_accelerator_resource(needs.unrendered)) {
            issues_.push_back(
                {at, model::Code::bad_format,
                 "its replicas or accelerators are no number: render the template first (helm template CHART > FILE)"});
            return;
        }
        if (!needs.unrendered.empty()) {
            issues_.push_back(
                {at, model::Code::bad_format,
                 fmt::format("its {} is a template that was not rendered: render it first (helm template CHART > FILE)",
                             needs.unrendered)});
            return;
        }
        if (*role.replicas < 0.0 || *role.replicas > kMaxReplicas) {
            issues_.push_back({at, model::Code::out_of_range,
                               fmt::format("it has {:g} replicas; allowed 0 to {:g}", *role.replicas, kMaxReplicas)});
            return;
        }
        take_needs(role, needs, pods);
        add_pods(role, needs, std::move(pods));
    }

    static void take_needs(const Role& role, PodNeeds& needs, Pods& pods) {
        const double apart = role.devices.value_or(0.0);
        pods.devices = needs.devices > 0 ? needs.devices : static_cast<int>(std::clamp(apart, 0.0, kMaxReplicas));
        pods.resource = needs.resource.empty() ? "nvidia.com/gpu" : needs.resource;
        pods.replicas = *role.replicas;
        pods.on = machine_by_labels(needs.labels);
        pods.on.unsettled = unsettled_labels(needs.labels);
        pods.on.provider = needs.resource.starts_with("google.com") ? "gcp" : pods.on.provider;
        pods.labels = std::move(needs.labels);
        pods.model = needs.serving.model.empty() ? role.model : needs.serving.model;
        pods.precision = needs.serving.precision;
        pods.max_tokens = needs.serving.max_tokens;
        pods.max_requests = needs.serving.max_requests;
        pods.server_devices = needs.serving.devices();
        pods.server_pods = needs.serving.pods();
        pods.is_ranked = needs.serving.is_ranked;
        pods.open = std::move(needs.serving.open);
        if (pods.model.empty() && !needs.serving.nameless.empty()) {
            pods.open.push_back(fmt::format("its model is {}: what it serves is not known", needs.serving.nameless));
        }
    }

    static bool selects_accelerator(const Pods& pods) {
        return !pods.on.device.empty() || accelerators_of_type(pods.on.type) ||
               is_accelerated_family(pods.on.provider, pods.on.type);
    }

    void add_pods(const Role& role, const PodNeeds& needs, Pods pods) {
        const std::string subject = pods.subject();
        if (!needs.unpriced.empty()) {
            deployment_.ask(file_, subject, needs.unpriced, std::max(pods.replicas, 1.0));
        }
        if (pods.devices == 0) {
            if (role.is_of_base && pods.replicas > 0.0) {
                is_of_base_ = true;
                deployment_.ask(file_, subject, "it states no accelerators: those of its base are not read", pods.replicas);
            } else if (needs.unpriced.empty() && !role.is_by_node && pods.replicas > 0.0 && selects_accelerator(pods)) {
                deployment_.ask(file_, subject, "it asks for no accelerator, and its node has some: is that machine paid for?",
                                pods.replicas);
            }
            return;
        }
        if (role.is_by_node) {
            deployment_.ask(file_, subject, "it runs once on each node: how many nodes are there?", pods.devices);
        }
        if (role.max_replicas > pods.replicas) {
            deployment_.ask(
                file_, subject,
                fmt::format("it may grow from {:g} to {:g} pods: {:g} are priced", pods.replicas, role.max_replicas, pods.replicas),
                pods.replicas > 0.0 ? 0.0 : role.max_replicas * pods.devices);
        }
        deployment_.pods.push_back(std::move(pods));
    }

    // What a server's arguments leave open, once an object.
    void ask_of_servers(std::size_t first) {
        std::set<std::string> asked;
        for (std::size_t i = first; i < deployment_.pods.size(); ++i) {
            for (const std::string& what : deployment_.pods[i].open) {
                if (asked.insert(what).second) {
                    deployment_.ask(file_, deployment_.pods[i].subject(), what, 0.0);
                }
            }
        }
    }

    // What a server's arguments take, beside what its pods have: those of its group, or as many as its arguments name.
    void compare_servers(const std::vector<Role>& roles, std::size_t first) {
        for (std::size_t i = first; i < deployment_.pods.size(); ++i) {
            const Pods& pods = deployment_.pods[i];
            const auto role = std::ranges::find(roles, pods.role, &Role::name);
            double devices = 0.0;
            double group = 0.0;
            for (std::size_t j = first; j < deployment_.pods.size(); ++j) {
                const auto other = std::ranges::find(roles, deployment_.pods[j].role, &Role::name);
                const double count = other->server == role->server ? other->pods_per_server : 0.0;
                devices += deployment_.pods[j].devices * count;
                group += count;
            }
            const bool is_alone = group == 1.0;
            devices *= is_alone ? pods.server_pods : 1.0;
            if (pods.server_devices > 0 && pods.server_devices != devices) {
                deployment_.ask(file_, pods.subject(),
                                fmt::format("its server takes {} accelerators by its arguments, its pods have {:g}",
                                            pods.server_devices, devices),
                                0.0);
            }
            const bool is_odd = is_alone ? !pods.is_ranked && std::fmod(pods.replicas, pods.server_pods) != 0.0
                                         : pods.server_pods > 1 && pods.server_pods != group;
            if (is_odd) {
                deployment_.ask(file_, pods.subject(),
                                fmt::format("its server takes {} pods by its arguments, {:g} are given", pods.server_pods,
                                            is_alone ? pods.replicas : group),
                                0.0);
            }
        }
    }

    std::string file_;
    Deployment& deployment_;
    model::Failure issues_;
    bool is_of_base_ = false; ///< the object at hand leaves its accelerators to another
};

} // namespace

bool is_object(const JsonValue& document) {
    return document.is_object() && !text_at(document, "apiVersion").empty() && document.contains("kind");
}

model::Failure read_object(const JsonValue& object, const std::string& file, Deployment& deployment) {
    ObjectReader reader(file, deployment);
    reader.read(object);
    return reader.take_issues();
}

} // namespace costcurve::gate::deployed
