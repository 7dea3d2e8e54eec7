// Tables of kinds, and for each custom one a function from its spec to its roles.
#include "server/gate/deployed/object_roles.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "server/gate/deployed/pod_needs.hpp"

namespace costcurve::gate::deployed {

namespace {

using Count = std::optional<double>;

Count product(Count a, Count b) { return a && b ? Count(*a * *b) : std::nullopt; }

// Where a kind has its pods, and how many. A kind without replicas runs one.
struct KindRow {
    std::string_view kind;
    std::string_view pod;
    std::string_view replicas;
    bool is_by_node = false;
};
constexpr auto kKinds = std::to_array<KindRow>({
    {"Pod", "spec", ""},
    {"Deployment", "spec/template/spec", "spec/replicas"},
    {"StatefulSet", "spec/template/spec", "spec/replicas"},
    {"ReplicaSet", "spec/template/spec", "spec/replicas"},
    {"ReplicationController", "spec/template/spec", "spec/replicas"},
    {"DaemonSet", "spec/template/spec", "", true},
    {"Job", "spec/template/spec", "spec/parallelism"},
    {"CronJob", "spec/jobTemplate/spec/template/spec", "spec/jobTemplate/spec/parallelism"},
});

// `hf://` and a hub's name; a name of the server's own where it is one of a hub.
std::string model_of_uri(const std::string& uri, const std::string& name) {
    constexpr std::string_view kHub = "hf://";
    return uri.starts_with(kHub) ? uri.substr(kHub.size()) : name.find('/') != std::string::npos ? name : "";
}

// Source: lws.sigs.k8s.io, "LeaderWorkerSet API" v1: a group is a leader and size - 1 workers, of one template unless there are
// two.
std::vector<Role> leader_worker_roles(const JsonValue& spec) {
    const Count groups = count_at(spec, "replicas", 1.0);
    const Count size = count_at(spec, "leaderWorkerTemplate/size", 1.0);
    const JsonValue* const worker = at_path(spec, "leaderWorkerTemplate/workerTemplate/spec");
    const JsonValue* const leader = at_path(spec, "leaderWorkerTemplate/leaderTemplate/spec");
    if (leader == nullptr) {
        return {{.pod = worker, .replicas = product(groups, size), .pods_per_server = size.value_or(1.0)}};
    }
    const Count workers = size ? Count(std::max(*size - 1.0, 0.0)) : std::nullopt;
    return {{.name = "leader", .pod = leader, .replicas = groups, .server = "group"},
            {.name = "worker",
             .pod = worker,
             .replicas = product(groups, workers),
             .server = "group",
             .pods_per_server = workers.value_or(0.0)}};
}

// Source: jobset.sigs.k8s.io, "JobSet API" v1alpha2.
std::vector<Role> job_set_roles(const JsonValue& spec) {
    std::vector<Role> roles;
    const JsonValue* const jobs = spec.find("replicatedJobs");
    for (const JsonValue& job : jobs == nullptr ? std::span<const JsonValue>() : jobs->entries()) {
        roles.push_back({.name = text_at(job, "name"),
                         .pod = at_path(job, "template/spec/template/spec"),
                         .replicas = product(count_at(job, "replicas", 1.0), count_at(job, "template/spec/parallelism", 1.0)),
                         .server = text_at(job, "name")});
    }
    return roles;
}

// Source: ray-project/kuberay, apis/ray/v1/raycluster_types.go: a group has its replicas, within its least and most, of numOfHosts
// pods each.
std::vector<Role> ray_cluster_roles(const JsonValue& spec) {
    std::vector<Role> roles = {{.name = "head", .pod = at_path(spec, "headGroupSpec/template/spec"), .server = "head"}};
    const JsonValue* const scales = spec.find("enableInTreeAutoscaling");
    const JsonValue* const groups = spec.find("workerGroupSpecs");
    for (const JsonValue& group : groups == nullptr ? std::span<const JsonValue>() : groups->entries()) {
        const Count least = count_at(group, "minReplicas", 0.0);
        const Count most = count_at(group, "maxReplicas", HUGE_VAL);
        const Count stated = count_at(group, "replicas", 0.0);
        const Count hosts = count_at(group, "numOfHosts", 1.0);
        const Count replicas = least && most && stated ? Count(std::min(std::max(*stated, *least), *most)) : std::nullopt;
        const bool grows = scales != nullptr && scales->boolean() && most && std::isfinite(*most);
        roles.push_back({.name = text_at(group, "groupName"),
                         .pod = at_path(group, "template/spec"),
                         .replicas = product(replicas, hosts),
                         .max_replicas = grows ? *most * hosts.value_or(1.0) : 0.0,
                         .server = text_at(group, "groupName")});
    }
    return roles;
}

template <const char* kPath> std::vector<Role> ray_roles_at(const JsonValue& spec) {
    const JsonValue* const cluster = at_path(spec, kPath);
    return cluster == nullptr ? std::vector<Role>() : ray_cluster_roles(*cluster);
}
constexpr char kOfService[] = "rayClusterConfig";
constexpr char kOfJob[] = "rayClusterSpec";

// Source: kserve/kserve, pkg/apis/serving/v1beta1: a component is a pod, whose `model` (or the framework's name) is a container;
// one replica unless minReplicas states another; pods of a server on several nodes are the head and the worker's.
std::vector<Role> inference_service_roles(const JsonValue& spec) {
    std::vector<Role> roles;
    for (const char* const name : {"predictor", "transformer", "explainer"}) {
        const JsonValue* const component = spec.find(name);
        if (component == nullptr) {
            continue;
        }
        const Count replicas = count_at(*component, "minReplicas", 1.0);
        const double most = count_at(*component, "maxReplicas", 0.0).value_or(0.0);
        const Count nodes = count_at(*component, "workerSpec/pipelineParallelSize", 1.0);
        const Count devices = number_at(*component, "workerSpec/tensorParallelSize");
        const std::string uri = text_at(*component, "model/storageUri");
        const std::string model = model_of_uri(uri, "");
        roles.push_back({.name = name,
                         .pod = component,
                         .replicas = replicas,
                         .max_replicas = replicas && *replicas == 0.0 ? std::max(most, 1.0) : most,
                         .devices = devices,
                         .model = model,
                         .nameless = model.empty() && !uri.empty() ? "an address" : "",
                         .server = name,
                         .pods_per_server = 1.0});
        if (const JsonValue* const worker = component->find("workerSpec")) {
            const Count others = nodes ? Count(std::max(*nodes - 1.0, 0.0)) : std::nullopt;
            roles.push_back({.name = "worker",
                             .pod = worker,
                             .replicas = product(replicas, others),
                             .devices = devices,
                             .server = name,
                             .pods_per_server = others.value_or(0.0)});
        }
    }
    return roles;
}

// Source: kserve/kserve, pkg/apis/serving/v1alpha2, ParallelismSpec.GetSize: pods of a server on several nodes.
Count pods_of_server(const JsonValue& part) {
    const Count data = count_at(part, "parallelism/data", 0.0);
    const Count local = count_at(part, "parallelism/dataLocal", 0.0);
    const Count stages = count_at(part, "parallelism/pipeline", 1.0);
    if (!data || !local || !stages) {
        return std::nullopt;
    }
    return *data > 0.0 || *local > 0.0 ? std::max(std::floor(std::max(*data, 1.0) / std::max(*local, 1.0)), 1.0)
                                       : std::max(*stages, 1.0);
}

void add_service_part(const JsonValue& part, const std::string& name, const std::string& model, std::vector<Role>& roles) {
    const JsonValue* const worker = part.find("worker");
    const Count replicas = count_at(part, "replicas", 1.0);
    const Count size = worker == nullptr ? Count(1.0) : pods_of_server(part);
    roles.push_back({.name = name,
                     .pod = part.find("template"),
                     .replicas = replicas,
                     .max_replicas = count_at(part, "scaling/maxReplicas", 0.0).value_or(0.0),
                     .model = model,
                     .server = name,
                     .is_of_base = true});
    if (worker != nullptr) {
        const Count others = size ? Count(*size - 1.0) : std::nullopt;
        roles.push_back({.name = name.empty() ? "worker" : name + " worker",
                         .pod = worker,
                         .replicas = product(replicas, others),
                         .model = model,
                         .server = name,
                         .pods_per_server = others.value_or(0.0),
                         .is_of_base = true});
    }
}

std::vector<Role> llm_inference_service_roles(const JsonValue& spec) {
    std::vector<Role> roles;
    const std::string model = model_of_uri(text_at(spec, "model/uri"), text_at(spec, "model/name"));
    add_service_part(spec, "", model, roles);
    if (const JsonValue* const prefill = spec.find("prefill")) {
        add_service_part(*prefill, "prefill", model, roles);
    }
    for (Role& role : roles) {
        role.nameless = model.empty() && !text_at(spec, "model/uri").empty() ? "an address" : "";
    }
    return roles;
}

// Source: ai-dynamo/dynamo, deploy/operator/api: v1alpha1 has services by name with resources of their own, v1beta1 a list of
// components with pod templates; a replica has as many pods as multinode has nodes.
void add_component(const JsonValue& component, const std::string& name, std::vector<Role>& roles) {
    const JsonValue* const extra = component.find("extraPodSpec");
    const JsonValue* const pod = extra != nullptr ? extra : at_path(component, "podTemplate/spec");
    const Count nodes = count_at(component, "multinode/nodeCount", 1.0);
    const JsonValue* const scales = at_path(component, "autoscaling/enabled");
    const Count limit = number_at(component, "resources/limits/gpu");
    roles.push_back({.name = name,
                     .pod = pod,
                     .replicas = product(count_at(component, "replicas", 1.0), nodes),
                     .max_replicas = scales != nullptr && scales->boolean()
                                         ? count_at(component, "autoscaling/maxReplicas", 0.0).value_or(0.0) * nodes.value_or(1.0)
                                         : 0.0,
                     .devices = limit ? limit : number_at(component, "resources/requests/gpu"),
                     .server = name,
                     .pods_per_server = nodes.value_or(1.0)});
}

std::vector<Role> dynamo_roles(const JsonValue& spec) {
    std::vector<Role> roles;
    if (const JsonValue* const services = spec.find("services")) {
        for (const JsonMember& service : services->members()) {
            add_component(service.value, std::string(service.name), roles);
        }
    }
    if (const JsonValue* const components = spec.find("components")) {
        for (const JsonValue& component : components->entries()) {
            add_component(component, text_at(component, "name"), roles);
        }
    }
    return roles;
}

using RolesOfSpec = std::vector<Role> (*)(const JsonValue& spec);
struct CustomRow {
    std::string_view kind;
    std::string_view group; ///< of its apiVersion
    RolesOfSpec roles;
};
constexpr auto kCustomKinds = std::to_array<CustomRow>({
    {"LeaderWorkerSet", "leaderworkerset.x-k8s.io", leader_worker_roles},
    {"JobSet", "jobset.x-k8s.io", job_set_roles},
    {"RayCluster", "ray.io", ray_cluster_roles},
    {"RayService", "ray.io", ray_roles_at<kOfService>},
    {"RayJob", "ray.io", ray_roles_at<kOfJob>},
    {"InferenceService", "serving.kserve.io", inference_service_roles},
    {"LLMInferenceService", "serving.kserve.io", llm_inference_service_roles},
    {"DynamoGraphDeployment", "nvidia.com", dynamo_roles},
});

} // namespace

std::optional<std::vector<Role>> roles_of(const JsonValue& object) {
    const std::string kind = text_at(object, "kind");
    const std::string group = group_of(object);
    const auto custom =
        std::ranges::find_if(kCustomKinds, [&](const CustomRow& row) { return row.kind == kind && row.group == group; });
    if (custom != kCustomKinds.end()) {
        const JsonValue* const spec = object.find("spec");
        return spec == nullptr ? std::vector<Role>() : custom->roles(*spec);
    }
    const auto row = std::ranges::find(kKinds, kind, &KindRow::kind);
    const JsonValue* const pod = row == kKinds.end() ? nullptr : at_path(object, row->pod);
    if (pod == nullptr) {
        return std::nullopt;
    }
    return std::vector<Role>{{.pod = pod,
                              .replicas = row->replicas.empty() ? Count(1.0) : count_at(object, row->replicas, 1.0),
                              .is_by_node = row->is_by_node}};
}

} // namespace costcurve::gate::deployed
